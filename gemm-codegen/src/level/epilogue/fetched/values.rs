//! What the body reads, where tensor copies bring its matrices.

use crate::element::Element;
use crate::level::epilogue::operand::{BodyOperand, access};
use crate::level::epilogue::values::{
    Bounds, argument, call, cuda_sums, load, member, out_columns, sums,
};
use crate::problem::Axes;
use crate::text::wrap::wrap_lines;

/// Of what copies do not bring.
const BOUNDS: Bounds = Bounds::Extents;

/// The struct `Values` with `apply`, which takes the elements of matrices from slabs, and `fill`,
/// which brings them there where no copy does.
pub(in crate::level::epilogue) fn cuda_values(axes: &Axes, reads: &[BodyOperand]) -> String {
    let (mut members, mut loads, mut fills) = (String::new(), String::new(), String::new());
    let (mut arguments, mut slab) = (sums(axes), 0);
    for operand @ BodyOperand { name, kind, .. } in reads {
        members += &member(*kind, name);
        let access = access(*kind, out_columns(axes));
        arguments.push(argument(access, name));
        let Some(element) = kind.element().filter(|_| operand.is_matrix()) else {
            loads += &load(operand, access, BOUNDS);
            continue;
        };
        let at = in_slab("at", slab);
        loads += &load_from_slab(operand, element, &at);
        fills += &fill_slab(operand, &at);
        slab += 1;
    }
    let (call, parameters, of_sums) = (call(&arguments), BOUNDS.parameters(), cuda_sums(axes));
    wrap_lines(&format!(
        "// What the body reads beside the accumulator.\n\
         struct Values {{\n\
         {members}\
         \x20   // Sets `results` to the body's value for COUNT elements of `row` from `col` on, whose\n\
         \x20   // accumulators are `sums`; what lies outside of the output reads as zero. Elements of\n\
         \x20   // matrices are in slabs, those of the first one from `at` on.\n\
         \x20   template <int COUNT>\n\
         \x20   __device__ __forceinline__ void apply(\n\
         \x20       Result (&results)[COUNT], {of_sums}, const Staged* at,\n\
         \x20       int row, int col, {parameters}) const {{\n\
         {loads}\
         #pragma unroll\n\
         \x20       for (int i = 0; i < COUNT; ++i) {{\n\
         {call}\
         \x20       }}\n\
         \x20   }}\n\
         \x20   // Brings COUNT elements of each matrix to its slab.\n\
         \x20   template <int COUNT>\n\
         \x20   __device__ __forceinline__ void fill(Staged* at, int row, int col, int valid) const {{\n\
         {fills}\
         \x20   }}\n\
         }};\n"
    ))
}

/// The lines of `apply` that load the elements of a matrix from its slab.
fn load_from_slab(operand: &BodyOperand, element: Element, from: &str) -> String {
    let (name, value) = (&operand.name, operand.kind.value().cuda());
    let (ends, end) = operand.end("COUNT");
    format!(
        "        {value} at_{name}[COUNT];\n\
         {ends}        \
         load<16>(at_{name}, reinterpret_cast<const {element}*>({from}), {end});\n"
    )
}

/// The lines of `fill` that bring them there.
fn fill_slab(operand: &BodyOperand, to: &str) -> String {
    let name = &operand.name;
    let (ends, end) = operand.end("valid");
    format!(
        "{ends}        fetch_to_slab<ALIGN_{name}, COUNT>(\n            \
         {to}, {name} + row * ld_{name} + col, {end});\n"
    )
}

/// The place of an element in the slab of a matrix, given that in the first one.
fn in_slab(first: &str, slab: u32) -> String {
    match slab {
        0 => first.to_owned(),
        1 => format!("{first} + SLAB"),
        _ => format!("{first} + {slab} * SLAB"),
    }
}
