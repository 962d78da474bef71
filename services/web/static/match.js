// Makes a match page live: it asks the server for the same page again and puts what came in
// place of what was. All of it is comfort; without it links and forms do the same.

import { dressChance } from "./chance.js";
import { copyButtons } from "./copy.js";
import { localTimes } from "./times.js";

const GAMES = { blokus: () => import("./blokus.js") }; // with a picker of their own
const ANY_GAME = () => import("./stepper.js");
const SETTLE_MS = 60; // events that come together are shown together

let game = null;
let picker = null;
let stream = null;
let waiting = 0;

const match = () => document.getElementById("match");

async function fetchPage(url) {
  const answer = await fetch(url, { headers: { Accept: "text/html" } });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

// The picture is the same element with another address, so that it never flashes; a piece in
// hand stays in hand while its turn lasts.
function takeOver(page) {
  const old = match();
  const fresh = document.adoptNode(page.getElementById("match"));
  const keeps = picker !== null && fresh.dataset.yourMove === "yes" && fresh.dataset.turn === old.dataset.turn;
  const focus = document.activeElement?.dataset?.key;
  const writing = document.activeElement?.closest("form.panel") && document.activeElement.id;
  carryImage(old, fresh, "board-image");
  for (const image of old.querySelectorAll(".asides image")) carryImage(old, fresh, image.id);
  if (keeps) {
    fresh.querySelector('[data-part="play"]').replaceWith(old.querySelector('[data-part="play"]'));
    if (picker.overlay) fresh.querySelector("#board").append(picker.overlay);
    picker.changed?.(fresh);
  }
  fresh.querySelector(".letters").open = old.querySelector(".letters").open;
  carryTyped(old, fresh);
  document.title = page.title;
  old.replaceWith(fresh);
  if (focus) fresh.querySelector(`[data-key="${focus}"]`)?.focus();
  if (writing) fresh.querySelector(`#${writing}`)?.focus();
  dress(keeps);
}

function carryImage(old, fresh, id) {
  const was = old.querySelector(`#${id}`);
  const is = fresh.querySelector(`#${id}`);
  if (!was || !is) return;
  for (const { name, value } of is.attributes) {
    if (was.getAttribute(name) !== value) was.setAttribute(name, value);
  }
  is.replaceWith(was);
}

// What somebody has typed or rolled and not handed in yet stays as it is.
function carryTyped(old, fresh) {
  for (const field of old.querySelectorAll("form.panel :is(input, textarea)[id]")) {
    const same = fresh.querySelector(`#${field.id}`);
    if (same) same.value = field.value;
  }
}

// What a page needs after it came, from the server or by takeOver.
function dress(keepsPicker) {
  const root = match();
  copyButtons(root);
  localTimes(root);
  dressChance(root);
  for (const form of root.querySelectorAll("form[data-confirm]")) {
    form.addEventListener("submit", (event) => {
      if (!window.confirm(form.dataset.confirm)) event.preventDefault();
    });
  }
  const list = root.querySelector("#move-list");
  const current = list?.querySelector("[aria-current]");
  if (current) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
  game.nameMoves(root);
  if (!keepsPicker) {
    picker?.close();
    picker = null;
    if (root.dataset.yourMove === "yes") picker = game.openPicker(root);
  }
}

// After a form said no, the address is the form's; the match has its own.
function address() {
  const path = `/matches/${match().dataset.match}`;
  return location.pathname === path ? path + location.search : path;
}

async function refresh() {
  try {
    takeOver(await fetchPage(address()));
  } catch (error) {
    console.warn("the page could not be brought up to date:", error.message);
  }
}

async function walk(url, keepInHistory) {
  try {
    takeOver(await fetchPage(url));
    if (keepInHistory) history.pushState(null, "", url);
  } catch {
    location.assign(url);
  }
}

function listen() {
  const { match: id, status, version } = match().dataset;
  if (status === "ended" || !("EventSource" in window)) return;
  stream = new EventSource(`/v1/matches/${id}/events/stream?since=${version}`);
  stream.addEventListener("event", () => {
    window.clearTimeout(waiting);
    waiting = window.setTimeout(refresh, SETTLE_MS);
  });
  stream.addEventListener("ended", () => stream.close());
}

function typing(target) {
  return target instanceof HTMLElement && target.matches("input, textarea, select");
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.(".step[href], .move-list a, .notice a[href]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  walk(link.href, true);
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
  if (picker?.takesKey(event)) {
    event.preventDefault();
    return;
  }
  const link = match().querySelector(`a[data-key="${event.key}"]`);
  if (link) {
    event.preventDefault();
    walk(link.href, true);
  }
});

window.addEventListener("popstate", () => walk(location.href, false));
window.addEventListener("pagehide", () => stream?.close());
window.addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});

game = await (GAMES[match().dataset.game] ?? ANY_GAME)();
dress(false);
listen();
