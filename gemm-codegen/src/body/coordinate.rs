//! The position of an element in the output, which a body reads by `row()`, `column()` and `batch()`.

/// An index of the element that a body computes, from 0 on and of type `i32`.
///
/// All are of the output as its type is written, whatever the factors call these indices: of
/// `Mat<T, I, J>` the row is along `I` and the column along `J`. So the elements of a row are
/// contiguous, and of a batch each matrix begins at row 0. The matrices of `Batched<T, (B, H), I, J>`
/// are numbered in row-major order: that of `b` and `h` has the number `b * H + h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Coordinate {
    /// `row()`, along the output's first index.
    Row,
    /// `column()`, along the output's second index.
    Column,
    /// `batch()`, the number of the matrix in the output, where that is batched.
    Batch,
}

impl Coordinate {
    /// All.
    pub const ALL: [Coordinate; 3] = [Coordinate::Row, Coordinate::Column, Coordinate::Batch];

    /// Those within a matrix, in the order of the output's indices.
    pub const OF_MATRIX: [Coordinate; 2] = [Coordinate::Row, Coordinate::Column];

    /// The name of the function that a body calls for it.
    pub fn name(self) -> &'static str {
        match self {
            Coordinate::Row => "row",
            Coordinate::Column => "column",
            Coordinate::Batch => "batch",
        }
    }

    /// That of a function of this name.
    pub fn from_name(name: &str) -> Option<Coordinate> {
        Coordinate::ALL.into_iter().find(|coordinate| coordinate.name() == name)
    }

    /// What it is, for a message.
    pub(crate) fn said(self) -> &'static str {
        match self {
            Coordinate::Row => "the row of the element in the output",
            Coordinate::Column => "the column of the element in the output",
            Coordinate::Batch => "the number of the element's matrix in the output",
        }
    }

    /// Its name in the emitted text, where it is of the output's own rows and columns too.
    pub(crate) fn cuda(self) -> &'static str {
        match self {
            Coordinate::Row => "row",
            Coordinate::Column => "col",
            Coordinate::Batch => "matrix",
        }
    }
}
