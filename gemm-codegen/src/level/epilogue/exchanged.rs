//! Sums that are staged with neighbours exchanged.
//!
//! An `FFMA` reads three registers, two of them at most from one of the two banks, even and odd, in a
//! clock. B's factors come in vectors along N, in registers that follow each other. So do the sums of
//! a run, since they leave in such a vector: then a sum and its factor of B share a bank, and half of
//! the factors of A are in it, too. The compiler chooses registers, but not the order within a vector;
//! exchanging neighbours there puts each sum into the bank that its factor of B is not in. The thread
//! that loads what is staged exchanges them back.

use crate::element::Element;
use crate::level::mma::Multiply;

/// Whether the sums of a product are staged so: those of f32, of which B's factors are loaded in
/// vectors along N, to rows along N.
pub(super) fn applies(multiply: &Multiply, n_contiguous: bool) -> bool {
    let in_vectors = |b_along_k: bool, run: u32| !b_along_k && run > 1;
    let lanes = multiply.tile.is_some_and(|tile| in_vectors(tile.k_contiguous.b, tile.runs()[1]));
    lanes && n_contiguous && multiply.elements.b == Element::F32
}

/// The device functions `stage` and `load_staged`.
pub(super) fn cuda() -> Vec<&'static str> {
    vec![include_str!("stage_tile_exchanged.cuh"), include_str!("load_staged.cuh")]
}

/// What the file of the epilogue says of sums that lie as they are, and what is said of these.
const STRAIGHT_AND_EXCHANGED: [[&str; 2]; 3] = [
    ["staged_row * STAGED_PITCH + staged_col;", "staged_row * STAGED_PITCH;"],
    ["load<16>(sums, from, OUT_VECTOR);", "load_staged(sums, from, staged_col);"],
    [
        "load<16>(more, from + other * STAGED_SUMS, OUT_VECTOR);",
        "load_staged(more, from + other * STAGED_SUMS, staged_col);",
    ],
];

/// The device function `epilogue`, of what it is where sums lie as they are.
pub(super) fn cuda_epilogue(straight: String) -> String {
    let replaced = STRAIGHT_AND_EXCHANGED.iter();
    replaced.fold(straight, |text, [straight, exchanged]| text.replace(straight, exchanged))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_epilogue_of_exchanged_sums_differs_in_how_it_loads_them() {
        for straight in [include_str!("epilogue.cuh"), include_str!("epilogue_together.cuh")] {
            let exchanged = cuda_epilogue(straight.to_owned());
            for [one, other] in STRAIGHT_AND_EXCHANGED {
                assert_eq!([straight.matches(one).count(), exchanged.matches(one).count()], [1, 0]);
                assert_eq!(exchanged.matches(other).count(), 1);
            }
            assert!(!exchanged.contains("load<16>"));
        }
    }

    #[test]
    fn runs_are_staged_alike_but_for_the_places_of_neighbours() {
        let code = |text: &str| {
            let lines = text.lines().filter(|line| !line.starts_with("//"));
            lines.collect::<Vec<_>>().join("\n")
        };
        let straight = code(include_str!("stage_tile_n_contiguous.cuh"));
        let exchanged = code(include_str!("stage_tile_exchanged.cuh"));
        assert_eq!(straight.replace("sums[j] =", "sums[j ^ 1] ="), exchanged);
        assert_ne!(straight, exchanged);
    }
}
