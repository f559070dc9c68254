//! Functions with type parameters: a trait that the listed element types implement, and a module
//! for each kernel.
//!
//! `fn linear<T>` has `linear::Element`, the bound of `T`, and `linear::f16` with what there is of
//! one kernel. Of several type parameters the first one is `Self` of the trait, the others are its
//! own.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::Lifetime;

use super::contents::contents;
use super::types::{Names, element};
use super::{Item, Proved, own};
use crate::errors::list;
use crate::signature::Instance;

impl Item<'_> {
    /// Whether there is a type parameter.
    pub(super) fn is_generic(&self) -> bool {
        !self.signature.type_parameters.is_empty()
    }

    /// `<'a, T, U>`, as far as there are parameters to write.
    pub(super) fn generics(&self, lifetime: Option<&Lifetime>) -> TokenStream {
        let lifetime = lifetime.map(|lifetime| quote!(#lifetime,));
        let names = self.signature.type_names();
        quote!(<#lifetime #(#names),*>)
    }

    /// `where T: linear::Element<U>, U: Element`, with the path of the module.
    pub(super) fn bounds(&self, path: &TokenStream) -> TokenStream {
        match &self.signature.type_names()[..] {
            [] => TokenStream::new(),
            [first, others @ ..] => quote! {
                where
                    #first: #path Element<#(#others),*>,
                    #(#others: ::gemm_runtime::Element),*
            },
        }
    }

    /// An item of the trait for the type parameters in scope.
    pub(super) fn of_bound(&self, path: &TokenStream, item: &TokenStream) -> TokenStream {
        let names = self.signature.type_names();
        let (first, others) = (names.first(), names.iter().skip(1));
        quote!(<#first as #path Element<#(#others),*>>::#item)
    }

    /// The note for generic callers.
    fn bound_of_callers(&self) -> String {
        let names: Vec<String> =
            self.signature.type_parameters.iter().map(|of| of.name.to_string()).collect();
        let [first, others @ ..] = &names[..] else { return String::new() };
        let others = match others {
            [] => String::new(),
            others => format!("<{}>", others.join(", ")),
        };
        let name = &self.signature.name;
        format!("a generic caller needs the bound `{first}: {name}::Element{others}`")
    }

    /// The trait, with `items`, and what rustc says of types that do not implement it.
    pub(super) fn bound(&self, items: &TokenStream) -> TokenStream {
        let types = &self.signature.type_parameters;
        let name = &self.signature.name;
        let others = types.iter().skip(1).map(|other| &other.name);
        let unknown = types.iter().enumerate().map(|(number, parameter)| match number {
            0 => format!("`{} = {{Self}}`", parameter.name),
            _ => format!("`{0} = {{{0}}}`", parameter.name),
        });
        let message =
            format!("`{name}` has no kernel with {}", unknown.collect::<Vec<_>>().join(" and "));
        let listed = types.iter().map(|of| {
            let elements = list(of.elements.iter().map(|listed| listed.element));
            format!("`{}` is listed as {elements}", of.name)
        });
        let label = listed.collect::<Vec<_>>().join(", ");
        let doc = format!(" The element types of the kernels: {label}.");
        let note = self.bound_of_callers();
        quote! {
            #[doc = #doc]
            #[diagnostic::on_unimplemented(message = #message, label = #label, note = #note)]
            pub trait Element<#(#others: ::gemm_runtime::Element),*>: ::gemm_runtime::Element {
                /// What `reference` returns.
                type Reference;
                #items
            }
        }
    }
}

/// What the module of the function has besides the launches.
pub(super) fn items(item: &Item<'_>, proved: &[Proved<'_>]) -> TokenStream {
    // In the trait, the first type parameter is `Self`.
    let mut names = item.signature.type_names();
    if let Some(first) = names.first_mut() {
        *first = Ident::new("Self", Span::call_site());
    }
    let of_self = Item { names: Names::Parameters(&names), ..*item };
    let Functions { kernel: one, kernels: several, reference: host } = Functions::of(&of_self);
    let several = several.map(|several| quote!(#[doc(hidden)] #several;));
    let bound = item.bound(&quote! {
        #[doc(hidden)]
        #one;
        #several
        #[doc(hidden)]
        #host;
    });
    let reference = reference(item);
    let kernels = proved.iter().map(|proved| kernel(item, proved));
    quote! {
        #bound
        #reference
        #(#kernels)*
    }
}

/// The functions of the trait, without their bodies.
struct Functions {
    kernel: TokenStream,
    /// Where a launch chooses.
    kernels: Option<TokenStream>,
    reference: TokenStream,
}

impl Functions {
    fn of(item: &Item<'_>) -> Functions {
        let (parameters, _) = host_parameters(item);
        let kernels = quote!(fn kernels() -> &'static ::gemm_runtime::launch::Kernels<'static>);
        Functions {
            kernel: quote!(fn kernel() -> &'static ::gemm_runtime::Kernel),
            kernels: item.schedules.are_several().then_some(kernels),
            reference: quote! {
                fn reference(
                    #(#parameters),*
                ) -> ::core::result::Result<Self::Reference, ::gemm_runtime::Error>
            },
        }
    }
}

/// `name: type` of each argument of `reference`, and the names.
fn host_parameters(item: &Item<'_>) -> (Vec<TokenStream>, Vec<Ident>) {
    let mut parameters = vec![(own("shape"), quote!(::gemm_runtime::Shape))];
    if let Some(batch) = item.batch_type() {
        parameters.insert(0, (own("batch"), batch));
    }
    let operands = item.signature.parameters.iter();
    parameters.extend(operands.map(|operand| (operand.ident(), operand.host_type(item.names))));
    parameters.into_iter().map(|(name, ty)| (quote!(#name: #ty), name)).unzip()
}

/// `reference` of the kernel that the type parameters name.
fn reference(item: &Item<'_>) -> TokenStream {
    let here = quote!(self::);
    let (generics, bounds) = (item.generics(None), item.bounds(&here));
    let (parameters, names) = host_parameters(item);
    let result = item.of_bound(&here, &quote!(Reference));
    let value = item.of_bound(&here, &quote!(reference(#(#names),*)));
    quote! {
        /// The same GEMM on the host: see `reference` of each kernel.
        ///
        /// # Errors
        ///
        /// An operand has another number of elements than `shape` asks for.
        pub fn reference #generics(
            #(#parameters),*
        ) -> ::core::result::Result<#result, ::gemm_runtime::Error> #bounds {
            #value
        }
    }
}

/// The module of a kernel, and the trait for its elements.
fn kernel(item: &Item<'_>, proved: &Proved<'_>) -> TokenStream {
    let Proved { instance, plan, .. } = proved;
    let item = Item { names: Names::Of(instance), ..*item };
    let (docs, contents) = (item.instance_docs(instance, plan), contents(&item, proved));
    let module = module_name(instance);
    let result = item.referenced(plan.results());
    let (_, names) = host_parameters(&item);
    let Functions { kernel, kernels, reference } = Functions::of(&item);
    let kernels = kernels.map(|kernels| quote!(#kernels { &self::#module::KERNELS }));
    let elements: Vec<_> = instance.elements().iter().map(|of| element(*of)).collect();
    let (first, others) = (elements.first(), elements.iter().skip(1));
    quote! {
        #docs
        pub mod #module { #contents }

        impl self::Element<#(#others),*> for #first {
            type Reference = #result;
            #kernel { &self::#module::KERNEL }
            #kernels
            #reference { self::#module::reference(#(#names),*) }
        }
    }
}

/// The name of the module of a kernel.
pub(super) fn module_name(instance: &Instance) -> Ident {
    format_ident!("{}", instance.name())
}
