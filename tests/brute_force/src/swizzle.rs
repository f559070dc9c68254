//! Swizzles bit by bit. A swizzle is linear over GF(2), so that what it does to single bits says
//! what it does to every offset.

use std::collections::BTreeSet;

use gemm_codegen::Swizzle;

/// The bits of an offset that are 1. Their numbers pass those of any integer type.
type Bits = BTreeSet<u32>;

/// Where a swizzle moves an offset, both in elements. Without a set of its bits: each address takes one.
pub(super) fn moved(offset: u64, swizzle: Swizzle) -> u64 {
    let is_set = |bit: u32| bit < 64 && offset >> bit & 1 == 1;
    flipped(swizzle, is_set).fold(offset, |moved, bit| moved ^ 1 << bit)
}

/// The same of any bits.
fn moved_bits(bits: &Bits, swizzle: Swizzle) -> Bits {
    let mut moved = bits.clone();
    for bit in flipped(swizzle, |bit| bits.contains(&bit)) {
        if !moved.remove(&bit) {
            moved.insert(bit);
        }
    }
    moved
}

/// The bits that change: each of B bits from M + S on is xored into the bit S below it.
fn flipped(swizzle: Swizzle, is_set: impl Fn(u32) -> bool) -> impl Iterator<Item = u32> {
    let [b, m, s] = [swizzle.b, swizzle.m, swizzle.s].map(u32::from);
    (0..b).filter(move |i| is_set(m + s + i)).map(move |i| m + i)
}

/// Every bit that a swizzle reads or changes, and some beyond.
fn single_bits(swizzle: Swizzle) -> impl Iterator<Item = u32> {
    0..u32::from(swizzle.b) + u32::from(swizzle.m) + u32::from(swizzle.s) + 4
}

/// Whether the elements of a 16-byte chunk do not stay side by side, in order.
pub(super) fn splits_chunks(swizzle: Swizzle, [_, _, element_bytes]: [u32; 3]) -> bool {
    let inside = |bit: u32| element_bytes << bit < 16;
    single_bits(swizzle).any(|bit| {
        let moved = moved_bits(&Bits::from([bit]), swizzle);
        // An element's place in its chunk stays, and no other bit of its offset changes it.
        if bit < 4 && inside(bit) {
            moved != Bits::from([bit])
        } else {
            moved.into_iter().any(|bit| bit < 4 && inside(bit))
        }
    })
}

/// Whether swizzling twice does not give the offset back.
pub(super) fn is_no_involution(swizzle: Swizzle, _: [u32; 3]) -> bool {
    single_bits(swizzle).any(|bit| {
        let bits = Bits::from([bit]);
        moved_bits(&moved_bits(&bits, swizzle), swizzle) != bits
    })
}

/// Whether the tile does not end where the pattern does: the pattern begins again after the
/// highest bit that changes another.
pub(super) fn does_not_repeat(swizzle: Swizzle, [rows, columns, _]: [u32; 3]) -> bool {
    let reads = |bit: &u32| {
        let moved = moved_bits(&Bits::from([*bit]), swizzle);
        moved != Bits::from([*bit])
    };
    let Some(highest) = single_bits(swizzle).filter(reads).max() else { return false };
    let (size, mut end) = (u64::from(rows) * u64::from(columns), 0u64);
    let Some(span) = 2u64.checked_pow(highest + 1) else { return true };
    while end < size {
        end = end.saturating_add(span);
    }
    end != size
}
