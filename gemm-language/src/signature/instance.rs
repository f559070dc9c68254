//! [`Instance`]: one kernel of a function with type parameters.

use gemm_codegen::Element;

use super::tensor::ElementType;
use super::type_parameter::TypeParameter;

/// An element for each type parameter of a function, in their order. A function without type
/// parameters has one, which is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Instance(Vec<Element>);

impl Instance {
    /// Each choice of a listed element for each type parameter; the last one varies fastest.
    pub(super) fn all(type_parameters: &[TypeParameter]) -> Vec<Instance> {
        let none = vec![Instance::default()];
        type_parameters.iter().fold(none, |chosen, parameter| {
            let longer = |Instance(chosen): &Instance| {
                let chosen = chosen.clone();
                let next = parameter.elements.iter().map(|listed| listed.element);
                next.map(move |element| Instance([&chosen[..], &[element]].concat()))
                    .collect::<Vec<_>>()
            };
            chosen.iter().flat_map(longer).collect()
        })
    }

    /// The element that a type of the signature is here; f32 for a type parameter without a list,
    /// which was reported.
    pub(crate) fn element(&self, ty: ElementType) -> Element {
        match ty {
            ElementType::Is(element) => element,
            ElementType::Parameter(number) => self.0.get(number).copied().unwrap_or(Element::F32),
        }
    }

    /// The elements, for each type parameter.
    pub(crate) fn elements(&self) -> &[Element] {
        &self.0
    }

    /// `f16_f32`: the name of its module; empty without type parameters.
    pub(crate) fn name(&self) -> String {
        self.0.iter().map(|element| element.name()).collect::<Vec<_>>().join("_")
    }

    /// `` `T = f16`, `U = f32` ``.
    pub(crate) fn describe(&self, type_parameters: &[TypeParameter]) -> String {
        let named = type_parameters.iter().zip(&self.0);
        let each = named.map(|(parameter, element)| format!("`{} = {element}`", parameter.name));
        each.collect::<Vec<_>>().join(", ")
    }
}
