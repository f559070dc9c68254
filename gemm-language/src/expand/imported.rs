//! The constants of a body in the module of the function.

use gemm_codegen::{OperandKind, Spec};
use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

use super::Item;
use super::types::scalar;
use crate::body::Constant;

impl Item<'_> {
    /// Each constant as it is in the scope of the function.
    pub(super) fn imports(&self) -> TokenStream {
        let imports = self.constants.iter().map(|Constant { name, .. }| {
            let span = Span::mixed_site().located_at(name.span());
            quote_spanned!(span=> pub(super) use super::#name;)
        });
        imports.collect()
    }

    /// Each constant of the type that the kernel takes: rustc refuses another one here alone.
    pub(super) fn typed(&self, spec: &Spec) -> TokenStream {
        let typed = self.constants.iter().filter_map(|Constant { name, .. }| {
            let operand = spec.operands.iter().find(|operand| name == &operand.name)?;
            let OperandKind::Scalar(ty) = operand.kind else { return None };
            let (ty, span) = (scalar(ty), Span::mixed_site().located_at(name.span()));
            Some(quote_spanned!(span=> pub(super) const #name: #ty = super::#name;))
        });
        typed.collect()
    }
}
