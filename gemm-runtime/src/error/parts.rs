//! The types of the fields of an [`Error`](crate::Error).

use crate::output_form::OutputForm;
use std::fmt;

use gemm_codegen::abi::Word;
use gemm_codegen::{Axis, Planes, Target};

use crate::split_by::SplitBy;

/// An extent of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Dimension {
    /// Rows of a matrix.
    Rows,
    /// Columns of a matrix.
    Columns,
    /// Elements of a vector.
    Elements,
    /// Matrices of a batch.
    Matrices,
}

impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Dimension::Rows => "rows",
            Dimension::Columns => "columns",
            Dimension::Elements => "elements",
            Dimension::Matrices => "matrices",
        })
    }
}

impl Dimension {
    /// So many of them.
    pub(super) fn counted(&self, count: usize) -> String {
        match (count, self) {
            (1, Dimension::Matrices) => "1 matrix".to_owned(),
            (1, _) => format!("1 {}", self.to_string().trim_end_matches('s')),
            _ => format!("{count} {self}"),
        }
    }
}

/// Whose extent an operand is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Origin {
    /// The output, where there is one.
    Output,
    /// The operand of this name, or the one of several outputs.
    Operand(String),
    /// A [`Shape`](crate::Shape) that was passed.
    Shape,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Origin::Output => "the output",
            Origin::Operand(name) => name,
            Origin::Shape => "the shape",
        })
    }
}

/// What a message begins with that may be about a kernel: `linear: `, or nothing.
pub(super) fn of(kernel: &Option<String>) -> String {
    kernel.as_ref().map_or(String::new(), |kernel| format!("{kernel}: "))
}

/// Why no more memory is allocated, where an emulator has a limit that.
pub(super) fn full(limit: Option<u64>) -> String {
    match limit {
        None => "it is full".to_owned(),
        Some(limit) => {
            format!("the limit of this emulator is {limit} B (`EmulatorOptions::memory_limit`)")
        }
    }
}

/// A number of things: `1 tile`, `2 tiles`.
pub(crate) fn count(number: u64, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {thing}{plural}")
}

/// `element` or `elements`.
pub(super) fn plural(number: usize, thing: &str) -> String {
    format!("{thing}{}", if number == 1 { "" } else { "s" })
}

/// A matrix that needs elements; of one row that.
pub(super) fn matrix(rows: usize, columns: usize, leading_dimension: usize) -> String {
    match rows {
        1 => "one row needs".to_owned(),
        _ => {
            format!("a matrix of {rows}×{columns} with leading dimension {leading_dimension} needs")
        }
    }
}

/// The extents whose product a number is, in parentheses; nothing where there is only one.
pub(super) fn product(extents: &[usize]) -> String {
    match extents {
        [] | [_] => String::new(),
        _ => format!(" ({})", extents.iter().map(usize::to_string).collect::<Vec<_>>().join(" × ")),
    }
}

/// The help for a view that is not stored row by row.
pub(super) fn strides_help(rows: usize, strides: &[isize; 2]) -> &'static str {
    match *strides {
        [1, column] if usize::try_from(column).is_ok_and(|column| column >= rows) => {
            "help: it is stored column by column: pass its transpose, to a function that declares \
             the operand with its indices swapped"
        }
        _ => "help: copy it into a matrix of its own",
    }
}

/// The kind of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
#[non_exhaustive]
pub enum ArgumentKind {
    Matrix,
    MutableMatrix,
    Batch,
    MutableBatch,
    Vector,
    MutableVector,
    /// A matrix that was told as planes, by rows or by columns.
    Split(SplitBy, Planes),
    DeviceScalar,
    F32,
    F64,
    I32,
}

impl fmt::Display for ArgumentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ArgumentKind::Split(by, planes) => {
                let by = if *by == SplitBy::Rows { "rows" } else { "columns" };
                return write!(f, "a matrix split by {by} for {}", planes.precision().name());
            }
            ArgumentKind::Matrix => "a matrix",
            ArgumentKind::MutableMatrix => "a mutable matrix",
            ArgumentKind::Batch => "a batch of matrices",
            ArgumentKind::MutableBatch => "a mutable batch of matrices",
            ArgumentKind::Vector => "a vector",
            ArgumentKind::MutableVector => "a mutable vector",
            ArgumentKind::DeviceScalar => "a scalar in device memory",
            ArgumentKind::F32 => "an f32",
            ArgumentKind::F64 => "an f64",
            ArgumentKind::I32 => "an i32",
        })
    }
}

/// A fault of a [`Kernel`](crate::Kernel) that was made by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KernelFault {
    /// It has no output, or one that is neither a matrix nor a vector.
    #[error("it has no output that is a matrix or a vector")]
    NoOutput,
    /// It has another number of outputs than the launch.
    #[error(
        "it has {}, not {asked}{}", count(*.outputs as u64, "output"),
        if *.asked == 1 { ": launch it with `run_several`" } else { "" }
    )]
    OutputCount {
        /// How many it has.
        outputs: usize,
        /// How many were asked for.
        asked: usize,
    },
    /// No parameter has this index as an extent.
    #[error("no parameter has {} as an extent", .0.letter())]
    Unbound(Axis),
    /// Its output is a batch, but none of its operands.
    #[error("its output is a batch and no operand is one")]
    UnboundBatch,
    /// It names no target.
    #[error("it names no target")]
    NoTarget,
    /// An output is a vector, a matrix or a batch, and another one of these was asked for.
    #[error("its output is {}", match .form {
        OutputForm::Batch => "a batch of matrices: launch it with `run_batched`",
        OutputForm::Matrix => "one matrix: launch it with `run`",
        OutputForm::Vector => "a vector: launch it with `run_several`",
    })]
    OutputForm {
        /// What its output is.
        form: OutputForm,
    },
    /// It reads the old elements of its output, which a new matrix does not have.
    #[error("it reads the old elements of its output: launch it into a matrix")]
    ReadsOutput,
    /// A tile extent or the number of threads is zero.
    #[error("a tile extent or the block is zero")]
    ZeroExtent,
    /// No argument, or nothing that a launch derives, is what a word of its `abi` says.
    #[error("a launch has no value for its word {0:?}")]
    Word(Word),
}

/// What is wrong with a range of rows or columns.
pub(super) fn outside(start: usize, end: usize, extent: usize) -> String {
    match start > end {
        true => "end before they begin".to_owned(),
        false => format!("are out of range, the limit is {extent}"),
    }
}

/// How a function is compiled for a device that is older than its targets, where one of ours is that.
pub(super) fn way_out(device: (u32, u32), lowest: &Target) -> String {
    if lowest.is_architecture_specific() {
        let help =
            "; a further `#[gemm(derived)]` on its function has a schedule for other devices";
        return help.to_owned();
    }
    let is_device =
        |target: &&Target| target.capability() == device && !target.is_architecture_specific();
    let own = Target::ALL.iter().find(is_device);
    own.map_or(String::new(), |own| {
        format!(
            "; write `targets = [{own}]` in its `#[gemm]`, which names the keys that {own} lacks, if any"
        )
    })
}

/// What follows a target in a message: the code of a general one runs on newer devices too.
pub(super) fn or_newer(target: &Target) -> &'static str {
    if target.is_architecture_specific() { "" } else { " or newer" }
}
