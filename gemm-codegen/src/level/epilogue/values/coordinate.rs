//! The coordinates of an element in the text: those of the first one of a run, and its number in it.

use super::reading::Reading;
use crate::body::Coordinate;

/// What the body takes of it for element `i`.
pub(super) fn argument(of: Coordinate, reading: Reading) -> String {
    let first = match reading {
        Reading::Together => format!("read.{}", of.cuda()),
        Reading::Each | Reading::Bounded | Reading::Fetched => of.cuda().to_owned(),
    };
    match of {
        Coordinate::Row => first,
        Coordinate::Column => format!("{first} + i"),
    }
}

/// The member of what is read together that has it: `apply` takes no position then.
pub(super) fn member(of: Coordinate) -> String {
    format!("        int {};\n", of.cuda())
}

/// The statement that sets this member.
pub(super) fn read(of: Coordinate) -> String {
    format!("        read.{name} = {name};\n", name = of.cuda())
}
