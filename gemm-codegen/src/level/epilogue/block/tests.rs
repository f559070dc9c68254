use super::*;
use crate::element::Element;
use crate::level::mma::Atom;
use crate::level::warps;
use crate::spec::Mma;

/// As `ldmatrix` loads rows along K.
const STRAIGHT: PerSide<LoadPath> = PerSide {
    a: LoadPath::Ldmatrix { transposed: false },
    b: LoadPath::Ldmatrix { transposed: false },
};

/// m16n8k16 of f16.
fn halves() -> Multiply {
    Multiply::of(Atom::find(Mma::M16n8k16, Element::F16, Element::F16).unwrap())
}

#[test]
fn a_store_divides_a_row() {
    let store = |block_n, bytes| {
        let warps = warps::plan([16, block_n, 32], [1, 1, 1], Mma::M16n8k16, [16, 8, 16]).unwrap();
        plan(&warps, &halves(), STRAIGHT, (true, 1), 0).store_bytes(bytes)
    };
    assert_eq!([store(8, 2), store(24, 4), store(16, 1), store(24, 1)], [16, 16, 16, 8]);
}

#[test]
fn staging_is_conflict_free_for_every_width() {
    let singles = (halves().fragment(AtomMatrix::C), 4);
    let doubles = Fragment::new(Mma::M8n8k4.shape(), AtomMatrix::C, 64).expect("an atom's");
    for (fragment, staged_bytes) in [singles, (doubles, 8)] {
        for (cols, n_contiguous) in
            (8..=512).step_by(8).flat_map(|cols| [(cols, true), (cols, false)])
        {
            let neighbours = if n_contiguous { 2 } else { 1 };
            let held = Held { fragment, staged_bytes, neighbours, paths: STRAIGHT };
            let pitch = cols + padding(&held, cols, n_contiguous);
            assert_eq!(stage_passes(&held, pitch, n_contiguous), 1, "{cols} {n_contiguous}");
            assert_eq!(pitch * held.staged_bytes % 16, 0);
        }
    }
}

#[test]
fn lines_that_take_turns_are_staged_without_conflicts_but_for_one_order() {
    let turns = |path| PerSide { a: STRAIGHT.a, b: path };
    let (a, b) = (LoadPath::LdmatrixBytes, LoadPath::LdmatrixBytes);
    let passes = |paths: PerSide<LoadPath>, n_contiguous| {
        let fragment = halves().fragment(AtomMatrix::C);
        let neighbours =
            if n_contiguous { 2 * paths.b.interleaved() } else { paths.a.interleaved() };
        let held = Held { fragment, staged_bytes: 4, neighbours, paths };
        let pitch = 128 + padding(&held, 128, n_contiguous);
        stage_passes(&held, pitch, n_contiguous)
    };
    assert_eq!([passes(turns(b), true), passes(turns(b), false)], [1, 2]);
    let of_a = PerSide { a, b: STRAIGHT.b };
    assert_eq!([passes(of_a, true), passes(of_a, false)], [1, 1]);
    // Rows of every fourth n are 4 pitches apart, which has to be a multiple of 16 elements.
    assert_eq!([passes(PerSide { a, b }, true), passes(PerSide { a, b }, false)], [1, 2]);
}

#[test]
fn passes_shrink_with_the_ring() {
    let planes = |grid, bytes| {
        let warps = warps::plan([128, 128, 32], grid, Mma::M16n8k16, [16, 8, 16]).unwrap();
        plan(&warps, &halves(), STRAIGHT, (true, 1), bytes)
    };
    let plan = |bytes| planes([2, 2, 1], bytes);
    assert_eq!((plan(70_000).passes, plan(70_000).staged_rows), (1, 128));
    assert_eq!((plan(65_536).passes, plan(65_536).staged_rows), (2, 64));
    assert_eq!((plan(0).passes, plan(0).staged_rows), (4, 32));
    let two = |bytes| planes([2, 2, 2], bytes);
    assert_eq!((two(140_000).passes, two(140_000).shared_bytes()), (1, 2 * 128 * 136 * 4));
    assert_eq!((two(139_263).passes, two(139_263).shared_bytes()), (2, 2 * 64 * 136 * 4));
}
