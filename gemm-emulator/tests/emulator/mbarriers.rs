//! Instructions on mbarriers, in texts written by hand. Needs no NVRTC.

use gemm_emulator::{Fault, Launch, MbarrierProblem, Memory, Module, Violation};

use crate::device::{Value, assert_violation, download};
use crate::handwritten::{kernel, refuses, results, run};

/// The end of a kernel that stores `%r15` for each thread.
const STORE: &str = "
    mul.wide.u32 %d12, %idx, 4;
    add.u64 %d13, %out, %d12;
    st.global.u32 [%d13], %r15;";

/// A kernel of one warp: thread 0 initialises `own` for `count` arrivals, then all do `body`.
fn text(count: u32, body: &str) -> String {
    kernel(&format!(
        "    .shared .align 8 .b64 own[4];
    setp.eq.u32 %p7, %idx, 0;
    @%p7 mbarrier.init.shared::cta.b64 [own], {count};
    bar.sync 0;
    mov.u32 %r15, 0;
{body}{STORE}"
    ))
}

fn numbers(count: u32, body: &str) -> Vec<u32> {
    results::<u32, u32>(&text(count, body), &[0], 32)
}

fn fault(count: u32, body: &str) -> Fault {
    run::<u32, u32>(&text(count, body), &[0], 32).expect_err(body)
}

fn problem(count: u32, body: &str) -> MbarrierProblem {
    match fault(count, body).violation() {
        Some(Violation::Mbarrier { barrier: 0, problem }) => *problem,
        other => panic!("{body}: {other:?}"),
    }
}

#[test]
fn a_phase_completes_with_its_last_arrival() {
    let arrive = "mbarrier.arrive.shared.b64 _, [own];\n";
    let ask = "mbarrier.test_wait.parity.shared.b64 %p0, [own], 0;\nselp.u32 %r15, 1, 0, %p0;";
    assert_eq!(numbers(32, &format!("{arrive}bar.sync 0;\n{ask}")), [1; 32]);
    assert_eq!(numbers(33, &format!("{arrive}bar.sync 0;\n{ask}")), [0; 32]);
    assert_eq!(numbers(64, &format!("{arrive}{arrive}bar.sync 0;\n{ask}")), [1; 32]);
    // Two phases later the parity is the first one's again.
    assert_eq!(numbers(32, &format!("{arrive}{arrive}bar.sync 0;\n{ask}")), [0; 32]);
    let by_thread_0 =
        "@%p7 mbarrier.arrive.release.cta.shared::cta.b64 _, [own], 7;\nbar.sync 0;\n";
    assert_eq!(numbers(7, &format!("{by_thread_0}{ask}")), [1; 32]);
    assert_eq!(numbers(8, &format!("{by_thread_0}{ask}")), [0; 32]);
}

#[test]
fn waits_hold_until_the_phase_is_complete() {
    let body = "
    setp.ne.u32 %p1, %idx, 0;
    @%p1 bra WAIT;
    mbarrier.arrive.shared.b64 _, [own];
WAIT:
    mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p0, [own], 0, 1000;
    @!%p0 bra WAIT;
    mov.u32 %r15, 5;";
    assert_eq!(numbers(1, body), [5; 32]);
    // The other lanes come first, then the one that arrives.
    let behind = body.replace("%p1 bra", "%p7 bra");
    assert_eq!(numbers(31, &behind), [5; 32]);
    let polled = body.replace("try_wait", "test_wait").replace(", 1000", "");
    assert_eq!(numbers(1, &polled), [5; 32]);
}

/// What each thread of a warp stores that tries once to wait for 16 bytes that never come.
fn tried_once(seed: u64) -> Result<Vec<u32>, Violation> {
    let body = "
    @%p7 mbarrier.expect_tx.shared.b64 [own], 16;
    bar.sync 0;
    mbarrier.try_wait.parity.shared.b64 %p0, [own], 0;
    selp.u32 %r15, 1, 2, %p0;";
    let module = Module::parse(&text(1, body)).expect("parses");
    let memory = Memory::new();
    let out = memory.allocate(128).expect("allocates");
    let arguments = [0u64.bytes(), out.bytes(), 32u32.bytes()];
    let launch = Launch { arguments: &arguments, seed, ..Launch::new("test", [1; 3], [32, 1, 1]) };
    match module.launch(&memory, &launch) {
        Ok(_) => Ok(download(&memory, out, 32)),
        Err(fault) => Err(fault.violation().expect("a violation").clone()),
    }
}

#[test]
fn a_try_fails_or_holds_by_seed_while_its_phase_is_incomplete() {
    let (mut failed, mut held) = (0, 0);
    for seed in 0..32 {
        let outcome = tried_once(seed);
        assert_eq!(outcome, tried_once(seed), "the same seed gives the same run");
        match outcome {
            Ok(out) => {
                assert_eq!(out, [2; 32], "no try succeeds");
                failed += 1;
            }
            Err(Violation::MbarrierDeadlock { .. }) => held += 1,
            Err(other) => panic!("{other}"),
        }
    }
    assert!(failed > 8 && held > 8, "{failed} failed, {held} were held");
}

#[test]
fn the_state_of_an_arrival_names_its_phase() {
    let body = |phase: &str| {
        format!(
            "
    mbarrier.arrive.shared.b64 %d0, [own];
    {phase}
    mbarrier.try_wait.shared.b64 %p0, [own], %d0;
    selp.u32 %r15, 1, 0, %p0;"
        )
    };
    assert_eq!(numbers(32, &body("")), [1; 32]);
    let twice = "mbarrier.arrive.shared.b64 _, [own];\nbar.sync 0;\nmbarrier.arrive.shared.b64 _, [own];\nbar.sync 0;";
    assert_eq!(problem(32, &body(twice)), MbarrierProblem::OtherPhase { asked: 0, phase: 3 });
    let none = MbarrierProblem::OtherPhase { asked: u64::MAX, phase: 1 };
    assert_eq!(problem(32, &body("mov.u64 %d0, -1;")), none);
}

#[test]
fn addresses_may_be_generic() {
    let body = "
    mov.u64 %d0, own;
    cvta.shared.u64 %d0, %d0;
    mbarrier.arrive.b64 %d1, [%d0];
    mbarrier.try_wait.b64 %p0, [%d0], %d1;
    selp.u32 %r15, 1, 0, %p0;";
    assert_eq!(numbers(32, body), [1; 32]);
}

#[test]
fn expected_bytes_hold_a_phase() {
    let body = "
    @%p7 mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [own], 16;
    bar.sync 0;
    mbarrier.arrive.shared.b64 _, [own];
WAIT:
    mbarrier.try_wait.parity.shared.b64 %p0, [own], 0;
    @!%p0 bra WAIT;";
    let fault = fault(32, body);
    let Some(Violation::MbarrierDeadlock { waits, .. }) = fault.violation() else {
        panic!("{fault}")
    };
    let [wait] = waits.as_slice() else { panic!("{waits:?}") };
    assert_eq!((wait.barrier, wait.parity, wait.threads), (0, 0, 32));
    assert_eq!((wait.missing_arrivals, wait.arrivals, wait.missing_bytes), (0, 32, 16));
    let place = fault.place().expect("a place");
    assert!(place.instruction.contains("try_wait"), "{}", place.instruction);
}

#[test]
fn wrong_uses_are_found() {
    let arrive = "mbarrier.arrive.shared.b64 _, [own];";
    assert_eq!(problem(1, "mbarrier.arrive.shared.b64 _, [own], 2;"), arrivals(2, 1, 0));
    assert_eq!(problem(1, "mbarrier.arrive.shared.b64 _, [own], 0;"), arrivals(0, 1, 0));
    let held = "@%p7 mbarrier.expect_tx.shared.b64 [own], 16;\nbar.sync 0;\n";
    assert_eq!(problem(31, &format!("{held}{arrive}")), arrivals(1, 0, 0));
    for count in [0, 1 << 20] {
        assert_eq!(problem(count, ""), MbarrierProblem::Count { count });
    }
    let again = "@%p7 mbarrier.init.shared.b64 [own], 1;";
    assert_eq!(problem(1, again), MbarrierProblem::InitializedTwice);
    let anew = "@%p7 mbarrier.inval.shared.b64 [own];\n@%p7 mbarrier.init.shared.b64 [own], 2;";
    assert_eq!(numbers(1, anew), [0; 32]);
    let gone = "@%p7 mbarrier.inval.shared.b64 [own];\nbar.sync 0;\n";
    assert_eq!(problem(1, &format!("{gone}{arrive}")), MbarrierProblem::NotInitialized);
    assert_eq!(problem(1, "ld.shared.u32 %r15, [own+4];"), MbarrierProblem::Touched);
    assert_eq!(problem(1, "st.shared.u16 [own+2], 1;"), MbarrierProblem::Touched);
    let last = "mbarrier.arrive.noComplete.shared.b64 %d0, [own], 1;";
    assert_eq!(problem(32, last), MbarrierProblem::Completed { phase: 0 });
    assert_eq!(numbers(33, last), [0; 32]);
    let bytes = "@%p7 mbarrier.expect_tx.shared.b64 [own], 1048576;";
    assert_eq!(problem(1, bytes), MbarrierProblem::Transactions { bytes: 1 << 20 });
    let next = fault(1, "mbarrier.arrive.shared.b64 _, [own+8];");
    assert!(
        next.to_string().contains("mbarrier at shared address 0x8: was not initialised"),
        "{next}"
    );
}

fn arrivals(count: u32, pending: u32, phase: u64) -> MbarrierProblem {
    MbarrierProblem::Arrivals { count, pending, phase }
}

#[test]
fn operands_are_checked() {
    let found = |body| fault(1, body).violation().expect("a violation").clone();
    let parity = found("mbarrier.try_wait.parity.shared.b64 %p0, [own], 2;");
    assert_violation!(parity, Violation::BadOperand { value: 2, .. });
    let crooked = found("mbarrier.arrive.shared.b64 _, [own+4];");
    assert_violation!(crooked, Violation::Misaligned { bytes: 8, .. });
    assert_violation!(found("mbarrier.arrive.b64 _, [%in];"), Violation::OutOfBounds { .. });
    let far = found("mov.u32 %r1, 4096;\nmbarrier.arrive.shared.b64 _, [%r1];");
    assert_violation!(far, Violation::OutOfBounds { .. });
}

#[test]
fn an_arrival_that_is_relaxed_orders_nothing() {
    let body = |arrive: &str, wait: &str| {
        format!(
            "
    @%p7 st.shared.u32 [own+16], 9;
    @%p7 mbarrier.arrive{arrive}.shared::cta.b64 _, [own];
    @%p7 bra END;
WAIT:
    mbarrier.try_wait.parity{wait}.shared::cta.b64 %p0, [own], 0;
    @!%p0 bra WAIT;
    ld.shared.u32 %r15, [own+16];
END:"
        )
    };
    let mut want = [9; 32];
    want[0] = 0;
    assert_eq!(numbers(1, &body("", "")), want);
    assert_eq!(numbers(1, &body(".release.cta", ".acquire.cta")), want);
    for (arrive, wait) in [(".relaxed.cta", ""), ("", ".relaxed.cta")] {
        let fault = fault(1, &body(arrive, wait));
        assert!(
            matches!(fault.violation(), Some(Violation::Race { other: Some(0), .. })),
            "{fault}"
        );
    }
}

#[test]
fn what_is_not_modelled_is_refused() {
    refuses(
        "
        mbarrier.arrive_drop.shared.b64 _, [%r0]; -> unsupported form of mbarrier
        mbarrier.arrive.global.b64 _, [%d0]; -> an mbarrier lies in shared memory
        mbarrier.arrive.expect_tx.shared.b64 _, [%r0]; -> wrong number of operands
        mbarrier.try_wait.shared.b64 %p0, [%r0], %r1; -> operand has the wrong size
        mbarrier.arrive.parity.shared.b64 _, [%r0]; -> unknown modifier .parity
        mbarrier.init.shared.b32 [%r0], 1; -> type does not fit this instruction
        cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r0], [%r2], 16, [%r1]; -> unsupported form of cp.async.bulk
        cp.async.bulk.global.shared::cta.bulk_group [%d0], [%r0], 16; -> unsupported form of cp.async.bulk
        cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r0], [%d0, {%r1, %r2}], [%r3]; -> operand is of a kind this instruction cannot read
        cp.async.bulk.tensor.3d.shared::cta.global.mbarrier::complete_tx::bytes [%r0], [%d0, {%r1, %r2}], [%r3]; -> as many coordinates are needed as the tensor has dimensions
        cp.async.bulk.tensor.1d.shared::cta.global.mbarrier::complete_tx::bytes [%r0], [%d0], [%r3]; -> expected a tensor with coordinates
        ",
    );
}
