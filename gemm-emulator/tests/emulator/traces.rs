//! The events of small kernels written by hand. Needs no NVRTC.

use gemm_emulator::trace::{
    Access, AccessKind, AccessPart, Event, EventKind, SharedRange, Wait, WarpId,
};
use gemm_emulator::{Launch, Memory, Module, Trace, TraceOptions};

use crate::device::{Value, upload};
use crate::handwritten::kernel;

/// Steps that a copy takes here.
const COPY: u64 = 100;

/// The trace of a launch of blocks with this number of threads.
fn trace_of(text: &str, [blocks, threads]: [u32; 2], traced: u64) -> Option<Trace> {
    let module = Module::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let memory = Memory::new();
    let from = upload(&memory, &[1u32; 256]);
    let to = memory.allocate(1024).expect("allocates");
    let arguments = [from.bytes(), to.bytes(), 0u32.bytes()];
    let trace = Some(TraceOptions { block: traced, copy_steps: COPY, ..TraceOptions::default() });
    let launch = Launch {
        arguments: &arguments,
        trace,
        ..Launch::new("test", [blocks, 1, 1], [threads, 1, 1])
    };
    let statistics = module.launch(&memory, &launch).unwrap_or_else(|fault| panic!("{fault}"));
    statistics.trace
}

/// The events of a block of that many threads, by kind: what they are and their steps.
fn events(body: &str, threads: u32) -> Vec<(u64, EventKind)> {
    let trace = trace_of(&kernel(body), [1, threads], 0).expect("a trace");
    assert!(trace.events.is_sorted_by_key(|event| event.step));
    assert!(trace.events.iter().all(|event| event.block == 0));
    trace.events.into_iter().map(|Event { step, kind, .. }| (step, kind)).collect()
}

fn range(address: u32, bytes: u32) -> SharedRange {
    SharedRange { address, bytes }
}

const FIRST: WarpId = WarpId { block: 0, warp: 0 };

/// A wait of a warp, as begun and as over.
fn wait(warp: u32, wait: Wait) -> [EventKind; 2] {
    [EventKind::WaitBegun { warp, wait }, EventKind::WaitOver { warp, wait }]
}

#[test]
fn a_bulk_copy_completes_its_phase_and_ends_the_wait() {
    let body = "
    .shared .align 128 .b8 tile[64];
    .shared .align 8 .b64 full;
    setp.eq.u32 %p7, %idx, 0;
    @%p7 mbarrier.init.shared::cta.b64 [full], 1;
    @%p7 fence.mbarrier_init.release.cluster;
    bar.warp.sync 0xffffffff;
    @%p7 mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], 64;
    @%p7 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%in], 64, [full];
WAIT:
    mbarrier.try_wait.parity.shared::cta.b64 %p0, [full], 0;
    @!%p0 bra WAIT;
    ld.shared.u32 %r0, [tile+60];";
    let trace = trace_of(&kernel(body).replace("sm_80", "sm_90"), [1, 32], 0).expect("a trace");
    let kinds: Vec<_> = trace.events.into_iter().map(|event| (event.step, event.kind)).collect();
    let [begun, over] = wait(0, Wait::Phase { barrier: 128, parity: 0 });
    let (to, barrier) = (range(0, 64), Some(128));
    let expected = [
        (13, EventKind::CopyRequested { by: FIRST, copy: 0, bytes: 64, to, barrier }),
        (14, begun),
        (13 + COPY, EventKind::CopyCompleted { copy: 0 }),
        (13 + COPY, EventKind::PhaseCompleted { barrier: 128, phase: 0 }),
        (13 + COPY, over),
        (15 + COPY, EventKind::Loaded { warp: 0, since: 15 + COPY, from: range(60, 4) }),
    ];
    assert_eq!(kinds, expected);
}

#[test]
fn a_group_of_cp_async_is_waited_for() {
    let body = "
    .shared .align 16 .b8 tile[512];
    mov.u32 %r0, tile;
    mad.lo.u32 %r1, %idx, 16, %r0;
    mul.wide.u32 %d0, %idx, 16;
    add.u64 %d1, %in, %d0;
    cp.async.cg.shared.global [%r1], [%d1], 16;
    cp.async.commit_group;
    cp.async.wait_group 0;
    bar.sync 0;
    ld.shared.u32 %r2, [%r1];
    ld.shared.u32 %r2, [%r1+4];
    st.shared.u32 [%r1], %r2;";
    let [begun, over] = wait(0, Wait::Copies(0));
    let [arrived, left] = wait(0, Wait::Barrier(0));
    let (to, barrier) = (range(0, 512), None);
    let loaded = EventKind::Loaded { warp: 0, since: 14 + COPY, from: range(0, 504) };
    let expected = [
        (12, EventKind::CopyRequested { by: FIRST, copy: 0, bytes: 512, to, barrier }),
        (13, EventKind::CopiesCommitted { warp: 0 }),
        (14, begun),
        (12 + COPY, EventKind::CopyCompleted { copy: 0 }),
        (12 + COPY, over),
        (13 + COPY, arrived),
        (13 + COPY, EventKind::BarrierCompleted { barrier: 0 }),
        (13 + COPY, left),
        (15 + COPY, loaded),
        (16 + COPY, EventKind::Stored { warp: 0, since: 16 + COPY, to: range(0, 500) }),
    ];
    assert_eq!(events(body, 32), expected);
}

#[test]
fn a_wait_is_over_when_the_last_thread_has_come() {
    // Warp 1 executes 3 instructions more than warp 0.
    let body = "
    setp.lt.u32 %p0, %idx, 32;
    @%p0 bra MEET;
    mov.u32 %r0, 1;
    mov.u32 %r0, 2;
    mov.u32 %r0, 3;
MEET:
    bar.sync 0;";
    let ([begun, over], [late, out]) = (wait(0, Wait::Barrier(0)), wait(1, Wait::Barrier(0)));
    let complete = EventKind::BarrierCompleted { barrier: 0 };
    let expected = [(10, begun), (13, late), (13, complete), (13, over), (13, out)];
    assert_eq!(events(body, 64), expected);
}

#[test]
fn only_the_block_that_was_asked_for_is_traced() {
    let text = kernel("    bar.sync 0;");
    let block = |block| trace_of(&text, [3, 32], block).map(|trace| trace.events.len());
    assert_eq!([block(0), block(2), block(3)], [Some(3), Some(3), None]);
}

/// The accesses in the trace of a warp, which has them if it is `asked` for them.
fn accesses(body: &str, asked: bool) -> Vec<Access> {
    let module = Module::parse(&kernel(body)).expect("parses");
    let memory = Memory::new();
    let from = upload(&memory, &[1u32; 256]);
    let to = memory.allocate(1024).expect("allocates");
    let arguments = [from.bytes(), to.bytes(), 0u32.bytes()];
    let trace = Some(TraceOptions { accesses: asked, ..TraceOptions::default() });
    let launch = Launch { arguments: &arguments, trace, ..Launch::new("test", [1; 3], [32, 1, 1]) };
    let statistics = module.launch(&memory, &launch).unwrap_or_else(|fault| panic!("{fault}"));
    statistics.trace.expect("a trace").accesses
}

#[test]
fn an_access_has_the_lanes_the_bytes_and_the_wavefronts() {
    let body = "
    .shared .align 128 .b8 tile[2048];
    mov.u32 %r0, tile;
    shl.b32 %r1, %idx, 5;
    add.u32 %r1, %r0, %r1;
    mul.wide.u32 %d0, %idx, 16;
    add.u64 %d0, %in, %d0;
    cp.async.cg.shared.global [%r1], [%d0], 16;
    cp.async.commit_group;
    cp.async.wait_group 0;
    bar.sync 0;
    ld.shared.u32 %r2, [%r1];
    ld.shared.u32 %r3, [%r0];
    ";
    assert_eq!(accesses(body, false), []);
    let all = accesses(body, true);
    let kinds: Vec<AccessKind> = all.iter().map(|access| access.kind).collect();
    assert_eq!(kinds, [AccessKind::Copy, AccessKind::Load, AccessKind::Load]);
    let [copy, strided, same] = [0, 1, 2].map(|at| &all[at].parts);
    let global = copy[0].global.expect("an address");
    for (lane, part) in (0..).zip(copy) {
        assert_eq!((part.lane, part.bytes), (lane, 16));
        assert_eq!(part.shared, Some(copy[0].shared.expect("an address") + 32 * lane));
        assert_eq!(part.global, Some(global + 16 * u64::from(lane)));
    }
    // Chunks 32 bytes apart: those of the lanes 0 and 4 lie in the same banks.
    let wavefronts = |parts: &[AccessPart]| -> Vec<u32> {
        parts.iter().filter_map(|part| part.wavefront).collect()
    };
    assert_eq!(wavefronts(copy)[..9], [0, 0, 0, 0, 1, 1, 1, 1, 2]);
    // Words 32 bytes apart: four of the lanes fit in the banks at a time.
    assert_eq!(wavefronts(strided)[..5], [0, 0, 0, 0, 1]);
    assert_eq!(wavefronts(strided).iter().max(), Some(&7));
    assert_eq!(wavefronts(same), [0; 32]);
}
