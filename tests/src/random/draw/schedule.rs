//! Schedules that fit together more often than not, each key left out now and then.

use std::num::NonZeroU16;

use fastrand::Rng;
use gemm_codegen::{
    Accumulator, Allow, Atom, Availability, CacheOperator, CachePolicy, CopyAtom, Element, Mma,
    PerSide, Precision, Promotion, Raster, Schedule, Splits, Swizzle, Target,
};

use super::factors::Factors;
use super::orders::Orders;
use super::pick::pick;
use super::planes;

/// Warps along M, N and K.
const WARPS: [[u16; 3]; 20] = [
    [1, 1, 1],
    [1, 2, 1],
    [2, 1, 1],
    [2, 2, 1],
    [2, 2, 1],
    [1, 4, 1],
    [4, 1, 1],
    [2, 4, 1],
    [4, 2, 1],
    [3, 1, 1],
    [1, 3, 1],
    [2, 3, 1],
    [3, 2, 1],
    [1, 5, 1],
    [1, 1, 2],
    [1, 2, 2],
    [2, 1, 2],
    [1, 1, 3],
    [1, 1, 4],
    [2, 2, 2],
];

/// The register tile for which f32 has a tile of its own.
pub(super) const EIGHT_BY_EIGHT: Mma = {
    let eight = NonZeroU16::new(8).unwrap();
    Mma::Fma { m: eight, n: eight }
};

/// Draws a schedule for factors of these elements, and of others of their kind, on targets that have all
/// of a spec's elements.
pub(super) fn draw(
    rng: &mut Rng,
    orders: Orders,
    factors: Factors,
    needed: &[Availability],
) -> Schedule {
    let warps = pick(rng, &WARPS);
    let element = factors.multiplied();
    let (mma, is_shallow) = multiplier(rng, element, factors.are_of_warps());
    let atom = Atom::find(mma, element, element);
    let tile = tile(rng, warps, mma, is_shallow);
    let tile = factors.whole_tile(rng, tile, warps);
    let copy = copies(rng, factors.are_packed());
    // The tile that f32 has of its own comes with warps that nobody else would draw.
    let wide = mma == EIGHT_BY_EIGHT && element == Element::F32 && rng.u8(0..3) == 0;
    let named = |probability: f32| if wide { 0.0 } else { probability };
    let through_registers =
        [copy.a, copy.b].into_iter().flatten().any(|atom| atom.cache().is_none());
    let written = kept(rng, 0.7, mma);
    let tensor_cores = !matches!(mma, Mma::Fma { .. });
    let of_planes = if factors.scaled { 20 } else { 4 };
    if element == Element::F32 && tensor_cores && rng.u8(0..of_planes) == 0 {
        return planes::draw(rng, orders, (warps, copy), needed);
    }
    Schedule {
        tile: kept(rng, named(0.9), tile.map(extent)),
        warps: kept(rng, named(0.7), warps.map(extent)),
        mma: written,
        precision: precision(rng, element, (mma, written)),
        acc: accumulator(rng, element).filter(|acc| !factors.scaled || *acc == Accumulator::F32),
        promote: if tensor_cores { promotion(rng, 0.05, tile[2]) } else { None },
        copy,
        swizzle: swizzles(rng, orders, (factors.stored, mma), copy, tile),
        stages: {
            let stages = extent(if through_registers { 2 } else { rng.u16(2..=6) });
            kept(rng, named(0.6), stages)
        },
        raster: raster(rng),
        split_k: split_k(rng),
        targets: targets(rng, needed.iter().copied().chain(atom.map(|atom| atom.on))),
        allow: if rng.f32() < 0.4 { vec![Allow::BankConflicts] } else { Vec::new() },
        ..Schedule::default()
    }
}

/// After some k-tiles of this depth, with this probability.
pub(super) fn promotion(rng: &mut Rng, probability: f32, k: u16) -> Option<Promotion> {
    let every = Promotion::Every(extent(k.saturating_mul(pick(rng, &[1, 1, 2, 5]))));
    let promotion = pick(rng, &[every, every, Promotion::Never]);
    kept(rng, probability, promotion)
}

pub(super) fn split_k(rng: &mut Rng) -> Option<Splits> {
    let of = pick(rng, &[Splits::Every as fn(NonZeroU16) -> Splits, Splits::Tail]);
    let splits = of(extent(pick(rng, &[1, 2, 2, 3, 4, 7])));
    kept(rng, 0.3, splits)
}

/// What multiplies factors of this element, and whether it is a shallow atom, whose k-steps are short; only warps, if
/// they convert or scale.
fn multiplier(rng: &mut Rng, element: Element, only_warps: bool) -> (Mma, bool) {
    let [deep, shallow] = match element {
        Element::E4m3 | Element::E5m2 => [Mma::M16n8k32; 2],
        Element::I8 | Element::U8 => [Mma::M16n8k32, Mma::M16n8k16],
        Element::F32 => [Mma::M16n8k8, Mma::M16n8k4],
        Element::F64 => pick(
            rng,
            &[[Mma::M8n8k4; 2], [Mma::M16n8k16, Mma::M16n8k8], [Mma::M16n8k8, Mma::M16n8k4]],
        ),
        _ => [Mma::M16n8k16, Mma::M16n8k8],
    };
    let mma = match rng.u8(0..4) {
        _ if only_warps => pick(rng, &[deep, deep, shallow]),
        0 if element == Element::F32 && rng.bool() => EIGHT_BY_EIGHT,
        0 if element.bytes() > 1 => fma(rng),
        _ => pick(rng, &[deep, deep, shallow]),
    };
    (mma, mma == shallow)
}

/// The tile of a block of these warps.
pub(super) fn tile(rng: &mut Rng, warps: [u16; 3], mma: Mma, is_shallow: bool) -> [u16; 3] {
    let [mma_m, mma_n, mma_k] = mma.shape().map(|extent| extent as u16);
    let steps = pick(rng, &[1, 1, 2, 2, 2, 3, 4, 4, 5, 6]);
    match mma {
        // Register tiles are as large as several atoms of a tensor core.
        Mma::Fma { .. } => [
            warps[0] * pick(rng, &[1, 1, 2]) * mma_m,
            warps[1] * pick(rng, &[1, 1, 2]) * mma_n,
            warps[2] * steps * pick(rng, &[4, 8, 8, 16, 3]),
        ],
        _ => [
            warps[0] * pick(rng, &[1, 1, 2, 2, 3, 4, 5]) * mma_m,
            warps[1] * pick(rng, &[1, 2, 2, 3, 4, 4, 5, 6, 7, 8]) * mma_n,
            warps[2] * steps * mma_k * if is_shallow { pick(rng, &[1, 2]) } else { 1 },
        ],
    }
}

/// What is to be written for factors that this atom multiplies, whether it is named or not; now and then
/// something else.
pub(super) fn precision(
    rng: &mut Rng,
    element: Element,
    (mma, named): (Mma, Option<Mma>),
) -> Option<Precision> {
    let exact = [None, None, Some(Precision::F32)];
    let any = [None, Some(Precision::F32), Some(Precision::Tf32), Some(Precision::F16x3)];
    match (element, mma) {
        (Element::F32, _) if rng.u8(0..12) == 0 => pick(rng, &any),
        (Element::F32, Mma::Fma { .. }) => pick(rng, &exact),
        (Element::F32, _) if named.is_none() && rng.u8(0..3) == 0 => pick(rng, &exact),
        (Element::F32, _) => Some(Precision::Tf32),
        _ if rng.u8(0..60) == 0 => pick(rng, &any),
        _ => None,
    }
}

/// Register tiles, of runs of every length.
pub(super) fn fma(rng: &mut Rng) -> Mma {
    let mut extent = || extent(pick(rng, &[1, 2, 3, 4, 4, 5, 6, 7, 8, 8, 8, 12]));
    Mma::Fma { m: extent(), n: extent() }
}

/// The value, with this probability.
pub(super) fn kept<T>(rng: &mut Rng, probability: f32, value: T) -> Option<T> {
    (rng.f32() < probability).then_some(value)
}

/// None, or one in which products of this element are summed.
fn accumulator(rng: &mut Rng, element: Element) -> Option<Accumulator> {
    let possible = match element {
        Element::F16 => [Accumulator::F16, Accumulator::F16, Accumulator::F32],
        Element::I8 | Element::U8 => [Accumulator::I32; 3],
        Element::F64 => [Accumulator::F64; 3],
        _ => [Accumulator::F32; 3],
    };
    let accumulator = pick(rng, &possible);
    kept(rng, 0.4, accumulator)
}

/// A number that is not 0.
pub(super) fn extent(value: u16) -> NonZeroU16 {
    NonZeroU16::new(value).unwrap_or(NonZeroU16::MIN)
}

/// The copies of both sides, through registers now and then, mostly of 16 bytes where these are `wide`.
fn copies(rng: &mut Rng, wide: bool) -> PerSide<Option<CopyAtom>> {
    let through_registers = rng.u8(0..4) == 0;
    let is_wide = wide && rng.u8(0..8) > 0;
    let mut copy = || match rng.usize(0..8) {
        0..=3 => None,
        _ if is_wide && through_registers => Some(CopyAtom::LdGlobal { bytes: extent(16) }),
        _ if is_wide => Some(CopyAtom::CpAsync {
            bytes: extent(16),
            cache: pick(rng, &CacheOperator::ALL),
            policy: policy(rng),
        }),
        atom if through_registers => {
            Some(CopyAtom::LdGlobal { bytes: extent([16, 16, 8, 4][atom - 4]) })
        }
        4 => Some(CopyAtom::CpAsync {
            bytes: extent(16),
            cache: CacheOperator::Cg,
            policy: policy(rng),
        }),
        atom => Some(CopyAtom::CpAsync {
            bytes: extent([16, 8, 4][atom - 5]),
            cache: CacheOperator::Ca,
            policy: policy(rng),
        }),
    };
    let (a, b) = (copy(), copy());
    PerSide { a, b: if rng.bool() { a } else { b } }
}

/// None, or what L2 does with the lines of a copy.
pub(super) fn policy(rng: &mut Rng) -> Option<CachePolicy> {
    let policy = pick(rng, &CachePolicy::ALL);
    kept(rng, 0.4, policy)
}

/// The swizzles of the parts of a tile that have been copied so.
pub(super) fn swizzles(
    rng: &mut Rng,
    orders: Orders,
    (elements, mma): ([Element; 2], Mma),
    copy: PerSide<Option<CopyAtom>>,
    [m, n, k]: [u16; 3],
) -> PerSide<Option<Swizzle>> {
    let mut of = |contiguous, mn, copy: Option<CopyAtom>, element: Element| {
        // Copies of one element each, whether they are named or derived.
        let single = copy.is_none_or(|atom| atom.bytes() == 4);
        let lanes = matches!(mma, Mma::Fma { .. }) && element == Element::F32;
        let k = k / element.numbers() as u16;
        swizzle(rng, if contiguous { k } else { mn }, element, lanes && contiguous && single)
    };
    let a = of(orders.a_k_contiguous, m, copy.a, elements[0]);
    PerSide { a, b: of(orders.b_k_contiguous, n, copy.b, elements[1]) }
}

/// The swizzle of a tile with rows of this many elements; of one that is transposed, none.
fn swizzle(rng: &mut Rng, row: u16, element: Element, columns: bool) -> Option<Swizzle> {
    if columns {
        let none = Swizzle { b: 0, m: rng.u8(..), s: rng.u8(..) };
        return kept(rng, 0.3, none);
    }
    // Rows of 2^x chunks of 16 bytes: xor the lowest three bits of the row's number into them.
    let m = (16 / element.bytes()).ilog2() as u8;
    let chunks = (row.trailing_zeros() as u8).saturating_sub(m);
    match rng.usize(0..10) {
        0..=5 => None,
        // Its elements are chunks, in few rows.
        6..=8 if m == 0 => Some(Swizzle { b: 0, m, s: rng.u8(0..4) }),
        6..=8 => Some(Swizzle { b: chunks.min(3), m, s: chunks.max(3) }),
        _ => Some(Swizzle {
            b: rng.u8(0..4),
            m: rng.u8(m.saturating_sub(1)..m + 2),
            s: rng.u8(1..6),
        }),
    }
}

pub(super) fn raster(rng: &mut Rng) -> Option<Raster> {
    let width = extent(pick(rng, &[1, 2, 3, 4, 7, 8, 65535]));
    pick(rng, &[None, Some(Raster::AlongM(width)), Some(Raster::AlongN(width))])
}

/// None, or some that have what is needed, and from sm_80 on.
pub(super) fn targets(
    rng: &mut Rng,
    needed: impl Iterator<Item = Availability>,
) -> Option<Vec<Target>> {
    let mut all: Vec<Target> = Target::ALL.to_vec();
    for needed in needed.chain([Availability::Since(Target::Sm80)]) {
        all.retain(|target| needed.includes(*target));
    }
    (rng.f32() < 0.6).then(|| {
        let count = rng.usize(1..4);
        rng.choose_multiple(all, count)
    })
}
