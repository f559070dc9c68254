//! What `cargo gemm check` and `cargo gemm show` say, as sections of the report.

use anyhow::Result;
use gemm_check::{Finding, Report};
use gemm_codegen::{Kernel, Target};
use gemm_pictures::page::Section;
use gemm_pictures::report::{section, table};

use crate::command::show;

/// The launch that was checked, and what was found.
pub(super) fn checks(report: &Report) -> Section {
    let [m, n, k] = report.shape;
    let ran = format!(
        "The emulator ran {} blocks of {} threads at {m} × {n} × {k} for {}, in {:.2} s.",
        report.blocks, report.threads, report.target, report.seconds
    );
    let faults = match &report.finding {
        Finding::Fault(what) => what.clone(),
        _ => "none".to_owned(),
    };
    let output = match &report.finding {
        Finding::Right { relative_error, limit, not_finite } => {
            let others = match not_finite {
                0 => String::new(),
                count => format!("; {count} elements are NaN or infinite, as the reference"),
            };
            format!("right: relative error {relative_error:.1e}, the limit is {limit:.1e}{others}")
        }
        Finding::Wrong(what) => format!("wrong: {what}"),
        _ => "not compared".to_owned(),
    };
    let checked = "bounds, alignment, initialisation, races, cp.async order, barriers, collectives";
    let rows = [("checked", checked.to_owned()), ("faults", faults), ("output", output)];
    let constants = report.constants.iter().map(|constant| {
        let value = format!("{constant}, {}", constant.from);
        vec![format!("constant {}", constant.name), value]
    });
    let rows = rows.map(|(what, found)| vec![what.to_owned(), found]);
    let rows = rows.into_iter().chain(constants).collect();
    section("Checks", &ran, table(["what", "result"], rows))
}

/// The resources of the compiled kernel.
pub(super) fn resources(kernel: &Kernel, target: Target, nvrtc: &str) -> Result<Section> {
    let rows = show::resources(kernel, target)?.into_iter();
    let rows = rows.map(|(what, value)| vec![what.to_owned(), value]).collect();
    let compiled = format!("As compiled by NVRTC {nvrtc} for {target}.");
    Ok(section("Resources", &compiled, table(["resource", "value"], rows)))
}
