// The Blokus picker: choose a piece, turn it, see whether and why it fits, place it.
// The server judges; this only knows its list of legal moves and says in words what is wrong.

// The drawing's measures, the same as in services/games/blokus/drawing.py (a test compares).
export const CELL = 40;
export const BOARD_X = 52;
export const BOARD_Y = 24;

const SVG = "http://www.w3.org/2000/svg";
const PIECES = {
  I1: "00", I2: "00 10", I3: "00 10 20", V3: "00 10 01", I4: "00 10 20 30", L4: "00 10 20 01",
  T4: "00 10 20 11", Z4: "00 10 11 21", O4: "00 10 01 11", F: "10 01 11 12 22",
  I5: "00 10 20 30 40", L5: "00 10 20 30 01", N: "00 10 20 21 31", P: "00 10 01 11 02",
  T5: "02 12 22 11 10", U: "00 10 20 01 21", V5: "00 10 20 01 02", W: "00 10 11 21 22",
  X: "10 01 11 21 12", Y: "00 10 20 30 11", Z5: "00 10 11 12 22",
};

// Cells are [column, row] with row 0 at the bottom, as on the rule sheet.
const cellsOf = (text) => text.split(" ").map((cell) => [Number(cell[0]), Number(cell[1])]);

function settled(cells) {
  const left = Math.min(...cells.map(([x]) => x));
  const low = Math.min(...cells.map(([, y]) => y));
  return cells
    .map(([x, y]) => [x - left, y - low])
    .sort((a, b) => a[1] - b[1] || a[0] - b[0]);
}

const keyOf = (cells) => settled(cells).join(" ");
const turned = (cells) => settled(cells.map(([x, y]) => [y, -x]));
const flipped = (cells) => settled(cells.map(([x, y]) => [-x, y]));

function orientations(cells) {
  const found = new Map();
  let shape = settled(cells);
  for (let flip = 0; flip < 2; flip += 1) {
    for (let turn = 0; turn < 4; turn += 1) {
      found.set(keyOf(shape), shape);
      shape = turned(shape);
    }
    shape = flipped(shape);
  }
  return found;
}

const NAME_BY_SHAPE = new Map();
for (const [name, text] of Object.entries(PIECES)) {
  for (const key of orientations(cellsOf(text)).keys()) NAME_BY_SHAPE.set(key, name);
}

const squareName = ([x, y]) => String.fromCharCode(97 + x) + (y + 1);
const readSquare = (name) => [name.charCodeAt(0) - 97, Number(name.slice(1)) - 1];
const readMove = (move) => move.split(",").map(readSquare);
const moveText = (cells) => [...cells].sort((a, b) => a[1] - b[1] || a[0] - b[0]).map(squareName).join(",");

export function pieceName(move) {
  return NAME_BY_SHAPE.get(keyOf(readMove(move)));
}

// A position line: "blokus duo corners=fixed next=green … blue=e9,e10/f8 green=-".
export function readPosition(line) {
  const [, variant, ...fields] = line.split(" ");
  const known = ["corners", "next", "last", "shares", "done", "out"];
  const entries = fields.map((field) => field.split("="));
  const position = { variant, size: variant === "duo" ? 14 : 20, colours: {} };
  for (const [name, value] of entries) {
    if (known.includes(name)) position[name] = value;
    else position.colours[name] = value === "-" ? [] : value.split("/");
  }
  return position;
}

// Names beside the squares in the list of moves.
export function nameMoves(root) {
  for (const link of root.querySelectorAll("[data-move]")) {
    const words = link.querySelector(".move");
    const name = pieceName(link.dataset.move);
    if (words && name) words.innerHTML = `<b>${name}</b> <span class="soft">${link.dataset.move}</span>`;
  }
}

export function openPicker(root) {
  return new Picker(root);
}

function element(parent, tag, attributes = {}, text = "") {
  const svg = parent.namespaceURI === SVG || tag === "svg";
  const made = svg ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text) made.textContent = text;
  parent.append(made);
  return made;
}

class Picker {
  constructor(root) {
    this.place = root.querySelector("#picker");
    this.input = root.querySelector("#move");
    this.form = root.querySelector("#move-form");
    this.position = readPosition(root.dataset.position);
    this.colour = this.position.next;
    this.legal = new Map(); // piece → list of cells
    this.legalTexts = new Set();
    this.held = null; // { name, cells, at: [column, row] of the lower left cell }
    this.pinned = false;
    this.written = ""; // the move that this put into the box
    this.readBoard();
    this.makeOverlay(root.querySelector("#board"));
    this.ready = this.load(root.dataset.match);
  }

  readBoard() {
    this.taken = new Map();
    for (const [colour, moves] of Object.entries(this.position.colours)) {
      for (const move of moves) for (const name of move.split(",")) this.taken.set(name, colour);
    }
    const used = this.position.colours[this.colour].map(pieceName);
    this.left = Object.keys(PIECES).filter((name) => !used.includes(name));
  }

  async load(match) {
    const answer = await fetch(`/v1/matches/${match}/legal-moves?limit=5000`);
    if (!answer.ok) return;
    for (const text of (await answer.json()).moves) {
      const cells = readMove(text);
      const name = NAME_BY_SHAPE.get(keyOf(cells));
      if (!this.legal.has(name)) this.legal.set(name, []);
      this.legal.get(name).push(cells);
      this.legalTexts.add(text);
    }
    this.makeTray();
    this.changed(document);
  }

  // The drawn tray of this colour says nothing that the buttons do not say.
  changed(root) {
    for (const tray of root.querySelectorAll("[data-aside]")) {
      tray.classList.toggle("told", tray.dataset.aside === this.colour);
    }
  }

  close() {
    for (const tray of document.querySelectorAll("[data-aside]")) tray.classList.remove("told");
    this.overlay.remove();
    this.place.replaceChildren();
  }

  // The tray and its buttons

  makeTray() {
    const title = element(this.place, "h2");
    const words = element(title, "span");
    const swatch = element(words, "span", { "data-part-name": this.colour });
    swatch.append(`${this.colour[0].toUpperCase()}${this.colour.slice(1)} to place`);
    element(title, "span", { class: "hint" }, `${this.left.length} left`);
    const tray = element(this.place, "div", { class: "tray", role: "group", "aria-label": "Your pieces" });
    this.buttons = new Map();
    for (const name of this.left) this.buttons.set(name, this.makePiece(tray, name));
    const turns = element(this.place, "div", { class: "turns", role: "group", "aria-label": "Turn the piece" });
    this.tools = [
      this.makeTool(turns, "↻ Turn", "Turn the piece (Space)", () => this.turn()),
      this.makeTool(turns, "⇋ Flip", "Flip the piece over (Shift and Space)", () => this.flip()),
      this.makeTool(turns, "Next fit", "The next place where it fits (full stop)", () => this.nextFit(1)),
      this.makeTool(turns, "✕ Drop", "Put the piece back (Escape)", () => this.drop()),
    ];
    this.verdict = element(this.place, "p", { class: "verdict", role: "status" });
    this.send = element(this.place, "button", { class: "button", type: "button", id: "place" }, "Place it");
    this.send.addEventListener("click", () => this.submit());
    this.makeList();
    const keys = element(this.place, "p", { class: "keys" });
    keys.innerHTML =
      "Keys: <kbd>F</kbd> <kbd>I</kbd> <kbd>L</kbd> … choose a piece, <kbd>Space</kbd> turns it, " +
      "<kbd>Shift</kbd>+<kbd>Space</kbd> flips it, arrows move it, <kbd>.</kbd> next fit, " +
      "<kbd>Enter</kbd> places it, <kbd>Esc</kbd> drops it.";
    this.show();
  }

  makePiece(tray, name) {
    const fits = this.legal.get(name)?.length ?? 0;
    const label = `${name}: ${fits ? `fits in ${fits} ways` : "fits nowhere now"}`;
    const button = element(tray, "button", {
      class: "piece", type: "button", "aria-pressed": "false", "aria-label": label, title: label, "data-fits": fits, "data-piece": name,
    });
    const cells = settled(cellsOf(PIECES[name]));
    const [wide, high] = [0, 1].map((axis) => 1 + Math.max(...cells.map((cell) => cell[axis])));
    const picture = element(button, "svg", { class: "mini", width: wide * 11 + 2, height: high * 11 + 2, "aria-hidden": "true" });
    for (const [x, y] of cells) {
      element(picture, "rect", { class: `ink-${this.colour}`, x: 1 + x * 11, y: 1 + (high - 1 - y) * 11, width: 11, height: 11 });
    }
    button.addEventListener("click", () => {
      this.choose(name);
      if (this.held) this.overlay.focus({ preventScroll: true });
    });
    return button;
  }

  makeTool(parent, words, label, act) {
    const tool = element(parent, "button", { class: "button quiet small", type: "button", title: label }, words);
    tool.addEventListener("click", act);
    return tool;
  }

  makeList() {
    const list = element(this.place, "details");
    element(list, "summary", {}, `All ${this.legalTexts.size} legal moves, by piece`);
    list.addEventListener("toggle", () => this.fillList(list), { once: true });
  }

  fillList(list) {
    for (const [name, places] of this.legal) {
      const group = element(list, "details");
      element(group, "summary", {}, `${name} (${places.length})`);
      const moves = element(group, "div", { class: "by-piece" });
      for (const cells of places) {
        const button = element(moves, "button", { type: "button" }, moveText(cells));
        button.addEventListener("click", () => {
          this.hold(name, cells, true);
          this.send.focus();
        });
      }
    }
  }

  // What is in hand

  choose(name) {
    if (this.held?.name === name) {
      this.drop();
      return;
    }
    const fits = this.legal.get(name) ?? [];
    const shape = settled(cellsOf(PIECES[name]));
    const middle = Math.floor(this.position.size / 2);
    const anywhere = shape.map(([x, y]) => [x + middle, y + middle]);
    const asItIs = fits.find((cells) => keyOf(cells) === keyOf(shape));
    this.hold(name, asItIs ?? fits[0] ?? anywhere, false);
  }

  hold(name, cells, pinned) {
    const at = [0, 1].map((axis) => Math.min(...cells.map((cell) => cell[axis])));
    this.held = { name, cells: settled(cells), at };
    this.pinned = pinned;
    this.show();
  }

  drop() {
    this.held = null;
    this.pinned = false;
    this.show();
  }

  turn(times = 1) {
    for (let i = 0; i < times; i += 1) this.change(turned);
  }

  flip() {
    this.change(flipped);
  }

  // Turned about its middle, so that it stays under the hand.
  change(how) {
    if (!this.held) return;
    const [x, y] = this.middle();
    this.held.cells = how(this.held.cells);
    this.moveMiddle(x, y);
  }

  extent(axis) {
    return Math.max(...this.held.cells.map((cell) => cell[axis]));
  }

  middle() {
    const { at } = this.held;
    return [at[0] + Math.floor(this.extent(0) / 2), at[1] + Math.floor(this.extent(1) / 2)];
  }

  moveMiddle(x, y) {
    const last = this.position.size - 1;
    const low = [x - Math.floor(this.extent(0) / 2), y - Math.floor(this.extent(1) / 2)];
    this.held.at = low.map((place, axis) => Math.max(0, Math.min(last - this.extent(axis), place)));
    this.show();
  }

  nudge(dx, dy) {
    const [x, y] = this.middle();
    this.pinned = true;
    this.moveMiddle(x + dx, y + dy);
  }

  nextFit(step) {
    if (!this.held) this.choose(this.left.find((name) => this.legal.has(name)) ?? this.left[0]);
    const fits = this.legal.get(this.held.name) ?? [];
    if (!fits.length) return;
    const now = fits.findIndex((cells) => moveText(cells) === this.text());
    const next = now < 0 ? 0 : (now + step + fits.length) % fits.length;
    this.hold(this.held.name, fits[next], true);
  }

  cells() {
    const [x, y] = this.held.at;
    return this.held.cells.map(([dx, dy]) => [x + dx, y + dy]);
  }

  text() {
    return moveText(this.cells());
  }

  fits() {
    return this.held !== null && this.legalTexts.has(this.text());
  }

  // Why a piece does not fit, in the order of the rule sheet's reasons.
  wrong() {
    const cells = this.cells();
    const own = (x, y) => this.taken.get(squareName([x, y])) === this.colour;
    const covered = cells.find((cell) => this.taken.has(squareName(cell)));
    if (covered) return `${squareName(covered)} is covered already.`;
    if (!this.position.colours[this.colour].length) return "The first piece covers a start square (a ring on the board).";
    const edge = cells.find(([x, y]) => own(x + 1, y) || own(x - 1, y) || own(x, y + 1) || own(x, y - 1));
    if (edge) return `At ${squareName(edge)} it would touch your own colour along an edge.`;
    const corner = cells.some(([x, y]) => own(x + 1, y + 1) || own(x - 1, y + 1) || own(x + 1, y - 1) || own(x - 1, y - 1));
    return corner ? "It does not fit here." : "It has to touch your own colour at a corner.";
  }

  submit() {
    if (this.fits()) this.form.requestSubmit();
  }

  // Keys and pointer

  takesKey(event) {
    const { key } = event;
    if (!this.buttons) return false;
    const onButton = event.target instanceof HTMLElement && event.target.matches("button, summary, a");
    if (key === "Escape" && this.held) this.drop();
    else if (key === " " && this.held && !(onButton && !event.target.matches(".piece"))) event.shiftKey ? this.flip() : this.turn();
    else if (key === "Enter" && this.held && !onButton) this.submit();
    else if (key === "." || key === ",") this.nextFit(key === "." ? 1 : -1);
    else if (this.held && key in ARROWS) this.nudge(...ARROWS[key].map((step) => step * (event.shiftKey ? 4 : 1)));
    else if (/^[a-z]$/i.test(key)) return this.chooseByLetter(key.toUpperCase());
    else return false;
    return true;
  }

  chooseByLetter(letter) {
    const named = this.left.filter((name) => name[0] === letter);
    if (!named.length) return false;
    const now = named.indexOf(this.held?.name);
    this.choose(named[(now + 1) % named.length]);
    return true;
  }

  makeOverlay(board) {
    const box = board.querySelector("#board-view").getAttribute("viewBox");
    this.overlay = element(board, "svg", {
      id: "overlay", class: "overlay", viewBox: box, tabindex: "0", role: "application",
      "aria-label": "Board: choose a piece by its letter, arrows move it, Space turns it, Enter places it",
    });
    this.spots = element(this.overlay, "g", { "aria-hidden": "true" });
    this.ghost = element(this.overlay, "g", { class: "ghost" });
    this.overlay.addEventListener("pointermove", (event) => {
      const dragging = event.buttons > 0;
      if (this.held && (dragging || (!this.pinned && event.pointerType === "mouse"))) this.moveTo(event);
    });
    this.overlay.addEventListener("pointerdown", (event) => {
      if (!this.held || event.button) return;
      event.preventDefault();
      this.overlay.focus({ preventScroll: true });
      this.again = this.pinned && this.cells().some((cell) => String(cell) === String(this.cellAt(event)));
      if (!this.again) this.moveTo(event);
      this.pinned = true;
      this.downAt = this.text();
      this.show();
    });
    // A second tap on the piece where it lies places it, however slowly it comes.
    this.overlay.addEventListener("pointerup", () => {
      if (this.held && this.again && this.downAt === this.text()) this.submit();
      this.again = false;
    });
  }

  cellAt(event) {
    const box = this.overlay.getBoundingClientRect();
    const scale = this.overlay.viewBox.baseVal.width / box.width;
    const x = Math.floor(((event.clientX - box.left) * scale - BOARD_X) / CELL);
    const y = this.position.size - 1 - Math.floor(((event.clientY - box.top) * scale - BOARD_Y) / CELL);
    return [x, y];
  }

  moveTo(event) {
    const [x, y] = this.cellAt(event);
    const [mx, my] = this.middle();
    if (x !== mx || y !== my) this.moveMiddle(x, y);
  }

  // Drawing

  corner([x, y]) {
    return [BOARD_X + x * CELL, BOARD_Y + (this.position.size - 1 - y) * CELL];
  }

  show() {
    const fits = this.fits();
    this.overlay.classList.toggle("holding", this.held !== null);
    this.ghost.setAttribute("class", `ghost ${fits ? "yes" : "no"} ${this.pinned ? "pinned" : ""}`);
    this.ghost.replaceChildren();
    for (const cell of this.held ? this.cells() : []) this.drawCell(cell, fits);
    this.showSpots();
    for (const [name, button] of this.buttons ?? []) button.setAttribute("aria-pressed", String(this.held?.name === name));
    for (const tool of this.tools ?? []) tool.disabled = this.held === null;
    if (!this.send) return;
    this.send.disabled = !fits;
    this.fillBox();
    this.say(fits);
  }

  // What somebody typed is theirs: only what was written here is taken out again.
  fillBox() {
    if (this.held) this.input.value = this.written = this.text();
    else if (this.input.value === this.written) this.input.value = this.written = "";
  }

  drawCell(cell, fits) {
    const [x, y] = this.corner(cell);
    element(this.ghost, "rect", { class: `ink-${this.colour}`, x, y, width: CELL, height: CELL });
    if (!fits) element(this.ghost, "path", { d: `M${x + 12} ${y + 12}L${x + 28} ${y + 28}M${x + 28} ${y + 12}L${x + 12} ${y + 28}` });
  }

  showSpots() {
    this.spots.replaceChildren();
    if (!this.held) return;
    const shape = keyOf(this.held.cells);
    const spots = new Map();
    for (const cells of this.legal.get(this.held.name) ?? []) {
      const now = keyOf(cells) === shape;
      for (const cell of cells) {
        const name = squareName(cell);
        spots.set(name, { cell, now: now || (spots.get(name)?.now ?? false) });
      }
    }
    for (const { cell, now } of spots.values()) {
      const [x, y] = this.corner(cell);
      element(this.spots, "circle", { class: now ? "spot now" : "spot", cx: x + CELL / 2, cy: y + CELL / 2, r: now ? 5 : 3.5 });
    }
  }

  say(fits) {
    const { verdict, held } = this;
    verdict.className = held ? `verdict ${fits ? "good" : "bad"}` : "verdict";
    const first = this.position.colours[this.colour].length === 0;
    if (!held && first) verdict.textContent = "Your first piece covers a start square: a ring on the board.";
    else if (!held) verdict.textContent = "Choose a piece here or by its letter, then a place on the board.";
    else if (fits) verdict.textContent = `✓ ${held.name} fits on ${this.text()}.`;
    else verdict.textContent = `✕ ${this.wrong()}`;
  }
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
