//! [`Bound`]: a problem with the arguments of its launch.

use std::iter;

use gemm_codegen::auto::Shares;
use gemm_codegen::{Kernel, Parameter, ParameterKind};

use crate::argument::{Argument, Value};
use crate::device::Device;
use crate::error::Error;
use crate::launch::problem::Problem;
use crate::launch::steps;
use crate::launch::tensor::Tensor;
use crate::launch::workspace::Workspace;
use crate::memory::{Batch, MatrixLayout};
use crate::shape::Shape;

/// Arguments that fit a kernel: those that [`Bound::new`] has checked, or of a copy of one of these. So
/// a launch needs no further checks.
#[derive(Debug)]
pub(crate) struct Bound<'a> {
    /// The operands in the order of the parameters, then the outputs.
    pub(crate) arguments: Vec<Argument<'a>>,
    pub(crate) problem: Problem,
    /// Partial sums of the blocks of a tile; `None` before [`Bound::with_workspace`].
    pub(crate) workspace: Option<Workspace>,
    /// Whether it may start before its predecessor in the stream has ended.
    pub(crate) overlaps: bool,
}

/// The value of one kernel parameter, as the device's memory holds it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Word {
    Four([u8; 4]),
    Eight([u8; 8]),
    /// A tensor; the back-end makes its map.
    Map(Tensor),
}

impl<'a> Bound<'a> {
    pub(crate) fn new(
        device: &Device,
        kernel: &Kernel,
        arguments: Vec<Argument<'a>>,
    ) -> Result<Bound<'a>, Error> {
        let problem = Problem::of_launch(device, kernel, &arguments)?;
        let overlaps = kernel.launch.pdl.is_some();
        Ok(Bound { arguments, problem, workspace: None, overlaps })
    }

    /// A copy: of an operand to a matrix that the launch owns.
    pub(super) fn of_copy(arguments: [Argument<'a>; 2], problem: Problem) -> Bound<'a> {
        Bound { arguments: arguments.into(), problem, workspace: None, overlaps: false }
    }

    /// Allocates the workspace, if the kernel needs one.
    pub(super) fn with_workspace(
        self,
        device: &Device,
        kernel: &Kernel,
    ) -> Result<Bound<'a>, Error> {
        let shares = &self.problem.shares;
        let split_k = kernel.launch.split_k.filter(|_| shares.shared() > 0);
        let workspace = split_k.map(|split_k| Workspace::new(device, split_k, shares));
        Ok(Bound { workspace: workspace.transpose()?, ..self })
    }

    /// The kernel's parameters in order: m, n, k, the operands, the outputs, then how
    /// many matrices there are, or the workspace.
    pub(crate) fn words(&self, kernel: &Kernel) -> Vec<Word> {
        let Shape { m, n, k } = self.problem.shape;
        // `extents::bind` has checked that they fit an i32.
        let mut words = vec![count(m), count(n), count(k)];
        let map = |tensor: Tensor| Word::Map(tensor.within(&self.problem.batches));
        for (parameter, argument) in kernel.parameters.iter().zip(&self.arguments) {
            match Tensor::of(parameter, argument) {
                Some(tensor) => words.push(map(tensor)),
                None => words.extend(of_argument(parameter, argument)),
            }
            words.extend(Tensor::of_slabs(parameter, argument).map(map));
        }
        // They are no more than the blocks of a grid.
        words.extend(self.problem.batches.iter().skip(1).map(|values| count(*values)));
        if kernel.counts_matrices() {
            words.push(count(self.problem.batch()));
        }
        let Some(split_k) = kernel.launch.split_k else { return words };
        // Where no tile is shared nothing reads the workspace.
        let parts = self.workspace.as_ref().map(Workspace::parts);
        words.extend(parts.map_or([0; 2], |parts| parts.map(|part| part.address)).map(address));
        if split_k.tail {
            // A grid has less than 2³¹ blocks.
            let Shares { whole, splits, .. } = self.problem.shares;
            words.extend([count(whole as usize), count(splits as usize)]);
        }
        words
    }
}

fn count(count: usize) -> Word {
    Word::Four((count as i32).to_ne_bytes())
}

fn address(address: u64) -> Word {
    Word::Eight(address.to_ne_bytes())
}

/// The words of an argument: of memory its address, and the distances of the rows and of the matrices
/// of a matrix. Of a batch of vectors the row distance is the one from a vector to the next.
fn of_argument(parameter: &Parameter, argument: &Argument<'_>) -> Vec<Word> {
    // `MatrixLayout::new` and `BatchedLayout::new` have checked that it fits an isize.
    let distance = |elements: usize| Word::Eight((elements as i64).to_ne_bytes());
    let matrix = |start: u64, layout: &MatrixLayout, batch: &Option<Batch>| {
        let rows = match parameter.kind {
            ParameterKind::Vector { .. } => None,
            _ => Some(layout.leading_dimension),
        };
        // Along an index that it lacks, a batch has the same matrix.
        let steps = steps::along(parameter, layout, batch.as_ref());
        let strides = steps.into_iter().map(|along| along.map_or(0, |along| along.stride));
        let distances = rows.into_iter().chain(strides).map(distance);
        iter::once(address(start)).chain(distances).collect()
    };
    match &argument.0 {
        Value::Matrix { storage, layout, batch, .. } => matrix(storage.address(), layout, batch),
        Value::MutableMatrix { storage, layout, batch, .. } => {
            matrix(storage.address(), layout, batch)
        }
        Value::Vector { storage, .. } | Value::Scalar { storage, .. } => {
            vec![address(storage.address())]
        }
        Value::F32(value) => vec![Word::Four(value.to_ne_bytes())],
        Value::F64(value) => vec![Word::Eight(value.to_ne_bytes())],
        Value::I32(value) => vec![Word::Four(value.to_ne_bytes())],
    }
}
