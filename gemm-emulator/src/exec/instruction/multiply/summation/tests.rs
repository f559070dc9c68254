use super::*;
use crate::number::ByteFloat;
use crate::program::MatrixElement::{self, Bf16, Byte, Tf32};
use crate::program::Multiplier;

const HOPPER: Multiplier = Multiplier::Warp(90);
const AMPERE: Multiplier = Multiplier::Warp(80);

/// A sum of products, zeros after them, and c, alike in all places; NaN as its bits.
fn sum_in<const K: usize>(
    accumulator: Accumulator,
    (multiplier, element): (Multiplier, MatrixElement),
    c: f64,
    products: [[f64; 2]; K],
) -> f64 {
    let summation = Summation::of(multiplier, [element; 2], accumulator);
    let products: [_; 32] = std::array::from_fn(|k| products.get(k).copied().unwrap_or_default());
    let a = [products.map(|[a, _]| a); ROWS];
    let b = products.map(|[_, b]| [b; COLUMNS]);
    let mut sums = [[c; COLUMNS]; ROWS];
    add_products(summation, accumulator, &mut sums, &a, &b);
    let first = sums[0][0];
    assert!(sums.as_flattened().iter().all(|sum| sum.to_bits() == first.to_bits()));
    first
}

/// One in f32.
fn sum<const K: usize>(form: (Multiplier, MatrixElement), c: f64, products: [[f64; 2]; K]) -> f64 {
    sum_in(Accumulator::F32, form, c, products)
}

/// 2^exponent.
fn two(exponent: i32) -> f64 {
    2f64.powi(exponent)
}

fn e4m3() -> MatrixElement {
    Byte(ByteFloat::named("e4m3").expect("a row"))
}

#[test]
fn a_target_keeps_its_bits_below_the_largest_exponent() {
    for (multiplier, element, bits) in [
        (Multiplier::Warp(75), MatrixElement::F16, 24),
        (AMPERE, MatrixElement::F16, 24),
        (AMPERE, Bf16, 24),
        (AMPERE, Tf32, 24),
        (HOPPER, MatrixElement::F16, 25),
        (HOPPER, Bf16, 25),
        (HOPPER, Tf32, 25),
        (Multiplier::Warp(0), Bf16, 25),
        (Multiplier::Warpgroup, MatrixElement::F16, 25),
        (Multiplier::Warpgroup, Tf32, 25),
        (Multiplier::Warp(100), MatrixElement::F16, 25),
        (Multiplier::Warp(120), e4m3(), 25),
        (Multiplier::Warp(89), e4m3(), 13),
        (Multiplier::Warpgroup, e4m3(), 13),
    ] {
        // 1 cancels, so that the last bits are those of the result.
        let rest = |power: i32| {
            let small = [two(-6), two(power + 6)];
            sum((multiplier, element), -1.0, [[1.0, 1.0], small, small, [0.0, 0.0]])
        };
        assert_eq!(rest(-bits), 2.0 * two(-bits), "{multiplier:?} {element:?}");
        assert_eq!(rest(-bits - 1), 0.0, "{multiplier:?} {element:?}");
    }
}

#[test]
fn terms_and_sums_are_truncated_toward_zero() {
    let form = (HOPPER, Bf16);
    assert_eq!(sum(form, 0.0, [[1.0, 1.0], [-two(-13), two(-13)]]), 1.0);
    assert_eq!(sum(form, -1.0, [[two(-13), two(-13)]]), -1.0);
    // 25 bits are added, the f32 sum has 23.
    assert_eq!(sum(form, 1.0, [[two(-12), two(-12)]]), 1.0);
    assert_eq!(sum(form, 1.0, [[two(-12), two(-12)]; 2]), 1.0 + two(-23));
    assert_eq!(sum(form, -1.0, [[-1.5, two(-24)]; 1]), -1.0);
    assert_eq!(sum(form, 1.0, [[-two(-12), two(-13)]]), 1.0 - two(-24));
    // A sum of 8-bit floats keeps 13 bits of its own.
    let small = (Multiplier::Warpgroup, e4m3());
    let [a, b, c, d] = [[1.0, 1.0]; 4];
    assert_eq!(sum(small, 0.0, [a, b, c, d, [two(-6), two(-6)]]), 4.0);
    assert_eq!(sum(small, 0.0, [a, b, c, d, [two(-6), two(-5)]]), 4.0 + two(-11));
}

#[test]
fn halves_of_k_follow_each_other_up_to_sm_89() {
    let mut products = [[0.0; 2]; 16];
    (products[0], products[8]) = ([1.0, 1.0], [two(-12), two(-12)]);
    products[9] = products[8];
    // The second half begins with 1 again and truncates to f32 after it.
    assert_eq!(sum((AMPERE, MatrixElement::F16), two(-24), products), 1.0 + two(-23));
    assert_eq!(sum((HOPPER, MatrixElement::F16), two(-24), products), 1.0 + two(-23));
    products[9] = [0.0; 2];
    assert_eq!(sum((AMPERE, MatrixElement::F16), two(-24), products), 1.0);
    assert_eq!(sum((HOPPER, MatrixElement::F16), two(-24), products), 1.0 + two(-23));
    // What the first half has lost does not return when the second cancels it.
    let lost = |multiplier| {
        let products: [[f64; 2]; 8] =
            std::array::from_fn(|k| [[1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0][k], 1.0]);
        sum((multiplier, Tf32), two(-24), products)
    };
    assert_eq!(lost(AMPERE), 0.0);
    assert_eq!(lost(HOPPER), two(-24));
}

#[test]
fn exponents_of_factors_are_added() {
    let form = (Multiplier::Warpgroup, e4m3());
    // The own exponent of 2.25 is 1.
    assert_eq!(sum(form, 0.0, [[1.5, 1.5], [two(-6), two(-7)], [-1.5, 1.5]]), two(-13));
    // A subnormal factor has the exponent of the smallest normal one.
    assert_eq!(sum(form, 0.0, [[two(-9), 64.0], [two(-7), two(-6)]]), two(-3) + two(-13));
    assert_eq!(sum(form, 0.0, [[two(-9), 64.0], [two(-7), two(-7)]]), two(-3));
    let halves = (HOPPER, MatrixElement::F16);
    let of_subnormal = [[two(-24), 1.0], [two(-13), two(-13)], [two(-20), two(-20)]];
    assert_eq!(sum(halves, 0.0, of_subnormal), two(-24) + two(-26));
    // Zero has none.
    assert_eq!(sum(form, 0.0, [[0.0, 448.0], [two(-9), two(-9)]]), two(-18));
    // Nothing is kept below 2^(-126 - 25), nor below the smallest f32.
    assert_eq!(sum((HOPPER, Bf16), 0.0, [[two(-75), two(-74)]]), two(-149));
    assert_eq!(sum((HOPPER, Bf16), 0.0, [[two(-75), two(-75)]; 2]), two(-149));
    assert_eq!(sum((HOPPER, Bf16), 0.0, [[two(-76), two(-76)]; 8]), 0.0);
    assert_eq!(sum((HOPPER, Bf16), two(-149), [[0.0, 1.0]]), two(-149));
}

#[test]
fn zero_is_positive() {
    for products in
        [[[-0.0, 1.0], [-0.0, 1.0]], [[1.0, 1.0], [-1.0, 1.0]], [[two(-75), -two(-75)], [0.0; 2]]]
    {
        for c in [0.0, -0.0] {
            let zero = sum((HOPPER, Bf16), c, products);
            assert!(zero == 0.0 && zero.is_sign_positive());
        }
    }
}

#[test]
fn what_is_not_finite_stays_so() {
    const INF: f64 = f64::INFINITY;
    for form in [(HOPPER, Bf16), (AMPERE, MatrixElement::F16), (HOPPER, e4m3())] {
        assert!(sum(form, 0.0, [[f64::NAN, 0.0]]).is_nan());
        assert!(sum(form, f64::NAN, [[1.0, 1.0]]).is_nan());
        assert!(sum(form, INF, [[INF, -1.0]]).is_nan());
        assert!(sum(form, 0.0, [[INF, 0.0]]).is_nan());
        assert_eq!(sum(form, -INF, [[448.0, 448.0]]), -INF);
        assert_eq!(sum(form, 1.0, [[INF, two(-9)], [1.0, 1.0]]), INF);
    }
    // The other columns of the row are as without it.
    let rule = Summation::of(HOPPER, [Bf16; 2], Accumulator::F32);
    let mut sums = [[1.0; COLUMNS]; ROWS];
    let mut b = [[two(-13); COLUMNS]];
    b[0][3] = INF;
    add_products(rule, Accumulator::F32, &mut sums, &[[two(-13)]; ROWS], &b);
    assert!(sums.iter().all(|row| row[3] == INF && row[2] == 1.0));
    // A sum beyond f32 is infinite, one that is not beyond by its first 24 bits the largest.
    let most = f64::from(f32::MAX);
    assert_eq!(sum((HOPPER, Bf16), most, [[two(52), two(51)]]), most);
    assert_eq!(sum((HOPPER, Bf16), most, [[two(52), two(52)]]), INF);
}

#[test]
fn sums_in_f16_are_rounded_to_nearest_once_a_step() {
    fn halves<const K: usize>(multiplier: Multiplier, products: [[f64; 2]; K]) -> f64 {
        sum_in(Accumulator::F16, (multiplier, MatrixElement::F16), 1.0, products)
    }
    let (tie, tiny) = ([two(-6), two(-5)], [two(-10), two(-10)]);
    assert_eq!(halves(HOPPER, [tie]), 1.0);
    assert_eq!(halves(HOPPER, [tie, tiny]), 1.0 + two(-10));
    assert_eq!(halves(HOPPER, [tie, tie]), 1.0 + two(-10));
    let mut apart = [[0.0; 2]; 16];
    (apart[0], apart[8]) = (tie, tie);
    assert_eq!(halves(HOPPER, apart), 1.0 + two(-10));
    assert_eq!(halves(AMPERE, apart), 1.0);
    assert_eq!(halves(HOPPER, [[256.0, 256.0]]), f64::INFINITY);
}

#[test]
fn products_of_converted_8_bit_floats_are_added_to_c_last() {
    // Together 2^-13: the last bit of 2^10, half of that of 2^11, a tie.
    let of = |c| sum((HOPPER, e4m3()), c, [[two(-9), two(-9)]; 32]);
    assert_eq!(of(two(10)), two(10) + two(-13));
    assert_eq!(of(two(11)), two(11));
    assert_eq!(of(two(11) + two(-12)), two(11) + two(-11));
}

#[test]
fn converted_8_bit_floats_are_added_by_pairs_of_four() {
    // 2^16 and -2^16 cancel in a step, beside which 2^-18 is lost.
    let with = |at: usize| {
        let mut products = [[0.0; 2]; 32];
        (products[0], products[4]) = ([two(8), two(8)], [two(8), -two(8)]);
        products[at] = [two(-9), two(-9)];
        sum((HOPPER, e4m3()), 0.0, products)
    };
    for at in [1, 5, 16, 20, 21, 28] {
        assert_eq!([with(at), with(at ^ 2)], [0.0, two(-18)], "{at}");
    }
}

/// A float as an integer and the exponent of its unit, and its own exponent.
#[derive(Clone, Copy)]
struct Parts {
    units: i64,
    unit: i32,
    exponent: i32,
}

/// The parts of an IEEE number, from its bits.
fn parts(bits: u32, exponent_bits: u32, fraction_bits: u32) -> Parts {
    let field = (bits >> fraction_bits) as i32 & ((1 << exponent_bits) - 1);
    let fraction = i64::from(bits & ((1 << fraction_bits) - 1));
    let hidden = if field == 0 { 0 } else { 1 << fraction_bits };
    let exponent = field.max(1) + 1 - (1 << (exponent_bits - 1));
    let negative = bits >> (exponent_bits + fraction_bits) & 1 == 1;
    let units = if negative { -(fraction | hidden) } else { fraction | hidden };
    let exponent = if units == 0 { -126 } else { exponent };
    Parts { units, unit: exponent - fraction_bits as i32, exponent }
}

/// A step in integers: the bits of an f32.
fn step_in_integers(fraction_bits: i32, c: Parts, products: &[[Parts; 2]]) -> u32 {
    let product = |[a, b]: &[Parts; 2]| Parts {
        units: a.units * b.units,
        unit: a.unit + b.unit,
        exponent: if a.units * b.units == 0 { -126 } else { a.exponent + b.exponent },
    };
    let terms: Vec<Parts> = products.iter().map(product).chain([c]).collect();
    let largest = terms.iter().map(|term| term.exponent).max().expect("c");
    let last = largest - fraction_bits;
    let aligned = |term: &Parts| match last - term.unit {
        lost @ 1.. => term.units / (1 << lost.min(62)),
        more => term.units << if term.units == 0 { 0 } else { -more },
    };
    let sum: i64 = terms.iter().map(aligned).sum();
    if sum == 0 {
        return 0;
    }
    let exponent = (last + sum.unsigned_abs().ilog2() as i32).max(-126);
    if exponent > 127 {
        return if sum < 0 { 0xff80_0000 } else { 0x7f80_0000 };
    }
    let magnitude = match exponent - 23 - last {
        lost @ 1.. => sum.unsigned_abs() >> lost,
        more => sum.unsigned_abs() << -more,
    };
    let sign = if sum < 0 && magnitude > 0 { 1 << 31 } else { 0 };
    // The hidden bit counts as one of the exponent.
    sign | ((((exponent + 126) as u32) << 23) + magnitude as u32)
}

/// Random bits: exponents around a middle, now and then zeros and subnormal numbers.
fn random(rng: &mut fastrand::Rng, exponent_bits: u32, fraction_bits: u32, around: u32) -> u32 {
    let field = match rng.u8(0..16) {
        0 => 0,
        _ => (around + rng.u32(0..24)).saturating_sub(12).min((1 << exponent_bits) - 2),
    };
    let fraction = if rng.u8(0..16) == 0 { 0 } else { rng.u32(0..1 << fraction_bits) };
    rng.u32(0..2) << (exponent_bits + fraction_bits) | field << fraction_bits | fraction
}

#[test]
fn steps_are_those_of_integers() {
    let mut rng = fastrand::Rng::with_seed(1);
    for (element, exponent_bits, fraction_bits) in
        [(MatrixElement::F16, 5, 10), (Bf16, 8, 7), (Tf32, 8, 10)]
    {
        for number in 0..20_000 {
            let multiplier = [HOPPER, AMPERE, Multiplier::Warpgroup][number % 3];
            // Near one; sums near the least f32; near the largest.
            let bias = (1 << (exponent_bits - 1)) - 1;
            let around = [bias, bias - bias / 2, bias + bias / 2][number / 3 % 3];
            let of_c = 127 + 2 * (around as i32 - bias as i32);
            let mut draw = || random(&mut rng, exponent_bits, fraction_bits, around);
            let factors: [[u32; 2]; 8] = std::array::from_fn(|_| [draw(), draw()]);
            let c = random(&mut rng, 8, 23, of_c.max(0) as u32);
            let value = |bits: u32| match element {
                MatrixElement::F16 => f16_to_f64(bits as u16),
                Bf16 => f64::from(f32::from_bits(bits << 16)),
                _ => f64::from(f32::from_bits(bits << 13)),
            };
            let got = sum(
                (multiplier, element),
                f32::from_bits(c).into(),
                factors.map(|pair| pair.map(value)),
            );
            let products =
                factors.map(|pair| pair.map(|bits| parts(bits, exponent_bits, fraction_bits)));
            let rule = Summation::of(multiplier, [element; 2], Accumulator::F32);
            let want = products.chunks(rule.step).fold(c, |c, products| match c & 0x7f80_0000 {
                0x7f80_0000 => c,
                _ => step_in_integers(rule.fraction_bits.into(), parts(c, 8, 23), products),
            });
            let got = (got as f32).to_bits();
            assert_eq!(got, want, "{multiplier:?} {element:?} {factors:x?} {c:#x}");
        }
    }
}
