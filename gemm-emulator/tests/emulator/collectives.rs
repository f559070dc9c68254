//! Shuffles and votes of a warp, each lane's result computed separately.

use gemm_emulator::{Launch, Memory, Module};

use crate::device::{Random, Value};
use crate::handwritten::{kernel, results};

/// Values of 32 lanes, few of them different.
fn values(seed: u64) -> Vec<u32> {
    let mut random = Random(seed);
    (0..32).map(|_| [3, 7, 0x8000_0000, random.next() as u32][random.next() as usize % 4]).collect()
}

/// Runs a body from `%r0`, each lane's value, to `%r15` on one warp.
fn run(body: &str, inputs: &[u32]) -> Vec<u32> {
    let text = format!(
        "    mul.wide.u32 %d1, %idx, 4;
    add.u64 %d2, %in, %d1; add.u64 %d3, %out, %d1;
    ld.global.b32 %r0, [%d2];
    {body}
    st.global.b32 [%d3], %r15;"
    );
    results::<u32, u32>(&kernel(&text), inputs, 32)
}

/// The lane a shuffle reads within segments of `width` lanes, if there is one. (CUDA guide, warp shuffle functions)
fn source(mode: &str, lane: i32, by: i32, width: i32) -> Option<i32> {
    let start = lane / width * width;
    let from = match mode {
        "up" => lane - by,
        "down" => lane + by,
        "bfly" => lane ^ by,
        _ => start + by % width,
    };
    let inside = match mode {
        // The exchange may read lower segments, not higher ones.
        "bfly" => from < start + width,
        _ => (start..start + width).contains(&from),
    };
    inside.then_some(from)
}

#[test]
fn shuffles_read_the_lane_they_name_or_their_own() {
    let inputs = values(1);
    for mode in ["up", "down", "bfly", "idx"] {
        for width in [1, 2, 4, 8, 16, 32] {
            for by in [0, 1, 2, 3, 5, 8, 16, 31] {
                // The clamp of `up` is the first lane of a segment, that of the others the last.
                let clamp = if mode == "up" { 0 } else { 31 };
                let c = (32 - width) << 8 | clamp;
                let body = format!(
                    "shfl.sync.{mode}.b32 %r1|%p1, %r0, {by}, {c}, -1;
    selp.b32 %r2, 1, 0, %p1; shl.b32 %r3, %r1, 1; or.b32 %r15, %r3, %r2;"
                );
                for (lane, got) in (0..32).zip(run(&body, &inputs)) {
                    let from = source(mode, lane, by, width);
                    let value = inputs[from.unwrap_or(lane) as usize];
                    let want = value << 1 | u32::from(from.is_some());
                    assert_eq!(got, want, "{mode} by {by} of {width}, lane {lane}");
                }
            }
        }
    }
}

#[test]
fn votes_are_taken_among_members() {
    for (threshold, below) in [(0u32, 0), (32, 32), (20, 20)] {
        let body = |mode: &str| {
            format!(
                "setp.lt.u32 %p0, %idx, {threshold};
    vote.sync.{mode}.pred %p1, %p0, -1;
    selp.b32 %r15, 1, 0, %p1;"
            )
        };
        let run = |mode| run(&body(mode), &values(2));
        assert_eq!(run("all"), [u32::from(below == 32); 32]);
        assert_eq!(run("any"), [u32::from(below > 0); 32]);
        assert_eq!(run("uni"), [u32::from(below != 20); 32]);
    }
    let odd = "and.b32 %r1, %idx, 1; setp.ne.u32 %p0, %r1, 0;";
    let body = format!("{odd} vote.sync.ballot.b32 %r15, !%p0, -1;");
    assert_eq!(run(&body, &values(2)), [0x5555_5555; 32]);
}

#[test]
fn lanes_that_wait_for_others_are_counted_once() {
    // One lane takes a longer way to the barrier, which precedes or follows it in the text.
    let early = "setp.ne.u32 %p0, %idx, 0; @%p0 bra MEET;
    add.u32 %r0, %idx, 1;
MEET: bar.warp.sync -1;";
    let late = "setp.eq.u32 %p0, %idx, 0; @%p0 bra LATE;
MEET: bar.warp.sync -1;
    bra END;
LATE: add.u32 %r0, %idx, 1;
    bra MEET;
END:";
    for body in [early, late] {
        let module = Module::parse(&kernel(body)).expect("is legal");
        let arguments = [0_u64.bytes(), 0_u64.bytes(), 0_u32.bytes()];
        let launch = Launch {
            arguments: &arguments,
            profile: true,
            ..Launch::new("test", [1, 1, 1], [32, 1, 1])
        };
        let statistics = module.launch(&Memory::new(), &launch).expect("runs");
        let profile = statistics.profile.as_ref().expect("was asked for");
        let barrier = profile.sum(|one| one.opcode.starts_with("bar.warp.sync"));
        assert_eq!((barrier.executed, barrier.threads), (1, 32), "{body}");
        assert_eq!(statistics.instructions, profile.total().executed);
    }
}
