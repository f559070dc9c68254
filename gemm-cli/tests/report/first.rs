//! The first screen of a report, as a file and in a browser.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::{browser, drive, report, values};

/// What the first screen answers.
const FACTS: [&str; 7] =
    ["computes", "checks", "registers", "time", "limits", "hottest lines", "device"];

/// The fact of this name on the first screen.
fn fact<'a>(page: &'a str, name: &str) -> &'a str {
    let after = page.split(&*format!(" data-fact=\"{name}\">")).nth(1);
    after.and_then(|rest| rest.split("</dd>").next()).unwrap_or_default()
}

#[test]
fn the_first_screen_has_the_function_and_its_verdict() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for golden in ["wgmma_pingpong", "conflicts_no_swizzle"] {
        let page = report(golden, folder.path());
        assert_eq!(values(&page, "data-fact"), FACTS, "{golden}");
        let code =
            page.split("<pre class=\"code\">").nth(1).and_then(|rest| rest.split("</pre>").next());
        let code = code.expect("the function");
        assert!(code.starts_with("#[gemm(") && code.ends_with("\n}"), "{golden}: {code}");
        assert!(code.contains(&format!("\npub fn {golden}(")), "{golden}: {code}");

        let conflicts = golden == "conflicts_no_swizzle";
        let checks = fact(&page, "checks");
        assert!(checks.starts_with("<p>right at "), "{golden}: {checks}");
        assert_eq!(checks.matches("warning: ").count(), if conflicts { 2 } else { 0 }, "{golden}");
        let compiled = page.split("<th scope=\"row\">registers of a thread</th><td>").nth(1);
        let compiled = compiled.and_then(|rest| rest.split('<').next()).expect("the registers");
        let registers = fact(&page, "registers");
        assert!(registers.contains(&format!("<p>{compiled} of ")), "{golden}: {registers}");
        assert!(fact(&page, "time").contains("an estimate of the "), "{golden}");
        // A kernel of sm_80 is drawn on a device of sm_90, and the page says so.
        let both = "compiled and checked for sm_80";
        assert_eq!(fact(&page, "device").contains(both), conflicts, "{golden}");
    }
}

/// Measures the page and follows the links of the first screen.
const SCRIPT: &str = r##"<script>{
const box = (selector) => document.querySelector(selector).getBoundingClientRect();
const [code, facts] = [box("#first pre"), box("#first dl")];
// Labels are as large as their font times the scale of their picture.
const labels = [...document.querySelectorAll("figure svg text")].map((text) => {
  const svg = text.closest("svg"), scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
  return parseFloat(getComputedStyle(text).fontSize) * scale;
});
// What is wider than the window, but lies in a box that scrolls.
const cut = [...document.querySelectorAll("body *")].filter((node) =>
  node.getBoundingClientRect().right > document.documentElement.clientWidth + 1 &&
  !node.closest("figure, table, pre, template, script")).map((node) => node.outerHTML.slice(0, 80));
document.querySelector("#first button.term").click();
const term = status.textContent;
const reached = [...document.querySelectorAll("#first a")].map((link) => {
  link.click();
  const row = document.querySelector("tr.at"), seen = row.getBoundingClientRect();
  return link.hash === `#line=${row.dataset.line}` && seen.top >= 0 && seen.bottom <= innerHeight;
});
document.title = JSON.stringify({
  cut, term, reached, labels: labels.length, smallest: Math.min(...labels),
  scrolls: document.documentElement.scrollWidth > document.documentElement.clientWidth,
  across: code.right <= facts.left, bottom: box("dd[data-fact=limits]").bottom, height: innerHeight, width: innerWidth });
}</script>"##;

#[test]
fn a_batch_is_counted_and_refused_of_single_matrices() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("batched.html");
    let report = |golden: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-gemm"));
        command.args(["gemm", "report", golden, "--batch", "7", "--shape", "512x512x512", "-o"]);
        let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests");
        command.arg(&file).current_dir(tests).output().expect("it starts")
    };
    assert!(report("batched").status.success());
    let page = fs::read_to_string(&file).expect("the report");
    assert!(fact(&page, "time").contains(" for 512 × 512 × 512, 7 matrices, "));
    assert!(fact(&page, "limits").contains(" tiles in each of 7 matrices in the order "));

    let refused = report("classic");
    let message = String::from_utf8_lossy(&refused.stderr);
    let says = "--batch 7: classic has no batch index, so that a launch has 1 matrix";
    assert!(!refused.status.success() && message.contains(says), "{message}");
}

#[test]
fn the_first_screen_fits_windows_of_each_width() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let page = report("conflicts_no_swizzle", folder.path());
    for width in [1400, 1000, 500] {
        let result = drive(browser, (&page, SCRIPT), [width, 1000], folder.path());
        let cut = result["cut"].as_array().expect("elements");
        assert!(cut.is_empty() && result["scrolls"] == false, "{width}: {result}");
        assert!(result["labels"].as_u64() > Some(50), "{width}: {result}");
        assert!(result["smallest"].as_f64() >= Some(11.0), "{width}: {result}");
        assert_eq!(result["across"], width >= 1000, "{width}: {result}");
        if width >= 1000 {
            assert!(result["bottom"].as_f64() <= result["height"].as_f64(), "{width}: {result}");
        }
        let term = result["term"].as_str().unwrap_or_default();
        assert!(term.starts_with("bank conflict: lanes of one request"), "{width}: {result}");
        // Two warnings, and the hottest lines.
        let reached = result["reached"].as_array().expect("links");
        assert!(reached.len() == 5 && reached.iter().all(|one| one == true), "{width}: {result}");
    }
}
