//! Barriers of some threads of a block, in texts written by hand. Needs no NVRTC.

use gemm_emulator::{BarrierWait, Direction, Violation};

use crate::device::assert_violation;
use crate::handwritten::{kernel, results, violation};

/// A kernel of four warps, each with a word of shared memory for each thread at `%r0` and what it does then; `%r15` is
/// stored for each thread.
fn text(warps: [&str; 4]) -> String {
    let [a, b, c, d] = warps;
    kernel(&format!(
        "    .shared .align 8 .b32 words[128];
    .shared .align 8 .b64 own;
    mov.u32 %r1, words;
    mad.lo.u32 %r0, %thread, 4, %r1;
    mov.u32 %r15, 0;
    setp.lt.u32 %p0, %thread, 32;
    @%p0 bra A;
    setp.lt.u32 %p0, %thread, 64;
    @%p0 bra B;
    setp.lt.u32 %p0, %thread, 96;
    @%p0 bra C;
    {d}
    bra END;
A:
    {a}
    bra END;
B:
    {b}
    bra END;
C:
    {c}
END:
    mul.wide.u32 %d12, %idx, 4;
    add.u64 %d13, %out, %d12;
    st.global.u32 [%d13], %r15;"
    ))
}

/// The first warp writes this; the third reads it by [`READ`].
const WRITE: &str = "st.shared.u32 [%r0], 5;";
const READ: &str = "ld.shared.u32 %r15, [%r0+-256];";
/// Makes a warp come late to what follows.
const DELAY: &str = "mov.u32 %r9, 0;
DELAY:
    add.u32 %r9, %r9, 1;
    setp.lt.u32 %p1, %r9, 40000;
    @%p1 bra DELAY;
    ";

fn accepts(warps: [&str; 4]) {
    let out = results::<u32, u32>(&text(warps), &[0], 128);
    assert_eq!(out[64..96], [5; 32], "{warps:?}");
}

fn races(warps: [&str; 4]) {
    assert_violation!(
        violation(&text(warps), 128),
        Violation::Race { address: 0, other: Some(0), other_direction: Direction::Write, .. }
    );
}

#[test]
fn a_barrier_orders_the_threads_that_meet_at_it() {
    let writes = format!("{WRITE}\nbar.sync 1, 64;");
    let reads = format!("bar.sync 1, 64;\n{READ}");
    accepts([&writes, "bar.sync 2, 64;", &reads, "bar.sync 2, 64;"]);
    let arrives = format!("{WRITE}\nbarrier.cta.arrive 1, 64;");
    let waits = format!("barrier.cta.sync 1, 64;\n{READ}");
    accepts([&arrives, "", &waits, ""]);
}

#[test]
fn a_barrier_of_others_orders_nothing() {
    let writes = format!("{WRITE}\nbar.sync 1, 64;");
    let reads = format!("{DELAY}bar.sync 2, 64;\n{READ}");
    races([&writes, "bar.sync 1, 64;", &reads, "bar.sync 2, 64;"]);
}

#[test]
fn order_passes_from_barrier_to_barrier() {
    let writes = format!("{WRITE}\nbar.sync 1, 64;");
    let reads = format!("bar.sync 15, 64;\n{READ}");
    accepts([&writes, "bar.sync 1, 64;\nbar.sync 15, 64;", &reads, ""]);
    // In the other order of the two, nothing is passed on.
    let reads = format!("bar.sync 15, 64;\n{DELAY}{READ}");
    races([&writes, "bar.sync 15, 64;\nbar.sync 1, 64;", &reads, ""]);
}

#[test]
fn a_thread_that_only_arrives_learns_nothing() {
    let reads = format!("bar.arrive 1, 64;\n{DELAY}{READ}");
    races([&format!("{WRITE}\nbar.sync 1, 64;"), "", &reads, ""]);
}

#[test]
fn a_barrier_is_used_again() {
    let writes = format!("bar.sync 1, 64;\n{WRITE}\nbar.sync 1, 64;");
    let reads = format!("bar.sync 1, 64;\nbar.sync 1, 64;\n{READ}");
    accepts([&writes, "", &reads, ""]);
    let early = format!("bar.sync 1, 64;\n{DELAY}{READ}\nbar.sync 1, 64;");
    races([&writes, "", &early, ""]);
}

#[test]
fn a_deadlock_names_the_barriers() {
    let waits = "mbarrier.try_wait.parity.shared.b64 %p1, [own], 0;\n@!%p1 bra WAIT;";
    let first = format!(
        "setp.eq.u32 %p1, %thread, 0;\n@%p1 mbarrier.init.shared.b64 [own], 1;\nbar.warp.sync -1;\nWAIT:\n{waits}"
    );
    let found =
        violation(&text([&first, "bar.sync 3, 64;", "bar.sync 7, 96;", "bar.sync 7, 96;"]), 128);
    let Violation::MbarrierDeadlock { waits, barriers } = &found else { panic!("{found}") };
    assert_eq!((waits.len(), waits[0].threads), (1, 32));
    let barriers: Vec<_> = barriers.iter().map(BarrierWait::to_string).collect();
    assert_eq!(barriers, ["32 at barrier 3, which takes 64", "64 at barrier 7, which takes 96"]);
    assert!(found.to_string().contains("are missing); 32 at barrier 3"), "{found}");
}
