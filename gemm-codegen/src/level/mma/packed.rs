//! The laws of warps that multiply packed integers.

use super::conversion::Conversion;
use crate::axis::{Axis, Side};
use crate::element::Element;
use crate::field::Field;
use crate::help::Values;
use crate::level::warps::Warps;
use crate::rule::{Diagnostic, Rule};

/// Proves that blocks have whole elements of packed integers along K, and warps whole ones of their lines. `stored` are
/// the elements of the factors.
pub(crate) fn check_packed(stored: [Element; 2], warps: &Warps) -> Result<(), Vec<Diagnostic>> {
    let Some(conversion) = Conversion::of(stored).filter(|of| of.packs()) else { return Ok(()) };
    let broken: Vec<Diagnostic> =
        along_k(conversion, warps).into_iter().chain(lines(conversion, warps)).collect();
    if broken.is_empty() { Ok(()) } else { Err(broken) }
}

/// The lanes of a warp have the numbers of this K in elements next to each other.
fn along_k(Conversion { from, .. }: Conversion, warps: &Warps) -> Option<Diagnostic> {
    let (k, unit) = (warps.block[2], from.numbers() * from.in_turn());
    // The k-tiles of warpgroups are whole boxes, which have more.
    (warps.warps == 1 && !k.is_multiple_of(unit)).then(|| {
        Diagnostic::new(
            Rule::ConvertedFactor,
            Field::Tile(Axis::K),
            format!(
                "BLK_K = {k} is not a multiple of {unit}, the K of the {} elements of {from} that a warp loads",
                from.in_turn()
            ),
            format!("BLK_K has to be a multiple of {unit}"),
        )
        .naming(Values::extents(Axis::K, k, unit, ""))
    })
}

/// An element has numbers of the lines of one atom of A, or of two of B.
fn lines(Conversion { side, from, .. }: Conversion, warps: &Warps) -> Option<Diagnostic> {
    let (at, axis) = if side == Side::A { (0, Axis::M) } else { (1, Axis::N) };
    let (lines, unit, grid) = (warps.tile[at], from.lines(), warps.grid[at]);
    (!lines.is_multiple_of(unit)).then(|| {
        let (letter, of_block) = (axis.letter(), unit * grid);
        let after =
            if grid == 1 { String::new() } else { format!(" for {grid} warps along {letter}") };
        Diagnostic::new(
            Rule::ConvertedFactor,
            Field::Tile(axis),
            format!(
                "a warp has {lines} of {letter}, but an element of {from} has numbers of {unit} of {letter}"
            ),
            format!("BLK_{letter} has to be a multiple of {of_block}{after}"),
        )
        .naming(Values::extents(axis, warps.block[at], of_block, after))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::warps;
    use crate::spec::Mma;

    #[test]
    fn warps_have_whole_elements() {
        use Element::{F16, I4x2, I4x32, I8x16};
        let at = |stored, block, grid| {
            let warps =
                warps::plan(block, grid, Mma::M16n8k16, [16, 8, 16]).expect("warps tile it");
            let checked = check_packed(stored, &warps);
            checked.err().unwrap_or_default().iter().map(|one| one.at).collect::<Vec<_>>()
        };
        assert_eq!(at([F16, I4x32], [16, 64, 64], [1, 4, 1]), []);
        assert_eq!(at([F16, I4x32], [16, 64, 32], [1, 4, 1]), [Field::Tile(Axis::K)]);
        assert_eq!(at([F16, I8x16], [16, 64, 32], [1, 4, 1]), []);
        assert_eq!(at([F16, I8x16], [16, 64, 48], [1, 4, 1]), [Field::Tile(Axis::K)]);
        assert_eq!(at([F16, I4x32], [16, 64, 64], [1, 8, 1]), [Field::Tile(Axis::N)]);
        assert_eq!(at([F16, I4x2], [16, 64, 32], [1, 8, 1]), []);
        assert_eq!(at([I4x32, F16], [64, 8, 64], [4, 1, 1]), []);
    }
}
