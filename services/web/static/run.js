// A run's page: it goes on by itself while the server works, and counts the ticked stones.
// Without it the page asks for itself again, and the server counts.

const LOOK_AGAIN_MS = 500;
const EIGHT = 8;

async function goOn(run) {
  const address = `/runs/${run.dataset.run}`;
  const answer = await fetch(`/v1${address}`).catch(() => null);
  const version = answer?.ok ? (await answer.json()).version : Number(run.dataset.version);
  if (version !== Number(run.dataset.version)) location.replace(address);
  else window.setTimeout(() => goOn(run), LOOK_AGAIN_MS);
}

function countEight(boxes) {
  const count = boxes.querySelector("[data-count]");
  const take = boxes.form.querySelector("[data-take]");
  const say = () => {
    const ticked = boxes.querySelectorAll(":checked").length;
    count.textContent = `${ticked} of ${EIGHT} ticked`;
    take.disabled = ticked !== EIGHT;
  };
  boxes.addEventListener("change", say);
  say();
}

const run = document.getElementById("run");
if (run.dataset.waits === "yes") goOn(run);
for (const boxes of run.querySelectorAll("[data-eight]")) countEight(boxes);
