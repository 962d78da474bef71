// The move box of any game: it asks the server how a move can go on and offers that, as
// buttons and on the board. The server judges; where nothing is hidden it is asked beforehand,
// as soon as a whole move is pointed at. What is picked is played when it is picked once more.

const SHOWN_MAX = 60;
const TYPING_MS = 150;
const SVG = "http://www.w3.org/2000/svg";
const KEY = /^([^\s/']|Enter|Escape|Backspace)$/; // what moves are typed with
const KEYS = "Pick a move twice to play it. Or type it: <kbd>Enter</kbd> plays, <kbd>Esc</kbd> begins again.";

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
    this.image = root.querySelector("#board-image");
    this.input = root.querySelector("#move");
    this.steps = []; // how the text that was answered last goes on
    this.prefix = ""; // what these steps have in common
    this.typing = Promise.resolve(); // keys wait for the answer to the one before
    this.points = pointsText(root);
    this.input.removeAttribute("list"); // the buttons say more than a list of everything
    made(this.place, "h2", {}, "How the move goes on");
    this.choices = made(this.place, "div", { class: "choices-row", role: "group", "aria-label": "What can come next" });
    this.verdict = made(this.place, "p", { class: "verdict", role: "status" });
    made(this.place, "p", { class: "keys" }).innerHTML = KEYS;
    this.input.addEventListener("input", () => this.later());
    if (this.spots.length) this.makeOverlay(root.querySelector("#board"));
    this.at(this.input.value);
  }

  close() {
    window.clearTimeout(this.waiting);
    this.looked = this.shown = null;
    this.overlay?.remove();
    this.place.replaceChildren();
  }

  // The page came anew round this picker, with its board as it stands.
  changed() {
    this.under = null;
    if (this.shown) this.paint(this.shown);
  }

  takesKey(event) {
    const onControl = event.target.matches?.("a, button, summary");
    if (!KEY.test(event.key) || (event.key === "Enter" && onControl)) return false;
    this.typing = this.typing.then(() => this.type(event.key));
    return true;
  }

  type(key) {
    const text = this.input.value;
    if (key === "Enter" && this.isWhole(text)) return this.send();
    if (key === "Escape" && text) return this.put("");
    if (key === "Backspace" && text) return this.put(text.slice(0, -1));
    return this.steps.some((step) => step.text.startsWith(text + key)) ? this.put(text + key) : null;
  }

  isWhole(text) {
    return this.steps.some((step) => step.ends && step.text === text);
  }

  later() {
    window.clearTimeout(this.waiting);
    this.waiting = window.setTimeout(() => this.at(this.input.value), TYPING_MS);
  }

  put(text) {
    this.input.value = text;
    return this.at(text);
  }

  // A move that is whole leaves its neighbours on offer, so that another one is a pick away.
  async at(text) {
    const answer = await this.ask(`steps?prefix=${encodeURIComponent(text)}`);
    if (text !== this.input.value || !answer) return;
    const further = answer.steps.filter((step) => step.text !== text);
    const narrows = further.every((step) => this.steps.some((known) => known.text === step.text));
    if (!narrows || !text.startsWith(this.prefix)) this.prefix = text;
    if (further.length || !this.isWhole(text)) this.steps = further;
    this.pointed = "";
    this.show();
    if (!this.pointed) this.judge(text);
  }

  pick(step) {
    if (this.isWhole(step.text) && step.text === this.input.value) this.send();
    else this.put(step.text);
  }

  send() {
    this.input.form.requestSubmit();
  }

  // Pointing at a whole move, with the mouse or the focus, shows what it would do.
  pointAt(step) {
    this.pointed = step?.ends ? step.text : "";
    this.judge(this.pointed || this.input.value);
  }

  pointable(element, step) {
    const isMouse = (event) => event.pointerType === "mouse";
    element.addEventListener("click", () => this.pick(step));
    element.addEventListener("pointerenter", (event) => isMouse(event) && this.pointAt(step));
    element.addEventListener("pointerleave", (event) => isMouse(event) && this.pointAt(null));
    element.addEventListener("focus", () => this.pointAt(step));
    element.addEventListener("blur", () => this.pointAt(null));
  }

  async ask(path, body) {
    const options = body && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
    const answer = await fetch(`/v1/matches/${this.match}/${path}`, options);
    return answer.ok ? answer.json() : null;
  }

  show() {
    const hadFocus = this.choices.contains(document.activeElement);
    this.choices.replaceChildren();
    if (this.input.value) this.choice({ text: "", ends: false }, "←", "Begin again");
    for (const step of this.steps.slice(0, SHOWN_MAX)) this.choice(step, words(step, this.prefix), step.text);
    const more = this.steps.length - SHOWN_MAX;
    if (more > 0) made(this.choices, "span", { class: "hint" }, `and ${more} more: type to narrow them down`);
    this.showSpots();
    if (hadFocus) this.focusChoice();
  }

  choice(step, words, label) {
    const button = made(this.choices, "button", { class: "button quiet small", type: "button", "aria-label": label }, words);
    if (step.text) button.dataset.step = step.text;
    if (step.ends) button.setAttribute("aria-pressed", step.text === this.input.value);
    this.pointable(button, step);
  }

  // Whoever picks with the keyboard stays among the choices: on the one picked, or the first.
  focusChoice() {
    const picked = this.choices.querySelector("[aria-pressed=true]");
    (picked ?? this.choices.querySelector("[data-step]") ?? this.choices.firstElementChild)?.focus();
  }

  async judge(text) {
    this.looked = text;
    const seen = text && this.open ? await this.ask("preview", { move: text }) : null;
    if (this.looked !== text) return;
    const unfinished = seen?.code && text === this.input.value && this.steps.length > 0;
    await this.paint(seen?.dry_run ? `/v1/matches/${this.match}/preview.svg?move=${encodeURIComponent(seen.move)}` : "");
    if (this.looked === text) this.say(unfinished ? null : seen);
  }

  say(seen) {
    this.verdict.className = seen ? `verdict ${seen.code ? "bad" : "good"}` : "verdict";
    this.verdict.textContent = seen ? this.told(seen) : "";
  }

  told(seen) {
    if (seen.code) return `✕ ${seen.sentence}`;
    const points = Object.entries(seen.points).map(([seat, count]) => `${seat} ${String(count).replace("-", "−")}`).join(", ");
    const after = points && points !== this.points ? [`After it: ${points}.`] : [];
    return ["✓ It can be played.", ...(seen.dry_run ? [seen.dry_run.sentence] : []), ...after].join(" ");
  }

  // On the board: the dry run of what is pointed at, and what can be pointed at

  async paint(url) {
    this.shown = url;
    if (url) await loaded(url);
    if (this.shown !== url) return;
    this.under ??= this.image.getAttribute("href");
    this.image.setAttribute("href", url || this.under);
    if (!url) this.under = null;
  }

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
      const chosen = step.text === this.input.value ? " chosen" : "";
      const area = made(this.overlay, "rect", { class: `target${chosen}`, x, y, width, height, rx: 8 });
      this.pointable(area, step);
    }
  }
}

// A picture that is at hand is put in place without a flash.
async function loaded(url) {
  const image = new Image();
  image.src = url;
  await image.decode().catch(() => {});
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
