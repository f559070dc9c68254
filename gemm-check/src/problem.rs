//! [`Problem`]: one launch of a golden, its data and its verdict.
//!
//! Errors, where nothing else is said, are those of the device's allocations and copies.

mod outputs;
mod scalars;

use std::array;
use std::cell::RefCell;

use fastrand::Rng;
use gemm_codegen::{Axis, Batching};
use gemm_runtime::{Device, Error, Shape};

use crate::constant::Constant;
use crate::data::{Alignment, Fill, Placement, random, special, spread};
use crate::judge::TestElement;
use crate::numbers;
use crate::operand::{GuardedBatch, GuardedMatrix, GuardedVector};
use crate::record::Record;

/// The device, the shape and the source of fresh random data of one launch.
#[derive(Debug)]
pub struct Problem<'d> {
    device: &'d Device,
    shape: Shape,
    batch: usize,
    alignment: Alignment,
    fill: Fill,
    rng: Rng,
    poison: bool,
    /// See [`Placement::apart`].
    apart: usize,
    /// What sums may be off by.
    of_sums: f64,
    /// Whether they have a term that is summed over an index of its own.
    has_term: bool,
    /// Scalars of these names have these values, which are exact in their types.
    constants: Vec<(String, f64)>,
    /// What is read and written, where it is recorded.
    record: Option<RefCell<Record>>,
}

/// Elements between far rows: 4 rows are 2³¹ elements.
const FAR: usize = 1 << 29;

/// What an emulated device needs as its limit for far rows: address space, little of it written.
pub const FAR_MEMORY: u64 = 1 << 44;

/// What an added term is summed over: another extent than K, with a part of a k-tile.
pub(crate) fn added_k(shape: Shape) -> usize {
    shape.k / 2 + 5
}

/// The columns of a product in turn: those of further products are fewer or more than those of the first one, with a part
/// of a tile.
pub(crate) fn columns_in_turn(shape: Shape, axis: Axis) -> usize {
    match axis {
        Axis::N1 => shape.n.div_ceil(2),
        Axis::N2 => shape.n + shape.n.min(9),
        Axis::N3 => shape.n.div_ceil(5),
        _ => shape.n,
    }
}

/// Values of each of several batch indices but the innermost, which has as many as another batch has
/// matrices.
const OUTER: usize = 2;

/// Matrices of a batch, unless others are asked for: one first, one last and one between.
const BATCH: usize = 3;

impl<'d> Problem<'d> {
    /// A problem of this shape; the same seed gives the same data.
    pub fn new(device: &'d Device, shape: Shape, alignment: Alignment, seed: u64) -> Problem<'d> {
        Problem {
            device,
            shape,
            batch: BATCH,
            alignment,
            fill: Fill::Random,
            rng: Rng::with_seed(seed),
            poison: true,
            apart: 0,
            of_sums: 0.0,
            has_term: false,
            constants: Vec::new(),
            record: None,
        }
    }

    /// The same problem, with an output that is allocated and not poisoned. On the emulator it was
    /// never written; there it cannot be judged.
    pub fn with_unwritten_output(self) -> Problem<'d> {
        Problem { poison: false, ..self }
    }

    /// The same with rows so far apart that offsets of 32 bits do not reach most of them. For an
    /// emulated device of [`FAR_MEMORY`].
    pub fn with_far_rows(self) -> Problem<'d> {
        Problem { apart: FAR, ..self }
    }

    /// The same with batches of this many matrices.
    pub fn of_batch(self, batch: usize) -> Problem<'d> {
        Problem { batch, ..self }
    }

    /// The same with other elements in its matrices and vectors.
    pub fn filled(self, fill: Fill) -> Problem<'d> {
        Problem { fill, ..self }
    }

    /// The same with scalars that are not random.
    pub fn with_constants(self, constants: &[Constant]) -> Problem<'d> {
        let constants = constants.iter().map(|one| (one.name.clone(), one.value)).collect();
        Problem { constants, ..self }
    }

    /// The value of the scalar of this name, if it is not random.
    pub fn constant(&self, name: &str) -> Option<f64> {
        self.constants.iter().find(|(constant, _)| constant == name).map(|(_, value)| *value)
    }

    /// Where to launch.
    pub fn device(&self) -> &'d Device {
        self.device
    }

    /// m, n, k.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Makes K a multiple of each of these.
    pub fn round_k_up(&mut self, units: impl Iterator<Item = usize>) {
        let least = units.fold(1, |least, unit| {
            (1..=unit).map(|times| times * least).find(|k| k.is_multiple_of(unit)).unwrap_or(least)
        });
        self.shape.k = self.shape.k.next_multiple_of(least);
    }

    /// How many matrices a batch has.
    pub fn batch(&self) -> usize {
        self.batch
    }

    /// The values of each of `N` batch indices, the outermost first.
    pub fn batches<const N: usize>(&self) -> [usize; N] {
        array::from_fn(|index| self.values(index, N))
    }

    /// The values of the batch indices along which an operand has several matrices.
    fn values_along(&self, along: &Batching) -> Vec<usize> {
        along.indices().map(|index| self.values(index, along.rank())).collect()
    }

    /// The values of a batch index of this number, the outermost being 0, among `rank`.
    pub fn values(&self, index: usize, rank: usize) -> usize {
        if index + 1 == rank { self.batch } else { OUTER }
    }

    /// A matrix of fresh data whose rows run along the first axis.
    pub fn matrix<T: TestElement>(
        &mut self,
        rows: Axis,
        columns: Axis,
    ) -> Result<GuardedMatrix<T>, Error> {
        let [rows_of, columns_of] = self.extents::<T>(rows, columns);
        let input = self.input([1, rows_of, columns_of])?;
        self.record_matrix([rows, columns], &input);
        Ok(input)
    }

    /// A matrix of fresh data with an element for each tile of one whose rows run along the first axis.
    pub fn tiles<T: TestElement>(
        &mut self,
        [rows, columns]: [Axis; 2],
        tile: [u32; 2],
    ) -> Result<GuardedMatrix<T>, Error> {
        let count = |axis, of: u32| self.extent(axis).div_ceil(of as usize);
        self.input([1, count(rows, tile[0]), count(columns, tile[1])])
    }

    /// A batch of such matrices.
    pub fn batch_of_matrices<T: TestElement>(
        &mut self,
        rows: Axis,
        columns: Axis,
        along: &Batching,
    ) -> Result<GuardedBatch<T>, Error> {
        let values = self.values_along(along);
        let matrices = values.iter().product();
        let [rows_of, columns_of] = self.extents::<T>(rows, columns);
        let input = self.input::<T>([matrices, rows_of, columns_of])?;
        self.record_matrix([rows, columns], &input);
        input.by_indices(&values)
    }

    /// A batch of vectors of fresh data along an axis: the rows of a matrix.
    pub fn batch_of_vectors<T: TestElement>(
        &mut self,
        axis: Axis,
        along: &Batching,
    ) -> Result<GuardedMatrix<T>, Error> {
        let vectors = self.values_along(along).iter().product();
        self.input_of_vectors([1, vectors, self.extent(axis)])
    }

    /// The same over several indices: the rows of a matrix for each value of all but the innermost.
    pub fn batches_of_vectors<T: TestElement>(
        &mut self,
        axis: Axis,
        along: &Batching,
    ) -> Result<GuardedBatch<T>, Error> {
        let values = self.values_along(along);
        let (rows, outer) = values.split_last().unwrap_or((&1, &[]));
        let extents = [outer.iter().product(), *rows, self.extent(axis)];
        self.input_of_vectors::<T>(extents)?.by_indices(outer)
    }

    fn input<T: TestElement>(&mut self, extents: [usize; 3]) -> Result<GuardedMatrix<T>, Error> {
        let placement = self.placement::<T>(self.apart);
        let elements = self.elements(extents.iter().product());
        GuardedMatrix::input(self.device, extents, placement, elements)
    }

    fn input_of_vectors<T: TestElement>(
        &mut self,
        extents: [usize; 3],
    ) -> Result<GuardedMatrix<T>, Error> {
        // Two vectors are as far apart as four rows of a matrix.
        let placement = self.placement::<T>(4 * self.apart);
        let elements = self.elements_of_vectors(extents.iter().product());
        GuardedMatrix::input(self.device, extents, placement, elements)
    }

    /// A vector of fresh data along an axis.
    pub fn vector<T: TestElement>(&mut self, axis: Axis) -> Result<GuardedVector<T>, Error> {
        let placement = self.alignment.placement(size_of::<T>(), &mut self.rng);
        let elements = self.elements_of_vectors(self.extent(axis));
        GuardedVector::input(self.device, placement, elements)
    }

    fn placement<T>(&mut self, apart: usize) -> Placement {
        Placement { apart, ..self.alignment.placement(size_of::<T>(), &mut self.rng) }
    }

    fn elements<T: TestElement>(&mut self, length: usize) -> Vec<T> {
        match self.fill {
            Fill::Random => random(length, self.rng.u64(..)),
            Fill::Spread => spread(length, self.rng.u64(..)),
            Fill::Special => special(length, self.rng.u64(..)),
            Fill::Zero => vec![T::default(); length],
        }
    }

    /// Rows and columns of a matrix of such elements.
    fn extents<T: TestElement>(&self, rows: Axis, columns: Axis) -> [usize; 2] {
        numbers::extents(T::ELEMENT, self.extent(rows), self.extent(columns))
    }

    fn extent(&self, axis: Axis) -> usize {
        match axis {
            Axis::M => self.shape.m,
            Axis::N => self.shape.n,
            Axis::K => self.shape.k,
            Axis::R => added_k(self.shape),
            Axis::N1 | Axis::N2 | Axis::N3 => columns_in_turn(self.shape, axis),
        }
    }
}
