//! What a launch checks before it starts, what it counts, and its progress.

use std::sync::Mutex;

use gemm_emulator::{Fault, Launch, LaunchError, Memory, Module, Progress};

use crate::device::{Value, download, upload};

/// out[i] = 2 * in[i], written by hand.
const DOUBLE: &str = "
.version 8.0
.target sm_80
.address_size 64
.visible .entry double_it(.param .u64 from, .param .u64 to, .param .u32 count)
.maxntid 64, 1, 1
{
    .reg .pred %p<2>;
    .reg .b32 %r<9>;
    .reg .b64 %rd<5>;
    ld.param.u64 %rd1, [from];
    ld.param.u64 %rd2, [to];
    ld.param.u32 %r1, [count];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r2, %r3, %r4;
    setp.ge.u32 %p1, %r5, %r1;
    @%p1 bra DONE;
    mad.wide.u32 %rd3, %r5, 4, %rd1;
    mad.wide.u32 %rd4, %r5, 4, %rd2;
    ld.global.nc.L1::no_allocate.u32 %r6, [%rd3];
    add.s32 %r7, %r6, %r6;
    st.global.cs.u32 [%rd4], %r7;
DONE:
    ret;
}";

fn module() -> Module {
    Module::parse(DOUBLE).expect("parses")
}

#[test]
fn blocks_run_and_are_counted() {
    let memory = Memory::new();
    let values: Vec<u32> = (0..100).collect();
    let from = upload(&memory, &values);
    let to = memory.allocate(400).expect("allocates");
    let arguments = [from.bytes(), to.bytes(), 100u32.bytes()];
    let reports = Mutex::new(Vec::new());
    let progress = |progress: Progress| reports.lock().expect("not poisoned").push(progress);
    let launch = Launch {
        arguments: &arguments,
        progress: Some(&progress),
        ..Launch::new("double_it", [2, 1, 1], [64, 1, 1])
    };
    let statistics = module().launch(&memory, &launch).expect("runs");
    let doubled: Vec<u32> = values.iter().map(|value| 2 * value).collect();
    assert_eq!(download::<u32>(&memory, to, 100), doubled);
    assert_eq!(statistics.global_bytes_loaded, 400);
    assert_eq!(statistics.global_bytes_stored, 400);
    let reports = reports.into_inner().expect("not poisoned");
    let mut reports: Vec<_> = reports.iter().map(|report| (report.done, report.total)).collect();
    reports.sort_unstable();
    assert_eq!(reports, [(1, 2), (2, 2)]);
}

fn refused<'a>(arguments: &'a [Vec<u8>], change: impl FnOnce(&mut Launch<'a>)) -> LaunchError {
    let mut launch = Launch { arguments, ..Launch::new("double_it", [1, 1, 1], [32, 1, 1]) };
    change(&mut launch);
    match module().launch(&Memory::new(), &launch) {
        Err(Fault::Launch(error)) => error,
        other => panic!("expected a refusal, got {other:?}"),
    }
}

#[test]
fn wrong_launches_are_refused_by_name() {
    let entry = || "double_it".to_owned();
    let good = [1u64.bytes(), 2u64.bytes(), 3u32.bytes()];
    assert_eq!(
        refused(&good, |launch| launch.entry = "triple_it"),
        LaunchError::UnknownEntry { entry: "triple_it".to_owned() }
    );
    assert_eq!(
        refused(&[], |_| ()),
        LaunchError::ArgumentCount { entry: entry(), expected: 3, found: 0 }
    );
    let short = [1u64.bytes(), 2u64.bytes(), 3u64.bytes()];
    assert_eq!(
        refused(&short, |_| ()),
        LaunchError::ArgumentSize { entry: entry(), index: 2, expected: 4, found: 8 }
    );
    assert_eq!(
        refused(&good, |launch| launch.block = [65, 1, 1]),
        LaunchError::BlockSize { entry: entry(), x: 65, y: 1, z: 1, limit: 64 }
    );
    assert_eq!(
        refused(&good, |launch| launch.grid = [1, 65536, 1]),
        LaunchError::GridSize { x: 1, y: 65536, z: 1 }
    );
    assert_eq!(
        refused(&good, |launch| launch.shared_bytes = 232_449),
        LaunchError::SharedMemory { entry: entry(), bytes: 232_449, limit: 232_448 }
    );
}

#[test]
fn an_empty_grid_does_nothing() {
    let arguments = [0u64.bytes(), 0u64.bytes(), 0u32.bytes()];
    let launch =
        Launch { arguments: &arguments, ..Launch::new("double_it", [0, 1, 1], [32, 1, 1]) };
    let statistics = module().launch(&Memory::new(), &launch).expect("runs");
    assert_eq!(statistics.instructions, 0);
}
