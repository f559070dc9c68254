//! Factors whose integers lie as lanes multiply them: [`PackedOrder`], and kernels that store a matrix in this order
//! and read it back.
//!
//! A packed matrix takes the memory of the plain one, whose rows are filled to a multiple of 16 and whose columns to a
//! multiple of 32: both have integers of the same size, in elements of 1 and of 16 bytes.

mod order;

pub use order::{PackedOrder, PackedPlace};

use crate::abi::Abi;
use crate::auto::Footprint;
use crate::axis::Axis;
use crate::element::Element;
use crate::hardware::Target;
use crate::kernel::{Kernel, LaunchShape};
use crate::level::mma::Factors;
use crate::level::scheduler::Scheduler;
use crate::parameter::Parameter;
use crate::problem::{Batching, ParameterKind};

/// Threads of a block.
const THREADS: u32 = 256;

/// Rows of the plain matrix for each row of the packed one.
const LINES: u32 = 16;

/// The kernel that packs a matrix `x` of m × n elements: integers of 8 bits, or pairs of integers of 4 bits. Only their
/// size matters. `packed` has [`PackedOrder::extents`]; its numbers outside `x` are zero.
pub fn pack(plain: Element) -> Kernel {
    let elements = elements(plain);
    let file = include_str!("pack.cuh");
    kernel("pack", [("x", elements[0]), ("packed", elements[1])], LINES, file)
}

/// The kernel that writes the first m × n elements of the matrix that was packed. It takes the plain element, as
/// [`pack`] does.
pub fn unpack(plain: Element) -> Kernel {
    let elements = elements(plain);
    let file = include_str!("unpack.cuh");
    kernel("unpack", [("packed", elements[1]), ("x", elements[0])], 1, file)
}

/// One plain and packed element for all of a size.
fn elements(plain: Element) -> [Element; 2] {
    if plain.bits() == 4 { [Element::U4x2, Element::U4x32] } else { [Element::U8, Element::U8x16] }
}

/// A kernel from one matrix to another, whose block has rows of `x`, in parts of one column for each thread.
fn kernel(
    name: &'static str,
    matrices: [(&'static str, Element); 2],
    rows: u32,
    file: &str,
) -> Kernel {
    let parameters = matrices.map(|(name, element)| Parameter {
        name: name.into(),
        kind: ParameterKind::Matrix { element, rows: Axis::M, columns: Axis::N },
        batch: Batching::NONE,
        align_constant: None,
        tensor: None,
        planes: None,
        epilogue_box: None,
    });
    let block = [rows, THREADS, 1];
    let bits = matrices[0].1.bits();
    Kernel {
        name: name.into(),
        entry: name.into(),
        text: text(bits, name, file).into(),
        abi: Abi::new(&parameters, (0, &[]), Scheduler::OneTile(None), &[]),
        parameters: Vec::from(parameters).into(),
        outputs: 1,
        factors: Factors::Exact,
        reads_output: false,
        launch: LaunchShape::new(block, THREADS, &[Target::Sm75]),
        footprint: Footprint { block, ..Footprint::default() },
        facts: None,
    }
}

fn text(bits: u32, name: &str, file: &str) -> String {
    let what = match name {
        "pack" => "packed = x, in the order in which lanes of tensor cores multiply its numbers.",
        _ => "x = packed, whose numbers are in the order in which lanes of tensor cores multiply.",
    };
    format!(
        "// {what}\n\
         // x is m x n elements of one byte, its rows begin anywhere; packed is ceil(m / 16) x\n\
         // ceil(n / 32) * 32 elements of 16 bytes.\n\
         \n\
         const int THREADS = {THREADS};\n\
         const int BITS = {bits};  // of a number\n\
         {order}\n\
         {file}",
        order = include_str!("order.cuh"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_depend_on_the_size_of_a_number_alone() {
        for make in [pack, unpack] {
            assert_eq!(make(Element::I4x2), make(Element::U4x2));
            assert_eq!(make(Element::I8), make(Element::U8));
            assert_ne!(make(Element::I8), make(Element::I4x2));
            let text = make(Element::I8).text;
            assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
            assert!(text.lines().filter(|line| line.starts_with('#')).count() <= 12, "{text}");
        }
    }

    #[test]
    fn extents_of_a_packed_matrix_have_each_place() {
        for element in Element::ALL {
            let Some(order) = PackedOrder::of(element) else { continue };
            let [lines, k] = order.block();
            assert_eq!(lines, LINES as usize);
            for (lines, k) in [(1, 1), (lines, k), (lines + 1, k + 1), (5 * lines, 3 * k)] {
                let [rows, columns] = order.extents(lines, k);
                let last = order.place(lines - 1, k - 1);
                assert_eq!(
                    [rows, columns],
                    [last.row + 1, last.column / 32 * 32 + 32],
                    "{element}"
                );
            }
            assert_eq!(order.extents(0, 0), [0, 0]);
        }
    }
}
