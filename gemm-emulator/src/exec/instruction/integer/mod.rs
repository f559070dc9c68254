//! Integer arithmetic.

mod dot;
mod types;

use crate::exec::registers::{Registers, map1, map2, map3};
use crate::exec::warp::Warp;
use crate::lanes::LANES;
use crate::program::{Carry, Integer1, Integer2, Integer3, IntegerOp, Scalar};
use types::Wrapping;
pub(super) use types::{Integer, with_integer};

pub(super) fn execute(warp: &mut Warp, mask: u32, op: &IntegerOp) {
    let r = &mut warp.registers;
    match *op {
        IntegerOp::Integer1 { f, ty, at } => with_integer!(ty, unary(r, mask, f, at)),
        IntegerOp::Integer2 { f, ty, at } => with_integer!(ty, binary(r, mask, f, at)),
        IntegerOp::Integer3 { f, ty, at } => with_integer!(ty, ternary(r, mask, f, at)),
        IntegerOp::DotProduct { f, signed, at } => dot::dot_product(r, mask, f, signed, at),
        IntegerOp::MultiplyWide { ty, at } => multiply_wide(r, mask, ty, at),
        IntegerOp::MultiplyAddWide { ty, at } => multiply_add_wide(r, mask, ty, at),
        IntegerOp::ShiftLeft { ty, at } => with_integer!(ty, shift_left(r, mask, at)),
        IntegerOp::ShiftRight { ty, at } => with_integer!(ty, shift_right(r, mask, at)),
        IntegerOp::AddCarry { ty, carry, at } => {
            with_integer!(ty, add_carry(warp, mask, at, carry));
        }
        IntegerOp::MultiplyAddCarry { high, ty, carry, at } => {
            with_integer!(ty, multiply_add_carry(warp, mask, at, high, carry));
        }
        IntegerOp::ExtractField { ty, at } => with_integer!(ty, extract(r, mask, at)),
        IntegerOp::InsertField { long: true, at } => insert::<u64>(r, mask, at),
        IntegerOp::InsertField { long: false, at } => insert::<u32>(r, mask, at),
        IntegerOp::FunnelShift { left, wrap, at } => map3(r, mask, at, |lo, hi, by: u32| {
            funnel_shift(lo, hi, if wrap { by & 31 } else { by.min(32) }, left)
        }),
    }
}

fn unary<T: Integer>(r: &mut Registers, mask: u32, f: Integer1, at: [u32; 2]) {
    let unsigned = move |a: T| a.wide() as u128 & (u128::MAX >> (128 - T::BITS));
    match f {
        Integer1::Neg => map1(r, mask, at, |a: T| T::default().wrapping(Wrapping::Sub, a)),
        Integer1::Abs => map1(r, mask, at, |a: T| T::narrow(a.wide().abs())),
        Integer1::Not => map1(r, mask, at, |a: T| a.wrapping(Wrapping::Xor, T::narrow(-1))),
        Integer1::Popc => map1(r, mask, at, |a: T| unsigned(a).count_ones()),
        Integer1::Clz => {
            map1(r, mask, at, |a: T| unsigned(a).leading_zeros() - (128 - T::BITS));
        }
        Integer1::Brev => map1(r, mask, at, |a: T| {
            T::narrow((unsigned(a).reverse_bits() >> (128 - T::BITS)) as i128)
        }),
        Integer1::Bfind => map1(r, mask, at, |a: T| find_bit(a)),
        Integer1::BfindShift => map1(r, mask, at, |a: T| match find_bit(a) {
            u32::MAX => u32::MAX,
            bit => T::BITS - 1 - bit,
        }),
    }
}

/// The highest bit that is not a copy of the sign, or all ones if there is none.
fn find_bit<T: Integer>(a: T) -> u32 {
    let value = a.wide();
    let value = if value < 0 { !value } else { value };
    if value == 0 { u32::MAX } else { 127 - value.leading_zeros() }
}

fn binary<T: Integer>(r: &mut Registers, mask: u32, f: Integer2, at: [u32; 3]) {
    match f {
        Integer2::Add => map2(r, mask, at, |a: T, b: T| a.wrapping(Wrapping::Add, b)),
        Integer2::Sub => map2(r, mask, at, |a: T, b: T| a.wrapping(Wrapping::Sub, b)),
        Integer2::MulLo => map2(r, mask, at, |a: T, b: T| a.wrapping(Wrapping::Mul, b)),
        Integer2::And => map2(r, mask, at, |a: T, b: T| a.wrapping(Wrapping::And, b)),
        Integer2::Or => map2(r, mask, at, |a: T, b: T| a.wrapping(Wrapping::Or, b)),
        Integer2::Xor => map2(r, mask, at, |a: T, b: T| a.wrapping(Wrapping::Xor, b)),
        Integer2::Min => map2(r, mask, at, |a: T, b: T| a.min(b)),
        Integer2::Max => map2(r, mask, at, |a: T, b: T| a.max(b)),
        Integer2::AddSaturate => map2(r, mask, at, |a: T, b: T| T::clamped(a.wide() + b.wide())),
        Integer2::SubSaturate => map2(r, mask, at, |a: T, b: T| T::clamped(a.wide() - b.wide())),
        Integer2::MulHi => map2(r, mask, at, |a: T, b: T| T::narrow(product(a, b) >> T::BITS)),
        Integer2::Mul24Lo => map2(r, mask, at, |a: T, b: T| {
            let low =
                |x: T| if T::SIGNED { (x.wide() << 104) >> 104 } else { x.wide() & 0xff_ffff };
            T::narrow(low(a) * low(b))
        }),
        Integer2::Div => map2(r, mask, at, |a: T, b: T| {
            // The device gives all ones for a division by zero.
            T::narrow(if b.wide() == 0 { -1 } else { divide(a, b) })
        }),
        Integer2::Rem => map2(r, mask, at, |a: T, b: T| {
            T::narrow(if b.wide() == 0 { -1 } else { a.wide() - divide(a, b) * b.wide() })
        }),
    }
}

/// The whole product; that of two u64 does not fit an i128, but its bits do.
fn product<T: Integer>(a: T, b: T) -> i128 {
    if T::SIGNED { a.wide() * b.wide() } else { (a.wide() as u128 * b.wide() as u128) as i128 }
}

fn divide<T: Integer>(a: T, b: T) -> i128 {
    match (i64::try_from(a.wide()), i64::try_from(b.wide())) {
        // 64-bit division is many times as fast.
        (Ok(a), Ok(b)) => i128::from(a)
            .checked_div(i128::from(b))
            .map_or(0, |whole| a.checked_div(b).map_or(whole, i128::from)),
        _ => a.wide() / b.wide(),
    }
}

fn ternary<T: Integer>(r: &mut Registers, mask: u32, f: Integer3, at: [u32; 4]) {
    match f {
        Integer3::MadLo => map3(r, mask, at, |a: T, b: T, c: T| {
            a.wrapping(Wrapping::Mul, b).wrapping(Wrapping::Add, c)
        }),
        Integer3::MadHi => map3(r, mask, at, |a: T, b: T, c: T| {
            T::narrow(product(a, b) >> T::BITS).wrapping(Wrapping::Add, c)
        }),
        Integer3::Sad => {
            map3(r, mask, at, |a: T, b: T, c: T| T::narrow(c.wide() + (a.wide() - b.wide()).abs()))
        }
    }
}

fn multiply_wide(r: &mut Registers, mask: u32, ty: Scalar, at: [u32; 3]) {
    match ty {
        Scalar::S32 => map2(r, mask, at, |a: i32, b: i32| i64::from(a) * i64::from(b)),
        Scalar::S16 => map2(r, mask, at, |a: i16, b: i16| i32::from(a) * i32::from(b)),
        Scalar::U16 => map2(r, mask, at, |a: u16, b: u16| u32::from(a) * u32::from(b)),
        _ => map2(r, mask, at, |a: u32, b: u32| u64::from(a) * u64::from(b)),
    }
}

fn multiply_add_wide(r: &mut Registers, mask: u32, ty: Scalar, at: [u32; 4]) {
    macro_rules! of {
        ($narrow:ty, $wide:ty) => {
            map3(r, mask, at, |a: $narrow, b: $narrow, c: $wide| {
                c.wrapping_add(<$wide>::from(a) * <$wide>::from(b))
            })
        };
    }
    match ty {
        Scalar::S32 => of!(i32, i64),
        Scalar::S16 => of!(i16, i32),
        Scalar::U16 => of!(u16, u32),
        _ => of!(u32, u64),
    }
}

fn shift_left<T: Integer>(r: &mut Registers, mask: u32, at: [u32; 3]) {
    map2(r, mask, at, |a: T, by: u32| a.left(by));
}

fn shift_right<T: Integer>(r: &mut Registers, mask: u32, at: [u32; 3]) {
    map2(r, mask, at, |a: T, by: u32| a.right(by));
}

fn add_carry<T: Integer>(warp: &mut Warp, mask: u32, [d, a, b]: [u32; 3], carry: Carry) {
    let (a, b) = (T::read(&warp.registers, a), T::read(&warp.registers, b));
    sum_with_carry(warp, mask, d, [a, b], carry);
}

/// Adds the low or the high half of a * b to c.
fn multiply_add_carry<T: Integer>(
    warp: &mut Warp,
    mask: u32,
    [d, a, b, c]: [u32; 4],
    high: bool,
    carry: Carry,
) {
    let [a, b, c] = [a, b, c].map(|at| T::read(&warp.registers, at));
    let shift = if high { T::BITS } else { 0 };
    let half = std::array::from_fn(|lane| T::narrow(product(a[lane], b[lane]) >> shift));
    sum_with_carry(warp, mask, d, [half, c], carry);
}

/// a + b or a - b into d, with the flag of each lane.
fn sum_with_carry<T: Integer>(
    warp: &mut Warp,
    mask: u32,
    d: u32,
    [a, b]: [[T; LANES]; 2],
    carry: Carry,
) {
    let bits = u128::MAX >> (128 - T::BITS);
    let mut out = [T::default(); LANES];
    let mut flags = 0;
    for lane in 0..LANES {
        let (a, b) = (a[lane].wide() as u128 & bits, b[lane].wide() as u128 & bits);
        let given = u128::from(carry.reads && warp.carry >> lane & 1 == 1);
        // Subtraction adds the complement; its carry is the inverse of a borrow.
        let total =
            if carry.subtract { a.wrapping_sub(b).wrapping_sub(given) } else { a + b + given };
        out[lane] = T::narrow(total as i128);
        flags |= u32::from(total & !bits != 0) << lane;
    }
    T::write(&mut warp.registers, d, mask, &out);
    if carry.writes {
        warp.carry = (warp.carry & !mask) | (flags & mask);
    }
}

fn extract<T: Integer>(r: &mut Registers, mask: u32, at: [u32; 4]) {
    map3(r, mask, at, |a: T, start: u32, length: u32| {
        let (start, length) = (start & 0xff, length & 0xff);
        if length == 0 {
            return T::narrow(0);
        }
        let available = T::BITS.saturating_sub(start);
        let value = if start < T::BITS { a.wide() >> start } else { sign_fill(a) };
        if T::SIGNED {
            let kept = length.min(available.max(1));
            T::narrow((value << (128 - kept)) >> (128 - kept))
        } else if start >= T::BITS {
            T::narrow(0)
        } else {
            T::narrow(value & low_mask(length.min(available)))
        }
    });
}

fn sign_fill<T: Integer>(a: T) -> i128 {
    if a.wide() < 0 { -1 } else { 0 }
}

fn low_mask(bits: u32) -> i128 {
    (1i128 << bits) - 1
}

/// Puts the low bits of a into b.
fn insert<T: Integer>(r: &mut Registers, mask: u32, [d, a, b, start, length]: [u32; 5]) {
    let (a, b, starts, lengths) = (T::read(r, a), T::read(r, b), r.word(start), r.word(length));
    let mut out = [T::default(); LANES];
    for lane in 0..LANES {
        let (start, length) = (starts[lane] & 0xff, lengths[lane] & 0xff);
        out[lane] = if start >= T::BITS || length == 0 {
            b[lane]
        } else {
            let field = low_mask(length.min(T::BITS - start)) << start;
            T::narrow((b[lane].wide() & !field) | ((a[lane].wide() << start) & field))
        };
    }
    T::write(r, d, mask, &out);
}

fn funnel_shift(lo: u32, hi: u32, by: u32, left: bool) -> u32 {
    let both = u64::from(hi) << 32 | u64::from(lo);
    if left { ((u128::from(both) << by) >> 32) as u32 } else { (both >> by) as u32 }
}
