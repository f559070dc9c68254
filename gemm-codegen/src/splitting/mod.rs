//! [`split`]: a kernel that tells a matrix of f32 as [`Planes`].

use std::borrow::Cow;

use crate::abi::Abi;
use crate::auto::Footprint;
use crate::axis::Axis;
use crate::element::Element;
use crate::hardware::Target;
use crate::kernel::{Kernel, LaunchShape};
use crate::level::mma::Factors;
use crate::level::scheduler::Scheduler;
use crate::parameter::{MAX_EXTENT, Parameter};
use crate::problem::{Batching, ParameterKind};
use crate::spec::Planes;
use crate::text::select;

/// Threads of a block.
const THREADS: u32 = 256;

/// Columns of a block, where rows run across K.
const COLUMNS: u32 = 32;

/// The kernel that writes the planes of a matrix `x`, and the exponent by which each of their rows is
/// scaled, if they are. Its m is the rows of planes, its n the K of the product; `x` has rows along K if it is
/// `k_contiguous`, else across K. Rows and matrices of `x` begin at any element.
///
/// It writes all of a row of planes: [`Planes::columns`] of n.
pub fn split(planes: Planes, k_contiguous: bool) -> Kernel {
    let (name, rows, file) = match k_contiguous {
        true => ("split_rows", 1, include_str!("split_rows.cuh")),
        false => ("split_columns", COLUMNS, include_str!("split_columns.cuh")),
    };
    let (along, across) = if k_contiguous { (Axis::N, Axis::M) } else { (Axis::M, Axis::N) };
    let parameters = [
        parameter("x", Element::F32, [across, along]),
        parameter("planes", planes.element(), [Axis::M, Axis::N]),
        // For each matrix one row.
        parameter("exponents", Element::I32, [Axis::N, Axis::M]),
    ];
    let parameters = &parameters[..if planes.is_scaled() { 3 } else { 2 }];
    // A block has all of its rows.
    let block = [rows, MAX_EXTENT, 1];
    Kernel {
        name: name.into(),
        entry: name.into(),
        text: text(planes, k_contiguous, file).into(),
        abi: Abi::new(parameters, (2, &[]), Scheduler::OneTile(None), &[]),
        parameters: Vec::from(parameters).into(),
        outputs: parameters.len() - 1,
        factors: Factors::Exact,
        reads_output: false,
        launch: LaunchShape::new(block, THREADS, &[Target::Sm75]),
        footprint: Footprint { block, ..Footprint::default() },
        facts: None,
    }
}

fn parameter(name: &'static str, element: Element, [rows, columns]: [Axis; 2]) -> Parameter {
    Parameter {
        name: name.into(),
        kind: ParameterKind::Matrix { element, rows, columns },
        batch: Batching(Cow::Borrowed(&[true; 2])),
        align_constant: None,
        tensor: None,
        planes: None,
        epilogue_box: None,
    }
}

fn text(planes: Planes, k_contiguous: bool, file: &str) -> String {
    let x = if k_contiguous { "x[i][k]" } else { "x[k][i]" };
    let (sum, conversions) = match planes {
        Planes::F16x3 => ("2^exponents[i] * (high + low)", include_str!("f16x3.cuh")),
        Planes::Bf16x6 => ("high + middle + low", include_str!("bf16x6.cuh")),
    };
    // What is scaled comes as four elements.
    let parts = include_str!("parts.cuh");
    format!(
        "// {x} = {sum}, for each matrix of a batch over two indices.\n\
         // A row of planes has, for each {unit} of k in turn, their first parts, then the next ones; from n\n\
         // on up to a multiple of {unit} these are zero. The rows of x begin anywhere, those of planes at\n\
         // multiples of 16 bytes.\n\
         \n\
         typedef unsigned short Part;  // the bits of an element\n\
         const int THREADS = {THREADS};\n\
         const int UNIT = {unit}, PLANES = {count};\n\
         \n\
         struct Four {{ float of[4]; }};  // consecutive elements of a row\n\
         \n\
         {conversions}\n\
         {parts}\n\
         {file}",
        unit = planes.unit(),
        count = planes.count(),
        file = select(file, &[("SCALED", planes.is_scaled())]),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_has_short_lines_and_the_block_that_the_launch_has() {
        let all = Planes::ALL.map(|planes| [(planes, true, 1), (planes, false, 32)]);
        for (planes, k_contiguous, rows) in all.into_iter().flatten() {
            let Kernel { text, launch, .. } = split(planes, k_contiguous);
            assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
            assert_eq!(launch.block_tile[0], rows);
            assert!(k_contiguous || text.contains(&format!("COLS = {rows};")));
        }
    }
}
