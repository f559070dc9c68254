//! Schedules of `mma = wgmma`, near the limits of its tiles, warpgroups, registers and clusters.

use fastrand::Rng;
use gemm_codegen::{
    Accumulator, CacheOperator, CopyAtom, Element, KOrder, Mma, PerSide, Precision, Promotion,
    Schedule, Splits, Swizzle, Target, Walk, WgmmaShape,
};

use super::body::{BodyDraw, Product};
use super::factors::Factors;
use super::orders::Orders;
use super::pick::pick;
use super::schedule::{extent, kept, policy, precision};

/// Warpgroups along M and N: as many as a block can have.
const GROUPS: [[u16; 2]; 8] = [[1, 1], [1, 1], [2, 1], [2, 1], [1, 2], [1, 2], [3, 1], [1, 3]];

/// Warpgroups that a block cannot have.
const TOO_MANY: [[u16; 2]; 6] = [[2, 2], [4, 1], [1, 4], [3, 2], [8, 8], [65535, 1]];

/// Blocks of a cluster along M and N, one now and then.
const CLUSTERS: [[u16; 2]; 10] =
    [[2, 1], [1, 2], [2, 2], [4, 1], [1, 4], [2, 4], [4, 2], [8, 1], [1, 8], [1, 1]];

/// Blocks that are too many for a cluster, or not a power of two.
const TOO_LARGE: [[u16; 2]; 5] = [[4, 4], [16, 1], [1, 3], [1, 65535], [65535, 65535]];

/// Bytes along K of a tile: those of one box, or of two.
const DEPTHS: [u16; 4] = [128, 128, 128, 256];

/// The most bytes of the row of a box.
const ROW: u16 = 128;

/// Columns of a panel: elements of 2 bytes along M or N.
const PANEL: u16 = 64;

/// Whether a product is drawn again: `wgmma` multiplies no doubles, and nothing that is scaled but the first
/// factor where it is converted, which a few specs ask for.
pub(super) fn is_other(rng: &mut Rng, body: &BodyDraw<'_>) -> bool {
    use gemm_codegen::ScalarType::{F32, F64};
    let is_other = match (body.product, body.scales) {
        (Product::Converted, [_, None]) => false,
        (product, [None, None]) => matches!(product, Product::Own(F64) | Product::Cast(F32)),
        _ => true,
    };
    is_other && rng.u8(0..12) > 0
}

/// The orders in which most specs store their factors: elements of other than 2 bytes lie along K.
pub(super) fn orders(rng: &mut Rng, orders: Orders, factors: Factors) -> Orders {
    let element = factors.multiplied();
    if factors.are_converted() {
        return match rng.u8(0..10) {
            0 => orders,
            _ => Orders { a_k_contiguous: true, ..orders },
        };
    }
    // Those of f32 that are told as halves lie anyhow.
    if element.bytes() == 2 || rng.u8(0..12) == 0 || element == Element::F32 && rng.u8(0..3) == 0 {
        return orders;
    }
    Orders { a_k_contiguous: true, b_k_contiguous: true, ..orders }
}

/// The swizzles of the boxes of factors for a tile that has this K; a converted factor has shorter rows.
fn swizzles(factors: Factors, k: u16) -> [Swizzle; 2] {
    let element = factors.multiplied();
    factors.stored.map(|stored| {
        if stored.lines() > 1 {
            return Swizzle { b: 0, m: 0, s: 0 };
        }
        let of_tile = k * stored.bytes() as u16 / stored.numbers() as u16;
        let row = if stored == element { ROW } else { of_tile.clamp(32, ROW) };
        Swizzle { b: (row / 16).ilog2() as u8, m: (16 / stored.bytes()).ilog2() as u8, s: 3 }
    })
}

/// Makes a schedule one of warpgroups, mostly a legal one.
pub(super) fn of(rng: &mut Rng, schedule: &mut Schedule, orders: Orders, factors: Factors) {
    let element = factors.multiplied();
    let walk = pick(rng, &[Walk::Cooperative, Walk::Cooperative, Walk::Pingpong]);
    let walk = kept(rng, 0.4, walk);
    let groups = if walk == Some(Walk::Pingpong) { [1, 1] } else { pick(rng, &GROUPS) };
    let tile = tile(rng, orders, groups, factors);
    schedule.mma = Some(Mma::Wgmma(shape(rng, tile[1] / groups[1], element)));
    let wgmma = Mma::Wgmma(None);
    schedule.precision = precision(rng, element, (wgmma, Some(wgmma)));
    schedule.tile = kept(rng, 0.97, tile.map(extent));
    schedule.warps = None;
    schedule.warpgroups = kept(rng, 0.7, groups.map(extent));
    schedule.walk = walk;
    let often = if walk.is_some() { 0.4 } else { 0.05 };
    let order = pick(rng, &KOrder::ALL);
    schedule.k_order = kept(rng, often, order);
    let cluster = pick(rng, &CLUSTERS).map(extent);
    schedule.cluster = kept(rng, 0.3, cluster);
    schedule.acc = kept(rng, 0.3, sums(element));
    let [a, b] = [(); 2].map(|()| Some(CopyAtom::Tma { policy: policy(rng) }));
    let both = PerSide { a, b };
    let none = PerSide { a: None, b: None };
    schedule.copy =
        pick(rng, &[none, none, none, both, both, PerSide { a, b: None }, PerSide { a: None, b }]);
    let [a, b] = swizzles(factors, tile[2]);
    schedule.swizzle = PerSide { a: kept(rng, 0.15, a), b: kept(rng, 0.15, b) };
    let stages = extent(rng.u16(2..=5));
    schedule.stages = kept(rng, 0.7, stages);
    let copies = schedule.cluster.is_some_and(|blocks| blocks != [1, 1].map(extent));
    let alone = !copies && schedule.walk.is_none() || rng.u8(0..8) == 0;
    schedule.split_k =
        splits(rng, tile[1] / groups[1]).filter(|splits| alone || splits.most() == 1);
    schedule.targets = kept(rng, 0.3, vec![Target::Sm90a]);
    let along_k = orders.a_k_contiguous && orders.b_k_contiguous;
    if element == Element::F32 && (!along_k || rng.bool()) {
        of_planes(rng, schedule);
    }
    while rng.f32() < 0.35 {
        inflict(rng, schedule, element);
    }
}

/// Makes a schedule of f32 factors one of planes: its boxes have the same bytes.
fn of_planes(rng: &mut Rng, schedule: &mut Schedule) {
    let whole = Some(Mma::Wgmma(None));
    schedule.mma = if rng.u8(0..3) == 0 { None } else { whole };
    let planes = if rng.u8(0..4) == 0 { Precision::Bf16x6 } else { Precision::F16x3 };
    schedule.precision = Some(planes);
    schedule.swizzle = PerSide { a: None, b: None };
    let every = [32, 64, 64, 96].map(|k| Promotion::Every(extent(k)));
    let promotion = if rng.u8(0..4) == 0 { Promotion::Never } else { pick(rng, &every) };
    schedule.promote = kept(rng, 0.3, promotion);
    if planes == Precision::Bf16x6 {
        schedule.stages = kept(rng, 0.5, extent(2));
        schedule.tile = schedule.tile.map(|[m, n, _]| [m, n, extent(64)]);
    }
    if let Some([_, _, k]) = &mut schedule.tile
        && rng.u8(0..10) == 0
    {
        *k = extent(pick(rng, &[16, 31, 48, 96, 128]));
    }
}

/// The shape of the instruction now and then, and sometimes another.
fn shape(rng: &mut Rng, columns: u16, element: Element) -> Option<WgmmaShape> {
    let n = if rng.u8(0..6) == 0 { pick(rng, &[8, 64, 128, 250, 256]) } else { columns };
    let k = if rng.u8(0..10) == 0 { pick(rng, &[8, 16, 32]) } else { 32 / element.bytes() as u16 };
    kept(rng, 0.25, WgmmaShape { n: extent(n), k: extent(k) })
}

/// One block a tile, or as many as can mostly share the columns of a warpgroup.
fn splits(rng: &mut Rng, columns: u16) -> Option<Splits> {
    match rng.u8(0..10) {
        0 => Some(pick(rng, &[Splits::Every(extent(1)), Splits::Tail(extent(1))])),
        1..=4 => {
            let count = pick(rng, &[2, 2, 4, 8]);
            let fits = columns.is_multiple_of(8 * count) || rng.u8(0..8) == 0;
            fits.then(|| Splits::Every(extent(count)))
        }
        _ => None,
    }
}

/// What the products of an element are summed in.
fn sums(element: Element) -> Accumulator {
    match element {
        Element::I8 | Element::U8 => Accumulator::I32,
        _ => Accumulator::F32,
    }
}

/// A tile of whole atoms for these warpgroups, mostly a small one.
fn tile(rng: &mut Rng, orders: Orders, groups: [u16; 2], factors: Factors) -> [u16; 3] {
    let element = factors.multiplied();
    let rows = 64 * pick(rng, &[1, 1, 1, 1, 2]);
    let steps = if rng.u8(0..4) == 0 { rng.u16(1..=32) } else { rng.u16(1..=10) };
    let columns = match element {
        Element::I8 | Element::U8 if rng.u8(0..4) > 0 => {
            pick(rng, &[8, 24, 16, 32, 48, 80, 112, 240, 256])
        }
        _ => 8 * steps,
    };
    let columns = match orders.b_k_contiguous {
        false if rng.u8(0..6) > 0 => columns.next_multiple_of(PANEL),
        _ => columns,
    };
    let depth = pick(rng, &DEPTHS) / element.bytes() as u16;
    // Rows of pairs have a box for twice as many numbers as those of bytes.
    let boxes = if factors.have_pairs() { pick(rng, &[1, 1, 2]) } else { 1 };
    [groups[0] * rows, groups[1] * columns, boxes * depth]
}

/// Changes one key to what may break a rule.
fn inflict(rng: &mut Rng, schedule: &mut Schedule, element: Element) {
    match rng.usize(0..16) {
        0 | 1 => neighbour(rng, schedule),
        2 => set(schedule, 0, pick(rng, &[32, 72, 96, 128, 192, 256, 320, 384, 576])),
        3 => set(schedule, 1, pick(rng, &[4, 60, 192, 264, 272, 320, 384, 512, 520])),
        4 => set(schedule, 2, pick(rng, &[8, 16, 32, 48, 64, 128, 256])),
        5 => schedule.warpgroups = Some(pick(rng, &TOO_MANY).map(extent)),
        6 => schedule.warpgroups = Some(pick(rng, &GROUPS).map(extent)),
        7 => {
            let k = pick(rng, &[1, 1, 2]);
            schedule.warps = Some([4, 1, k].map(extent));
        }
        8 => {
            let cp_async =
                CopyAtom::CpAsync { bytes: extent(16), cache: CacheOperator::Cg, policy: None };
            let other = pick(rng, &[cp_async, CopyAtom::LdGlobal { bytes: extent(16) }]);
            let alone = rng.bool();
            let side = Some(other).filter(|_| !alone || rng.bool());
            schedule.copy = PerSide { a: Some(other), b: side };
        }
        9 => {
            let splits = pick(rng, &[2, 3, 257]);
            let of = pick(rng, &[Splits::Every as fn(_) -> Splits, Splits::Tail]);
            schedule.split_k = Some(of(extent(splits)));
        }
        10 => schedule.targets = Some(targets(rng)),
        11 => {
            let any = Swizzle { b: rng.u8(0..4), m: rng.u8(0..5), s: rng.u8(1..5) };
            schedule.swizzle.b = Some(any);
        }
        12 => match element {
            Element::F16 | Element::E4m3 | Element::E5m2 if rng.bool() => {
                schedule.acc = Some(Accumulator::F16)
            }
            _ => schedule.acc = Some(pick(rng, &Accumulator::ALL)),
        },
        13 => schedule.cluster = Some(pick(rng, &TOO_LARGE).map(extent)),
        14 => schedule.walk = Some(Walk::Pingpong),
        _ => schedule.stages = Some(extent(pick(rng, &[1, 6, 7, 8, 12, 14, 65535]))),
    }
}

/// The next tile, one step of columns or half a step away.
fn neighbour(rng: &mut Rng, schedule: &mut Schedule) {
    if let Some([_, n, _]) = schedule.tile {
        let step = pick(rng, &[8, 8, 16, 4]);
        let n = if rng.bool() { n.get() + step } else { n.get().saturating_sub(step) };
        set(schedule, 1, n);
    }
}

fn set(schedule: &mut Schedule, axis: usize, value: u16) {
    if let Some(tile) = &mut schedule.tile {
        tile[axis] = extent(value);
    }
}

/// Targets that lack `wgmma`, among them or alone.
fn targets(rng: &mut Rng) -> Vec<Target> {
    use Target::{Sm80, Sm90, Sm90a, Sm100};
    let all: [&[Target]; 5] = [&[Sm90], &[Sm100], &[Sm90a, Sm90], &[Sm80, Sm90a], &[Sm90a, Sm90a]];
    pick(rng, &all).to_vec()
}
