//! The position of an element in the output, which a body reads by `row()` and `column()`.

/// An index of the element that a body computes, from 0 on and of type `i32`.
///
/// Both are of the output as its type is written, whatever the factors call these indices: of
/// `Mat<T, I, J>` the row is along `I` and the column along `J`. So the elements of a row are
/// contiguous, and of a batch each matrix begins at row 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Coordinate {
    /// `row()`, along the output's first index.
    Row,
    /// `column()`, along the output's second index.
    Column,
}

impl Coordinate {
    /// Both.
    pub const ALL: [Coordinate; 2] = [Coordinate::Row, Coordinate::Column];

    /// The name of the function that a body calls for it.
    pub fn name(self) -> &'static str {
        match self {
            Coordinate::Row => "row",
            Coordinate::Column => "column",
        }
    }

    /// That of a function of this name.
    pub fn from_name(name: &str) -> Option<Coordinate> {
        Coordinate::ALL.into_iter().find(|coordinate| coordinate.name() == name)
    }

    /// Its name in the emitted text, where it is of the output's own rows and columns too.
    pub(crate) fn cuda(self) -> &'static str {
        match self {
            Coordinate::Row => "row",
            Coordinate::Column => "col",
        }
    }
}
