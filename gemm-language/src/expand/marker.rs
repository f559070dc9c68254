//! One warning for an unused function, at its name.
//!
//! The lint `dead_code` ignores the items of a macro. So the module has an empty function, whose
//! tokens are at the place of the user's name, and everything else of the expansion uses it: the
//! kernel, which every launch uses, and the host's twin.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::{Item, Names};

impl Item<'_> {
    /// The function that is unused if the user's is.
    pub(super) fn marker(&self) -> TokenStream {
        let name = &self.signature.name;
        let function = quote_spanned!(name.span()=> pub(super) const fn #name() {});
        quote!(mod used { #function })
    }

    /// Uses it, in the items of one kernel.
    pub(super) fn mark(&self) -> TokenStream {
        let name = &self.signature.name;
        let module = match self.names {
            Names::Of(_) if self.is_generic() => quote!(super),
            Names::Of(_) | Names::Parameters(_) => quote!(self),
        };
        quote!(#module::used::#name())
    }
}
