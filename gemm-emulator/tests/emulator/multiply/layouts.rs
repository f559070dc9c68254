//! Fragment layouts as the PTX ISA writes them, shape by shape. ("Matrix Fragments for mma.*")
//!
//! Each function gives row and column of element `i` of a lane's fragment.

use super::forms::{Form, bits};

/// The ISA's groupID and threadID_in_group.
fn split(lane: usize) -> (usize, usize) {
    (lane >> 2, lane % 4)
}

/// Multiplicand A.
pub(crate) fn a(form: &Form, lane: usize, i: usize) -> (usize, usize) {
    let (group, thread) = split(lane);
    let lower = |holds: bool| if holds { group } else { group + 8 };
    match (form.rows, form.k, bits(form.a)) {
        (8, 4, 64) => (group, thread),
        (16, 4, 32 | 64) => (lower(i == 0), thread),
        (16, 8, 32 | 64) => (lower(i == 0 || i == 2), if i < 2 { thread } else { thread + 4 }),
        (16, 16, 64) => (lower(i & 1 == 0), thread + if i & 1 == 0 { i * 2 } else { i * 2 - 2 }),
        (16, 8, 16) => (lower(i < 2), thread * 2 + (i & 1)),
        (16, 16, 16) => {
            (lower(i < 2 || (4..6).contains(&i)), thread * 2 + (i & 1) + if i < 4 { 0 } else { 8 })
        }
        (8, 16, 8) => (group, thread * 4 + i),
        (16, 16, 8) => (lower(i < 4), thread * 4 + (i & 3)),
        (16, 32, 8) => (
            lower(i < 4 || (8..12).contains(&i)),
            thread * 4 + (i & 3) + if i < 8 { 0 } else { 16 },
        ),
        (8, 32, 4) => (group, thread * 8 + i),
        (16, 32, 4) => (lower(i < 8), thread * 8 + (i & 7)),
        (16, 64, 4) => (
            lower(i < 8 || (16..24).contains(&i)),
            thread * 8 + (i & 7) + if i < 16 { 0 } else { 32 },
        ),
        shape => panic!("no such shape: {shape:?}"),
    }
}

/// Multiplicand B.
pub(crate) fn b(form: &Form, lane: usize, i: usize) -> (usize, usize) {
    let (group, thread) = split(lane);
    let row = match (form.k, bits(form.b)) {
        (4, 32 | 64) => thread,
        (8, 32 | 64) => [thread, thread + 4][i],
        (16, 64) => thread + 4 * i,
        (8, 16) => thread * 2 + i,
        (16, 16) => thread * 2 + (i & 1) + if i < 2 { 0 } else { 8 },
        (16, 8) => thread * 4 + i,
        (32, 8) => thread * 4 + (i & 3) + if i < 4 { 0 } else { 16 },
        (32, 4) => thread * 8 + i,
        (64, 4) => thread * 8 + (i & 7) + if i < 8 { 0 } else { 32 },
        shape => panic!("no such shape: {shape:?}"),
    };
    (row, group)
}

/// Accumulators C and D.
pub(crate) fn c(form: &Form, lane: usize, i: usize) -> (usize, usize) {
    let (group, thread) = split(lane);
    match form.rows {
        8 => (group, thread * 2 + i),
        _ => (if i < 2 { group } else { group + 8 }, thread * 2 + (i & 1)),
    }
}
