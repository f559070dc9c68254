//! `cargo gemm report` on kernels of each form, read as a file and by a browser.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::Command;

#[path = "report/first.rs"]
mod first;
#[path = "../../tests/src/stored/read.rs"]
#[allow(unreachable_pub)]
mod stored;

/// Goldens that copy by `cp.async`, by tensor copies for `mma.sync`, walk as warpgroups in both ways,
/// multiply without tensor cores, and meet in banks.
const GOLDENS: [&str; 6] =
    ["classic", "tensor", "wgmma_cooperative", "wgmma_pingpong", "fma_nt", "conflicts_no_swizzle"];

/// A page may have this many bytes.
const MOST: usize = 3_000_000;

/// What it may take to make one, whatever the machine: instructions that warps execute on the emulator, and
/// plans next to the kernel's.
const MOST_EXECUTED: u64 = 1_000_000;
const MOST_PLANS: usize = 64;

/// The browsers that are looked for.
const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// The report of a golden, written to this folder.
fn report(golden: &str, folder: &Path) -> String {
    let file = folder.join(format!("{golden}.html"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-gemm"));
    command.args(["gemm", "report", golden, "--shape", "2048x1024x512", "-o"]).arg(&file);
    let goldens = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests");
    let output = command.current_dir(goldens).output().expect("it starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    fs::read_to_string(file).expect("the report")
}

/// Instructions that the lines of a page count, once a warp: the first cell of each.
fn executed(page: &str) -> u64 {
    let lines = page
        .lines()
        .filter(|line| line.starts_with("<tr data-line=") && line.contains("--executed"));
    let cell = |line: &str| line.split("<td>").nth(1)?.split('<').next()?.parse::<u64>().ok();
    lines.map(|line| cell(line).expect("a count")).sum()
}

/// The values of an attribute, in order.
fn values<'a>(page: &'a str, attribute: &str) -> Vec<&'a str> {
    let before = format!(" {attribute}=\"");
    let rest = page.split(&*before).skip(1);
    rest.map(|rest| rest.split('"').next().unwrap_or_default()).collect()
}

#[test]
fn a_report_is_one_file_whose_parts_name_each_other() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for golden in GOLDENS {
        let page = report(golden, folder.path());
        assert!(page.len() < MOST, "{golden}: {} B", page.len());
        let svg = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!svg.contains("://"), "{golden} loads something");

        let ids = values(&page, "id");
        let distinct: HashSet<&str> = ids.iter().copied().collect();
        assert_eq!(ids.len(), distinct.len(), "{golden}: {ids:?}");
        let names: HashSet<&str> = values(&page, "data-name").into_iter().collect();
        assert!(names.len() >= 9, "{golden}: {names:?}");
        let linked = values(&page, "data-pictures").into_iter();
        let linked: HashSet<&str> = linked.flat_map(str::split_whitespace).collect();
        assert!(linked.len() >= 4 && linked.is_subset(&names), "{golden}: {linked:?}");

        // The lines are those of the golden's text, each once.
        let goldens = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/goldens");
        let source = stored::text(&goldens, golden).expect("the golden's text");
        let lines: Vec<usize> =
            values(&page, "data-line").iter().map(|line| line.parse().expect("a line")).collect();
        assert!(lines.iter().copied().eq(1..=source.lines().count()), "{golden}");
        let conflict = page.lines().filter(|line| line.contains("--conflicts:1.00"));
        let is_load = |line: &&str| line.contains("shared_tile_a") && line.contains("fragments");
        assert_eq!(
            conflict.filter(is_load).count() > 0,
            golden == "conflicts_no_swizzle",
            "{golden}"
        );
        let [legal, refused] =
            ["legal", "refused"].map(|result| page.matches(&format!("<td>{result}</td>")).count());
        assert!(legal > 1 && refused > 0, "{golden}: {legal} legal, {refused} refused");
        assert!(legal + refused <= MOST_PLANS, "{golden}: {legal} legal, {refused} refused");
        let executed = executed(&page);
        assert!((1..=MOST_EXECUTED).contains(&executed), "{golden}: {executed}");
        assert_eq!(page.matches("<template data-refused=").count(), refused, "{golden}");
        assert!(page.contains("--executed:1.00") && page.contains("right: "), "{golden}");
    }
}

/// Points at every element and every line, presses keys, and says what the page did.
const SCRIPT: &str = r#"<script>{
const told = [], over = { bubbles: true };
for (const [svg, shapes] of items) {
  for (const shape of shapes) {
    shape.dispatchEvent(new Event("pointerover", over));
    const title = svg.querySelector("title").textContent;
    if (!status.textContent.startsWith(title + ": ") || status.textContent.includes("undefined"))
      told.push("shape: " + status.textContent);
    if (!state.get("at")) told.push("no state");
  }
  svg.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowUp", bubbles: true }));
}
let moved = 0;
for (const svg of items.keys())
  for (const key of ["ArrowRight", "ArrowDown", "ArrowLeft"]) {
    const before = state.get("at");
    svg.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    moved += state.get("at") !== before;
  }
let linked = 0;
for (const row of rows) {
  row.firstElementChild.dispatchEvent(new Event("pointerover", over));
  if (!status.textContent.startsWith(`line ${row.dataset.line}: `)) told.push(status.textContent);
  linked += document.querySelectorAll("figure.linked").length;
}
// What the emulator knows of the first cell of A, and of the lines that access cells.
const cell = document.querySelector("figure[data-name=shared_tile_a] [data-address='0']");
cell.dispatchEvent(new Event("pointerover", over));
cell.dispatchEvent(new Event("click", over));
const went = document.querySelector("tr.linked").getBoundingClientRect();
const isSeen = went.top >= 0 && went.bottom <= innerHeight;
const known = status.textContent, lines = document.querySelectorAll("tr.linked").length;
const marks = rows.filter((row) => {
  row.firstElementChild.dispatchEvent(new Event("pointerover", over));
  return document.querySelector("figure[data-name=shared_tile_a] .same");
}).length;
// The cursor of the pipeline, by the slider and by keys.
const range = document.querySelector(".scrub input"), steps = [];
const says = () => range.closest(".scrub").textContent.replace(/\s+/g, " ");
for (let tenth = 0; tenth <= 10; tenth++) {
  range.value = Math.floor(range.max * tenth / 10);
  range.dispatchEvent(new Event("input"));
  steps.push(says());
}
const svg = range.closest("figure").querySelector("svg"), end = range.value;
svg.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true }));
const back = Number(end) - Number(range.value) === Number(range.step) && state.get("step") === range.value;
// The pictures of neighbours, and what the compiler says.
const choose = (choice) => { choice.checked = true; choice.dispatchEvent(new Event("change")); };
const figure = () => document.querySelector("section figure[data-name=memory_map]");
const first = figure(), plans = [];
for (const choice of choices.slice(1)) {
  choose(choice);
  const isRefused = choice.closest("tr").lastElementChild.textContent === "refused";
  const message = document.getElementById("refused");
  const shown = message.hidden ? "" : message.textContent;
  plans.push(isRefused ? /^error: .*\n +. help: .*\n +. rule: /.test(shown) && figure() === first
    : shown === "" && figure() !== first && items.has(figure().querySelector("svg")));
  if (state.get("plan") !== choice.value) plans.push(false);
}
choose(choices[0]);
plans.push(figure() === first && !state.has("plan") && document.querySelectorAll("figure.neighbour").length === 0);
choose(choices[1]);
rows[0].firstElementChild.dispatchEvent(new Event("pointerover", over));
document.querySelector("button[data-heat=sectors]").click();
document.getElementById("theme").click();
const shapes = [...items.values()].reduce((sum, all) => sum + all.length, 0);
setTimeout(() => document.title = JSON.stringify({
  told, shapes, moved: moved > 5, linked: linked > 10, hash: location.hash,
  known, lines, isSeen, marks, steps, back, plans,
  theme: document.documentElement.dataset.theme, heat: source.dataset.heat }), 400);
}</script>"#;

/// A browser of this machine.
fn browser() -> Option<&'static str> {
    let is_there = |name: &&&str| Command::new(name).arg("--version").output().is_ok();
    let found = BROWSERS.iter().find(is_there).copied();
    if found.is_none() {
        eprintln!("SKIPPED: no browser of {BROWSERS:?}: apt install chromium");
    }
    found
}

/// What a script at the end of a page wrote as the page's title, in a window of this width and height.
fn drive(
    browser: &str,
    (page, script): (&str, &str),
    [width, height]: [u32; 2],
    folder: &Path,
) -> serde_json::Value {
    let file = folder.join("driven.html");
    fs::write(&file, page.replace("</body>", &format!("{script}\n</body>"))).expect("a file");
    let mut command = Command::new(browser);
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr"]);
    command.arg(format!("--user-data-dir={}", folder.join("profile").display()));
    command.args(["--virtual-time-budget=2000", "--dump-dom"]);
    command.arg(format!("--window-size={width},{height}"));
    command.arg(format!("file://{}", file.display()));
    let output = command.output().expect("the browser starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    let console: Vec<&str> = errors.lines().filter(|line| line.contains("CONSOLE")).collect();
    assert!(console.is_empty(), "{console:?}");
    let dom = String::from_utf8_lossy(&output.stdout);
    let title = dom.split("<title>").nth(1).and_then(|rest| rest.split("</title>").next());
    serde_json::from_str(title.unwrap_or_default()).expect("what the script said")
}

#[test]
fn a_browser_shows_what_is_pointed_at() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    for golden in GOLDENS {
        let page = report(golden, folder.path());
        let result = drive(browser, (&page, SCRIPT), [800, 600], folder.path());
        assert_eq!(result["told"].as_array().map(Vec::len), Some(0), "{golden}: {result}");
        assert!(result["shapes"].as_u64() > Some(100), "{golden}: {result}");
        assert_eq!((&result["moved"], &result["linked"]), (&true.into(), &true.into()), "{golden}");
        let hash = result["hash"].as_str().unwrap_or_default();
        let kept = ["line=", "heat=sectors", "theme=light", "step=", "plan="];
        assert!(kept.iter().all(|state| hash.contains(state)), "{golden}: {hash}");
        assert_eq!((&result["theme"], &result["heat"]), (&"light".into(), &"sectors".into()));
        linked(golden, &result);
    }
}

/// What the browser showed of owners, accesses, steps and neighbours.
fn linked(golden: &str, result: &serde_json::Value) {
    let known = result["known"].as_str().unwrap_or_default();
    let first = ["from sector 0 of the operand", "from sectors 0 "];
    let fill = known.contains("copied by warp ") && first.iter().any(|from| known.contains(from));
    assert!(fill && known.contains("bank 0") && known.contains("line "), "{golden}: {known}");
    let is_wgmma = golden.starts_with("wgmma");
    let read = if is_wgmma { "multiplied by warpgroup 0" } else { "loaded by warp" };
    assert!(known.contains(read), "{golden}: {known}");
    let in_registers = known.contains("held by lane") && known.contains("wavefront 0");
    assert_eq!(in_registers, !is_wgmma, "{golden}: {known}");
    // A line of copies and a line of loads at the least, each with the calls around it.
    assert!(result["lines"].as_u64() >= Some(2), "{golden}: {result}");
    assert_eq!(result["isSeen"], true, "{golden}: {result}");
    assert!(result["marks"].as_u64() >= Some(2), "{golden}: {result}");
    let steps = result["steps"].as_array().expect("steps");
    let say = |what: &str| {
        let says =
            |step: &&serde_json::Value| step.as_str().is_some_and(|text| text.contains(what));
        steps.iter().filter(says).count()
    };
    assert_eq!((steps.len(), say("in flight")), (11, 11), "{golden}: {steps:?}");
    assert!(say("step 0in flight0 B") == 1 && say("k-tile") > 1, "{golden}: {steps:?}");
    assert_eq!(result["back"], true, "{golden}: {result}");
    let plans = result["plans"].as_array().expect("plans");
    assert!(plans.len() > 8 && plans.iter().all(|plan| plan == true), "{golden}: {plans:?}");
}
