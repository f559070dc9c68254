//! Tokens → items, phase by phase.

mod parse;
mod prove;
mod suggestions;

use gemm_codegen::{Plan, Spec};
use proc_macro2::{Span, TokenStream};
use quote::quote;

use crate::errors::Errors;
use crate::expand::{self, Item, Names, Proved, Schedules};
use crate::function::{Function, Refused, parsed_again};
use crate::own::Library;
pub(crate) use parse::runtime;
use parse::{Parsed, parse};

/// Expands `#[gemm(arguments)] item` with these functions of the user's own: to the items, or to the errors and
/// items without a kernel.
pub(crate) fn expand(arguments: TokenStream, item: TokenStream, library: &Library) -> TokenStream {
    let mut errors = Errors::default();
    let written = (arguments.clone(), item.clone());
    let mut function = match Function::new(item, &mut errors) {
        Ok(function) => function,
        Err(Refused { is_function: true, .. }) => return parsed_again(&written.1),
        Err(Refused { error, kept, .. }) => {
            let error = error.to_compile_error();
            return quote!(#kept #error);
        }
    };
    let again = function.unread.as_ref().map(|_| parsed_again(&written.1));
    let parsed = parse(arguments, &function, library, &mut errors);
    let proved = if library.is_wrong || again.is_some() {
        // What is wrong with the kernel may follow from it.
        errors = Errors::default();
        None
    } else {
        let proved = parsed.prove(&mut errors);
        suggestions::judge(&mut errors, library, &written.0, &written.1);
        proved
    };
    let Parsed { signature, written, calls, own, coordinates, constants, .. } = &parsed;
    let (schedules, names) = (*written, signature.type_names());
    let names = Names::Parameters(&names);
    function.block = expand::on_host(function.block);
    let function = &function;
    let item = Item { function, signature, schedules, calls, own, coordinates, constants, names };
    let items = match proved {
        Some(proved) => expand::kernels(&item, &proved),
        None => expand::fallback(&item, &errors),
    };
    let items = match &parsed.runtime {
        Some(runtime) => expand::renamed(items, runtime),
        None => items,
    };
    quote!(#items #again)
}

/// A kernel that an annotated function declares: the same as its expansion has.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// What was asked, by the name of the function; of a type parameter with the elements as well,
    /// as in `linear_f16`.
    pub spec: Spec,
    /// Its proof with the written or the derived schedule; `KERNEL` is emitted from it.
    pub plan: Plan,
    /// Whether a launch chooses among candidates: no key fixes the schedule.
    pub auto: bool,
    /// The proofs of the schedules of further `#[gemm]`, among which a launch chooses too.
    pub others: Vec<Plan>,
    /// The path of the module that has its `KERNEL`: `linear`, or `linear::f16` for an element of a
    /// type parameter.
    pub path: String,
    /// The names of the constants in the scope of the function that its body names: the scalars of
    /// these names among the operands of `spec`.
    pub constants: Vec<String>,
}

/// Reads `#[gemm(arguments)] item` as [`expand`](crate::expand) does, without expanding it: a kernel, or one for
/// each choice of the elements that the attribute lists.
///
/// # Errors
/// Every error of the phase that failed, as `expand` reports them. One about what is not written has
/// the span of `arguments` where there are any, else an empty one.
pub fn read(arguments: TokenStream, item: TokenStream) -> syn::Result<Vec<Declaration>> {
    read_with(arguments, item, &Library::none(), Errors::default())
}

/// Reads an annotated item of `#[gemm] mod name { items }` as [`read`] does.
///
/// # Errors
/// As of [`read`], and every mistake in the functions of the module that its bodies call.
pub fn read_in_module(
    items: TokenStream,
    arguments: TokenStream,
    item: TokenStream,
) -> syn::Result<Vec<Declaration>> {
    let mut errors = Errors::default();
    let library = Library::of(&syn::parse2::<syn::File>(items)?.items, &mut errors);
    read_if_right(arguments, item, &library, errors)
}

/// Reads an annotated item of `#[gemm] impl Type { block }` as [`read`] does; `module` has the items of the annotated
/// module that this lies in.
///
/// # Errors
/// As of [`read_in_module`], also of the functions of the `impl`.
pub fn read_in_impl(
    module: Option<TokenStream>,
    block: TokenStream,
    arguments: TokenStream,
    item: TokenStream,
) -> syn::Result<Vec<Declaration>> {
    let mut errors = Errors::default();
    let items = module.map(syn::parse2::<syn::File>).transpose()?.map(|file| file.items);
    let library = items.map_or(Library::none(), |items| Library::of(&items, &mut errors));
    let block: syn::ItemImpl = syn::parse2(quote!(impl Type { #block }))?;
    let library = library.in_impl(&block.items, &mut errors);
    read_if_right(arguments, item, &library, errors)
}

/// Reads an item whose functions of the user's own may have mistakes.
fn read_if_right(
    arguments: TokenStream,
    item: TokenStream,
    library: &Library,
    errors: Errors,
) -> syn::Result<Vec<Declaration>> {
    match library.is_wrong {
        true => errors.into_error().map_or(Ok(Vec::new()), Err),
        false => read_with(arguments, item, library, errors),
    }
}

fn read_with(
    arguments: TokenStream,
    item: TokenStream,
    library: &Library,
    mut errors: Errors,
) -> syn::Result<Vec<Declaration>> {
    let written = (arguments.clone(), item.clone());
    let function = Function::new(item, &mut errors).map_err(|refused| refused.error)?;
    if let Some(error) = function.unread {
        return Err(error);
    }
    let parsed = parse(arguments, &function, library, &mut errors);
    let (proved, auto) = (parsed.prove(&mut errors), parsed.written == Schedules::Auto);
    suggestions::judge(&mut errors, library, &written.0, &written.1);
    let name = &parsed.signature.name;
    let constants: Vec<String> = parsed.constants.iter().map(|one| one.name.to_string()).collect();
    let declaration = |Proved { instance, plan, others }: Proved<'_>| {
        let (module, spec) = (instance.name(), plan.spec().clone());
        let path = if module.is_empty() { name.to_string() } else { format!("{name}::{module}") };
        Declaration { spec, plan, auto, others, path, constants: constants.clone() }
    };
    match (proved, errors.into_error()) {
        (_, Some(errors)) => Err(errors),
        (Some(proved), None) => Ok(proved.into_iter().map(declaration).collect()),
        (None, None) => Err(syn::Error::new(Span::call_site(), "a part of it could not be read")),
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod time;
