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
        let (threads, runs) = match self {
            Epilogue::Block(block) => (warps.threads, block.columns() / vector),
            // A warpgroup has a run for each of its threads at most.
            Epilogue::Groups(_) => (wgmma::WARPS * WARP, 0),
        };
        let [row, column] = axes.order();
        let mut broken: Vec<Diagnostic> = self.columns_of_groups(axes).into_iter().collect();
        if runs > threads {
            broken.push(Diagnostic::new(
            Rule::ReductionOfTile,
            Field::Tile(column),
            format!(
                "a row of the block's part of the output has {runs} runs of {vector} elements, but the block has \
                 {threads} threads"
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

    /// An output that has a value for each column, which warpgroups do not reduce.
    fn columns_of_groups(&self, axes: &Axes) -> Option<Diagnostic> {
        let [_, column] = axes.order();
        let number = axes.stores.iter().position(|store| store.reduced_along() == Some(column))?;
        matches!(self, Epilogue::Groups(_)).then(|| {
            Diagnostic::new(
                Rule::ReductionOfTile,
                Field::Output(number),
                "`mma = wgmma` reduces the rows of the output alone, not its columns",
                "leave `mma` out, or store the matrix in the other order",
            )
        })
    }
}

/// The largest extent of a tile with these columns of the output.
fn largest(columns: u32, along: Axis, axes: &Axes) -> u32 {
    columns * if along == Axis::N { axes.products() } else { 1 }
}
