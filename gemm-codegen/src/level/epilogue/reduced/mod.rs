//! Outputs that are reduced over an index of the product.
//!
//! A pass stages sums. Each thread applies the body to its elements of a row and reduces what they give; what is
//! reduced along a row, or along a column, of an epilogue tile is stored to a workspace as a partial value. The
//! block, or the warpgroup, that is the last to arrive at some rows or columns reduces their partial values in the
//! order of their parts. So there is one launch, and the result does not depend on the order of arrival.

mod partials;

use crate::axis::Axis;
use crate::body::Reduction;
use crate::element::{Element, ScalarType};
use crate::part::Part;
use crate::text::wrap::wrap_lines;
use crate::text::{Sections, select};

pub use partials::Partials;
pub(crate) use partials::Parts;

/// An output that is reduced.
#[derive(Clone, Debug)]
pub(crate) struct Reduced {
    /// Its name in the text.
    pub(crate) name: String,
    pub(crate) element: Element,
    pub(crate) reduction: Reduction,
}

/// All outputs that are reduced along rows, or along columns, of the output.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    /// Whether each row is reduced; else each column.
    pub(crate) of_rows: bool,
    /// The index that these outputs have.
    pub(crate) along: Axis,
    pub(crate) outputs: Vec<Reduced>,
    pub(crate) parts: Parts,
}

/// What a kernel reduces.
#[derive(Clone, Debug)]
pub(crate) struct Reductions {
    /// The type of the values that are reduced.
    pub(crate) ty: ScalarType,
    /// Whether a body has one value; else the values are members of a struct.
    pub(crate) is_only: bool,
    /// Rows, then columns, where any output is of these.
    pub(crate) lines: Vec<Lines>,
    /// The names in the text and the types of the values that are not reduced.
    pub(crate) stored: Vec<(String, ScalarType)>,
    /// Whether rows are reduced in the registers of lanes.
    pub(crate) in_registers: bool,
}

impl Lines {
    /// The name of the struct of these outputs.
    fn ty(&self) -> &'static str {
        if self.of_rows { "RowReductions" } else { "ColumnReductions" }
    }

    /// The member that reduces them, and the variable that says how.
    pub(crate) fn name(&self) -> &'static str {
        if self.of_rows { "of_rows" } else { "of_columns" }
    }

    /// The members of the variable: the partial values of the matrix with this number, and the outputs.
    pub(crate) fn cuda_members(&self, matrix: &str, outputs: &[String]) -> String {
        let (own, other) = if self.along == Axis::M { ("m", "n") } else { ("n", "m") };
        let ty = self.ty();
        format!(
            "const {ty} {name} = {{{ty}::partials_of(partials_{own}, arrivals_{own}, {matrix}, {own}, {other}), {}}};",
            outputs.join(", "),
            name = self.name(),
        )
    }

    /// The call that counts in the partial values of a part of the output, and may be the last one.
    fn cuda_finish(&self) -> String {
        let [first, others] = if self.of_rows { ["row0", "cols"] } else { ["col0", "rows"] };
        let (name, ty) = (self.name(), self.ty());
        format!(
            "        ::finish({name}.of, shared, {first}, ({others} - 1) / {ty}::ACROSS + 1);\n"
        )
    }

    /// One line for each output of what its number decides.
    fn cases(&self, of: impl Fn(&Reduced) -> String) -> String {
        let last = self.outputs.len() - 1;
        let case = |(number, output): (usize, &Reduced)| match number == last {
            true => format!("        return {};\n", of(output)),
            false => format!("        if (number == {number}) return {};\n", of(output)),
        };
        self.outputs.iter().enumerate().map(case).collect()
    }

    /// The struct of these outputs.
    fn cuda(&self, of: &Reductions) -> String {
        let Parts { lines, part, passes, across } = self.parts;
        let each =
            |line: &dyn Fn(&Reduced) -> String| self.outputs.iter().map(line).collect::<Vec<_>>();
        let members = each(&|out| {
            format!("    {}* {};  // its {}\n", out.element, out.name, out.reduction.name())
        });
        format!(
            "\n// What each {line} of the output is reduced to.\n\
             struct {ty} {{\n    \
             static constexpr int COUNT = {count};\n    \
             static constexpr int LINES = {lines}, ACROSS = {across};  // of a part of the output\n    \
             Partials<COUNT, LINES> partials;\n\
             {members}    \
             __device__ __forceinline__ static Partials<COUNT, LINES> partials_of(\n        \
             void* values, unsigned* arrivals, long long matrix, int lines, int others) {{\n        \
             return Partials<COUNT, LINES>::of<{part}, {passes}>(values, arrivals, matrix, lines, others);\n    \
             }}\n\
             {functions}\
             }};\n",
            line = if self.of_rows { "row" } else { "column" },
            ty = self.ty(),
            count = self.outputs.len(),
            members = members.concat(),
            functions = self.cuda_functions(of),
        )
    }

    /// The functions of the number of an output.
    fn cuda_functions(&self, of: &Reductions) -> String {
        let value = |output: &Reduced| match of.is_only {
            true => "result".to_owned(),
            false => format!("result.{}", output.name),
        };
        let function = |signature: &str, case: &dyn Fn(&Reduced) -> String| {
            let cases = self.cases(case);
            format!("    __device__ __forceinline__ {signature} {{\n{cases}    }}\n")
        };
        let identity = function("static Reducible identity(int number)", &|out| {
            out.reduction.cuda_identity(of.ty).to_owned()
        });
        let element =
            function("static Reducible element(int number, const Result& result)", &|out| {
                out.reduction.cuda_element(of.ty, &value(out))
            });
        let combined = function(
            "static Reducible combined(\n        int number, Reducible one, Reducible other)",
            &|out| out.reduction.cuda_combined(of.ty, ["one", "other"]),
        );
        let store = function("void store(int number, int line, Reducible value) const", &|out| {
            format!("from_value({}[line], value)", out.name)
        });
        format!("    // That of no elements.\n{identity}{element}{combined}{store}")
    }
}

impl Reductions {
    /// Writes what follows the sums of a pass, up to the device function `epilogue`. What the body reads for a
    /// run of elements is read `together`, or as it is applied. `tile` is the struct of what a pass has staged, and
    /// `epilogue` the device function.
    pub(super) fn write(
        &self,
        text: &mut Sections,
        (tile, epilogue): (Vec<String>, &str),
        together: bool,
    ) {
        let of_epilogue = |text: &mut Sections, file: String| text.of(Part::Epilogue).add(file);
        let reduces = |text: &mut Sections, file: &str| text.of(Part::Reduction).add(file);
        let has = |of_rows: bool| self.lines.iter().any(|lines| lines.of_rows == of_rows);
        of_epilogue(text, format!("typedef {} Reducible;  // what is reduced\n", self.ty.cuda()));
        of_epilogue(text, include_str!("partials.cuh").to_owned());
        self.lines.iter().for_each(|lines| of_epilogue(text, wrap_lines(&lines.cuda(self))));
        tile.into_iter().for_each(|file| of_epilogue(text, file));
        of_epilogue(text, include_str!("rows_at_once.cuh").to_owned());
        if has(true) {
            reduces(text, include_str!("rows.cuh"));
        }
        if has(false) {
            reduces(text, include_str!("columns.cuh"));
        }
        text.add(include_str!("../../../ptx/count_in.cuh"));
        reduces(text, include_str!("finish.cuh"));
        of_epilogue(text, wrap_lines(&self.cuda()));
        let apply = include_str!("apply_and_reduce.cuh");
        of_epilogue(text, select(apply, &[("TOGETHER", together)]));
        of_epilogue(text, epilogue.to_owned());
    }

    /// Writes what reduces rows in the registers of lanes, up to the struct that makes results of sums.
    pub(super) fn write_rows_of_lanes(&self, text: &mut Sections) {
        let of_epilogue = |text: &mut Sections, file: String| text.of(Part::Staging).add(file);
        of_epilogue(text, format!("typedef {} Reducible;  // what is reduced\n", self.ty.cuda()));
        of_epilogue(text, include_str!("partials.cuh").to_owned());
        self.lines.iter().for_each(|lines| of_epilogue(text, wrap_lines(&lines.cuda(self))));
        text.of(Part::Reduction).add(include_str!("rows_of_lanes.cuh"));
        text.add(include_str!("../../../ptx/count_in.cuh"));
        text.of(Part::Reduction).add(include_str!("finish_rows.cuh"));
        of_epilogue(text, "typedef Rows<RowReductions> Reductions;\n".to_owned());
        let stored = self.stored.iter().map(|(name, ty)| {
            format!(
                "// The value that is stored.\n\
                 __device__ __forceinline__ {} stored(const Result& result) {{ return result.{name}; }}\n",
                ty.cuda()
            )
        });
        stored.for_each(|function| of_epilogue(text, function));
    }

    /// The struct of all.
    fn cuda(&self) -> String {
        let each =
            |line: &dyn Fn(&Lines) -> String| self.lines.iter().map(line).collect::<String>();
        let columns = self.lines.iter().filter(|lines| !lines.of_rows);
        let starts = columns.map(|lines| format!("        {}.start();\n", lines.name()));
        format!(
            "// The outputs that are reduced.\n\
             struct Reductions {{\n\
             {members}    \
             // Begins a pass.\n    \
             __device__ __forceinline__ void start() {{\n\
             {starts}    \
             }}\n    \
             // Takes results; the first `valid` lie inside. Their sums were staged at `place`.\n    \
             __device__ __forceinline__ void take(\n        \
             const Result (&results)[OUT_VECTOR], int valid, Sum* place) {{\n\
             {takes}    \
             }}\n    \
             // Reduces what a pass has left.\n    \
             __device__ __forceinline__ void reduce(const StagedTile& tile) {{\n\
             {reduces}    \
             }}\n    \
             // Ends the part of the output that begins at (row0, col0).\n    \
             __device__ __forceinline__ void finish(\n        \
             void* shared, int row0, int col0, int rows, int cols) const {{\n\
             {finishes}    \
             }}\n\
             }};\n",
            starts = starts.collect::<String>(),
            members = each(&|lines| {
                let fold = if lines.of_rows { "Rows" } else { "Columns" };
                format!("    {fold}<{}> {};\n", lines.ty(), lines.name())
            }),
            takes = each(&|lines| match lines.of_rows {
                true => "        of_rows.take(results, valid, place);\n".to_owned(),
                false => "        of_columns.take(results, valid);\n".to_owned(),
            }),
            reduces = each(&|lines| format!("        {}.reduce(tile);\n", lines.name())),
            finishes = each(&Lines::cuda_finish),
        )
    }
}
