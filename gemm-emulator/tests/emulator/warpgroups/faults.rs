//! Wrong uses of `wgmma`.

use gemm_emulator::{Direction, Space, Violation, WarpProblem, WarpgroupProblem};

use super::forms::{Form, IMAGE, Layout, PART_B, WAIT};
use super::reference::Input;
use super::{FORM, K_MAJOR, run_threads};
use crate::device::assert_violation;
use crate::handwritten::refuses;

const FENCE: &str = "wgmma.fence.sync.aligned;";

/// What a kernel does with this body, for each of some seeds the same.
fn outcome(text: &str, threads: u32) -> Result<(), Violation> {
    // Enough accumulators for two warpgroups.
    let mut input = Input::random(&FORM, 1).bytes(&FORM);
    input.resize(2 * input.len(), 0);
    let run = |seed| match run_threads(text, &FORM, &input, (threads, seed)) {
        Ok(_) => Ok(()),
        Err(fault) => Err(fault.violation().unwrap_or_else(|| panic!("{fault}")).clone()),
    };
    let first = run(0);
    (1..8).for_each(|seed| assert_eq!(run(seed), first, "{text}"));
    first
}

fn violation(text: &str) -> Violation {
    outcome(text, 128).expect_err(text)
}

/// The problem of a kernel with this body.
fn problem(body: &str) -> WarpgroupProblem {
    problem_of(&FORM.text_with(body), 128)
}

fn problem_of(text: &str, threads: u32) -> WarpgroupProblem {
    match outcome(text, threads) {
        Err(Violation::Warpgroup(problem)) => problem,
        other => panic!("{other:?}\n{text}"),
    }
}

fn accepts(body: &str) {
    assert_eq!(outcome(&FORM.text_with(body), 128), Ok(()), "{body}");
}

/// The multiplication of 8 columns, in the first registers of [`FORM`].
fn narrow() -> String {
    Form { columns: 8, ..FORM }.instruction()
}

#[test]
fn a_fence_follows_each_access_to_the_accumulators() {
    let multiply = FORM.instruction();
    assert_eq!(problem(&format!("{multiply}\n{WAIT}")), WarpgroupProblem::NoFence);
    for access in ["mov.f32 %s3, 0f00000000;", "mov.b32 %r8, %s3;"] {
        let body = format!("{FENCE}\n{access}\n{multiply}\n{WAIT}");
        assert_eq!(problem(&body), WarpgroupProblem::NoFence, "{access}");
        let again = format!("{FENCE}\n{multiply}\n{WAIT}\n{access}\n");
        let unfenced = format!("{again}{multiply}\n{WAIT}");
        assert_eq!(problem(&unfenced), WarpgroupProblem::NoFence, "{access}");
        accepts(&format!("{again}{FENCE}\n{multiply}\n{WAIT}"));
    }
    // Those of one shape are ordered by themselves.
    accepts(&format!("{FENCE}\n{multiply}\n{multiply}\n{WAIT}{multiply}\n{WAIT}"));
}

#[test]
fn registers_of_a_are_fenced_and_left_alone_in_flight() {
    let (loads, multiply) = (FORM.loads(), FORM.instruction_of_registers());
    let unfenced = format!("{FENCE}\n{loads}\n{multiply}\n{WAIT}");
    assert_eq!(problem(&unfenced), WarpgroupProblem::FactorNoFence);
    let (read, write) = (Direction::Read, Direction::Write);
    for (access, direction) in [("mov.b32 %r14, %f3;", read), ("mov.b32 %f0, 0;", write)] {
        let early = format!("{loads}\n{FENCE}\n{multiply}\n{access}\n{WAIT}");
        assert_eq!(problem(&early), WarpgroupProblem::FactorInFlight { direction });
        accepts(&format!("{loads}\n{FENCE}\n{multiply}\n{WAIT}\n{access}"));
        let again = format!("{loads}\n{FENCE}\n{multiply}\n{WAIT}\n{access}\n");
        let unfenced = format!("{again}{multiply}\n{WAIT}");
        assert_eq!(problem(&unfenced), WarpgroupProblem::FactorNoFence);
        accepts(&format!("{again}{FENCE}\n{multiply}\n{WAIT}"));
    }
    accepts(&format!("{loads}\n{FENCE}\n{multiply}\n{multiply}\n{WAIT}"));
}

#[test]
fn accumulators_in_flight_belong_to_one_shape() {
    let (multiply, narrow) = (FORM.instruction(), narrow());
    let both = format!("{FENCE}\n{multiply}\n{FENCE}\n{narrow}\n{WAIT}");
    assert_eq!(problem(&both), WarpgroupProblem::OtherShape);
    let unfenced = format!("{FENCE}\n{multiply}\n{WAIT}\n{narrow}\n{WAIT}");
    assert_eq!(problem(&unfenced), WarpgroupProblem::NoFence);
    accepts(&format!("{FENCE}\n{multiply}\n{WAIT}\n{FENCE}\n{narrow}\n{WAIT}"));
}

#[test]
fn accumulators_are_not_accessed_before_the_wait() {
    let multiply = FORM.instruction();
    for (access, direction) in [
        ("mov.b32 %r8, %s7;", Direction::Read),
        ("mov.b64 %at, {%s0, %s7};", Direction::Read),
        ("mov.f32 %s7, 0f00000000;", Direction::Write),
        ("st.global.b32 [%to], %s7;", Direction::Read),
    ] {
        let body = format!("{FENCE}\n{multiply}\n{access}\n{WAIT}");
        assert_eq!(problem(&body), WarpgroupProblem::AccumulatorInFlight { direction });
    }
    let commit = "wgmma.commit_group.sync.aligned;";
    let early = format!(
        "{FENCE}\n{multiply}\n{commit}\n{multiply}\n{commit}\nwgmma.wait_group.sync.aligned 1;"
    );
    let direction = Direction::Read;
    assert_eq!(problem(&early), WarpgroupProblem::AccumulatorInFlight { direction });
    // What was not committed is not waited for.
    let open = format!("{FENCE}\n{multiply}\nwgmma.wait_group.sync.aligned 0;");
    assert_eq!(problem(&open), WarpgroupProblem::AccumulatorInFlight { direction });
    // A lane that accesses nothing does not count.
    let none =
        format!("setp.ne.u32 %p1, %r1, %r1;\n{FENCE}\n{multiply}\n@%p1 mov.b32 %r8, %s7;\n{WAIT}");
    accepts(&none);
}

#[test]
fn a_thread_does_not_end_before_the_wait() {
    let body = format!("{FENCE}\n{}\nwgmma.commit_group.sync.aligned;\nexit;", FORM.instruction());
    assert_eq!(problem(&body), WarpgroupProblem::Left);
}

#[test]
fn factors_are_not_overwritten_before_the_wait() {
    let multiply = FORM.instruction();
    for (store, address) in [
        ("st.shared.u32 [%r1+4], 0;", Some(4)),
        ("st.shared.u8 [%r1+8207], 0;", Some(PART_B as u64 + 15)),
        ("atom.shared.add.u32 %r8, [%r1+16], 1;", Some(16)),
        // K has 32 bytes of each row.
        ("st.shared.u32 [%r1+32], 0;", None),
    ] {
        let one =
            format!("setp.eq.u32 %p1, %thread, 0;\n{FENCE}\n{multiply}\n@%p1 {store}\n{WAIT}");
        match address {
            None => accepts(&one),
            Some(address) => {
                let warpgroup = 0;
                assert_eq!(problem(&one), WarpgroupProblem::Overwritten { address, warpgroup });
            }
        }
        accepts(&format!("setp.eq.u32 %p1, %thread, 0;\n{FENCE}\n{multiply}\n{WAIT}@%p1 {store}"));
    }
}

/// A kernel of two warpgroups: the first multiplies, the second stores to A after a barrier.
fn two_warpgroups(multiplies: &str) -> String {
    let body = format!(
        "    setp.lt.u32 %p1, %thread, 128;
    @%p1 bra FIRST;
    bar.sync 0;
    setp.eq.u32 %p1, %thread, 200;
    @%p1 st.shared.u32 [%r1], 0;
    exit;
FIRST:
    {FENCE}
    {}
{multiplies}",
        FORM.instruction()
    );
    FORM.text_with(&body).replace("2048;", "4096;")
}

#[test]
fn a_barrier_orders_what_was_waited_for() {
    let waits = format!("{WAIT}bar.sync 0;");
    assert_eq!(outcome(&two_warpgroups(&waits), 256), Ok(()));
    let overwritten = WarpgroupProblem::Overwritten { address: 0, warpgroup: 0 };
    // Whether the wait or the store comes first.
    let late = format!("bar.sync 0;\n{WAIT}");
    assert_eq!(problem_of(&two_warpgroups(&late), 256), overwritten);
    let delay = "mov.u32 %r9, 0;\nDELAY:\nadd.u32 %r9, %r9, 1;\nsetp.lt.u32 %p2, %r9, 20000;\n@%p2 bra DELAY;\n";
    let store = "setp.eq.u32 %p1, %thread, 200;";
    let slow = two_warpgroups(&late).replace(store, &format!("{delay}{store}"));
    assert_eq!(problem_of(&slow, 256), overwritten);
}

#[test]
fn stores_are_fenced_and_ordered_before_they_are_multiplied() {
    let text = FORM.text();
    let unfenced = text.replace("fence.proxy.async;", "");
    let found = problem_of(&unfenced, 128);
    assert!(matches!(found, WarpgroupProblem::NotFenced { address: 0, other: Some(0) }), "{found}");
    assert_violation!(violation(&text.replace("bar.sync 0;", "")), Violation::Race { .. });
    // The fence of those who read, after the barrier, does as well; that of one warp does not.
    let readers = unfenced.replace("bar.sync 0;", "bar.sync 0;\nfence.proxy.async;");
    assert_eq!(outcome(&readers, 128), Ok(()));
    let some = readers
        .replace("bar.sync 0;\nfence", "bar.sync 0;\nsetp.lt.u32 %p0, %thread, 32;\n@%p0 fence");
    assert!(matches!(problem_of(&some, 128), WarpgroupProblem::NotFenced { .. }));
}

#[test]
fn factors_are_written_and_within_shared_memory() {
    let partly = FORM.text().replace(&format!("{IMAGE};\n    @%p0"), "8192;\n    @%p0");
    let address = PART_B as u64;
    assert_violation!(
        violation(&partly),
        Violation::Uninitialized { space: Space::Shared, address: found, bytes: 16 } if *found == address
    );
    let far = Layout { stride: 40960, ..K_MAJOR };
    let text = Form { layouts: [K_MAJOR, far], ..FORM }.text();
    assert_violation!(
        violation(&text),
        Violation::OutOfBounds { space: Space::Shared, bytes: 16, direction: Direction::Read, .. }
    );
}

#[test]
fn descriptors_fit_their_swizzle() {
    let descriptor = |problem| match problem {
        WarpgroupProblem::Descriptor { what, .. } => what,
        other => panic!("{other}"),
    };
    let with = |layout| problem_of(&Form { layouts: [layout, K_MAJOR], ..FORM }.text(), 128);
    let row = "the start address is not in the first row of the swizzle's pattern";
    let end = "the matrix crosses the end of a row of the swizzle's pattern";
    assert_eq!(descriptor(with(Layout { offset: 128, ..K_MAJOR })), row);
    assert_eq!(descriptor(with(Layout { offset: 112, ..K_MAJOR })), end);
    assert_eq!(descriptor(with(Layout { swizzle: 64, offset: 64, ..K_MAJOR })), row);
    assert_eq!(descriptor(with(Layout { swizzle: 32, offset: 16, ..K_MAJOR })), end);
    let transposed = Layout { transposed: true, leading: 8192, ..K_MAJOR };
    assert_eq!(descriptor(with(Layout { offset: 32, ..transposed })), end);
    let bits =
        |bits: &str| problem(&format!("or.b64 %a, %a, {bits};\n{FENCE}\n{}", FORM.instruction()));
    assert_eq!(descriptor(bits("0x4000")), "reserved bits are set");
    assert_eq!(descriptor(bits("0x10000000000000")), "reserved bits are set");
    let base = "a base offset other than 0 is not supported";
    assert_eq!(descriptor(bits("0x2000000000000")), base);
}

#[test]
fn all_warps_execute_one_instruction() {
    let multiply = FORM.instruction();
    let other = |what| WarpgroupProblem::OtherOperand { warpgroup: 0, what };
    for first in [1, 32] {
        let body = format!(
            "setp.lt.u32 %p1, %thread, {first};\n@%p1 add.u64 %b, %b, 64;\n{FENCE}\n{multiply}\n{WAIT}"
        );
        assert_eq!(problem(&body), other("a matrix descriptor"), "{first}");
        let body = format!("setp.lt.u32 %adds, %thread, {first};\n{FENCE}\n{multiply}\n{WAIT}");
        assert_eq!(problem(&body), other("scale-d"), "{first}");
    }
    let apart = format!(
        "setp.lt.u32 %p1, %thread, 32;\n{FENCE}\n@%p1 bra OTHER;\n{multiply}\nbra NEXT;\nOTHER:\n{multiply}\nNEXT:\n{WAIT}"
    );
    let found = problem(&apart);
    assert!(matches!(found, WarpgroupProblem::OtherInstruction { warpgroup: 0, .. }), "{found}");
    let exits = format!("setp.gt.u32 %p1, %thread, 95;\n@%p1 exit;\n{FENCE}\n{multiply}\n{WAIT}");
    let (warpgroup, waiting, missing) = (0, 3, 3);
    let not_reached = |exited| WarpgroupProblem::NotReached { warpgroup, waiting, missing, exited };
    assert_eq!(problem(&exits), not_reached(true));
    let waits = exits.replace("@%p1 exit", "@%p1 bar.sync 1, 64");
    assert_eq!(problem(&waits), not_reached(false));
    let text = FORM.text();
    let incomplete = WarpgroupProblem::Incomplete { warpgroup: 0, warps: 3 };
    assert_eq!(problem_of(&text.replace("2048;", "1536;"), 96), incomplete);
    let lanes = format!("setp.gt.u32 %p1, %thread, 9;\n{FENCE}\n@%p1 {multiply}\n{WAIT}");
    assert_violation!(
        violation(&FORM.text_with(&lanes)),
        Violation::Warp(WarpProblem::InactiveLanes { .. })
    );
}

#[test]
fn what_is_not_modelled_is_refused() {
    refuses(
        "
        wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r0, %r1, %r2, %r3}, {%r4, %r5, %r6, %r7}, %d0, %p0, 1, 1, 0, 0; -> wrong number of operands
        wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r0, %r1, %r2, %r2}, %d1, %d0, %p0, 1, 1, 0, 0; -> an accumulator is given twice
        wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r0, %r1, %r2}, %d1, %d0, %p0, 1, 1, 0, 0; -> wrong number of registers in a fragment
        wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r0, %r1, %r2, %r3}, %d1, %d0, %p0, 1, 2, 0, 0; -> a modifier of wgmma is 2
        wgmma.mma_async.sync.aligned.m64n8k8.f32.f16.f16 {%r0, %r1, %r2, %r3}, %d1, %d0, %p0, 1, 1, 0, 0; -> wgmma has no such shape for its input type
        wgmma.mma_async.sync.aligned.m64n12k16.f32.f16.f16 {%r0, %r1, %r2, %r3}, %d1, %d0, %p0, 1, 1, 0, 0; -> wgmma has no such shape for its input type
        wgmma.mma_async.sync.aligned.m64n40k32.s32.s8.s8 {%r0, %r1, %r2, %r3}, %d1, %d0, %p0; -> wgmma has no such shape for its input type
        wgmma.mma_async.sync.aligned.m64n8k16.f16.bf16.bf16 {%r0, %r1}, %d1, %d0, %p0, 1, 1, 0, 0; -> unsupported types of wgmma
        wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%r0, %r1, %r2, %r3}, %d1, %d0, %p0, 1, 1, 0, 0; -> wrong number of operands
        wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%r0, %r1, %r2, %r3}, %d1, %d0, %p0, 1, 1, 0, 0; -> wgmma has no such shape for its input type
        wgmma.fence.aligned; -> only the .sync.aligned form is supported
        wgmma.arrive.sync.aligned; -> unsupported form of wgmma
        ",
    );
}
