//! Moves, selections and bitwise shuffling of whole registers.

use super::registers::{Lanes, Registers, map1, map2, map3};
use super::warp::Warp;
use crate::memory::{resolve, window};
use crate::program::{LANES, Logic, MoveOp};
use crate::ptx::Space;

pub(crate) fn execute(warp: &mut Warp, mask: u32, op: &MoveOp) {
    let executed = warp.executed;
    let r = &mut warp.registers;
    match *op {
        MoveOp::MoveWord { d, a } => {
            let a = *r.word(a);
            r.set_word(d, mask, &a);
        }
        MoveOp::MoveLong { d, a } => {
            let a = *r.long(a);
            r.set_long(d, mask, &a);
        }
        MoveOp::MovePredicate { d, a } => r.set_predicate(d, mask, r.predicate_use(a)),
        MoveOp::PackWord { .. } | MoveOp::PackLong { .. } | MoveOp::PackQuad { .. } => {
            pack(r, mask, op);
        }
        MoveOp::SplitWord { .. } | MoveOp::SplitLong { .. } | MoveOp::SplitQuad { .. } => {
            split(r, mask, op);
        }
        MoveOp::PredicateLogic { f, d, a, b } => {
            let value = logic(f, r.predicate_use(a), r.predicate_use(b));
            r.set_predicate(d, mask, value);
        }
        MoveOp::Logic3 { table, d, a, b, c } => {
            map3(r, mask, [d, a, b, c], |a: u32, b: u32, c: u32| logic3(table, a, b, c));
        }
        MoveOp::Permute { d, a, b, c } => map3(r, mask, [d, a, b, c], permute),
        MoveOp::SelectWord { d, a, b, p } => {
            let out = select(r.predicate_use(p), r.word(a), r.word(b));
            r.set_word(d, mask, &out);
        }
        MoveOp::SelectLong { d, a, b, p } => {
            let out = select(r.predicate_use(p), r.long(a), r.long(b));
            r.set_long(d, mask, &out);
        }
        MoveOp::SelectBySign { long, float, d, a, b, c } => {
            select_by_sign(r, mask, [d, a, b, c], long, float);
        }
        MoveOp::ConvertAddress { space, to_generic, d, a } => {
            convert_address(r, mask, [d, a], space, to_generic);
        }
        MoveOp::IsSpace { space, d, a } => is_space(r, mask, [d, a], space),
        // Time passes by instructions.
        MoveOp::Clock { long: true, d } => r.set_long(d, mask, &[executed; LANES]),
        MoveOp::Clock { long: false, d } => r.set_word(d, mask, &[executed as u32; LANES]),
    }
}

/// Joins registers into a wider one.
fn pack(r: &mut Registers, mask: u32, op: &MoveOp) {
    match *op {
        MoveOp::PackWord { d, parts: [lo, hi] } => {
            map2(r, mask, [d, lo, hi], |lo: u16, hi: u16| u32::from(lo) | u32::from(hi) << 16);
        }
        MoveOp::PackLong { d, parts: [lo, hi] } => {
            map2(r, mask, [d, lo, hi], |lo: u32, hi: u32| u64::from(lo) | u64::from(hi) << 32);
        }
        MoveOp::PackQuad { d, parts } => pack_quad(r, mask, d, parts),
        _ => {}
    }
}

/// Takes a register apart.
fn split(r: &mut Registers, mask: u32, op: &MoveOp) {
    match *op {
        MoveOp::SplitWord { parts: [lo, hi], a } => {
            let a = *r.word(a);
            r.set_word(lo, mask, &a.map(|a| a & 0xffff));
            r.set_word(hi, mask, &a.map(|a| a >> 16));
        }
        MoveOp::SplitLong { parts: [lo, hi], a } => {
            let a = *r.long(a);
            r.set_word(lo, mask, &a.map(|a| a as u32));
            r.set_word(hi, mask, &a.map(|a| (a >> 32) as u32));
        }
        MoveOp::SplitQuad { parts, a } => {
            let a = *r.long(a);
            for (at, part) in parts.into_iter().enumerate() {
                r.set_word(part, mask, &a.map(|a| (a >> (16 * at)) as u32 & 0xffff));
            }
        }
        _ => {}
    }
}

fn convert_address(r: &mut Registers, mask: u32, at: [u32; 2], space: Space, to_generic: bool) {
    let base = window(space);
    map1(
        r,
        mask,
        at,
        |a: u64| {
            if to_generic { a.wrapping_add(base) } else { a.wrapping_sub(base) }
        },
    );
}

fn is_space(r: &mut Registers, mask: u32, [d, a]: [u32; 2], space: Space) {
    let space = if space == Space::Constant { Space::Global } else { space };
    let mut value = 0;
    for (lane, address) in r.long(a).iter().enumerate() {
        value |= u32::from(resolve(*address).0 == space) << lane;
    }
    r.set_predicate(d, mask, value);
}

/// A logical operation on masks.
pub(crate) fn logic(f: Logic, a: u32, b: u32) -> u32 {
    match f {
        Logic::And => a & b,
        Logic::Or => a | b,
        Logic::Xor => a ^ b,
    }
}

fn pack_quad(r: &mut Registers, mask: u32, d: u32, parts: [u32; 4]) {
    let mut out = [0u64; LANES];
    for (at, part) in parts.into_iter().enumerate() {
        for (out, part) in out.iter_mut().zip(r.word(part)) {
            *out |= u64::from(part & 0xffff) << (16 * at);
        }
    }
    r.set_long(d, mask, &out);
}

/// Each bit of the table is the result for one combination of bits of a, b and c.
fn logic3(table: u8, a: u32, b: u32, c: u32) -> u32 {
    let mut out = 0;
    for row in 0..8 {
        if table >> row & 1 == 1 {
            let pick = |x: u32, bit: u32| if row >> bit & 1 == 1 { x } else { !x };
            out |= pick(a, 2) & pick(b, 1) & pick(c, 0);
        }
    }
    out
}

/// Four bytes picked out of the eight of b:a; the top bit of a selector copies the byte's sign.
fn permute(a: u32, b: u32, selectors: u32) -> u32 {
    let bytes = u64::from(b) << 32 | u64::from(a);
    let mut out = 0;
    for at in 0..4 {
        let selector = selectors >> (4 * at) & 0xf;
        let byte = (bytes >> (8 * (selector & 7))) as u8;
        let byte = if selector & 8 != 0 { ((byte as i8) >> 7) as u8 } else { byte };
        out |= u32::from(byte) << (8 * at);
    }
    out
}

fn select<T: Copy>(p: u32, a: &Lanes<T>, b: &Lanes<T>) -> Lanes<T> {
    let mut out = *b;
    for lane in 0..LANES {
        if p >> lane & 1 == 1 {
            out[lane] = a[lane];
        }
    }
    out
}

fn select_by_sign(r: &mut Registers, mask: u32, [d, a, b, c]: [u32; 4], long: bool, float: bool) {
    let mut p = 0;
    for (lane, c) in r.word(c).iter().enumerate() {
        let holds = if float { f32::from_bits(*c) >= 0.0 } else { *c as i32 >= 0 };
        p |= u32::from(holds) << lane;
    }
    if long {
        let out = select(p, r.long(a), r.long(b));
        r.set_long(d, mask, &out);
    } else {
        let out = select(p, r.word(a), r.word(b));
        r.set_word(d, mask, &out);
    }
}
