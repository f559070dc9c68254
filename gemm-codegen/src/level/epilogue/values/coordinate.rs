//! The coordinates of an element in the text: those of the first one of a run, and its number in it; the
//! matrix of all elements of a tile.

use super::reading::Reading;
use crate::body::Coordinate;

/// What the body takes of it for element `i`.
pub(super) fn argument(of: Coordinate, reading: Reading) -> String {
    let first = match (of, reading) {
        (Coordinate::Row | Coordinate::Column, Reading::Together) => format!("read.{}", of.cuda()),
        _ => of.cuda().to_owned(),
    };
    match of {
        Coordinate::Row | Coordinate::Batch => first,
        Coordinate::Column => format!("{first} + i"),
    }
}

/// The member of `Values` that has it, if all elements of a tile have the same.
pub(super) fn of_tile(of: Coordinate) -> String {
    match of {
        Coordinate::Row | Coordinate::Column => String::new(),
        Coordinate::Batch => {
            format!("    int {};  // number of the tile's matrix in the output\n", of.cuda())
        }
    }
}

/// The member of what is read together that has it: `apply` takes no position then.
pub(super) fn member(of: Coordinate) -> String {
    match of {
        Coordinate::Row | Coordinate::Column => format!("        int {};\n", of.cuda()),
        Coordinate::Batch => String::new(),
    }
}

/// The statement that sets this member.
pub(super) fn read(of: Coordinate) -> String {
    match of {
        Coordinate::Row | Coordinate::Column => {
            format!("        read.{name} = {name};\n", name = of.cuda())
        }
        Coordinate::Batch => String::new(),
    }
}
