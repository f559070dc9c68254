//! The operands of the body, loaded for a run of elements of one output row.

mod coordinate;
mod reading;
mod value;

use crate::body::Coordinate;
use crate::level::epilogue::Epilogue;
use crate::level::epilogue::operand::{Access, BodyOperand, access, out_columns, reads_together};
use crate::problem::Axes;
use crate::text::Sections;
use crate::text::wrap::wrap_lines;

use reading::Reading;
use value::{Value, in_stage};

impl Epilogue {
    /// Whether the text reads this operand of the body in words, so that its alignment matters.
    pub(crate) fn reads_words(&self, axes: &Axes, operand: usize) -> bool {
        let kind = axes.operands[operand];
        let is_run = access(kind, out_columns(axes)) == Access::Run;
        let bounded = matches!(self.reading(&[]), Reading::Bounded | Reading::Fetched);
        is_run && (!bounded || BodyOperand::is_of_matrix(kind))
    }

    /// How the body reads these.
    fn reading(&self, reads: &[BodyOperand]) -> Reading {
        match self {
            Epilogue::Groups(groups) if groups.fetched().is_some() => Reading::Fetched,
            Epilogue::Groups(groups) if groups.stages_results() => Reading::Bounded,
            Epilogue::Groups(_) | Epilogue::Block(_) if reads_together(reads) => Reading::Together,
            Epilogue::Groups(_) | Epilogue::Block(_) => Reading::Each,
        }
    }

    /// The struct `Values` and its `apply`, for the coordinates and what else the body reads, in the order
    /// of its parameters, and what it is made of.
    pub(crate) fn write_values(
        &self,
        text: &mut Sections,
        axes: &Axes,
        coordinates: &[Coordinate],
        reads: &[BodyOperand],
    ) {
        let reading = self.reading(reads);
        let of_all = reads.iter().map(|operand| Value::new(operand, axes, reading));
        let values: Vec<Value<'_>> = of_all.collect();
        write_operands(text, reading, &values);
        text.add(wrap_lines(&cuda_values(axes, reading, coordinates, &values)));
    }
}

/// The struct templates of operands that are read so.
fn write_operands(text: &mut Sections, reading: Reading, values: &[Value<'_>]) {
    let has = |access| values.iter().any(|value| value.access == access);
    let has_matrix = values.iter().any(|value| value.operand.is_matrix());
    if has_matrix {
        text.add(include_str!("../fetch.cuh"));
    }
    if has_matrix || has(Access::Run) {
        text.add(include_str!("../operands/elements.cuh"));
    }
    if has(Access::Constant) {
        text.add(include_str!("../operands/same.cuh"));
    }
    values.iter().filter_map(Value::template).for_each(|file| text.add(file));
    if reading == Reading::Fetched {
        text.add(include_str!("../fetched/in_tile.cuh"));
    }
}

/// The sums that the body takes for element `i`.
fn sums(axes: &Axes) -> Vec<String> {
    match axes.products() {
        1 => vec!["sums[i]".to_owned()],
        products => (0..products).map(|product| format!("sums[{product}][i]")).collect(),
    }
}

/// The struct `Values`.
fn cuda_values(
    axes: &Axes,
    reading: Reading,
    coordinates: &[Coordinate],
    values: &[Value<'_>],
) -> String {
    let read = || values.iter().filter(|value| value.access != Access::Scalar);
    let of_values =
        values.iter().map(|value| format!("    {} {};\n", value.ty(), value.operand.name));
    let members: String =
        coordinates.iter().map(|of| coordinate::of_tile(*of)).chain(of_values).collect();
    let loads = if reading == Reading::Together { String::new() } else { loads(reading, values) };
    let further = match reading {
        Reading::Each | Reading::Bounded => String::new(),
        Reading::Together => cuda_read(coordinates, &read().collect::<Vec<_>>()),
        Reading::Fetched => cuda_fill(&read().collect::<Vec<_>>()),
    };
    let mut arguments = sums(axes);
    arguments.extend(coordinates.iter().map(|of| coordinate::argument(*of, reading)));
    arguments.extend(values.iter().map(Value::argument));
    format!(
        "// What the body reads beside the accumulator.\n\
         struct Values {{\n\
         {members}\
         {further}    \
         // Sets `results` to the body's value for COUNT elements of {said}\n    \
         template <int COUNT>\n    \
         __device__ __forceinline__ void apply(\n        \
         Result (&results)[COUNT], const Sums<COUNT>& sums, {parameters}) const {{\n\
         {loads}\
         #pragma unroll\n        \
         for (int i = 0; i < COUNT; ++i) {{\n            \
         {call}        \
         }}\n    \
         }}\n\
         }};\n",
        said = reading.said(),
        parameters = reading.parameters(),
        call = call(&arguments),
    )
}

/// The lines of `apply` that read what the body takes.
fn loads(reading: Reading, values: &[Value<'_>]) -> String {
    let mut tiles = 0..;
    let read = values.iter().filter(|value| value.access != Access::Scalar);
    read.map(|value| {
        let in_tile = reading == Reading::Fetched && value.operand.is_matrix();
        let tile = if in_tile { tiles.next() } else { None };
        format!("        {}\n", value.read(tile))
    })
    .collect()
}

/// The struct `Read` and the function that fills it.
fn cuda_read(coordinates: &[Coordinate], values: &[&Value<'_>]) -> String {
    let of = |line: &dyn Fn(&Value<'_>) -> String| values.iter().map(|value| line(value)).collect();
    let elements: String =
        of(&|value| format!("        {} {};\n", value.elements(), value.operand.name));
    let reads: String = of(&|value| format!("        {}\n", value.read(None)));
    let of = |line: fn(Coordinate) -> String| coordinates.iter().map(|of| line(*of)).collect();
    let (members, positions): (String, String) = (of(coordinate::member), of(coordinate::read));
    format!(
        "    // Of these, what the body takes for COUNT elements of a row.\n    \
         template <int COUNT> struct Read {{\n\
         {members}{elements}    \
         }};\n    \
         // Reads that of `row` from `col` on; the first `valid` lie inside the output.\n    \
         template <int COUNT>\n    \
         __device__ __forceinline__ void read(\n        \
         Read<COUNT>& read, int row, int col, int valid) const {{\n\
         {positions}{reads}    \
         }}\n"
    )
}

/// The function that brings matrices to epilogue tiles.
fn cuda_fill(values: &[&Value<'_>]) -> String {
    let matrices = values.iter().filter(|value| value.operand.is_matrix()).enumerate();
    let fills = matrices.map(|(number, value)| {
        let (name, end) = (&value.operand.name, value.operand.end("valid"));
        format!("        fill_tile<COUNT>({}, {name}, row, col, {end});\n", in_stage(number))
    });
    format!(
        "    // Brings COUNT elements of each matrix to its epilogue tile.\n    \
         template <int COUNT>\n    \
         __device__ __forceinline__ void fill(Staged* at, int row, int col, int valid) const {{\n\
         {}    \
         }}\n",
        fills.collect::<String>()
    )
}

/// `results[i] = body(..)`, an argument a line where one line is too long.
fn call(arguments: &[String]) -> String {
    let line = format!("results[i] = body({});\n", arguments.join(", "));
    match line.len() {
        ..=88 => line,
        _ => format!(
            "results[i] = body(\n                {});\n",
            arguments.join(",\n                ")
        ),
    }
}
