//! `SIGNATURE`: the signature as data, for crates that make operations of annotated functions.

use gemm_codegen::{Batching, Parameter, ParameterKind, Plan};
use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;

use super::Item;
use super::constant::Constant;
use crate::signature::{ElementType, Kind, OutputType, Signature, Tensor, text};

/// The constant of the module of a function with this plan, or one of its plans: the roles of the
/// indices are the same in all.
pub(super) fn declared(item: &Item<'_>, plan: &Plan) -> TokenStream {
    let signature = item.signature;
    let function = signature.name.unraw().to_string();
    let (parameters, declared) = (parameters(signature, plan), types(signature));
    let indices = plan.problem().index_names();
    let indices = indices.iter().map(Constant::tokens);
    let (outputs, in_place) = (plan.problem().stores().len(), signature.written().is_some());
    quote! {
        /// The signature as data, for crates that make operations of this function.
        pub const SIGNATURE: ::gemm_runtime::signature::Signature =
            ::gemm_runtime::signature::Signature {
                function: #function,
                parameters: &[#(#parameters),*],
                declared: &[#(#declared),*],
                indices: &[#(#indices),*],
                outputs: #outputs,
                in_place: #in_place,
            };
    }
}

/// That of a function without a plan.
pub(super) fn unknown() -> TokenStream {
    quote! {
        pub const SIGNATURE: ::gemm_runtime::signature::Signature =
            ::gemm_runtime::signature::Signature::UNKNOWN;
    }
}

/// The operands, without the constants of the body, which follow them in a plan, and the outputs.
fn parameters(signature: &Signature, plan: &Plan) -> Vec<TokenStream> {
    let problem = plan.problem();
    let operands = signature.operands().zip(problem.operands()).enumerate();
    let operands = operands.map(|(number, (operand, kind))| {
        parameter(operand.spec_name().unwrap_or_default(), *kind, plan.batching(number))
    });
    let outputs = problem.stores().iter().enumerate().map(|(number, store)| {
        let written = signature.written().and_then(|parameter| parameter.spec_name());
        let name = match problem.stores().len() {
            1 => "out".to_owned(),
            _ => format!("out{number}"),
        };
        parameter(written.unwrap_or(name), store.kind(), plan.output_batching())
    });
    operands.chain(outputs).collect()
}

/// A parameter without what depends on a schedule.
fn parameter(name: String, kind: ParameterKind, batch: Batching) -> TokenStream {
    let (align_constant, tensor, planes, epilogue_box) = (None, None, None, None);
    Parameter { name: name.into(), kind, batch, align_constant, tensor, planes, epilogue_box }
        .tokens()
}

/// The types of the operands and the outputs, as they are written.
fn types(signature: &Signature) -> Vec<TokenStream> {
    let operands = signature.operands().map(|operand| match &operand.kind {
        Some(Kind::Matrix(matrix)) => ty(matrix, ""),
        Some(Kind::Vector(vector)) => ty(vector, ""),
        Some(Kind::Tiled(tiled, _)) => ty(tiled, ""),
        Some(Kind::DeviceScalar(scalar)) => ty(scalar, ""),
        Some(Kind::Scalar(scalar)) => entry(scalar.to_string(), None),
        None => entry(String::new(), None),
    });
    let reference = if signature.written().is_some() { "&mut " } else { "" };
    let outputs = signature.outputs().into_iter().flatten();
    let outputs = outputs.map(|output| match output {
        OutputType::Matrix(tensor) => ty(tensor, reference),
        OutputType::Reduced(tensor) => ty(tensor, reference),
    });
    operands.chain(outputs).collect()
}

fn ty<const N: usize>(tensor: &Tensor<N>, reference: &str) -> TokenStream {
    let batch = match &tensor.batch[..] {
        [] => None,
        [index] => Some(index.to_string()),
        [outer, inner @ ..] => {
            let inner: String = inner.iter().map(|index| format!(", {index}")).collect();
            Some(format!("({outer}{inner})"))
        }
    };
    let indices = batch.into_iter().chain(tensor.indices.iter().map(ToString::to_string));
    let indices: String = indices.map(|index| format!(", {index}")).collect();
    let (path, element) = (text(&tensor.path), text(&tensor.element_type));
    let type_parameter = match tensor.element {
        ElementType::Parameter(number) => Some(number),
        ElementType::Is(_) => None,
    };
    entry(format!("{reference}{path}<{element}{indices}>"), type_parameter)
}

fn entry(text: String, type_parameter: Option<usize>) -> TokenStream {
    let type_parameter = type_parameter.tokens();
    quote! {
        ::gemm_runtime::signature::Declared { text: #text, type_parameter: #type_parameter }
    }
}
