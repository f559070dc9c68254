// What a warp does or waits for, in words.
const ACTS = {
  request: "requests copies", multiply: "multiplies", load: "loads", stage: "stages results",
  "wait-filled": "waits for a full stage", "wait-free": "waits for a free stage", wait: "waits for others",
};

// What happens in a pipeline at a step.
function stateAt(svg, step) {
  const isAt = (shape) => Number(shape.dataset.from) <= step && step < Number(shape.dataset.to);
  const within = (group, selector) => [...group.querySelectorAll(selector)].filter(isAt);
  const warps = [...svg.querySelectorAll("[data-warp]")].map((row) => {
    const acts = [...row.querySelectorAll("[data-act]")].filter((act) => within(act, "rect").length);
    return [row.dataset.role, acts.map((act) => ACTS[act.dataset.act]).join(", ") || "executes"];
  });
  const stages = [...svg.querySelectorAll("[data-stage]")].map((row) => {
    const state = within(row, "[data-state]")[0]?.dataset;
    const tile = state?.tile === undefined ? "" : `, k-tile ${state.tile}`;
    return [`stage ${row.dataset.stage}`, (state?.state ?? "free") + tile];
  });
  const flight = svg.querySelector("[data-flight]").dataset.flight.split(" ").map(Number);
  let bytes = 0;
  for (let i = 0; i < flight.length && flight[i] <= step; i += 2) bytes = flight[i + 1];
  return { warps, stages, bytes };
}

// Moves the cursor of a pipeline to a step, and says what happens there.
function scrub(range, step) {
  const figure = range.closest("figure"), svg = figure.querySelector("svg");
  const [end, left, right] = svg.querySelector("[data-axis]").dataset.axis.split(" ").map(Number);
  range.value = Math.min(Math.max(step, 0), end - 1);
  const at = Number(range.value), x = left + (right - left) * at / end;
  const cursor = svg.querySelector(".cursor");
  cursor.setAttribute("x1", x);
  cursor.setAttribute("x2", x);
  const { warps, stages, bytes } = stateAt(svg, at);
  const full = stages.filter(([, state]) => state.startsWith("full")).length;
  const cells = [["in flight", `${bytes} B`], ["full stages", `${full} of ${stages.length}`], ...stages, ...warps];
  figure.querySelector(".scrub output").textContent = `step ${at}`;
  figure.querySelector(".scrub dl").replaceChildren(...cells.flatMap(([name, value]) => {
    const [dt, dd] = ["dt", "dd"].map((tag) => document.createElement(tag));
    [dt.textContent, dd.textContent] = [name, value];
    return [dt, dd];
  }));
}

// Moves the cursor by a step of the slider.
function moveCursor(range, by) {
  scrub(range, Number(range.value) + by * Number(range.step));
  remember("step", range.value);
}

for (const axis of document.querySelectorAll("figure svg [data-axis]")) {
  const svg = axis.closest("svg"), figure = svg.closest("figure");
  const [end, left] = axis.dataset.axis.split(" ").map(Number);
  const cursor = document.createElementNS(svg.namespaceURI, "line");
  for (const [name, value] of Object.entries({ class: "cursor", x1: left, x2: left, y1: 44, y2: axis.dataset.bottom }))
    cursor.setAttribute(name, value);
  svg.append(cursor);
  const box = document.createElement("div");
  box.className = "scrub";
  box.innerHTML = `<label><output></output><input type="range" min="0" aria-label="step"></label><dl></dl>`;
  const range = box.querySelector("input");
  range.max = end - 1;
  range.step = Math.max(1, Math.round(end / 400));
  range.addEventListener("input", () => {
    scrub(range, Number(range.value));
    remember("step", range.value);
  });
  svg.after(box);
}
