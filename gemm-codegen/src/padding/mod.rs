//! [`pad_rows`]: a kernel that copies a matrix to rows that tensor copies can read.
//!
//! Tensor copies read rows that begin at multiples of 16 bytes. A launch whose operand has other
//! rows first copies it to rows that begin at multiples of [`PITCH`].

use std::borrow::Cow;

use crate::abi::Abi;
use crate::auto::Footprint;
use crate::axis::Axis;
use crate::element::Element;
use crate::hardware::{Target, WARP};
use crate::kernel::{Kernel, LaunchShape};
use crate::level::mma::Factors;
use crate::level::scheduler::Scheduler;
use crate::parameter::Parameter;
use crate::problem::{Batching, ParameterKind};

/// Rows of a copy are a multiple of this many bytes apart: a line of L2, so that a box that is 128
/// bytes wide reads whole ones.
pub const PITCH: u64 = 128;

/// Threads of a block.
const THREADS: u32 = 256;

/// Rows of a block's part of a matrix, and bytes of each: a store of 16 bytes by each lane of a warp.
const ROWS: u32 = 32;
const ROW_BYTES: u32 = 16 * WARP;

/// The kernel `out = x` for matrices of such elements, whose bits it copies: rows along M, columns
/// along N, no K. Rows and matrices of `x` begin at any element, those of `out` at multiples of 16
/// bytes. It writes nothing between the rows of `out`.
pub fn pad_rows(element: Element) -> Kernel {
    // One element for all of a size: only the size matters.
    let element = match element.bytes() {
        1 => Element::U8,
        2 => Element::F16,
        4 => Element::F32,
        8 => Element::F64,
        _ => Element::U8x16,
    };
    let parameter = |name: &'static str| Parameter {
        name: name.into(),
        kind: ParameterKind::Matrix { element, rows: Axis::M, columns: Axis::N },
        batch: Batching(Cow::Borrowed(&[true; 2])),
        align_constant: None,
        tensor: None,
        planes: None,
        epilogue_box: None,
    };
    let parameters = ["x", "out"].map(parameter);
    let block = [ROWS, ROW_BYTES / element.bytes(), 1];
    Kernel {
        name: "pad_rows".into(),
        entry: "pad_rows".into(),
        text: text(element.bytes(), block).into(),
        abi: Abi::new(&parameters, (2, &[]), Scheduler::OneTile(None), &[]),
        parameters: Vec::from(parameters).into(),
        outputs: 1,
        factors: Factors::Exact,
        reads_output: false,
        launch: LaunchShape::new(block, THREADS, &[Target::Sm75]),
        footprint: Footprint { block, ..Footprint::default() },
        facts: None,
    }
}

fn text(bytes: u32, [rows, columns, _]: [u32; 3]) -> String {
    let bits = match bytes {
        1 => "unsigned char",
        2 => "unsigned short",
        4 => "unsigned",
        8 => "unsigned long long",
        _ => "uint4",
    };
    format!(
        "// out[i][j] = x[i][j] for each matrix of a batch over two indices, {bytes} bytes an element.\n\
         // x is m x n, and its rows begin anywhere. Those of out begin at multiples of 16 bytes,\n\
         // so that tensor copies can read them. What lies between them is not written.\n\
         \n\
         typedef {bits} Bits;\n\
         const int THREADS = {THREADS};\n\
         const int ROWS = {rows}, COLS = {columns};  // of a block's part of a matrix\n\
         {file}",
        file = include_str!("pad_rows.cuh"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_depends_on_the_size_of_an_element_alone() {
        let kernels = Element::ALL.map(|element| (element.bytes(), pad_rows(element)));
        for (bytes, kernel) in &kernels {
            let text = &kernel.text;
            assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
            for (other_bytes, other) in &kernels {
                assert_eq!(bytes == other_bytes, kernel == other);
            }
        }
    }
}
