//! One parameter: an operand, or the output in place.

use gemm_codegen::{Field, Operand, OperandKind, ScalarType};
use syn::ext::IdentExt;
use syn::{FnArg, Ident, Pat, Type, TypeReference};

use super::Reader;
use super::elsewhere;
use super::instance::Instance;
use super::output::{self, IN_PLACE};
use super::tensor::{Tensor, TensorFields, arguments, tensor};
use super::tiled::tiled;
use super::types::{did_you_mean, last_name, text, ungroup};
use crate::spans::TokenRange;

const PARAMETERS: &str = "use `Mat<T, I, J>`, `Vector<T, I>`, `Batched<T, B, I, J>`, \
                          `Tiled<T, I, J, 1, 128>`, `Scalar<T>`, `f32`, `f64` or `i32`";

/// The names of these types.
const NAMES: [&str; 8] = ["Mat", "Vector", "Batched", "Tiled", "Scalar", "f32", "f64", "i32"];

/// One parameter.
pub(crate) struct Parameter {
    pub(crate) name: Option<Ident>,
    pub(crate) kind: Option<Kind>,
    /// Whether it is `&mut`: the output in place, not an operand.
    pub(crate) written: bool,
}

/// The type of a parameter.
pub(crate) enum Kind {
    Matrix(Tensor<2>),
    Vector(Tensor<1>),
    /// The scales of a factor, with the rows and columns of a tile.
    Tiled(Tensor<2>, [u32; 2]),
    /// In device memory.
    DeviceScalar(Tensor<0>),
    /// Passed by value.
    Scalar(ScalarType),
}

impl Parameter {
    pub(super) fn operand(&self, instance: &Instance) -> Option<Operand> {
        let kind = match self.kind.as_ref()? {
            Kind::Matrix(matrix) => {
                let element = instance.element(matrix.element);
                OperandKind::Matrix { element, indices: matrix.index_names() }
            }
            Kind::Vector(vector) => {
                let ([index], element) = (vector.index_names(), instance.element(vector.element));
                OperandKind::Vector { element, index }
            }
            Kind::Tiled(tiled, extents) => {
                let (indices, element) = (tiled.index_names(), instance.element(tiled.element));
                OperandKind::Tiled { element, indices, extents: *extents }
            }
            Kind::DeviceScalar(scalar) => {
                OperandKind::DeviceScalar(instance.element(scalar.element))
            }
            Kind::Scalar(scalar) => OperandKind::Scalar(*scalar),
        };
        let batch = self.batch().iter().map(|index| index.unraw().to_string()).collect();
        Some(Operand { name: self.spec_name()?, batch, kind })
    }

    /// The batch indices, if it is a `Batched`.
    pub(crate) fn batch(&self) -> &[Ident] {
        match &self.kind {
            Some(Kind::Matrix(matrix)) => &matrix.batch,
            Some(Kind::Vector(vector)) => &vector.batch,
            Some(Kind::Tiled(..) | Kind::DeviceScalar(_) | Kind::Scalar(_)) | None => &[],
        }
    }

    pub(crate) fn spec_name(&self) -> Option<String> {
        Some(self.name.as_ref()?.unraw().to_string())
    }
}

/// Reads the parameter that is operand `index`, unless it is `&mut`.
pub(super) fn parse(index: usize, parameter: &FnArg, reader: &mut Reader<'_>) -> Parameter {
    let typed = match parameter {
        FnArg::Typed(typed) => typed,
        FnArg::Receiver(receiver) => {
            let help = "write a function without `self`, which the method calls; in an `impl` both have \
                        `#[gemm]`, the `impl` and the function";
            reader.errors.push(receiver, "a `#[gemm]` function cannot be a method", help);
            return Parameter { name: None, kind: None, written: false };
        }
    };
    for attribute in &typed.attrs {
        let help = "remove it";
        reader.errors.push(attribute, "attributes on parameters are not supported", help);
    }
    let ty = ungroup(&typed.ty);
    let target = written(ty);
    let field = if target.is_some() { Field::OutputName } else { Field::Operand(index) };
    let name = match &*typed.pat {
        Pat::Ident(p) if p.by_ref.is_none() && p.mutability.is_none() && p.subpat.is_none() => {
            reader.spans.set(field, TokenRange::of(&p.ident));
            Some(p.ident.clone())
        }
        other => {
            reader.errors.push(
                other,
                "expected the plain name of an operand",
                "write for example `x: Mat<f16, M, K>`",
            );
            None
        }
    };
    let kind = match target {
        Some(reference) => written_kind(reference, reader),
        None => kind(index, ty, reader),
    };
    Parameter { name, kind, written: target.is_some() }
}

/// The type of a `&mut` parameter.
fn written(ty: &Type) -> Option<&TypeReference> {
    match ty {
        Type::Reference(reference) => reference.mutability.map(|_| reference),
        _ => None,
    }
}

/// The operand type after `&`.
pub(super) fn referenced(ty: &Type) -> Option<&Type> {
    let Type::Reference(reference) = ty else { return None };
    let is_operand = last_name(&reference.elem).is_some_and(|name| NAMES.contains(&&*name));
    is_operand.then_some(&*reference.elem)
}

/// The type after `&mut`: a matrix.
fn written_kind(reference: &TypeReference, reader: &mut Reader<'_>) -> Option<Kind> {
    if let Some(lifetime) = &reference.lifetime {
        reader.errors.push(
            lifetime,
            "lifetimes are not supported here",
            "write `&mut Mat<T, I, J>`",
        );
    }
    output::output(&reference.elem, 0, "written", IN_PLACE, reader).map(Kind::Matrix)
}

/// The type of operand `index`.
fn kind(index: usize, ty: &Type, reader: &mut Reader<'_>) -> Option<Kind> {
    if let Some(target) = referenced(ty) {
        let help = match reader.returns {
            true => "remove the `&`: the generated function borrows its arguments".to_owned(),
            false => {
                format!("write `&mut {}` for an output that is written in place", text(target))
            }
        };
        reader.errors.push(ty, "an operand cannot be a reference", help);
        return None;
    }
    let at = TensorFields {
        element: Field::OperandElement(index),
        batch: Field::OperandBatch(index),
        index: Field::OperandIndex,
        number: index,
    };
    match last_name(ty).as_deref() {
        Some("Mat") => tensor(ty, &at, reader).map(Kind::Matrix),
        Some("Vector") => tensor(ty, &at, reader).map(Kind::Vector),
        // A batch of vectors has one index fewer.
        Some("Batched") if arguments(ty).len() == 3 => tensor(ty, &at, reader).map(Kind::Vector),
        Some("Batched") => tensor(ty, &at, reader).map(Kind::Matrix),
        Some("Tiled") => tiled(ty, &at, reader),
        Some("Scalar") => tensor(ty, &at, reader).map(Kind::DeviceScalar),
        Some("f32") => Some(Kind::Scalar(ScalarType::F32)),
        Some("f64") => Some(Kind::Scalar(ScalarType::F64)),
        Some("i32") => Some(Kind::Scalar(ScalarType::I32)),
        name => {
            let message = format!("`{}` is not an operand type", text(ty));
            let help = elsewhere::instead(name)
                .map_or_else(|| did_you_mean(name, NAMES, PARAMETERS), str::to_owned);
            reader.errors.push(ty, message, help);
            None
        }
    }
}
