//! What is stored: the types of the outputs and of the body's values, and the struct that stores
//! several.

use crate::element::{Element, ScalarType};
use crate::parameter::MAX_ALIGN;
use crate::problem::ParameterKind;

use super::Epilogue;
use crate::text::Sections;

impl Epilogue {
    /// The types of the outputs' elements and of the body's values, and how many elements of a row
    /// a thread stores at a time. An output is its name in the text and what it is.
    pub(crate) fn cuda_types(
        &self,
        outputs: &[(&str, ParameterKind)],
        results: impl Iterator<Item = ScalarType>,
    ) -> String {
        let results: Vec<&str> = results.map(ScalarType::cuda).collect();
        match (outputs, &results[..]) {
            ([output], [result]) => {
                self.cuda_type(output, &format!("typedef {result} Result;  // of the body\n"))
            }
            _ => self.cuda_types_of_several(outputs, &results),
        }
    }

    /// The same where outputs are reduced: a thread has as many elements whatever the alignments.
    pub(crate) fn cuda_types_of_reduced(
        &self,
        outputs: &[(&str, ParameterKind)],
        results: impl Iterator<Item = ScalarType>,
        vector: u32,
    ) -> String {
        let results: Vec<&str> = results.map(ScalarType::cuda).collect();
        let result = match &results[..] {
            [result] => format!("typedef {result} Result;  // of the body\n"),
            _ => result_of_several(outputs, &results),
        };
        if let Some(matrix) = outputs.iter().find(|output| is_matrix(output))
            && self.reduces_in_registers()
        {
            return self.cuda_type(matrix, &result);
        }
        format!(
            "{result}constexpr int OUT_VECTOR = {vector};  // elements of a row that a thread has\n"
        )
    }

    /// Bytes of a store to an output, in the text and as a number.
    fn cuda_bytes(&self, (name, kind): &(&str, ParameterKind)) -> (String, u32) {
        let bytes = self.store_bytes(kind.element().map_or(1, Element::bytes));
        let text = match bytes {
            MAX_ALIGN => format!("ALIGN_{name}"),
            bytes => format!("(ALIGN_{name} < {bytes} ? ALIGN_{name} : {bytes})"),
        };
        (text, bytes)
    }

    /// Those of the one output.
    fn cuda_type(&self, output: &(&str, ParameterKind), result: &str) -> String {
        let (bytes, number) = self.cuda_bytes(output);
        // The comment leaves room for the longer expression.
        let count = if number == MAX_ALIGN { "elements of one store" } else { "of one store" };
        format!(
            "typedef {element} Out;\n\
             {result}\
             constexpr int OUT_VECTOR = {bytes} / int(sizeof(Out));  // {count}\n",
            element = name_of(&output.1),
        )
    }

    fn cuda_types_of_several(&self, outputs: &[(&str, ParameterKind)], results: &[&str]) -> String {
        let result = result_of_several(outputs, results);
        let vector = |name: &str| format!("{}_VECTOR", name.to_uppercase());
        let vectors = outputs.iter().map(|output @ (name, kind)| {
            let (vector, (bytes, _), element) =
                (vector(name), self.cuda_bytes(output), name_of(kind));
            format!("constexpr int {vector} = {bytes} / int(sizeof({element}));\n")
        });
        let names = outputs.iter().rev().map(|(name, _)| vector(name));
        let fewest = names.reduce(|fewest, name| format!("fewer({name}, {fewest})"));
        format!(
            "{result}\
             // The elements of one store to each. A thread stores the fewest of these to all, so that the\n\
             // stores of a warp are contiguous in each output.\n\
             __device__ constexpr int fewer(int a, int b) {{ return a < b ? a : b; }}\n\
             {vectors}\
             constexpr int OUT_VECTOR = {fewest};\n\
             static_assert(BLK_{cols} % OUT_VECTOR == 0, \"stores tile a row of the block\");\n",
            vectors = vectors.collect::<String>(),
            fewest = fewest.unwrap_or_default(),
            cols = if self.n_contiguous() { "N" } else { "M" },
        )
    }
}

/// The struct of the body's values for several outputs.
fn result_of_several(outputs: &[(&str, ParameterKind)], results: &[&str]) -> String {
    let members = results.iter().zip(outputs).map(|(ty, (name, _))| format!("{ty} {name};"));
    let members = members.collect::<Vec<_>>().join(" ");
    format!("struct Result {{ {members} }};  // of the body\n")
}

impl Epilogue {
    /// The struct `Outputs`, whose `store` stores results of the body, and what it is made of.
    pub(crate) fn write_outputs(
        &self,
        text: &mut Sections,
        outputs: &[(&str, ParameterKind)],
        results: impl Iterator<Item = ScalarType>,
    ) {
        match outputs.iter().find(|output| is_matrix(output)) {
            Some(matrix) if self.reduces_in_registers() => write_outputs(text, &[*matrix], results),
            _ => write_outputs(text, outputs, results),
        }
    }
}

/// Whether an output is not reduced.
fn is_matrix((_, kind): &(&str, ParameterKind)) -> bool {
    matches!(kind, ParameterKind::Matrix { .. })
}

fn write_outputs(
    text: &mut Sections,
    outputs: &[(&str, ParameterKind)],
    results: impl Iterator<Item = ScalarType>,
) {
    if !outputs.iter().any(is_matrix) {
        return text.add(include_str!("reduced/no_outputs.cuh"));
    }
    if let [(name, _)] = outputs {
        text.add(include_str!("output.cuh"));
        return text.add(format!("typedef Output<Out, ALIGN_{name}> Outputs;\n"));
    }
    text.add(include_str!("output_of_several.cuh"));
    let matrices = || outputs.iter().filter(|output| is_matrix(output));
    let of_matrices = outputs.iter().zip(results).filter(|(output, _)| is_matrix(output));
    let members = of_matrices.map(|((name, kind), result)| {
        let (element, value) = (name_of(kind), result.cuda());
        format!("    Output<{element}, {value}, ALIGN_{name}> {name};\n")
    });
    let stores = matrices().map(|(name, _)| {
        format!("        {name}.store<&Result::{name}>(results, row, col, valid);\n")
    });
    text.add(format!(
        "// What the results of the body are stored to, each value to its output.\n\
         struct Outputs {{\n\
         {members}    \
         template <int COUNT>\n    \
         __device__ __forceinline__ void store(\n        \
         const Result (&results)[COUNT], int row, int col, int valid) const {{\n\
         {stores}    \
         }}\n\
         }};\n",
        members = members.collect::<String>(),
        stores = stores.collect::<String>(),
    ));
}

/// The name of a matrix's elements.
fn name_of(kind: &ParameterKind) -> String {
    kind.element().map_or_else(String::new, |element| element.to_string())
}
