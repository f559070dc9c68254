//! The operands of the body, loaded for a run of elements of one output row.

use crate::axis::Axis;
use crate::level::epilogue::Epilogue;
use crate::level::epilogue::fetched;
use crate::level::epilogue::operand::{Access, BodyOperand, access};
use crate::problem::{Axes, ParameterKind};
use crate::text::wrap::wrap_lines;

pub(super) fn out_columns(axes: &Axes) -> Axis {
    if axes.n_contiguous() { Axis::N } else { Axis::M }
}

/// Whether what the body reads for several runs of elements is on its way at a time: a matrix comes
/// from far.
pub(crate) fn reads_together(reads: &[BodyOperand]) -> bool {
    reads.iter().any(BodyOperand::is_matrix)
}

/// How what lies outside of the output is told from what lies inside: it reads as zero.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Bounds {
    /// By the number of elements of a run that are `valid`, one at least: a run is read in words.
    Valid,
    /// By `rows` and `cols`: each element is compared, so that nothing branches, and what is read and
    /// computed of many elements is in flight at a time.
    Extents,
}

impl Bounds {
    /// The parameters of `apply`.
    pub(super) fn parameters(self) -> &'static str {
        match self {
            Bounds::Valid => "int valid",
            Bounds::Extents => "int rows, int cols",
        }
    }

    /// What the comment of `apply` says of them.
    fn said(self) -> &'static str {
        match self {
            Bounds::Valid => "the first `valid` lie inside the output",
            Bounds::Extents => "what lies outside of the output reads as zero",
        }
    }
}

impl Epilogue {
    /// Whether the text reads this operand of the body in words, so that its alignment matters.
    pub(crate) fn reads_words(&self, axes: &Axes, operand: usize) -> bool {
        let kind = axes.operands[operand];
        let is_run = access(kind, out_columns(axes)) == Access::Run;
        is_run && (self.bounds() == Bounds::Valid || BodyOperand::is_of_matrix(kind))
    }

    /// How `apply` tells what lies inside.
    fn bounds(&self) -> Bounds {
        match self {
            Epilogue::Groups(groups) if groups.stages_results() => Bounds::Extents,
            Epilogue::Groups(_) | Epilogue::Block(_) => Bounds::Valid,
        }
    }

    /// The struct `Values` and its `apply`, for what the body reads, in the order of its parameters.
    pub(crate) fn cuda_values(&self, axes: &Axes, reads: &[BodyOperand]) -> String {
        match (self.fetched(), reads_together(reads)) {
            (Some(_), _) => fetched::cuda_values(axes, reads),
            (None, true) => cuda_values_together(axes, reads),
            (None, false) => cuda_values_each(axes, reads, self.bounds()),
        }
    }
}

/// The sums of COUNT elements that `apply` takes: those of the one product, or of each.
pub(super) fn cuda_sums(axes: &Axes) -> &'static str {
    match axes.products() {
        1 => "const Sum (&sums)[COUNT]",
        _ => "const Sum (&sums)[PRODUCTS][COUNT]",
    }
}

/// The sums that the body takes for element `i`.
pub(super) fn sums(axes: &Axes) -> Vec<String> {
    match axes.products() {
        1 => vec!["sums[i]".to_owned()],
        products => (0..products).map(|product| format!("sums[{product}][i]")).collect(),
    }
}

/// With `read`, which starts what `apply` takes.
fn cuda_values_together(axes: &Axes, reads: &[BodyOperand]) -> String {
    let (mut members, mut elements, mut starts) = (String::new(), String::new(), String::new());
    let mut arguments = sums(axes);
    for operand @ BodyOperand { name, kind, .. } in reads {
        members += &member(*kind, name);
        let access = access(*kind, out_columns(axes));
        elements += &element(*kind, access, name);
        starts += &start(operand, access);
        arguments.push(match access {
            Access::Run | Access::Strided => format!("to_value(read.{name}[i])"),
            Access::Constant => format!("to_value(read.{name})"),
            Access::Scalar => name.clone(),
        });
    }
    let (call, of_sums) = (call(&arguments), cuda_sums(axes));
    wrap_lines(&format!(
        "// What the body reads beside the accumulator.\n\
         struct Values {{\n\
         {members}\
         \x20   // Of these, what the body takes for COUNT elements of a row.\n\
         \x20   template <int COUNT> struct Read {{\n\
         {elements}\
         \x20   }};\n\
         \x20   // Reads that of `row` from `col` on; the first `valid` lie inside the output.\n\
         \x20   template <int COUNT>\n\
         \x20   __device__ __forceinline__ void read(\n\
         \x20       Read<COUNT>& read, int row, int col, int valid) const {{\n\
         {starts}\
         \x20   }}\n\
         \x20   // Sets `results` to the body's value for COUNT elements whose accumulators are `sums`.\n\
         \x20   template <int COUNT>\n\
         \x20   __device__ __forceinline__ void apply(\n\
         \x20       Result (&results)[COUNT], {of_sums},\n\
         \x20       const Read<COUNT>& read) const {{\n\
         #pragma unroll\n\
         \x20       for (int i = 0; i < COUNT; ++i) {{\n\
         {call}\
         \x20       }}\n\
         \x20   }}\n\
         }};\n"
    ))
}

/// The member of `Read` for an operand: its elements as they are.
fn element(kind: ParameterKind, access: Access, name: &str) -> String {
    let element = kind.element().map_or_else(String::new, |element| element.to_string());
    match access {
        Access::Scalar => String::new(),
        Access::Constant => format!("        {element} {name};\n"),
        Access::Run | Access::Strided => {
            format!("        __align__(16) {element} {name}[COUNT];\n")
        }
    }
}

/// The lines of `read` for an operand.
fn start(operand: &BodyOperand, access: Access) -> String {
    let BodyOperand { name, kind, .. } = operand;
    let row = match kind {
        ParameterKind::Matrix { .. } => format!("row * ld_{name} + "),
        _ => String::new(),
    };
    let element = kind.element().map_or_else(String::new, |element| element.to_string());
    let (ends, end) = operand.end("valid");
    match access {
        Access::Scalar => String::new(),
        Access::Constant => {
            let read = operand.or_zero(&format!("{name}[row]"), &format!("{element}()"));
            format!("        read.{name} = {read};\n")
        }
        Access::Run => {
            format!("{ends}        fetch<ALIGN_{name}>(read.{name}, {name} + {row}col, {end});\n")
        }
        Access::Strided => format!(
            "{ends}#pragma unroll\n        \
             for (int i = 0; i < COUNT; ++i) {{\n            \
             read.{name}[i] = i < {end} ? {name}[(col + i) * ld_{name} + row] : {element}();\n        \
             }}\n"
        ),
    }
}

/// With `apply` alone, which reads what it takes.
fn cuda_values_each(axes: &Axes, reads: &[BodyOperand], bounds: Bounds) -> String {
    let mut members = String::new();
    let mut loads = String::new();
    let mut arguments = sums(axes);
    for operand @ BodyOperand { name, kind, .. } in reads {
        members += &member(*kind, name);
        let access = access(*kind, out_columns(axes));
        loads += &load(operand, access, bounds);
        arguments.push(argument(access, name));
    }
    let (call, of_sums) = (call(&arguments), cuda_sums(axes));
    let (said, parameters) = (bounds.said(), bounds.parameters());
    wrap_lines(&format!(
        "// What the body reads beside the accumulator.\n\
         struct Values {{\n\
         {members}\
         \x20   // Sets `results` to the body's value for COUNT elements of `row` from `col` on, whose\n\
         \x20   // accumulators are `sums`; {said}.\n\
         \x20   template <int COUNT>\n\
         \x20   __device__ __forceinline__ void apply(\n\
         \x20       Result (&results)[COUNT], {of_sums}, int row, int col,\n\
         \x20       {parameters}) const {{\n\
         {loads}\
         #pragma unroll\n\
         \x20       for (int i = 0; i < COUNT; ++i) {{\n\
         {call}\
         \x20       }}\n\
         \x20   }}\n\
         }};\n"
    ))
}

/// What the body takes of an operand for element `i`.
pub(super) fn argument(access: Access, name: &str) -> String {
    match access {
        Access::Run | Access::Strided => format!("at_{name}[i]"),
        Access::Constant => format!("at_{name}"),
        Access::Scalar => name.to_owned(),
    }
}

pub(super) fn member(kind: ParameterKind, name: &str) -> String {
    match kind {
        ParameterKind::Scalar(_) | ParameterKind::DeviceScalar(_) => {
            format!("    {} {name};\n", kind.value().cuda())
        }
        ParameterKind::Vector { element, .. } => format!("    const {element}* {name};\n"),
        ParameterKind::Matrix { element, .. } => {
            format!("    const {element}* {name};\n    long long ld_{name};\n")
        }
    }
}

/// The lines of `apply` that read what the body takes of an operand.
pub(super) fn load(operand: &BodyOperand, access: Access, bounds: Bounds) -> String {
    let BodyOperand { name, kind, .. } = operand;
    let row = match kind {
        ParameterKind::Matrix { .. } => format!("row * ld_{name} + "),
        _ => String::new(),
    };
    let ty = kind.value().cuda();
    let (ends, end) = operand.end(match (access, bounds) {
        (Access::Constant, Bounds::Extents) => "rows",
        (Access::Run, Bounds::Extents) => "cols",
        _ => "valid",
    });
    match (access, bounds) {
        (Access::Scalar, _) => String::new(),
        (Access::Constant, Bounds::Valid) => {
            let read = operand.or_zero(&format!("to_value({name}[row])"), &format!("{ty}(0)"));
            format!("        const {ty} at_{name} = {read};\n")
        }
        (Access::Constant, Bounds::Extents) => format!(
            "{ends}        const {ty} at_{name} = row < {end} ? to_value({name}[row]) : {ty}(0);\n"
        ),
        (Access::Run, Bounds::Extents) => format!(
            "        {ty} at_{name}[COUNT];\n\
             {ends}#pragma unroll\n        \
             for (int i = 0; i < COUNT; ++i) {{\n            \
             at_{name}[i] = col + i < {end} ? to_value({name}[col + i]) : {ty}(0);\n        \
             }}\n"
        ),
        (Access::Run, Bounds::Valid) => format!(
            "        {ty} at_{name}[COUNT];\n\
             {ends}        load<ALIGN_{name}>(at_{name}, {name} + {row}col, {end});\n"
        ),
        (Access::Strided, _) => format!(
            "        {ty} at_{name}[COUNT];\n\
             {ends}#pragma unroll\n        \
             for (int i = 0; i < COUNT; ++i) {{\n            \
             at_{name}[i] = i < {end} ? to_value({name}[(col + i) * ld_{name} + row]) : {ty}(0);\n        \
             }}\n"
        ),
    }
}

/// `results[i] = body(..)`, an argument a line where one line is too long.
pub(super) fn call(arguments: &[String]) -> String {
    let line = format!("            results[i] = body({});\n", arguments.join(", "));
    if line.len() <= 100 {
        return line;
    }
    format!(
        "            results[i] = body(\n                {});\n",
        arguments.join(",\n                ")
    )
}
