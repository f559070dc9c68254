//! Copies of consecutive bytes, in texts written by hand: within a block, to others of its cluster. Needs no NVRTC.

use gemm_emulator::{ClusterProblem, Direction, Launch, Memory, Module, Space, Violation};

use crate::device::{Value, assert_violation, download, upload, violation};

/// A kernel of a warp: thread 0 of the block of rank 0 does `copy`, with the addresses of `box`, `barrier` and `from`
/// in `%box`, `%barrier` and `%from`. All wait for it, do `then` with an address of each thread in `%r0`, and store what
/// lies there.
#[allow(clippy::too_many_lines, reason = "one text")]
fn text(copy: &str, then: &str) -> String {
    format!(
        ".version 8.6
.target sm_90
.address_size 64
.visible .entry bulk(.param .u64 from, .param .u64 to, .param .u32 bytes)
{{
    .reg .pred %p<4>, %first, %copies;
    .reg .b16 %mask;
    .reg .b32 %r<8>, %thread, %rank, %bytes, %box, %barrier, %far;
    .reg .b64 %from, %to, %d<4>;
    .shared .align 128 .b8 box[128];
    .shared .align 8 .b64 barrier;
    ld.param.u64 %from, [from];
    ld.param.u64 %to, [to];
    ld.param.u32 %bytes, [bytes];
    mov.u32 %thread, %tid.x;
    mov.u32 %rank, %cluster_ctarank;
    mov.u32 %box, box;
    mov.u32 %barrier, barrier;
    setp.eq.u32 %first, %thread, 0;
    setp.eq.and.u32 %copies, %rank, 0, %first;
    @%first mbarrier.init.shared::cta.b64 [%barrier], 1;
    @%first mbarrier.arrive.expect_tx.shared::cta.b64 _, [%barrier], %bytes;
    @%first fence.mbarrier_init.release.cluster;
    bar.warp.sync 0xffffffff;
    barrier.cluster.arrive.aligned;
    barrier.cluster.wait.aligned;
    mov.b16 %mask, 2;
    @!%copies bra COPIED;
{copy}
COPIED:
    mbarrier.try_wait.parity.shared::cta.b64 %p0, [%barrier], 0;
    @!%p0 bra COPIED;
    mad.lo.u32 %r0, %thread, 4, %box;
{then}
    ld.shared.u32 %r1, [%r0];
    mad.lo.u32 %r2, %rank, 32, %thread;
    mad.wide.u32 %d0, %r2, 4, %to;
    st.global.u32 [%d0], %r1;
    ret;
}}
"
    )
}

const COPY: &str = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%box], [%from], %bytes, [%barrier];";

/// Runs it in clusters of that many blocks.
fn run(copy: &str, blocks: u32, sizes: [u32; 2]) -> Result<Vec<u32>, Violation> {
    run_text(&text(copy, ""), blocks, sizes, 0)
}

fn run_text(
    text: &str,
    blocks: u32,
    [bytes, skipped]: [u32; 2],
    seed: u64,
) -> Result<Vec<u32>, Violation> {
    let module = Module::parse(text).unwrap_or_else(|error| panic!("{error}"));
    let (memory, values) = (Memory::new(), Vec::from_iter(7..47u32));
    let from = upload(&memory, &values) + u64::from(skipped);
    let to = memory.allocate(u64::from(128 * blocks)).expect("allocates");
    let arguments = [from.bytes(), to.bytes(), bytes.bytes()];
    let cluster = Some([blocks, 1, 1]);
    let grid = [blocks, 1, 1];
    let launch =
        Launch { arguments: &arguments, cluster, seed, ..Launch::new("bulk", grid, [32, 1, 1]) };
    violation(module.launch(&memory, &launch))?;
    Ok(download(&memory, to, 32 * blocks as usize))
}

#[test]
fn bytes_are_copied_to_the_blocks_of_a_mask() {
    assert_eq!(run(COPY, 1, [128, 0]), Ok((7..39).collect()));
    assert_eq!(run(COPY, 1, [128, 16]), Ok((11..43).collect()));
    let to_both =
        COPY.replace("bytes [", "bytes.multicast::cluster [").replace("r];", "r], %mask;");
    let both = format!("mov.b16 %mask, 3;\n{to_both}");
    assert_eq!(run(&both, 2, [128, 0]), Ok((7..39).chain(7..39).collect()));
    // To the own block, and by its address to the other one.
    let far = format!(
        "{COPY}\nmapa.shared::cluster.u32 %r6, %box, 1;\nmapa.shared::cluster.u32 %far, %barrier, 1;\n{}",
        COPY.replace("[%box]", "[%r6]").replace("[%barrier]", "[%far]")
    );
    assert_eq!(run(&far, 2, [128, 0]), Ok((7..39).chain(7..39).collect()));
}

/// Both blocks copy to their own, which the other one then overwrites; before that and after it, this is done.
fn overwritten(before: &str, after: &str, seed: u64) -> Result<Vec<u32>, Violation> {
    let to_both =
        COPY.replace("bytes [", "bytes.multicast::cluster [").replace("r];", "r], %mask;");
    let copy = format!("mov.b16 %mask, 3;\n{to_both}");
    let then = format!(
        "{before}
    sub.u32 %r3, 1, %rank;
    mapa.shared::cluster.u32 %r4, %r0, %r3;
    st.shared::cluster.u32 [%r4], %thread;
{after}"
    );
    run_text(&text(&copy, &then), 2, [128, 0], seed)
}

const MEET: &str =
    "barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;\n";
/// Block 0 copies to both again, and all wait for it.
const AGAIN: &str = "
    @%first mbarrier.arrive.expect_tx.shared::cta.b64 _, [%barrier], %bytes;
    @%copies cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%box], [%from], %bytes, [%barrier], %mask;
AGAIN:
    mbarrier.try_wait.parity.shared::cta.b64 %p1, [%barrier], 1;
    @!%p1 bra AGAIN;
";

#[test]
fn other_blocks_store_where_a_copy_has_landed() {
    for seed in 0..4 {
        assert_eq!(overwritten(MEET, MEET, seed), Ok((0..32).chain(0..32).collect()));
        // The other block may not have waited for the copy.
        assert_violation!(
            overwritten("", MEET, seed).expect_err("no barrier"),
            Violation::TensorCopyInFlight { direction: Direction::Write, .. }
        );
        let fenced = format!("fence.proxy.async;\n{MEET}{AGAIN}");
        assert_eq!(overwritten(MEET, &fenced, seed), Ok((7..39).chain(7..39).collect()));
        assert_violation!(
            overwritten(MEET, &format!("{MEET}{AGAIN}"), seed).expect_err("no fence"),
            Violation::TensorCopyNotFenced {
                other: Some(_),
                other_direction: Direction::Write,
                ..
            }
        );
        let late = format!("{MEET}fence.proxy.async;\n{AGAIN}");
        assert_eq!(overwritten(MEET, &late, seed), Ok((7..39).chain(7..39).collect()));
    }
}

#[test]
fn wrong_copies_are_found() {
    let found = |copy: &str, blocks, sizes| run(copy, blocks, sizes).expect_err(copy);
    let size = found(COPY, 1, [24, 0]);
    assert_violation!(size, Violation::BadOperand { value: 24, .. });
    let crooked = found(COPY, 1, [128, 8]);
    let (read, write) = (Direction::Read, Direction::Write);
    assert_violation!(
        crooked,
        Violation::Misaligned { space: Space::Global, bytes: 16, direction, .. } if *direction == read
    );
    let to = COPY.replace("[%box]", "[%box+8]");
    assert_violation!(
        found(&to, 1, [32, 0]),
        Violation::Misaligned { space: Space::Shared, bytes: 16, direction, .. } if *direction == write
    );
    assert_violation!(
        found(COPY, 1, [128, 48]),
        Violation::OutOfBounds { space: Space::Global, .. }
    );
    let far = COPY.replace("[%box]", "[%r6]");
    let far = format!("mapa.shared::cluster.u32 %r6, %box, 1;\n{far}");
    let problem = |found| match found {
        Violation::Cluster(problem) => problem,
        other => panic!("{other}"),
    };
    assert_eq!(problem(found(&far, 2, [128, 0])), ClusterProblem::OtherBlock);
    let to_others =
        COPY.replace("bytes [", "bytes.multicast::cluster [").replace("r];", "r], %mask;");
    for (mask, blocks) in [(0, 2), (2, 1), (4, 2), (0x8001, 8)] {
        let copy = format!("mov.b16 %mask, {mask};\n{to_others}");
        assert_eq!(problem(found(&copy, blocks, [128, 0])), ClusterProblem::Mask { mask, blocks });
    }
    // The block of rank 0 does not get what it expects.
    assert_violation!(found(&to_others, 2, [128, 0]), Violation::MbarrierDeadlock { .. });
}
