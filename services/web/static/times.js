// Moments in the reader's own time and manner.

export function localTimes(root) {
  for (const time of root.querySelectorAll("time")) {
    const style = { dateStyle: "medium", timeStyle: "short" };
    time.textContent = new Date(time.dateTime).toLocaleString(undefined, style);
  }
}

localTimes(document);
