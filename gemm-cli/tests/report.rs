//! `cargo gemm report` on kernels of each form, read as a file and by a browser.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Goldens that copy by `cp.async`, by tensor copies for `mma.sync`, walk as warpgroups in both ways,
/// multiply without tensor cores, and meet in banks.
const GOLDENS: [&str; 6] =
    ["classic", "tensor", "wgmma_cooperative", "wgmma_pingpong", "fma_nt", "conflicts_no_swizzle"];

/// A page may have this many bytes.
const MOST: usize = 400_000;

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

        // The lines are those of the golden's file, each once.
        let path = format!("../tests/goldens/{golden}.cu");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        let source = fs::read_to_string(source).expect("the golden's file");
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
        let refused = page.matches("<td>refused: ").count();
        assert!(refused > 0 && page.contains("<td>legal</td>"), "{golden}");
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
document.querySelector("button[data-heat=sectors]").click();
document.getElementById("theme").click();
const shapes = [...items.values()].reduce((sum, all) => sum + all.length, 0);
setTimeout(() => document.title = JSON.stringify({
  told, shapes, moved: moved > 5, linked: linked > 10, hash: location.hash,
  theme: document.documentElement.dataset.theme, heat: source.dataset.heat }), 400);
}</script>"#;

#[test]
fn a_browser_shows_what_is_pointed_at() {
    let is_there = |name: &&&str| Command::new(name).arg("--version").output().is_ok();
    let Some(browser) = BROWSERS.iter().find(is_there) else {
        eprintln!("SKIPPED: no browser of {BROWSERS:?}: apt install chromium");
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    for golden in GOLDENS {
        let page = report(golden, folder.path());
        let file = folder.path().join("driven.html");
        fs::write(&file, page.replace("</body>", &format!("{SCRIPT}\n</body>"))).expect("a file");
        let mut command = Command::new(browser);
        command.args(["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr"]);
        command.arg(format!("--user-data-dir={}", folder.path().join("profile").display()));
        command.args(["--virtual-time-budget=2000", "--dump-dom"]);
        command.arg(format!("file://{}", file.display()));
        let output = command.output().expect("the browser starts");
        let errors = String::from_utf8_lossy(&output.stderr);
        let console: Vec<&str> = errors.lines().filter(|line| line.contains("CONSOLE")).collect();
        assert!(console.is_empty(), "{golden}: {console:?}");
        let dom = String::from_utf8_lossy(&output.stdout);
        let title = dom.split("<title>").nth(1).and_then(|rest| rest.split("</title>").next());
        let result: serde_json::Value =
            serde_json::from_str(title.unwrap_or_default()).expect("what the script said");
        assert_eq!(result["told"].as_array().map(Vec::len), Some(0), "{golden}: {result}");
        assert!(result["shapes"].as_u64() > Some(100), "{golden}: {result}");
        assert_eq!((&result["moved"], &result["linked"]), (&true.into(), &true.into()), "{golden}");
        let hash = result["hash"].as_str().unwrap_or_default();
        let kept = ["line=", "heat=sectors", "theme=light"];
        assert!(kept.iter().all(|state| hash.contains(state)), "{golden}: {hash}");
        assert_eq!((&result["theme"], &result["heat"]), (&"light".into(), &"sectors".into()));
    }
}
