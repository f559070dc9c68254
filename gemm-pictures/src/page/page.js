"use strict";
const status = document.getElementById("status");
const source = document.querySelector("table.source");
const rows = source ? [...source.querySelectorAll("tr[data-line]")] : [];
const state = new URLSearchParams(location.hash.slice(1));

// What the emulator knows of the tile of each side, see report/links.rs.
const links = JSON.parse(document.getElementById("links").textContent);

// The elements of each picture that say something, in the order of the document.
const items = new Map();

// Takes a picture in. What `use` refers to is copied, so that events tell its parts apart.
function adopt(svg) {
  for (const use of svg.querySelectorAll("use")) {
    const group = document.createElementNS(use.namespaceURI, "g");
    for (const { name, value } of use.attributes)
      if (!["href", "x", "y"].includes(name)) group.setAttribute(name, value);
    group.setAttribute("transform", `translate(${use.getAttribute("x")} ${use.getAttribute("y")})`);
    const part = document.querySelector(use.getAttribute("href")).cloneNode(true);
    part.removeAttribute("id");
    group.append(part);
    use.replaceWith(group);
  }
  items.set(svg, [...svg.querySelectorAll("rect, circle, polyline")].filter(
    (shape) => !shape.closest("defs") && Object.keys(shape.dataset).length > 0));
}
for (const svg of document.querySelectorAll("figure svg")) adopt(svg);

// Its attributes and those of the groups around it. What lies in a group that was used counts from there.
function told(shape) {
  const all = {};
  for (let node = shape; node && node.tagName !== "svg"; node = node.parentNode)
    for (const [name, value] of Object.entries(node.dataset ?? {}))
      if ((name === "row" || name === "column") && name in all) all[name] = Number(all[name]) + Number(value);
      else if (!(name in all)) all[name] = value;
  return all;
}

function clear(...names) {
  for (const name of names)
    for (const node of document.querySelectorAll("." + name)) node.classList.remove(name);
}

// The URL follows after a moment: browsers limit how often it may change.
let writing = 0;
function remember(key, value) {
  value === null ? state.delete(key) : state.set(key, value);
  clearTimeout(writing);
  writing = setTimeout(() => history.replaceState(null, "", "#" + state), 150);
}

// Lines of text at the bottom.
function say(...lines) {
  status.replaceChildren(...lines.map((line) => {
    const node = document.createElement("div");
    node.textContent = line;
    return node;
  }));
}

function showShape(shape) {
  const svg = shape.closest("svg"), figure = svg.closest("figure"), all = told(shape);
  clear("at", "same", "linked");
  shape.classList.add("at");
  // Everything that the same lanes, or the same warp, hold in the picture.
  for (const name of ["lanes", "warp", "wave"])
    if (all[name] !== undefined) {
      for (const other of items.get(svg))
        if (other !== shape && told(other)[name] === all[name]) other.classList.add("same");
      break;
    }
  const words = Object.entries(all).map(([name, value]) => `${name} ${value}`);
  const known = accessesOf(figure.dataset.name, all);
  say(`${figure.querySelector("title").textContent}: ${words.join(", ")}`, ...known.said);
  const isLinked = known.lines.size
    ? (row) => known.lines.has(Number(row.dataset.line))
    : (row) => (row.dataset.pictures ?? "").split(" ").includes(figure.dataset.name);
  for (const row of rows) if (isLinked(row)) row.classList.add("linked");
  const number = [...document.querySelectorAll("figure svg")].indexOf(svg);
  remember("at", `${number}.${items.get(svg).indexOf(shape)}`);
  remember("line", null);
}

function showLine(row) {
  clear("at", "same", "linked");
  row.classList.add("at");
  const names = (row.dataset.pictures ?? "").split(" ").filter(Boolean);
  for (const name of names)
    for (const figure of document.querySelectorAll(`figure[data-name="${name}"]`)) figure.classList.add("linked");
  const heads = [...source.querySelectorAll("thead th")].map((head) => head.textContent);
  const counts = [...row.cells].slice(0, 4).map((cell, at) => [heads[at], cell.textContent]);
  const words = counts.filter(([, count]) => count).map(([name, count]) => `${name} ${count}`);
  if (names.length) words.push(`pictures ${names.join(" ")}`);
  const marked = markAccesses(Number(row.dataset.line));
  const known = marked || !names.length ? [] : ["addresses are not known: its pictures are marked as a whole"];
  say(`line ${row.dataset.line}: ${words.join(", ") || "no instructions"}`, ...(marked ? [marked] : known));
  remember("line", row.dataset.line);
  remember("at", null);
}

function colour(heat) {
  source?.setAttribute("data-heat", heat);
  for (const button of document.querySelectorAll("button[data-heat]"))
    button.setAttribute("aria-pressed", button.dataset.heat === heat);
}

// The nearest other shape in the direction of an arrow.
function next(shape, all, [dx, dy]) {
  const centre = (node) => {
    const box = node.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = centre(shape);
  let best = null, least = Infinity;
  for (const other of all) {
    const [ox, oy] = centre(other), along = (ox - x) * dx + (oy - y) * dy;
    const cost = along + 4 * Math.abs((ox - x) * dy + (oy - y) * dx);
    if (along > 1 && cost < least) [best, least] = [other, cost];
  }
  return best;
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

document.addEventListener("pointerover", ({ target }) => {
  const shape = target.closest("figure svg rect, figure svg circle, figure svg polyline");
  if (shape && items.get(shape.closest("svg"))?.includes(shape)) showShape(shape);
  const row = target.closest("tr[data-line]");
  if (row) showLine(row);
});
// Scrolls to what is marked: from an element to its first source line, from a line to its first picture.
function goTo(from) {
  const marked = from.closest("figure svg") ? rows.find((row) => row.classList.contains("linked"))
    : from.closest("tr[data-line]") || from === source ? document.querySelector("figure.linked") : null;
  marked?.scrollIntoView({ block: "center" });
}
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter") goTo(event.target);
  const arrow = ARROWS[event.key];
  if (!arrow) return;
  const svg = event.target.closest?.("figure svg");
  if (svg) {
    const all = items.get(svg), at = all.find((shape) => shape.classList.contains("at"));
    const to = at ? next(at, all, arrow) : all[0];
    const range = svg.closest("figure").querySelector(".scrub input");
    if (range && arrow[1] === 0) moveCursor(range, arrow[0]);
    else if (to) showShape(to);
    event.preventDefault();
  } else if (event.target === source && arrow[0] === 0) {
    const at = rows.findIndex((row) => row.classList.contains("at"));
    const row = rows[Math.min(Math.max(at + arrow[1], 0), rows.length - 1)];
    showLine(row);
    row.scrollIntoView({ block: "nearest" });
    event.preventDefault();
  }
});
document.addEventListener("click", ({ target }) => {
  goTo(target);
  const heat = target.closest("button[data-heat]")?.dataset.heat;
  if (heat) {
    colour(heat);
    remember("heat", heat);
  }
});

const THEMES = ["auto", "light", "dark"];
const button = document.getElementById("theme");
function paint(theme) {
  theme === "auto" ? delete document.documentElement.dataset.theme : (document.documentElement.dataset.theme = theme);
  button.textContent = `theme: ${theme}`;
}
button.addEventListener("click", () => {
  const theme = THEMES[(THEMES.indexOf(state.get("theme") ?? "auto") + 1) % THEMES.length];
  paint(theme);
  remember("theme", theme === "auto" ? null : theme);
});

// What the fragment of the URL names; a link to a section keeps the rest.
function restore() {
  const asked = new URLSearchParams(location.hash.slice(1));
  for (const [key, value] of asked) state.set(key, value);
  choosePlan(state.get("plan") ?? "as it is");
  for (const range of document.querySelectorAll(".scrub input")) scrub(range, Number(state.get("step") ?? 0));
  paint(THEMES.includes(state.get("theme")) ? state.get("theme") : "auto");
  colour(state.get("heat") ?? "executed");
  const [picture, shape] = (state.get("at") ?? "").split(".").map(Number);
  const all = items.get(document.querySelectorAll("figure svg")[picture]);
  const row = rows.find((row) => row.dataset.line === state.get("line"));
  if (all?.[shape]) showShape(all[shape]);
  else if (row) showLine(row);
  const section = document.getElementById(`section-${asked.get("section")}`);
  section?.scrollIntoView();
}
addEventListener("hashchange", restore);
