//! Kernels of a text that no plan emits: single instructions, probes.

use std::borrow::Cow;

use gemm_codegen::abi::Abi;
use gemm_codegen::{Axis, Element, ParameterKind, Scheduler};
use gemm_runtime::{Factors, Footprint, Kernel, LaunchShape, Parameter};

/// A kernel with an entry point of its own name and the order of words of an emitted one. Its
/// parameters are matrices of f32, by name, rows and columns; the last one is the output.
pub fn kernel(
    entry: String,
    text: String,
    launch: LaunchShape,
    matrices: &[(&'static str, Axis, Axis)],
) -> Kernel {
    let parameter = |(name, rows, columns): &(&'static str, Axis, Axis)| Parameter {
        name: Cow::Borrowed(*name),
        kind: ParameterKind::Matrix { element: Element::F32, rows: *rows, columns: *columns },
        batch: gemm_codegen::Batching::NONE,
        align_constant: None,
        tensor: None,
        planes: None,
        epilogue_box: None,
    };
    let parameters: Vec<Parameter> = matrices.iter().map(parameter).collect();
    Kernel {
        name: Cow::Owned(entry.clone()),
        entry: Cow::Owned(entry),
        text: Cow::Owned(text),
        outputs: 1,
        factors: Factors::Exact,
        reads_output: false,
        launch,
        footprint: Footprint::default(),
        abi: Abi::new(&parameters, (0, &[]), Scheduler::OneTile(None), &[]),
        parameters: parameters.into(),
        facts: None,
    }
}
