//! What a tile must have so that outputs can be reduced.

use super::Epilogue;
use crate::axis::Axis;
use crate::body::Resolved;
use crate::field::Field;
use crate::hardware::WARP;
use crate::level::mma::{Multiply, wgmma};
use crate::level::warps::Warps;
use crate::problem::Axes;
use crate::rule::{Diagnostic, Rule};

impl Epilogue {
    /// Threads that stage together have whole rows of the output, a run of elements each; what a run is reduced to
    /// has the place of its sums.
    pub(crate) fn check_reduced(
        &self,
        axes: &Axes,
        (warps, multiply): (&Warps, &Multiply),
        body: Option<&Resolved>,
    ) -> Result<(), Vec<Diagnostic>> {
        let Some(ty) = body.and_then(Resolved::reduced_type) else { return Ok(()) };
        let staged = multiply.accumulator.staged();
        let vector = self.vector_of(&axes.stores, staged);
        let (threads, whose) = match self {
            Epilogue::Block(_) => (warps.threads, "block"),
            Epilogue::Groups(_) => (wgmma::WARPS * WARP, "warpgroup"),
        };
        let runs = match self {
            Epilogue::Block(block) => block.columns() / vector,
            Epilogue::Groups(_) => 0, // at most 64 in an epilogue tile
        };
        let [row, column] = axes.order();
        let mut broken = Vec::new();
        if runs > threads {
            broken.push(Diagnostic::new(
            Rule::ReductionOfTile,
            Field::Tile(column),
            format!(
                "a row of the {whose}'s part of the output has {runs} runs of {vector} elements, but the {whose} \
                 has {threads} threads"
            ),
            format!("use at most {} columns, or more warps", largest(threads * vector, column, axes)),
        ));
        }
        let outputs = axes.stores.iter().filter(|store| store.reduced_along() == Some(row)).count();
        let (needed, has) = (outputs as u32 * ty.bytes(), vector * staged.bytes());
        if needed > has && !self.reduces_in_registers() {
            let number = axes.stores.iter().rposition(|store| store.reduced_along() == Some(row));
            broken.push(Diagnostic::new(
            Rule::ReductionOfTile,
            Field::Output(number.unwrap_or(0)),
            format!(
                "{outputs} values of {ty} for a run of {vector} elements take {needed} bytes, but their sums \
                 have {has} bytes of shared memory"
            ),
            format!("reduce at most {} in one function", has / ty.bytes()),
        ));
        }
        if broken.is_empty() { Ok(()) } else { Err(broken) }
    }
}

/// The largest extent of a tile with these columns of the output.
fn largest(columns: u32, along: Axis, axes: &Axes) -> u32 {
    columns * if along == Axis::N { axes.products() } else { 1 }
}
