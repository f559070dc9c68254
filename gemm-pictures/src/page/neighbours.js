const choices = [...document.querySelectorAll("table.neighbours input")];
// The figures of the plan itself, by name.
const planned = new Map();
let chosen = "as it is";

// Whether the pictures are those of the plan of the page, not of a neighbour.
function isPlan() {
  return chosen === "as it is";
}

// Shows the pictures of a neighbour in the place of the plan's, or what the compiler says of it.
function choosePlan(written) {
  const choice = choices.find((one) => one.value === written);
  if (!choice || written === chosen) return;
  choice.checked = true;
  const refused = document.getElementById("refused");
  const message = document.querySelector(`template[data-refused="${CSS.escape(written)}"]`);
  refused.hidden = !message;
  if (message) refused.textContent = message.content.textContent;
  // The pictures stay those of the plan where there is no other.
  const template = document.querySelector(`template[data-plan="${CSS.escape(written)}"]`);
  chosen = template ? written : "as it is";
  const others = new Map([...(template?.content.children ?? [])].map((figure) => [figure.dataset.name, figure]));
  for (const figure of document.querySelectorAll("section figure")) {
    const name = figure.dataset.name;
    if (!names.has(name)) continue;
    if (!planned.has(name)) planned.set(name, figure);
    const other = isPlan() ? planned.get(name) : others.get(name)?.cloneNode(true);
    if (!other || other === figure) continue;
    figure.replaceWith(other);
    other.classList.toggle("neighbour", !isPlan());
    const svg = other.querySelector("svg");
    if (!items.has(svg)) adopt(svg);
  }
}

// The pictures that neighbours have.
const names = new Set([...document.querySelectorAll("template[data-plan]")].flatMap(
  (template) => [...template.content.children].map((figure) => figure.dataset.name)));
for (const choice of choices)
  choice.addEventListener("change", () => {
    choosePlan(choice.value);
    remember("plan", choice.value === "as it is" ? null : choice.value);
  });
