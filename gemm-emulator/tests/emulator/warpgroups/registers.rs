//! `setmaxnreg`.

use gemm_emulator::{Fault, Launch, Memory, Module, Violation, WarpProblem, WarpgroupProblem};

use crate::device::violation;
use crate::handwritten::refuses;

/// A kernel of three warpgroups, which have 168 registers a thread: what the first does, and what the others do.
fn text(first: &str, others: &str) -> String {
    format!(
        ".version 8.0
.target sm_90a
.address_size 64
.visible .entry registers()
{{
    .reg .pred %p<4>;
    .reg .b32 %thread, %r<4>;
    mov.u32 %thread, %tid.x;
    setp.lt.u32 %p0, %thread, 32;
    setp.lt.u32 %p1, %thread, 128;
    @%p1 bra FIRST;
    {others}
    bra END;
FIRST:
    {first}
END:
    ret;
}}
"
    )
}

fn run(first: &str, others: &str) -> Result<(), Fault> {
    let text = text(first, others);
    let module = Module::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let launch = Launch::new("registers", [2, 1, 1], [384, 1, 1]);
    module.launch(&Memory::new(), &launch).map(drop)
}

fn problem(first: &str, others: &str) -> WarpgroupProblem {
    let fault = run(first, others).expect_err(others);
    match fault.violation() {
        Some(gemm_emulator::Violation::Warpgroup(problem)) => problem.clone(),
        _ => panic!("{fault}"),
    }
}

/// Takes long before it goes on.
const DELAY: &str = "mov.u32 %r0, 0;\nAGAIN:\nadd.u32 %r0, %r0, 1;\nsetp.lt.u32 %p2, %r0, 40000;\n@%p2 bra AGAIN;\n";
const GIVE: &str = "setmaxnreg.dec.sync.aligned.u32 40;";
const TAKE: &str = "setmaxnreg.inc.sync.aligned.u32 232;";

#[test]
fn an_increase_waits_for_what_others_give_up() {
    run(GIVE, TAKE).expect("40 and twice 232 registers fit");
    run(&format!("{DELAY}{GIVE}"), TAKE).expect("it waits");
    run("setmaxnreg.dec.sync.aligned.u32 24;", "setmaxnreg.inc.sync.aligned.u32 240;")
        .expect("24 and twice 240 registers fit");
}

#[test]
fn an_increase_that_is_never_granted_is_named() {
    let found = problem(GIVE, "setmaxnreg.inc.sync.aligned.u32 240;");
    assert_eq!(found, WarpgroupProblem::NotGranted { warpgroup: 2, count: 240, free: 56 });
    let waits = format!("bar.sync 0;\n{GIVE}");
    let found = problem(&waits, &format!("{TAKE}\nbar.sync 0;"));
    assert_eq!(found, WarpgroupProblem::NotGranted { warpgroup: 1, count: 232, free: 0 });
}

#[test]
fn directions_are_checked() {
    let found = problem("setmaxnreg.dec.sync.aligned.u32 176;", "");
    assert_eq!(found, WarpgroupProblem::Registers { warpgroup: 0, current: 168, count: 176 });
    let found = problem(&format!("{GIVE}\nsetmaxnreg.inc.sync.aligned.u32 32;"), "");
    assert_eq!(found, WarpgroupProblem::Registers { warpgroup: 0, current: 40, count: 32 });
    run("setmaxnreg.inc.sync.aligned.u32 168;", "").expect("nothing changes");
}

#[test]
fn all_warps_of_a_warpgroup_change_them() {
    let found = problem(&format!("@%p0 bra END;\n{GIVE}"), "");
    let (warpgroup, waiting, missing) = (0, 3, 0);
    assert_eq!(found, WarpgroupProblem::NotReached { warpgroup, waiting, missing, exited: true });
    let apart = format!("@%p0 bra OTHER;\n{GIVE}\nbra END;\nOTHER:\n{GIVE}");
    assert!(matches!(problem(&apart, ""), WarpgroupProblem::OtherInstruction { warpgroup: 0, .. }));
    let lanes = format!("setp.lt.u32 %p2, %thread, 9;\n@%p2 {GIVE}");
    let fault = violation(
        Module::parse(&text(&lanes, ""))
            .expect("parses")
            .launch(&Memory::new(), &Launch::new("registers", [1; 3], [384, 1, 1])),
    );
    assert!(matches!(fault, Err(Violation::Warp(WarpProblem::InactiveLanes { .. }))));
}

#[test]
fn counts_are_multiples_of_8() {
    refuses(
        "
        setmaxnreg.dec.sync.aligned.u32 16; -> 16 is not a multiple of 8 from 24 to 256
        setmaxnreg.inc.sync.aligned.u32 236; -> 236 is not a multiple of 8 from 24 to 256
        setmaxnreg.inc.sync.aligned.u32 264; -> 264 is not a multiple of 8 from 24 to 256
        setmaxnreg.inc.sync.aligned.u32 %r0; -> expected an immediate integer
        setmaxnreg.sync.aligned.u32 40; -> direction is missing
        setmaxnreg.dec.aligned.u32 40; -> only the .sync.aligned form is supported
        ",
    );
}
