// Live updates and keys. Without this script all pages work: decisions are plain forms.
"use strict";

const DELAY = 500; // milliseconds over which the clients of a change spread their requests
const boxes = () => [...document.querySelectorAll("[name=id][type=checkbox]")];
const chosen = () => boxes().filter((box) => box.checked);
const titles = () => [...document.querySelectorAll(".rows li > a")];
const reason = () => document.getElementById("reason");

function announce() {
  const status = document.getElementById("chosen");
  const count = chosen().length;
  if (status) status.textContent = count ? `${count} selected` : "Nothing selected";
}

document.addEventListener("change", (event) => {
  if (event.target.name === "id") announce();
});

// A second click would send the form again.
document.addEventListener("submit", (event) => {
  if (event.target.dataset.sent) event.preventDefault();
  event.target.dataset.sent = "yes";
});
window.addEventListener("pageshow", (event) => {
  if (event.persisted) for (const form of document.forms) delete form.dataset.sent;
});

// Live updates: the list is replaced only while nobody is in the middle of a decision.

function isBusy() {
  const typed = reason() && reason().value;
  const dialog = document.querySelector("dialog[open]");
  const sent = document.querySelector("form[data-sent]");
  return Boolean(chosen().length || typed || dialog || sent || document.querySelector(".wrong"));
}

async function update() {
  const list = document.getElementById("list") || document.querySelector(".empty");
  if (!list) return;
  if (isBusy()) {
    const note = document.getElementById("changed");
    if (note) note.hidden = false;
    return;
  }
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (!answer.ok || answer.redirected || isBusy()) return;
  const next = new DOMParser().parseFromString(await answer.text(), "text/html");
  const focused = document.activeElement && document.activeElement.getAttribute("href");
  const shown = document.querySelector("main > .happened");
  const main = next.getElementById("main");
  if (!main) return;
  if (shown && !main.querySelector(".happened")) main.prepend(shown);
  document.getElementById("main").replaceChildren(...main.childNodes);
  document.title = next.title;
  if (focused) titles().find((title) => title.getAttribute("href") === focused)?.focus();
}

let waiting = 0;
function updateSoon() {
  clearTimeout(waiting);
  waiting = setTimeout(() => update().catch(() => {}), Math.random() * DELAY);
}

const live = document.body.dataset.live;
if (live && document.querySelector("#list, .empty")) {
  const source = new EventSource(live);
  let greetings = 0; // after the first one, something may have been missed
  source.addEventListener("hello", () => greetings++ && updateSoon());
  source.addEventListener("changed", updateSoon);
  source.addEventListener("approval_required", updateSoon);
  source.addEventListener("signed_out", () => source.close());
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) updateSoon();
  });
}

// Keys.

const KEYS_OFF = "helix-keys-off";
const areOff = () => localStorage.getItem(KEYS_OFF) === "yes";
const isTyping = (target) =>
  target.matches("input:not([type=checkbox]), textarea, select, [contenteditable]");

function move(step) {
  const all = titles();
  if (!all.length) return;
  const at = all.findIndex((title) => title.closest("li").contains(document.activeElement));
  const next = at < 0 ? (step > 0 ? 0 : all.length - 1) : at + step;
  all[Math.min(all.length - 1, Math.max(0, next))].focus();
}

function toggle() {
  const row = document.activeElement && document.activeElement.closest("li");
  const box = row && row.querySelector("[name=id]");
  if (box) box.click();
}

function goTo(selector) {
  if (boxes().length && !chosen().length) toggle();
  const row = document.activeElement && document.activeElement.closest(".rows li");
  // An entry without a box is decided on its own page.
  if (row && !chosen().length) return row.querySelector("a").click();
  document.querySelector(selector)?.focus();
}

const KEYS = {
  j: () => move(1),
  k: () => move(-1),
  x: toggle,
  s: () => document.querySelector(".all")?.click(),
  a: () => goTo(".bar .approve"),
  r: () => goTo("#reason"),
  "?": () => document.getElementById("keys")?.showModal(),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.key === "Enter" && event.target.matches("[name=id]")) return event.preventDefault();
  if (event.key === "Escape" && event.target === reason()) return event.target.blur();
  if (isTyping(event.target) || document.querySelector("dialog[open]")) return;
  const action = KEYS[event.key];
  if (!action || (areOff() && event.key !== "?")) return;
  event.preventDefault();
  action();
});

document.addEventListener("change", (event) => {
  if (event.target.id !== "keys-on") return;
  if (event.target.checked) localStorage.removeItem(KEYS_OFF);
  else localStorage.setItem(KEYS_OFF, "yes");
});
const switchBox = document.getElementById("keys-on");
if (switchBox) switchBox.checked = !areOff();
