//! The function's signature → operands and outputs.

mod elsewhere;
mod instance;
mod otherwise;
mod output;
mod parameter;
mod qualifiers;
mod reserved;
mod tensor;
mod tiled;
mod type_parameter;
mod types;

use std::collections::HashSet;

use gemm_codegen::{Field, Operand, Output};
use syn::ext::IdentExt;
use syn::{Ident, ReturnType};

use crate::errors::Errors;
use crate::spans::{Spans, TokenRange};

pub(crate) use instance::Instance;
pub(crate) use output::{OutputType, Returned};
pub(crate) use parameter::{Kind, Parameter};
pub(crate) use reserved::{hides_a_type, refuse_value};
pub(crate) use tensor::{ElementType, Tensor, element};
pub(crate) use type_parameter::{Listed, TypeParameter, declared};
pub(crate) use types::text;

/// The content of the signature. A part with an error is `None`, so that the rest can still be
/// expanded.
pub(crate) struct Signature {
    pub(crate) name: Ident,
    pub(crate) type_parameters: Vec<TypeParameter>,
    pub(crate) parameters: Vec<Parameter>,
    /// The type that is returned, or those of a tuple; `None` for one that could not be read.
    pub(crate) returned: Vec<Option<Returned>>,
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
    /// Operands and outputs of one kernel, if none is missing.
    pub(crate) fn spec(&self, instance: &Instance) -> Option<(Vec<Operand>, Vec<Output>)> {
        let operands = self.operands().map(|parameter| parameter.operand(instance));
        let operands = operands.collect::<Option<_>>()?;
        let in_place = match self.written() {
            Some(parameter) => Some(parameter.spec_name()?),
            None => None,
        };
        let output = |ty: Option<OutputType<'_>>| {
            ty.map(|ty| ty.output(in_place.clone(), instance.element(ty.element())))
        };
        Some((operands, self.outputs().into_iter().map(output).collect::<Option<_>>()?))
    }

    /// The element types that are written, of operands and outputs.
    fn element_types(&self) -> impl Iterator<Item = ElementType> {
        let operands = self.parameters.iter().filter_map(|parameter| match &parameter.kind {
            Some(Kind::Matrix(matrix)) => Some(matrix.element),
            Some(Kind::Vector(vector)) => Some(vector.element),
            Some(Kind::Tiled(tiled, _)) => Some(tiled.element),
            Some(Kind::DeviceScalar(scalar)) => Some(scalar.element),
            Some(Kind::Scalar(_)) | None => None,
        });
        operands.chain(self.returned.iter().flatten().map(|output| output.ty().element()))
    }

    /// The name of a kernel: that of the function and its elements.
    pub(crate) fn kernel_name(&self, instance: &Instance) -> String {
        let name = self.name.unraw();
        match instance.name() {
            elements if elements.is_empty() => name.to_string(),
            elements => format!("{name}_{elements}"),
        }
    }

    /// The names of the type parameters.
    pub(crate) fn type_names(&self) -> Vec<Ident> {
        self.type_parameters.iter().map(|parameter| parameter.name.clone()).collect()
    }

    /// The kernels that there are: each with an element for each type parameter.
    pub(crate) fn instances(&self) -> Vec<Instance> {
        Instance::all(&self.type_parameters)
    }

    /// The parameters that are operands.
    pub(crate) fn operands(&self) -> impl Iterator<Item = &Parameter> {
        self.parameters.iter().filter(|parameter| !parameter.written)
    }

    /// The names of the parameters and of the indices.
    pub(crate) fn names(&self) -> HashSet<String> {
        let parameters = self.parameters.iter().filter_map(Parameter::spec_name);
        let of_kind = |parameter: &Parameter| match &parameter.kind {
            Some(Kind::Matrix(matrix)) => matrix.index_names().to_vec(),
            Some(Kind::Vector(vector)) => vector.index_names().to_vec(),
            Some(Kind::Tiled(tiled, _)) => tiled.index_names().to_vec(),
            Some(Kind::DeviceScalar(_) | Kind::Scalar(_)) | None => Vec::new(),
        };
        let batches = self.parameters.iter().flat_map(Parameter::batch);
        let indices = self.parameters.iter().flat_map(of_kind);
        parameters.chain(indices).chain(batches.map(|batch| batch.unraw().to_string())).collect()
    }

    /// The `&mut` parameter; the first of several, which are an error.
    pub(crate) fn written(&self) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| parameter.written)
    }

    /// The type of each output, at least one; `None` for one that could not be read.
    pub(crate) fn outputs(&self) -> Vec<Option<OutputType<'_>>> {
        match self.written().map(|parameter| &parameter.kind) {
            Some(Some(Kind::Matrix(matrix))) => vec![Some(OutputType::Matrix(matrix))],
            Some(_) => vec![None],
            None => self.returned.iter().map(|of| of.as_ref().map(Returned::ty)).collect(),
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

/// What a part of the signature is read with.
struct Reader<'a> {
    type_parameters: &'a [Ident],
    /// Whether the function has a return type.
    returns: bool,
    spans: &'a mut Spans,
    errors: &'a mut Errors,
}

/// Reads the signature, whose type parameters the attribute lists types for.
pub(crate) fn parse(
    signature: &syn::Signature,
    type_parameters: Vec<TypeParameter>,
    spans: &mut Spans,
    errors: &mut Errors,
) -> Signature {
    spans.set(Field::Function, TokenRange::of(&signature.ident));
    qualifiers::refuse(signature, errors);
    reserved::refuse_type(&signature.ident, errors);
    let names: Vec<_> = type_parameters.iter().map(|of| of.name.clone()).collect();
    let returns = matches!(signature.output, syn::ReturnType::Type(..));
    let mut reader = Reader { type_parameters: &names, returns, spans, errors };
    let mut parameters: Vec<Parameter> = Vec::new();
    for input in &signature.inputs {
        // The output in place is not numbered as an operand.
        let operands = parameters.iter().filter(|earlier| !earlier.written).count();
        let parameter = parameter::parse(operands, input, &mut reader);
        if let Some(name) = &parameter.name {
            reserved::refuse_value(name, "a parameter", reader.errors);
        }
        // Of a type that cannot be written only that is said.
        let is_output = parameter.written && parameter.kind.is_some();
        if is_output && parameters.iter().any(|earlier| earlier.written) {
            reader.errors.push(
                input,
                "a second `&mut` parameter: a function has one output in place",
                output::IN_PLACE,
            );
        }
        parameters.push(parameter);
    }
    let written = parameters.iter().any(|parameter| parameter.written);
    let returned = output::returned(signature, written, &mut reader);
    let returns = matches!(signature.output, ReturnType::Type(..));
    let name = signature.ident.clone();
    let signature = Signature { name, type_parameters, parameters, returned, returns };
    type_parameter::check(&signature, errors);
    signature
}

#[cfg(test)]
mod tests;
