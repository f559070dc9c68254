//! The function's signature → operands and outputs.

mod output;
mod parameter;
mod qualifiers;
mod reserved;
mod tensor;
mod types;

use gemm_codegen::{Field, Operand, Output};
use syn::{Ident, ReturnType};

use crate::errors::Errors;
use crate::spans::{Spans, TokenRange};

pub(crate) use parameter::{Kind, Parameter};
pub(crate) use reserved::hides_a_type;
pub(crate) use tensor::Tensor;

/// The content of the signature. A part with an error is `None`, so that the rest can still be
/// expanded.
pub(crate) struct Signature {
    pub(crate) name: Ident,
    pub(crate) parameters: Vec<Parameter>,
    /// The type that is returned, or those of a tuple; `None` for one that could not be read.
    pub(crate) returned: Vec<Option<Tensor<2>>>,
    /// Whether a return type was written.
    returns: bool,
}

/// The use of the value of a body.
#[derive(Clone, Copy)]
pub(crate) enum BodyUse<'a> {
    /// Returned.
    Returned,
    /// Assigned to `*c`, the parameter of this name.
    InPlace(&'a Ident),
    /// Unknown: the signature contradicts itself, which is reported.
    Unclear,
}

impl Signature {
    /// Operands and outputs, if none is missing.
    pub(crate) fn spec(&self) -> Option<(Vec<Operand>, Vec<Output>)> {
        let operands = self.parameters.iter().filter(|parameter| !parameter.written);
        let operands = operands.map(Parameter::operand).collect::<Option<_>>()?;
        let in_place = match self.written() {
            Some(parameter) => Some(parameter.spec_name()?),
            None => None,
        };
        let output = |tensor: Option<&Tensor<2>>| {
            let tensor = tensor?;
            let (batch, indices) = (tensor.batch_name(), tensor.index_names());
            let in_place = in_place.clone();
            Some(Output { in_place, batch, element: tensor.element, indices })
        };
        Some((operands, self.outputs().into_iter().map(output).collect::<Option<_>>()?))
    }

    /// The `&mut` parameter; the first of several, which are an error.
    pub(crate) fn written(&self) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| parameter.written)
    }

    /// The type of each output, at least one; `None` for one that could not be read.
    pub(crate) fn outputs(&self) -> Vec<Option<&Tensor<2>>> {
        match self.written().map(|parameter| &parameter.kind) {
            Some(Some(Kind::Matrix(matrix))) => vec![Some(matrix)],
            Some(_) => vec![None],
            None => self.returned.iter().map(Option::as_ref).collect(),
        }
    }

    /// The use of the value of the body.
    pub(crate) fn form(&self) -> BodyUse<'_> {
        match self.written() {
            None if self.returns => BodyUse::Returned,
            Some(Parameter { name: Some(name), .. }) if !self.returns => BodyUse::InPlace(name),
            _ => BodyUse::Unclear,
        }
    }
}

/// Reads the signature.
pub(crate) fn parse(
    signature: &syn::Signature,
    spans: &mut Spans,
    errors: &mut Errors,
) -> Signature {
    spans.set(Field::Function, TokenRange::of(&signature.ident));
    qualifiers::refuse(signature, errors);
    reserved::refuse_type(&signature.ident, errors);
    let mut parameters: Vec<Parameter> = Vec::new();
    for input in &signature.inputs {
        // The output in place is not numbered as an operand.
        let operands = parameters.iter().filter(|earlier| !earlier.written).count();
        let parameter = parameter::parse(operands, input, spans, errors);
        if let Some(name) = &parameter.name {
            reserved::refuse_value(name, errors);
        }
        if parameter.written && parameters.iter().any(|earlier| earlier.written) {
            errors.push(
                input,
                "a second `&mut` parameter: a function has one output in place",
                output::IN_PLACE,
            );
        }
        parameters.push(parameter);
    }
    let written = parameters.iter().any(|parameter| parameter.written);
    let returned = output::returned(signature, written, spans, errors);
    let returns = matches!(signature.output, ReturnType::Type(..));
    Signature { name: signature.ident.clone(), parameters, returned, returns }
}

#[cfg(test)]
mod tests;
