// Buttons that copy what stands beside them; hidden where the browser cannot.

export function copyButtons(root) {
  if (!navigator.clipboard) return;
  for (const button of root.querySelectorAll("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(document.querySelector(button.dataset.copy).textContent);
      button.textContent = "Copied";
    });
  }
}

copyButtons(document);
