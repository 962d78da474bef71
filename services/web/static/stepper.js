// The move box of any game: it asks the server how a move can go on and offers that, as
// buttons and on the board. The server judges; where nothing is hidden it is asked beforehand.

const SHOWN_MAX = 60;
const TYPING_MS = 150;
const SVG = "http://www.w3.org/2000/svg";

export function nameMoves() {}

export function openPicker(root) {
  return new Stepper(root);
}

// What a step adds to the text before it, without what only joins the two.
const added = (step, prefix) => step.text.slice(prefix.length).replace(/^[\s,;:@>-]+/, "") || step.text;

const words = (step, prefix) => added(step, prefix).replace(/[\s,;:@>-]+$/, "") || step.text;

class Stepper {
  constructor(root) {
    this.match = root.dataset.match;
    this.open = root.dataset.hidden === "no";
    this.spots = JSON.parse(root.dataset.spots);
    this.place = root.querySelector("#picker");
    this.input = root.querySelector("#move");
    this.points = pointsText(root);
    this.input.removeAttribute("list"); // the buttons say more than a list of everything
    made(this.place, "h2", {}, "How the move goes on");
    this.choices = made(this.place, "div", { class: "choices-row", role: "group", "aria-label": "What can come next" });
    this.verdict = made(this.place, "p", { class: "verdict", role: "status" });
    this.input.addEventListener("input", () => this.later());
    if (this.spots.length) this.makeOverlay(root.querySelector("#board"));
    this.ready = this.at(this.input.value);
  }

  close() {
    window.clearTimeout(this.waiting);
    this.overlay?.remove();
    this.place.replaceChildren();
  }

  takesKey(event) {
    if (event.key !== "Escape" || !this.input.value) return false;
    this.put("");
    return true;
  }

  later() {
    window.clearTimeout(this.waiting);
    this.waiting = window.setTimeout(() => this.at(this.input.value), TYPING_MS);
  }

  put(text) {
    this.input.value = text;
    return this.at(text);
  }

  async at(text) {
    const steps = await this.ask(`steps?prefix=${encodeURIComponent(text)}`);
    if (text !== this.input.value || !steps) return;
    this.steps = steps.steps.filter((step) => step.text !== text);
    this.prefix = text;
    this.show();
    await this.judge(text);
  }

  async ask(path, body) {
    const options = body && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
    const answer = await fetch(`/v1/matches/${this.match}/${path}`, options);
    return answer.ok ? answer.json() : null;
  }

  show() {
    this.choices.replaceChildren();
    if (this.prefix) this.choice("←", "", "Begin again");
    for (const step of this.steps.slice(0, SHOWN_MAX)) this.choice(words(step, this.prefix), step.text, step.text);
    const more = this.steps.length - SHOWN_MAX;
    if (more > 0) made(this.choices, "span", { class: "hint" }, `and ${more} more: type to narrow them down`);
    this.showSpots();
  }

  choice(words, text, label) {
    const button = made(this.choices, "button", { class: "button quiet small", type: "button", "aria-label": label }, words);
    button.addEventListener("click", () => this.put(text));
  }

  async judge(text) {
    this.verdict.className = "verdict";
    this.verdict.textContent = "";
    if (!text || !this.open) return;
    const seen = await this.ask("preview", { move: text });
    if (!seen || text !== this.input.value) return;
    const unfinished = seen.code && this.steps.length > 0;
    if (unfinished) return;
    this.verdict.className = `verdict ${seen.code ? "bad" : "good"}`;
    const points = Object.entries(seen.points).map(([seat, count]) => `${seat} ${String(count).replace("-", "−")}`).join(", ");
    const after = points && points !== this.points ? ` After it: ${points}.` : "";
    this.verdict.textContent = seen.code ? `✕ ${seen.sentence}` : `✓ It can be played.${after}`;
  }

  // On the board: what can be pointed at now

  makeOverlay(board) {
    const viewBox = board.querySelector("#board-view").getAttribute("viewBox");
    this.overlay = made(board, "svg", { class: "overlay", viewBox, "aria-hidden": "true" });
  }

  showSpots() {
    this.overlay?.replaceChildren();
    const steps = new Map(this.steps.map((step) => [added(step, this.prefix), step]));
    for (const spot of this.spots) {
      const step = steps.get(spot.name);
      if (!step) continue;
      const { x, y, width, height } = spot;
      const area = made(this.overlay, "rect", { class: "target", x, y, width, height, rx: 8 });
      area.addEventListener("click", () => this.put(step.text));
    }
  }
}

function pointsText(root) {
  const rows = [...root.querySelectorAll(".seats tbody tr")];
  return rows.map((row) => `${row.querySelector("th").textContent.trim()} ${row.querySelector(".number").textContent.trim()}`).join(", ");
}

function made(parent, tag, attributes = {}, text = "") {
  const svg = tag === "svg" || parent.namespaceURI === SVG;
  const element = svg ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text) element.textContent = text;
  parent.append(element);
  return element;
}
