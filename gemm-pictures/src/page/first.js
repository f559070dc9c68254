// The meaning of a term is shown on a click, as touch screens have no pointer that hovers.
document.addEventListener("click", ({ target }) => {
  const term = target.closest("button.term");
  if (term) say(`${term.dataset.term}: ${term.title}`);
});
// Not by the browser, as the rest of the URL's fragment is kept.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='#line=']");
  if (!link) return;
  event.preventDefault();
  goToLine(link.hash.slice("#line=".length));
});
function goToLine(number) {
  const row = rows.find((row) => row.dataset.line === number);
  if (!row) return;
  showLine(row);
  row.scrollIntoView({ block: "center" });
}
