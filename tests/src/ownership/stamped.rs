//! `mma.sync` on stamped operands.
//!
//! A is 1 at one element and 0 elsewhere, each element of B has a number of its own. Then the
//! product has one row that is not zero, and what is in that row are numbers of B: it tells which
//! elements of A and B meet and where their product is. C has numbers of its own, too, and has to
//! come back where it went in.

use gemm_codegen::{AtomMatrix, Fragment, Owner};
use gemm_runtime::{Device, bf16, f16};

use super::{Mismatch, compare};
use crate::instructions::multiply::{Form, Type, forms};

const LANES: usize = 32;

/// Numbers are told in digits of this base, since e5m2 counts no further without a gap. A digit d
/// is stored as d + 1, which a product with nothing cannot be.
const BASE: usize = 8;

/// Tries every form whose elements can hold a digit.
pub(super) fn check(device: &Device) -> Result<Vec<String>, Mismatch> {
    let mut done = Vec::new();
    for form in forms().iter().filter(|form| form.types[1].bits >= 8) {
        let opcode = form.instruction().opcode;
        Trial::new(form, &opcode).run(device)?;
        done.push(opcode);
    }
    Ok(done)
}

/// One form with its maps.
struct Trial<'a> {
    form: &'a Form,
    opcode: &'a str,
    a: Fragment,
    b: Fragment,
    c: Fragment,
}

impl<'a> Trial<'a> {
    fn new(form: &'a Form, opcode: &'a str) -> Trial<'a> {
        let [_, a, b, c] = form.types;
        let map = |matrix, ty: Type| {
            let shape = form.shape.map(|extent| extent as u32);
            Fragment::new(shape, matrix, ty.bits as u32).expect("the rule is for all of these")
        };
        let (a, b) = (map(AtomMatrix::A, a), map(AtomMatrix::B, b));
        Trial { form, opcode, a, b, c: map(AtomMatrix::C, c) }
    }

    fn run(&self, device: &Device) -> Result<(), Mismatch> {
        self.products(device)?;
        self.passes_c_through(device)
    }

    /// One digit of the numbers of B at a time, and a warp for each element of A.
    fn products(&self, device: &Device) -> Result<(), Mismatch> {
        let [_, a, b, c] = self.form.types;
        let instruction = self.form.instruction();
        let ones: Vec<(Owner, [u32; 2])> = self.a.iter().collect();
        for digit in 0..digits(LANES * per_lane(&self.b)) {
            let mut words = Vec::new();
            for (one, _) in &ones {
                for lane in 0..LANES {
                    words.extend(pack(&self.a, a, lane, |owner| u32::from(owner == *one)));
                    words.extend(pack(&self.b, b, lane, |owner| stamp(&self.b, owner, digit)));
                    words.extend(pack(&self.c, c, lane, |_| 0));
                }
            }
            let results = instruction.run_on(device, ones.len(), &words)?;
            let warps = results.chunks(results.len() / ones.len());
            for ((_, [row, k]), warp) in ones.iter().zip(warps) {
                self.compare_product(warp, *row, *k, digit)?;
            }
        }
        Ok(())
    }

    /// The product of a 1 at (row, k) of A: row k of B in this row, and zeros.
    fn compare_product(
        &self,
        warp: &[u32],
        row: u32,
        k: u32,
        digit: usize,
    ) -> Result<(), Mismatch> {
        for (owner, [m, n]) in self.c.iter() {
            let of_b = self.b.owner(k, n).filter(|_| m == row);
            let expected = of_b.map_or(0, |of_b| stamp(&self.b, of_b, digit));
            let got = unpack(&self.c, self.form.types[0], warp, owner);
            compare(self.opcode, &self.c, owner, got, expected.into())?;
        }
        Ok(())
    }

    /// 0 · 0 + C, with the number of each element of C in it.
    fn passes_c_through(&self, device: &Device) -> Result<(), Mismatch> {
        let [d, a, b, c] = self.form.types;
        for digit in 0..digits(LANES * per_lane(&self.c)) {
            let words = (0..LANES).flat_map(|lane| {
                let zeros = [pack(&self.a, a, lane, |_| 0), pack(&self.b, b, lane, |_| 0)].concat();
                [zeros, pack(&self.c, c, lane, |owner| stamp(&self.c, owner, digit))].concat()
            });
            let words: Vec<u32> = words.collect();
            let warp = self.form.instruction().run_on(device, 1, &words)?;
            for (owner, _) in self.c.iter() {
                let got = unpack(&self.c, d, &warp, owner);
                compare(self.opcode, &self.c, owner, got, stamp(&self.c, owner, digit).into())?;
            }
        }
        Ok(())
    }
}

/// Digits of the numbers below `count`.
fn digits(count: usize) -> usize {
    (1..).find(|digits| BASE.pow(*digits as u32) >= count).unwrap_or(1)
}

/// Elements that a lane holds.
fn per_lane(map: &Fragment) -> usize {
    (map.registers() * map.packed()) as usize
}

/// One digit of an owner's number, from 1 on.
fn stamp(map: &Fragment, owner: Owner, digit: usize) -> u32 {
    let of_lane = (owner.register * map.packed() + owner.element) as usize;
    let number = owner.lane as usize * per_lane(map) + of_lane;
    (number / BASE.pow(digit as u32) % BASE) as u32 + 1
}

/// The registers of a lane as words, each element with its value.
fn pack(map: &Fragment, ty: Type, lane: usize, value: impl Fn(Owner) -> u32) -> Vec<u32> {
    let registers = (0..map.registers()).map(|register| {
        (0..map.packed()).fold(0u64, |bits, element| {
            let owner = Owner { lane: lane as u32, register, element };
            bits | encode(ty, value(owner)) << (element as usize * ty.bits)
        })
    });
    let words = if ty.bits == 64 { 2 } else { 1 };
    registers.flat_map(|bits| [bits as u32, (bits >> 32) as u32].into_iter().take(words)).collect()
}

/// The value that `owner` holds in the registers of a warp.
fn unpack(map: &Fragment, ty: Type, warp: &[u32], owner: Owner) -> f64 {
    let Owner { lane, register, element } = owner;
    let words = if ty.bits == 64 { 2 } else { 1 };
    let at = (lane * map.registers() + register) as usize * words;
    match ty.name {
        "f64" => f64::from_bits(u64::from(warp[at + 1]) << 32 | u64::from(warp[at])),
        "f32" => f32::from_bits(warp[at]).into(),
        "f16" => f16::from_bits((warp[at] >> (16 * element)) as u16).to_f64(),
        "s32" => f64::from(warp[at] as i32),
        other => unreachable!("no mma.sync returns {other}"),
    }
}

/// The bits of a whole number up to [`BASE`] in a type: exact in all of these.
fn encode(ty: Type, value: u32) -> u64 {
    let value_f32 = value as f32;
    match ty.name {
        "f16" => f16::from_f32(value_f32).to_bits().into(),
        "bf16" => bf16::from_f32(value_f32).to_bits().into(),
        "tf32" | "f32" => value_f32.to_bits().into(),
        "f64" => f64::from(value).to_bits(),
        "s8" | "u8" | "s32" => value.into(),
        // One bit of sign, then 4 bits of exponent and 3 of mantissa, or 5 and 2: the upper bits of
        // an f16 with another bias.
        "e5m2" => u64::from(f16::from_f32(value_f32).to_bits() >> 8),
        "e4m3" if value == 0 => 0,
        "e4m3" => {
            let exponent = value.ilog2();
            let fraction = ((value << 3) >> exponent) & 7;
            u64::from((exponent + 7) << 3 | fraction)
        }
        other => unreachable!("no digit is stored as {other}"),
    }
}
