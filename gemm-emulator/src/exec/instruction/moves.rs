//! Moves, selections and bitwise shuffling of whole registers.

use crate::exec::registers::{Registers, map1, map2, map3};
use crate::exec::warp::Warp;
use crate::lanes::{LANES, Lanes, mask_of};
use crate::memory::{resolve, window};
use crate::program::{Logic, MoveOp};
use crate::ptx::Space;

pub(super) fn execute(warp: &mut Warp, mask: u32, op: &MoveOp) {
    let executed = warp.executed;
    let r = &mut warp.registers;
    match *op {
        MoveOp::MoveWord { at: [d, a] } => {
            let a = *r.word(a);
            r.set_word(d, mask, &a);
        }
        MoveOp::MoveLong { at: [d, a] } => {
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
            r.set_predicate(d, mask, logic(f, r.predicate_use(a), r.predicate_use(b)));
        }
        MoveOp::Logic3 { table, at } => map3(r, mask, at, |a, b, c| logic3(table, a, b, c)),
        MoveOp::Permute { at } => map3(r, mask, at, permute),
        MoveOp::SelectWord { at, p } => select(r, mask, at, false, r.predicate_use(p)),
        MoveOp::SelectLong { at, p } => select(r, mask, at, true, r.predicate_use(p)),
        MoveOp::SelectBySign { long, float, at: [d, a, b, c] } => {
            let c = r.word(c);
            let holds = |c: u32| if float { f32::from_bits(c) >= 0.0 } else { c as i32 >= 0 };
            select(r, mask, [d, a, b], long, mask_of(|lane| holds(c[lane])));
        }
        MoveOp::ConvertAddress { .. } | MoveOp::IsSpace { .. } => on_address(r, mask, op),
        // Time passes by instructions.
        MoveOp::Clock { long: true, d } => r.set_long(d, mask, &[executed; LANES]),
        MoveOp::Clock { long: false, d } => r.set_word(d, mask, &[executed as u32; LANES]),
    }
}

/// Instructions on generic addresses.
fn on_address(r: &mut Registers, mask: u32, op: &MoveOp) {
    match *op {
        MoveOp::ConvertAddress { space, to_generic, at } => {
            let base = if to_generic { window(space) } else { window(space).wrapping_neg() };
            map1(r, mask, at, |a: u64| a.wrapping_add(base));
        }
        MoveOp::IsSpace { space, at: [d, a] } => {
            let space = if space == Space::Constant { Space::Global } else { space };
            let a = r.long(a);
            r.set_predicate(d, mask, mask_of(|lane| resolve(a[lane]).0 == space));
        }
        _ => {}
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

/// A logical operation on masks.
pub(super) fn logic(f: Logic, a: u32, b: u32) -> u32 {
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

/// d = a in the lanes of `p`, else b.
fn select(r: &mut Registers, mask: u32, [d, a, b]: [u32; 3], long: bool, p: u32) {
    fn pick<T: Copy>(p: u32, a: &Lanes<T>, b: &Lanes<T>) -> Lanes<T> {
        std::array::from_fn(|lane| if p >> lane & 1 == 1 { a[lane] } else { b[lane] })
    }
    if long {
        let out = pick(p, r.long(a), r.long(b));
        r.set_long(d, mask, &out);
    } else {
        let out = pick(p, r.word(a), r.word(b));
        r.set_word(d, mask, &out);
    }
}
