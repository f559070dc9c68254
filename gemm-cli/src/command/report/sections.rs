//! What `cargo gemm check` and `cargo gemm show` say, as sections of the report.

use anyhow::Result;
use gemm_check::{Finding, Report};
use gemm_codegen::{Kernel, Target};
use gemm_pictures::report::{Checks, Resources, section, table};

use crate::command::show;

/// The launch that was checked, and what was found.
pub(super) fn checks(report: &Report) -> Checks {
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
        Finding::Right { relative_error, limit, not_finite, constant } => {
            let others = match not_finite {
                0 => String::new(),
                count => format!("; {count} elements are NaN or infinite, as the reference"),
            };
            let all = constant.as_ref().map_or_else(String::new, |value| {
                format!("; every element of an output is {value}: nothing was distinguished")
            });
            format!(
                "right: relative error {relative_error:.1e}, the limit is {limit:.1e}{others}{all}"
            )
        }
        Finding::Wrong(what) => format!("wrong: {what}"),
        _ => "not compared".to_owned(),
    };
    let checked = "bounds, alignment, initialisation, races, cp.async order, barriers, collectives";
    let rows = [("checked", checked.to_owned()), ("faults", faults), ("output", output)];
    let constants = report.constants.iter().map(|constant| {
        let value = format!("{constant}, {}", constant.from);
        vec![format!("{} {}", constant.what(), constant.name), value]
    });
    let rows = rows.map(|(what, found)| vec![what.to_owned(), found]);
    let rows = rows.into_iter().chain(constants).collect();
    let section = section("Checks", &ran, table(["what", "result"], rows));
    Checks { is_right: report.is_right(), verdict: verdict(report), section }
}

/// What was found, in a sentence.
fn verdict(report: &Report) -> String {
    let [m, n, k] = report.shape;
    let at = format!("at {m} × {n} × {k} on the emulator of {}", report.target);
    match &report.finding {
        Finding::Right { relative_error, limit, .. } if *limit == 0.0 => {
            format!(
                "right {at}: no fault, and the output is exact (relative error {relative_error})"
            )
        }
        Finding::Right { relative_error, limit, .. } => {
            let share = 100.0 * relative_error / limit;
            format!(
                "right {at}: no fault, and the error of the output is {share:.0} % of its limit"
            )
        }
        Finding::Wrong(what) => format!("wrong {at}: {what}"),
        Finding::Fault(what) => format!("fault {at}: {what}"),
        _ => format!("not compared {at}"),
    }
}

/// The resources of the compiled kernel.
pub(super) fn resources(kernel: &Kernel, target: Target, nvrtc: &str) -> Result<Resources> {
    let report = show::resources(kernel, target)?;
    let rows = report.rows().into_iter();
    let rows = rows.map(|(what, value)| vec![what.to_owned(), value]).collect();
    let compiled = format!("As compiled by NVRTC {nvrtc} for {target}.");
    Ok(Resources {
        registers: report.registers,
        spilled_bytes: report.spill_store_bytes + report.spill_load_bytes,
        section: section("Resources", &compiled, table(["resource", "value"], rows)),
        architecture: report.architecture,
    })
}
