//! [`Bound`]: a problem with the arguments of its launch.

use gemm_codegen::abi::{Count, Scratch, Word};

use gemm_codegen::{Axis, Kernel, LaunchShape, Parameter};

use crate::argument::{Argument, Region, Value};
use crate::device::Device;
use crate::error::{Error, KernelFault};
use crate::launch::extents::{Bounds, broken};
use crate::launch::problem::Problem;
use crate::launch::steps;
use crate::launch::tensor::Tensor;
use crate::launch::workspace::Workspace;

/// Arguments that fit a kernel: those that [`Bound::new`] has checked, or of a copy of one of these. So
/// a launch needs no further checks.
#[derive(Debug)]
pub(crate) struct Bound<'a> {
    /// The operands in the order of the parameters, then the outputs.
    pub(crate) arguments: Vec<Argument<'a>>,
    pub(crate) problem: Problem,
    /// Partial sums of the blocks of a tile; `None` before [`Bound::with_workspace`].
    pub(crate) workspace: Option<Workspace>,
    /// The exponents of each operand that was replaced by planes, by its number.
    pub(crate) exponents: Vec<(usize, Argument<'a>)>,
}

/// The value of a [`Word`], as the device's memory holds it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum WordValue {
    Four([u8; 4]),
    Eight([u8; 8]),
    /// A tensor; the back-end makes its map.
    Map(Box<Tensor>),
}

impl<'a> Bound<'a> {
    pub(crate) fn new(
        device: &Device,
        kernel: &Kernel,
        arguments: Vec<Argument<'a>>,
        bounds: Option<Bounds>,
    ) -> Result<Bound<'a>, Error> {
        let problem = Problem::of_launch(device, kernel, &arguments, bounds)?;
        Ok(Bound { arguments, problem, workspace: None, exponents: Vec::new() })
    }

    /// A copy: of an operand to a matrix that the launch owns.
    pub(super) fn of_copy(arguments: Vec<Argument<'a>>, problem: Problem) -> Bound<'a> {
        Bound { arguments, problem, workspace: None, exponents: Vec::new() }
    }

    /// Allocates the workspace, if the kernel needs one.
    pub(super) fn with_workspace(
        self,
        device: &Device,
        kernel: &Kernel,
    ) -> Result<Bound<'a>, Error> {
        let workspace = Workspace::new(device, &kernel.launch, &self.problem)?;
        Ok(Bound { workspace, ..self })
    }

    /// The values of the kernel's words, in order.
    ///
    /// # Errors
    /// [`KernelFault::Word`]: one of a kernel made by hand that no argument has.
    pub(crate) fn values(&self, kernel: &Kernel) -> impl Iterator<Item = Result<WordValue, Error>> {
        let none = move |word| broken(kernel, KernelFault::Word(word));
        let value = move |word: &Word| self.value(kernel, *word).ok_or_else(|| none(*word));
        kernel.abi.0.iter().map(value)
    }

    fn value(&self, kernel: &Kernel, word: Word) -> Option<WordValue> {
        let argument = |number: usize| self.arguments.get(number);
        let named = |number: usize| Some((kernel.parameters.get(number)?, argument(number)?));
        let region = |number: usize| argument(number)?.region();
        let map = |tensor: Tensor| WordValue::Map(Box::new(tensor.within(&self.problem.batches)));
        Some(match word {
            // `extents::bind` has checked that they fit an i32.
            Word::Extent(axis) => {
                let extent = self.problem.extents.along(axis);
                let planes = kernel.planes().filter(|_| axis == Axis::K);
                count(planes.map_or(extent, |planes| planes.columns(extent)))
            }
            Word::Value(number) => scalar(argument(number)?)?,
            Word::Pointer(number) => address(region(number)?.address),
            Word::Leading(number) => distance(region(number)?.layout.leading_dimension),
            Word::Stride { parameter: number, index } => {
                distance(stride(named(number)?.0, &region(number)?, index)?)
            }
            Word::Exponents(number) => address(self.exponents(number)?.region()?.address),
            Word::ExponentsStride { parameter: number, index } => {
                let (parameter, of_planes) = (named(number)?.0, region(number)?);
                self.exponents(number)?;
                // They follow each other as the rows of planes do.
                let rows = of_planes.layout.leading_dimension.max(1);
                distance(stride(parameter, &of_planes, index)? / rows)
            }
            Word::Map(number) => named(number).and_then(|(p, a)| Tensor::of(p, a)).map(map)?,
            Word::EpilogueMap(number) => {
                named(number).and_then(|(p, a)| Tensor::of_epilogue(p, a)).map(map)?
            }
            Word::Count(of) => count(self.count(of)?),
            Word::Workspace(part) => address(self.workspace(kernel, part)?),
        })
    }

    /// Where a part of the workspace begins that the kernel has; 0 where no tile is shared, so that nothing
    /// reads it.
    fn workspace(&self, kernel: &Kernel, part: Scratch) -> Option<u64> {
        let LaunchShape { split_k, partials, .. } = &kernel.launch;
        let has = match part {
            Scratch::Partials | Scratch::Arrivals => split_k.is_some(),
            Scratch::PartialsAlong(axis) | Scratch::ArrivalsAlong(axis) => {
                partials.iter().any(|partials| partials.along == axis)
            }
        };
        let address = || self.workspace.as_ref().map_or(0, |workspace| workspace.address(part));
        has.then(address)
    }

    /// The exponents of an operand that was replaced by planes.
    fn exponents(&self, number: usize) -> Option<&Argument<'a>> {
        self.exponents.iter().find(|(of, _)| *of == number).map(|(_, exponents)| exponents)
    }

    /// A count; those of matrices, tiles and blocks are no more than the blocks of a grid.
    fn count(&self, of: Count) -> Option<usize> {
        let Problem { batches, shares, .. } = &self.problem;
        Some(match of {
            Count::Values(index) => *batches.get(index)?,
            Count::Matrices => self.problem.batch(),
            Count::WholeTiles => shares.whole as usize,
            Count::Splits => shares.splits as usize,
        })
    }
}

fn count(count: usize) -> WordValue {
    WordValue::Four((count as i32).to_ne_bytes())
}

fn address(address: u64) -> WordValue {
    WordValue::Eight(address.to_ne_bytes())
}

/// `MatrixLayout::new` and `BatchedLayout::new` have checked that it fits an isize.
fn distance(elements: usize) -> WordValue {
    WordValue::Eight((elements as i64).to_ne_bytes())
}

fn scalar(argument: &Argument<'_>) -> Option<WordValue> {
    match argument.0 {
        Value::F32(value) => Some(WordValue::Four(value.to_ne_bytes())),
        Value::F64(value) => Some(WordValue::Eight(value.to_ne_bytes())),
        Value::I32(value) => Some(WordValue::Four(value.to_ne_bytes())),
        Value::Matrix { .. }
        | Value::MutableMatrix { .. }
        | Value::Vector { .. }
        | Value::MutableVector { .. }
        | Value::Split(_)
        | Value::Scalar { .. } => None,
    }
}

/// The elements from one matrix or vector of a batch to the next along a batch index of the output, 0
/// along one that the parameter lacks.
fn stride(parameter: &Parameter, region: &Region<'_>, index: usize) -> Option<usize> {
    let steps = steps::along(parameter, &region.layout, region.batch);
    Some(steps.get(index)?.map_or(0, |along| along.stride))
}
