//! Tests of the loads of fragments.

use super::*;
use crate::element::Element;
use crate::layout::{Swizzle, TileOrder};
use crate::level::mma::Atom;
use crate::spec::Mma;

/// A tensor core's atom for elements of this many bytes.
fn multiply(bytes: u32) -> Multiply {
    match bytes {
        1 => with(Mma::M16n8k32, Element::I8),
        8 => with(Mma::M8n8k4, Element::F64),
        _ => with(Mma::M16n8k16, Element::F16),
    }
}

fn with(shape: Mma, element: Element) -> Multiply {
    Multiply::of(Atom::find(shape, element, element).unwrap())
}

#[test]
fn passes_of_a_narrow_and_a_wide_tile() {
    let passes = |k_contiguous, b, s| {
        let swizzle = Swizzle { b, m: 3, s };
        let tile = SharedTile::new(
            Side::A,
            [128, 128, 32],
            k_contiguous,
            Element::F16,
            TileOrder::Rows(swizzle),
        );
        load_passes(&tile, LoadPath::of(2, k_contiguous, &multiply(2), 64), u32::MAX)
    };
    assert_eq!(passes(true, 2, 3), 1);
    assert_eq!(passes(true, 3, 3), 1, "the published Swizzle<3, 3, 3> of a 128 x 32 tile");
    assert_eq!(passes(true, 0, 0), 4);
    assert_eq!(passes(false, 3, 4), 1);
    assert_eq!(passes(false, 3, 3), 2);
}

#[test]
fn passes_of_doubles_in_both_orders() {
    let passes = |k_contiguous, b, m, s| {
        let swizzle = Swizzle { b, m, s };
        let tile = SharedTile::new(
            Side::B,
            [128, 128, 8],
            k_contiguous,
            Element::F64,
            TileOrder::Rows(swizzle),
        );
        load_passes(&tile, LoadPath::of(8, k_contiguous, &multiply(8), 64), u32::MAX)
    };
    // Half a warp reads 32 B of four rows; rows of 64 B begin in one of two places.
    assert_eq!(passes(true, 0, 1, 1), 2);
    assert_eq!(passes(true, 1, 2, 2), 1);
    // Rows of 1024 B all begin in the same bank.
    assert_eq!(passes(false, 0, 1, 1), 4);
    assert_eq!(passes(false, 2, 2, 5), 1);
    assert_eq!(passes(false, 2, 1, 6), 2, "chunks of 16 B: those of a lane pair change places");
}

#[test]
fn passes_of_bytes_across_rows() {
    let passes = |lines, b, s| {
        let swizzle = Swizzle { b, m: 4, s };
        let tile =
            SharedTile::new(Side::A, [128, 128, 64], false, Element::I8, TileOrder::Rows(swizzle));
        load_passes(&tile, LoadPath::of(1, false, &multiply(1), lines), u32::MAX)
    };
    // Eight rows that lie 2 apart, and a row is as long as the banks.
    assert_eq!(passes(64, 0, 0), 8);
    assert_eq!(passes(64, 3, 3), 2, "two of the three bits that tell the rows apart");
    assert_eq!(passes(64, 3, 4), 1);
    // Byte by byte: four rows that lie 4 apart.
    assert_eq!(passes(8, 0, 0), 4);
    assert_eq!(passes(8, 3, 3), 2, "one of the two bits that tell the rows apart");
    assert_eq!(passes(8, 2, 5), 1);
}

#[test]
fn bytes_go_by_whole_loads_of_four_matrices() {
    let path = |atom, lines| LoadPath::of(1, false, &with(atom, Element::I8), lines);
    let (deep, shallow) = (Mma::M16n8k32, Mma::M16n8k16);
    assert_eq!([path(deep, 16), path(shallow, 32)], [LoadPath::LdmatrixBytes; 2]);
    let others = [path(deep, 8), path(shallow, 16), path(deep, 24)];
    assert_eq!(others, [LoadPath::Elements; 3]);
    let along_k = LoadPath::of(1, true, &multiply(1), 8);
    assert_eq!(along_k, LoadPath::Ldmatrix { transposed: false });
}

#[test]
fn every_row_has_one_line() {
    let lines = |path: LoadPath| (0..64).map(|line| path.line(line)).collect::<Vec<u32>>();
    assert!(lines(LoadPath::Elements).into_iter().eq(0..64));
    let mut renamed = lines(LoadPath::LdmatrixBytes);
    assert_eq!(renamed[..10], [0, 2, 4, 6, 8, 10, 12, 14, 1, 3]);
    renamed.sort_unstable();
    assert!(renamed.into_iter().eq(0..64));
}
