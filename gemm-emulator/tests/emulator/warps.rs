//! Divergence and what lanes do together, against the same computed one thread at a time.

use gemm_emulator::{Launch, Memory};

use crate::device::{Random, Value, download, upload};
use crate::nvrtc::{TARGETS, module};

const TEXT: &str = include_str!("../kernels/warps.cu");
const BLOCKS: u32 = 3;
const BLOCK: usize = 256;
const COUNT: usize = BLOCKS as usize * BLOCK;

fn inputs() -> Vec<i32> {
    let mut random = Random(11);
    (0..COUNT).map(|_| (random.next() % 97) as i32).collect()
}

/// Runs a kernel on every target; `want` gives the output of a thread from all inputs.
fn check(entry: &str, want: impl Fn(&[i32], usize) -> i32) {
    let x = inputs();
    for target in TARGETS {
        let module = module(TEXT, target, &[]);
        let memory = Memory::new();
        let (from, to) = (upload(&memory, &x), upload(&memory, &vec![0i32; COUNT]));
        let arguments = [from.bytes(), to.bytes(), (COUNT as i32).bytes()];
        let launch =
            Launch { arguments: &arguments, ..Launch::new(entry, [BLOCKS, 1, 1], [256, 1, 1]) };
        module.launch(&memory, &launch).unwrap_or_else(|fault| panic!("{entry}: {fault}"));
        for (thread, got) in download::<i32>(&memory, to, COUNT).into_iter().enumerate() {
            assert_eq!(got, want(&x, thread), "{entry}, thread {thread}");
        }
    }
}

/// The inputs of the warp that a thread belongs to.
fn warp(x: &[i32], thread: usize) -> &[i32] {
    &x[thread / 32 * 32..][..32]
}

fn block(x: &[i32], thread: usize) -> &[i32] {
    &x[thread / BLOCK * BLOCK..][..BLOCK]
}

#[test]
fn lanes_loop_as_often_as_each_must() {
    check("loops_of_each_lane", |x, thread| {
        let end = x[thread];
        let outer = (0..end).filter(|i| i % 3 != 1);
        outer.map(|i| (i..end).step_by(2).map(|j| j ^ i).sum::<i32>()).sum()
    });
}

#[test]
fn lanes_part_and_meet_again() {
    check("branches", |x, thread| {
        let v = x[thread];
        match v % 7 {
            0 => v * v,
            1 if (v + 100) % 2 != 0 => -(v + 100) - 3,
            1 => v + 97,
            2 => v - 3,
            3 => (0..5).fold(v, |v, i| v * 3 + i),
            4 if v > 50 => 777,
            4 => 1,
            _ => v.count_ones() as i32,
        }
    });
}

#[test]
fn functions_are_called_by_some_lanes() {
    let collatz = |mut v: i32| {
        let mut steps = 0;
        while v != 1 {
            v = if v % 2 != 0 { 3 * v + 1 } else { v / 2 };
            steps += 1;
        }
        2 * steps
    };
    check(
        "calls",
        |x, thread| {
            if x[thread] > 10 { collatz(x[thread]) } else { -collatz(x[thread] + 1) }
        },
    );
}

#[test]
fn shuffles_move_values_between_lanes() {
    let value = |x: i32| if x % 2 != 0 { x + 1000 } else { x };
    check("warp_sum", |x, thread| warp(x, thread).iter().map(|x| value(*x)).sum());
    check("warp_scan", |x, thread| {
        let lane = thread % 32;
        let prefix = |lane: usize| warp(x, thread)[..=lane].iter().sum::<i32>();
        let below = if lane % 8 < 4 { lane + 4 } else { lane };
        prefix(lane) + 10000 * prefix(lane / 8 * 8 + 3) + below as i32
    });
    check("half_warps", |x, thread| {
        if thread % 32 < 16 { x[thread] + x[thread ^ 8] } else { x[thread] - x[thread ^ 4] }
    });
}

#[test]
fn votes_count_lanes() {
    check("votes", |x, thread| {
        let warp = warp(x, thread);
        let odd = warp.iter().filter(|x| *x % 2 != 0).count() as i32;
        let mut v = odd + if odd > 0 { 100 } else { 0 } + if odd == 32 { 200 } else { 0 };
        if thread % 32 < 8 {
            v += 1000 * warp[..8].iter().filter(|x| *x % 2 != 0).count() as i32 + 5000;
        }
        v
    });
}

#[test]
fn barriers_reduce_over_the_block() {
    check("block_votes", |x, thread| {
        let block = block(x, thread);
        let odd = block.iter().filter(|x| *x % 2 != 0).count() as i32;
        odd + if block.contains(&5) { 1000 } else { 0 } + 2000
    });
    check("block_reverse", |x, thread| block(x, thread)[BLOCK - 1 - thread % BLOCK]);
}

#[test]
fn atomics_lose_nothing() {
    check("atomics", |x, at| {
        if at >= 4 * BLOCKS as usize {
            return 0;
        }
        let block = &x[at / 4 * BLOCK..][..BLOCK];
        match at % 4 {
            0 => block.iter().sum(),
            1 => *block.iter().max().expect("not empty"),
            2 => block.iter().filter(|x| *x % 2 != 0).count() as i32,
            _ => 0,
        }
    });
}
