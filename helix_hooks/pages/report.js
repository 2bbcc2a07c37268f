// Filter and sorting. Without this script the page has the same content.
"use strict";

const byId = (id) => document.getElementById(id);
const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];

// The filter of findings.

const filter = byId("filter");
const items = all(".file .findings > li").map((item) => ({
  item,
  file: item.closest(".file"),
  words: `${item.closest(".file").querySelector("summary").textContent} ${item.textContent}`.toLowerCase(),
}));
let openBefore = null; // the files that were open before a filter opened others

function apply() {
  const text = byId("filter-text").value.trim().toLowerCase();
  const rule = byId("filter-rule").value;
  const severities = new Set(all("[type=checkbox]:checked", filter).map((box) => box.value));
  const isNarrow = Boolean(text || rule);
  let count = 0;
  const filesLeft = new Set();
  for (const { item, file, words } of items) {
    const { severity, rule: own } = item.dataset;
    const fits = words.includes(text) && (!rule || own === rule) && severities.has(severity);
    item.hidden = !fits;
    if (fits) filesLeft.add(file);
    count += fits;
  }
  if (isNarrow && !openBefore) openBefore = new Set(all(".file[open]"));
  for (const file of all(".file")) {
    file.hidden = !filesLeft.has(file);
    if (isNarrow) file.open = filesLeft.size <= 30;
    else if (openBefore) file.open = openBefore.has(file);
  }
  if (!isNarrow) openBefore = null;
  byId("filter-count").textContent =
    count === items.length ? "" : `${count} of ${items.length} findings`;
}

function clear() {
  byId("filter-text").value = "";
  byId("filter-rule").value = "";
  for (const box of all("[type=checkbox]", filter)) box.checked = true;
  apply();
}

if (filter) {
  filter.hidden = false;
  filter.addEventListener("input", apply);
  filter.addEventListener("submit", (event) => event.preventDefault());
  if (all("[type=checkbox], #filter-text", filter).length) apply(); // a reload keeps fields
}

document.addEventListener("keydown", (event) => {
  if (!filter || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.key === "Escape" && filter.contains(event.target)) return clear();
  if (event.key !== "/" || event.target.matches("input, select, textarea")) return;
  event.preventDefault();
  byId("filter-text").focus();
});

// A link to a place that is folded or filtered away shows it.

function reveal() {
  const id = decodeURIComponent(location.hash.slice(1));
  const target = id && (byId(id) || byId(location.hash.slice(1)));
  if (!target) return;
  if (filter && (target.hidden || target.closest("[hidden]"))) clear();
  const folded = target.closest("details");
  if (folded && !folded.open) folded.open = true;
  target.scrollIntoView();
}
window.addEventListener("hashchange", reveal);
if (location.hash) reveal();

// Columns of the table of ADRs.

const compare = new Intl.Collator("en", { numeric: true }).compare;

function sort(table, column, head) {
  const isDown = head.getAttribute("aria-sort") === "ascending";
  for (const other of all("th[aria-sort]", table)) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
  const rows = [...table.tBodies[0].rows];
  const words = new Map(rows.map((row) => [row, row.cells[column].textContent]));
  rows.sort((one, other) => compare(words.get(one), words.get(other)) * (isDown ? -1 : 1));
  table.tBodies[0].append(...rows);
}

const table = byId("adr-table");
if (table) {
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    button.addEventListener("click", () => sort(table, column, head));
    head.replaceChildren(button);
  });
}

// Paper shows everything.

let folded = [];
window.addEventListener("beforeprint", () => {
  folded = all("details:not([open])");
  for (const part of folded) part.open = true;
});
window.addEventListener("afterprint", () => {
  for (const part of folded) part.open = false;
});
