//! The items that stand in place of the annotated function: a function that launches and a
//! module of the same name.

mod bound;
mod constant;
mod contents;
mod declared;
mod docs;
mod erased;
mod examples;
mod factors;
mod fallback;
mod generic;
mod host;
mod imported;
mod in_turn;
mod legal;
mod marker;
mod output_form;
mod own;
mod products;
mod reduced;
mod renamed;
mod types;
mod wrapping;

use gemm_codegen::Plan;
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::{Attribute, Ident, Lifetime};

use crate::body::Constant;
use crate::function::Function;
use crate::signature::{Instance, Signature};

pub(crate) use fallback::fallback;
pub(crate) use legal::kernels;
pub(crate) use own::{Own, associated_function, on_host, own_function};
pub(crate) use renamed::renamed;
pub(crate) use types::Names;

/// What was written.
#[derive(Clone, Copy)]
pub(crate) struct Item<'a> {
    pub(crate) function: &'a Function,
    pub(crate) signature: &'a Signature,
    pub(crate) schedules: Schedules,
    /// The built-in functions that the body calls but those of coordinates, nor one of the name of the
    /// function itself.
    pub(crate) calls: &'a [Ident],
    /// The functions of the user's own that the body calls.
    pub(crate) own: &'a Own,
    /// `row` and `column` where the body calls them.
    pub(crate) coordinates: &'a [Ident],
    /// The constants that the body names.
    pub(crate) constants: &'a [Constant],
    /// The names of the element types where an item is written.
    pub(crate) names: Names<'a>,
}

/// The schedules of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Schedules {
    /// A written or the derived one.
    One,
    /// The derived one and others, planned when they are first needed.
    Auto,
    /// One for each `#[gemm]`: that of the first and these.
    Written { further: usize },
}

impl Schedules {
    /// Whether a launch chooses.
    pub(crate) fn are_several(self) -> bool {
        self != Schedules::One
    }

    /// The module and id of each written one but the first.
    fn further(self) -> impl Iterator<Item = Ident> {
        let number = match self {
            Schedules::Written { further } => further,
            Schedules::One | Schedules::Auto => 0,
        };
        (2..number + 2).map(|number| format_ident!("schedule_{number}"))
    }
}

/// A kernel that was proved.
pub(crate) struct Proved<'a> {
    pub(crate) instance: &'a Instance,
    /// That of the first attribute.
    pub(crate) plan: Plan,
    /// Those of the further ones.
    pub(crate) others: Vec<Plan>,
}

impl<'a> Proved<'a> {
    /// The kernel with these plans, if there is one.
    pub(crate) fn new(instance: &'a Instance, plans: Vec<Plan>) -> Option<Proved<'a>> {
        let mut plans = plans.into_iter();
        Some(Proved { instance, plan: plans.next()?, others: plans.collect() })
    }
}

/// A name that no name of the user can meet.
fn own(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// The lifetime of everything a launch borrows.
fn borrow() -> Lifetime {
    Lifetime::new("'a", Span::mixed_site())
}

impl Item<'_> {
    /// The attributes of the function.
    fn function_attributes(&self) -> TokenStream {
        let kept = self.function.attributes.iter().filter(|a| !a.path().is_ident("expect"));
        quote! {
            #(#kept)*
            #[allow(deprecated, clippy::too_many_arguments, clippy::needless_pass_by_value)]
        }
    }

    /// The attributes of the module: what decides whether the function exists and is seen.
    fn module_attributes(&self) -> TokenStream {
        let shared = ["cfg", "deprecated", "allow", "warn", "deny", "forbid"];
        let kept = self.attributes(&shared);
        let docs = examples::left_out(self.attributes(&["doc"]));
        quote! {
            #(#docs)*
            #(#kept)*
            #[allow(
                non_snake_case, unreachable_pub, clippy::too_many_arguments,
                clippy::needless_pass_by_value
            )]
        }
    }

    /// The attributes of the function that holds the body: its lints.
    fn body_attributes(&self) -> impl Iterator<Item = &Attribute> {
        self.attributes(&["expect"])
    }

    /// The attributes with one of these names.
    fn attributes(&self, names: &[&'static str]) -> impl Iterator<Item = &Attribute> {
        let names = names.to_vec();
        self.function
            .attributes
            .iter()
            .filter(move |a| names.iter().any(|name| a.path().is_ident(name)))
    }
}
