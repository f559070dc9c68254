//! Matrix moves, half-precision accumulators, named barriers, parameter bounds: what the test GEMM does not use.

use gemm_emulator::{Space, Violation};
use half::f16;

use crate::device::assert_violation;
use crate::handwritten::{kernel, results, violation};

/// A 512-byte shared array `s`, the row address `%r1` of this lane in it, and the output address `%d2`.
const SETUP: &str = "
    .shared .align 16 .b8 s[512];
    mov.u32 %r0, s;
    shl.b32 %r1, %thread, 4;
    add.u32 %r1, %r0, %r1;
    mul.wide.u32 %d1, %idx, 4;
    add.u64 %d2, %out, %d1;";

#[test]
fn matrices_come_back_as_they_were_stored() {
    for (store, load) in [("", ""), (".trans", ".trans")] {
        let body = format!(
            "{SETUP}
    mad.lo.u32 %r2, %thread, 0x30005, 0x10000;
    add.u32 %r3, %r2, 1; add.u32 %r4, %r2, 2; add.u32 %r5, %r2, 3;
    stmatrix.sync.aligned.m8n8.x4{store}.shared.b16 [%r1], {{%r2, %r3, %r4, %r5}};
    bar.warp.sync -1;
    ldmatrix.sync.aligned.m8n8.x4{load}.shared.b16 {{%r6, %r7, %r8, %r9}}, [%r1];
    xor.b32 %r2, %r2, %r6; xor.b32 %r3, %r3, %r7; xor.b32 %r4, %r4, %r8; xor.b32 %r5, %r5, %r9;
    or.b32 %r2, %r2, %r3; or.b32 %r4, %r4, %r5; or.b32 %r15, %r2, %r4;
    st.global.u32 [%d2], %r15;"
        );
        assert_eq!(results::<u32, u32>(&kernel(&body), &[0], 32), [0; 32]);
    }
}

#[test]
fn transposed_loads_exchange_rows_and_columns() {
    // Row r of the first matrix holds the elements 8r to 8r + 7.
    let body = format!(
        "{SETUP}
    shl.b32 %r2, %thread, 3;
    mad.lo.u32 %r3, %r2, 0x10001, 0x10000;
    add.u32 %r4, %r3, 0x20002; add.u32 %r5, %r4, 0x20002; add.u32 %r6, %r5, 0x20002;
    st.shared.v4.b32 [%r1], {{%r3, %r4, %r5, %r6}};
    bar.sync 0;
    ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {{%r15}}, [%r1];
    st.global.u32 [%d2], %r15;"
    );
    let out = results::<u32, u32>(&kernel(&body), &[0], 32);
    for (lane, got) in out.into_iter().enumerate() {
        let (row, column) = (2 * (lane as u32 % 4), lane as u32 / 4);
        assert_eq!(got, (8 * row + column) | (8 * (row + 1) + column) << 16, "lane {lane}");
    }
}

/// Lane `lane` of matrix `matrix` and half `half` of its register, after a load: the PTX ISA's figure, element by element.
fn element_of(lane: u32, matrix: u32, half: u32, transposed: bool) -> u32 {
    let (row, column) = (lane >> 2, (lane & 3) * 2 + half);
    let (row, column) = if transposed { (column, row) } else { (row, column) };
    64 * matrix + 8 * row + column
}

#[test]
fn every_form_of_a_matrix_load_and_store_moves_the_same_elements() {
    for (count, registers) in [(1, "{%r10}"), (2, "{%r10, %r11}"), (4, "{%r10, %r11, %r12, %r13}")]
    {
        for trans in ["", ".trans"] {
            for (space, address) in [(".shared", "%r1"), (".shared::cta", "%r1"), ("", "%d4")] {
                let form = format!("sync.aligned.m8n8.x{count}{trans}{space}.b16");
                check_moves(&form, count, !trans.is_empty(), [registers, address]);
            }
        }
    }
}

/// Loads matrices from shared memory, which has the elements of four in order, and stores them back.
fn check_moves(form: &str, count: u32, transposed: bool, [registers, address]: [&str; 2]) {
    let body = format!(
        "{SETUP}
    cvt.u64.u32 %d3, %r1; cvta.shared.u64 %d4, %d3;
    shl.b32 %r2, %thread, 3; mad.lo.u32 %r2, %r2, 0x10001, 0x10000;
    add.u32 %r3, %r2, 0x20002; add.u32 %r4, %r3, 0x20002; add.u32 %r5, %r4, 0x20002;
    st.shared.v4.b32 [%r1], {{%r2, %r3, %r4, %r5}};
    bar.sync 0;
    mov.b32 %r10, 0; mov.b32 %r11, 0; mov.b32 %r12, 0; mov.b32 %r13, 0;
    ldmatrix.{form} {registers}, [{address}];
    bar.sync 0;
    st.shared.v4.b32 [%r1], {{0, 0, 0, 0}};
    bar.sync 0;
    stmatrix.{form} [{address}], {registers};
    bar.sync 0;
    ld.shared.v4.b32 {{%r6, %r7, %r8, %r9}}, [%r1];
    mad.lo.u32 %r14, %thread, 32, 0; cvt.u64.u32 %d5, %r14; add.u64 %d5, %out, %d5;
    st.global.v4.b32 [%d5], {{%r10, %r11, %r12, %r13}};
    st.global.v4.b32 [%d5+16], {{%r6, %r7, %r8, %r9}};"
    );
    let out = results::<u32, [u32; 8]>(&kernel(&body), &[0], 32);
    for (lane, words) in (0u32..).zip(out) {
        let loaded = [0, 1, 2, 3].map(|matrix| {
            let element = |half| element_of(lane, matrix, half, transposed);
            if matrix < count { element(0) | element(1) << 16 } else { 0 }
        });
        // Each lane's row of 8 elements came back, in the rows that were stored.
        let back = [0, 1, 2, 3].map(|pair| {
            let first = 8 * lane + 2 * pair;
            if lane < 8 * count { first | (first + 1) << 16 } else { 0 }
        });
        assert_eq!(words[..], [loaded, back].concat(), "{form}, lane {lane}");
    }
}

#[test]
fn a_matrix_is_in_shared_memory() {
    let body = format!("{SETUP} ldmatrix.sync.aligned.m8n8.x1.b16 {{%r15}}, [%d2];");
    let outside = violation(&kernel(&body), 32);
    assert_violation!(outside, Violation::OutOfBounds { space: Space::Global, .. });
}

#[test]
fn half_accumulators_round_once() {
    // All elements of a are 1.5, of b 0.5, of c 1/8: 16 products make 12.
    let pair = |x: f32| u32::from(f16::from_f32(x).to_bits()) * 0x10001;
    let body = format!(
        "{SETUP}
    mov.b32 %r2, {}; mov.b32 %r3, {}; mov.b32 %r4, {};
    mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {{%r14, %r15}}, {{%r2, %r2, %r2, %r2}}, {{%r3, %r3}}, {{%r4, %r4}};
    st.global.u32 [%d2], %r15;",
        pair(1.5),
        pair(0.5),
        pair(0.125)
    );
    assert_eq!(results::<u32, u32>(&kernel(&body), &[0], 32), [pair(12.125); 32]);
}

/// The first warp of two writes, the second reads; `arrive` is what the first does at the barrier.
fn producer_and_consumer(arrive: &str) -> String {
    kernel(&format!(
        "{SETUP}
    mov.u32 %r2, %warpid;
    and.b32 %r3, %thread, 31;
    mad.lo.u32 %r4, %r3, 4, %r0;
    setp.eq.u32 %p0, %r2, 0;
    @!%p0 bra READ;
    st.shared.u32 [%r4], %thread;
    {arrive}
    mov.u32 %r15, 7;
    bra DONE;
READ:
    bar.sync 1, 64;
    ld.shared.u32 %r15, [%r4];
DONE:
    st.global.u32 [%d2], %r15;"
    ))
}

#[test]
fn named_barriers_let_producers_pass() {
    let out = results::<u32, u32>(&producer_and_consumer("bar.arrive 1, 64;"), &[0], 64);
    assert_eq!(out[..32], [7; 32]);
    assert_eq!(out[32..], (0..32).collect::<Vec<u32>>());
}

#[test]
fn a_named_barrier_waits_for_all_it_counts() {
    assert_violation!(
        violation(&producer_and_consumer(""), 64),
        Violation::BarrierNotReached { barrier: 1, waiting: 32, expected: 64, .. }
    );
    let differing = violation(&producer_and_consumer("bar.arrive 1, 96;"), 64);
    assert_violation!(differing, Violation::BadBarrier { .. });
}

#[test]
fn parameters_end_where_they_are_declared() {
    let body = format!("{SETUP} ld.param.u32 %r15, [count+4]; st.global.u32 [%d2], %r15;");
    let outside = violation(&kernel(&body), 32);
    assert_violation!(outside, Violation::OutOfBounds { space: Space::Parameter, .. });
}
