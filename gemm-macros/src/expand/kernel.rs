//! The items of a legal spec.

use gemm_codegen::auto::Footprint;
use gemm_codegen::{Axis, Kernel, LaunchShape, Parameter, ParameterKind, Plan, SplitK, TensorBox};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

use super::parts::Parts;
use super::{Item, borrow, own};
use crate::signature::Kind;

/// The items of a spec that was proved, with one schedule or several.
pub(crate) fn kernel(item: &Item<'_>, proved: &[(Plan, Kernel)]) -> TokenStream {
    let Some((plan, kernel)) = proved.first() else { return TokenStream::new() };
    let launch = launch(item, proved);
    let module = module(item, (plan, kernel), proved);
    quote!(#launch #module)
}

/// What a launch is given to run: the kernel, or the one that is chosen for the arguments, which
/// `arguments` names. `path` leads to the module.
fn chosen(item: &Item<'_>, path: &TokenStream, arguments: &Ident) -> TokenStream {
    let device = own("device");
    match item.auto {
        true => quote! {
            ::gemm_runtime::__private::choose(#device, &#path KERNELS, &#arguments)
        },
        false => quote!(&#path KERNEL),
    }
}

/// The function: launches and returns new matrices, or nothing where a parameter is written.
fn launch(item: &Item<'_>, proved: &[(Plan, Kernel)]) -> TokenStream {
    let attributes = item.function_attributes();
    let docs = item.function_docs(proved);
    let visibility = &item.function.visibility;
    let name = &item.signature.name;
    let (a, device) = (borrow(), own("device"));
    let parameters = parameters(item);
    let arguments = arguments(item);
    let proofs = item.proofs();
    let returned = item.returned();
    let all = own("arguments");
    let chosen = chosen(item, &quote!(#name::), &all);
    let launch = match item.signature.written() {
        Some(_) => quote!(into),
        None if item.signature.returned.len() > 1 => quote!(run_several),
        None if item.batched() => quote!(run_batched),
        None => quote!(run),
    };
    quote! {
        #attributes
        #docs
        #visibility fn #name<#a>(
            #device: &::gemm_runtime::Device,
            #(#parameters),*
        ) -> ::core::result::Result<#returned, ::gemm_runtime::Error> {
            #proofs
            let #all = [#(#arguments),*];
            ::gemm_runtime::__private::#launch(#device, #chosen, #all)
        }
    }
}

/// The module: constants, and the other ways to run it.
fn module(
    item: &Item<'_>,
    (plan, kernel): (&Plan, &Kernel),
    proved: &[(Plan, Kernel)],
) -> TokenStream {
    let attributes = item.module_attributes();
    let docs = item.module_docs(proved);
    let visibility = &item.function.visibility;
    let name = &item.signature.name;
    let (text, table) = (&kernel.text, plan.table());
    let source = kernel_source(kernel, quote!(SOURCE));
    let kernels = item.auto.then(|| kernels(proved));
    let launches = launches(item);
    let host = item.host(plan, kernel);
    quote! {
        #attributes
        #docs
        #visibility mod #name {
            /// The CUDA C++ text of the kernel.
            pub const SOURCE: &::core::primitive::str = #text;
            /// The plan as a Markdown table.
            pub const PLAN: &::core::primitive::str = #table;
            /// The text and what a launch has to know about it.
            pub static KERNEL: ::gemm_runtime::Kernel = #source;
            #kernels
            #launches
            #host
        }
    }
}

/// `KERNELS`, of which `KERNEL` is the first. The others are made when they are first looked at.
fn kernels(proved: &[(Plan, Kernel)]) -> TokenStream {
    let others = proved.get(1..).unwrap_or_default();
    let mut parts = Parts::default();
    let sources = others.iter().map(|(_, kernel)| {
        let text = parts.text(&kernel.text);
        kernel_source(kernel, text)
    });
    let sources: Vec<TokenStream> = sources.collect();
    let parts = parts.items();
    quote! {
        #parts
        static OTHERS: ::std::sync::LazyLock<::std::vec::Vec<::gemm_runtime::Kernel>> =
            ::std::sync::LazyLock::new(|| ::std::vec![#(#sources),*]);
        /// The kernels among which a launch chooses by its shape; the first one is `KERNEL`.
        pub static KERNELS: ::gemm_runtime::launch::Kernels<'static> =
            ::gemm_runtime::launch::Kernels::lazy(&KERNEL, &OTHERS);
    }
}

/// A kernel as the runtime takes it; `text` is the expression of its text.
fn kernel_source(kernel: &Kernel, text: TokenStream) -> TokenStream {
    let Kernel { name, entry, outputs, reads_output, .. } = kernel;
    let launch = launch_shape(&kernel.launch);
    let footprint = footprint(&kernel.footprint);
    let parameters = kernel.parameters.iter().map(parameter);
    quote! {
        ::gemm_runtime::Kernel {
            name: ::std::borrow::Cow::Borrowed(#name),
            entry: ::std::borrow::Cow::Borrowed(#entry),
            text: ::std::borrow::Cow::Borrowed(#text),
            parameters: ::std::borrow::Cow::Borrowed(&[#(#parameters),*]),
            outputs: #outputs,
            reads_output: #reads_output,
            launch: #launch,
            footprint: #footprint,
        }
    }
}

/// The value of `KERNEL.launch`.
fn launch_shape(launch: &LaunchShape) -> TokenStream {
    let LaunchShape { block_tile, threads, shared_bytes, targets, .. } = launch;
    let split_k = split_k(launch.split_k);
    let pdl = match &launch.pdl {
        None => quote!(::core::option::Option::None),
        Some(early) => quote! {
            ::core::option::Option::Some(::std::borrow::Cow::Borrowed(&[#(#early),*]))
        },
    };
    // Variants of codegen's enums are named in the expansion as they are in codegen.
    let targets = targets.iter().map(|target| format_ident!("{target:?}"));
    quote! {
        ::gemm_runtime::LaunchShape {
            block_tile: [#(#block_tile),*],
            split_k: #split_k,
            threads: #threads,
            shared_bytes: #shared_bytes,
            pdl: #pdl,
            targets: ::std::borrow::Cow::Borrowed(
                &[#(::gemm_runtime::__private::Target::#targets),*]
            ),
        }
    }
}

/// The value of `KERNEL.footprint`.
pub(super) fn footprint(footprint: &Footprint) -> TokenStream {
    let Footprint {
        block,
        warps,
        step,
        products,
        element_bytes,
        k_contiguous,
        ring_bytes,
        stages,
        shared_bytes,
        registers,
        splits,
        tail,
        tensors,
    } = footprint;
    quote! {
        ::gemm_runtime::__private::Footprint {
            block: [#(#block),*],
            warps: [#(#warps),*],
            step: #step,
            products: #products,
            element_bytes: [#(#element_bytes),*],
            k_contiguous: [#(#k_contiguous),*],
            ring_bytes: #ring_bytes,
            stages: #stages,
            shared_bytes: #shared_bytes,
            registers: #registers,
            splits: #splits,
            tail: #tail,
            tensors: #tensors,
        }
    }
}

/// The value of `KERNEL.launch.split_k`.
fn split_k(split_k: Option<SplitK>) -> TokenStream {
    match split_k {
        None => quote!(::core::option::Option::None),
        Some(SplitK { splits, tail, partial_bytes }) => quote! {
            ::core::option::Option::Some(::gemm_runtime::__private::SplitK {
                splits: #splits,
                tail: #tail,
                partial_bytes: #partial_bytes,
            })
        },
    }
}

fn parameter(parameter: &Parameter) -> TokenStream {
    let axis = |axis: Axis| format_ident!("{axis:?}");
    let kind = match parameter.kind {
        ParameterKind::Matrix { element, rows, columns } => {
            let (element, rows, columns) =
                (format_ident!("{element:?}"), axis(rows), axis(columns));
            quote! {
                Matrix {
                    element: ::gemm_runtime::__private::ElementType::#element,
                    rows: ::gemm_runtime::__private::Axis::#rows,
                    columns: ::gemm_runtime::__private::Axis::#columns,
                }
            }
        }
        ParameterKind::Vector { element, length } => {
            let (element, length) = (format_ident!("{element:?}"), axis(length));
            quote! {
                Vector {
                    element: ::gemm_runtime::__private::ElementType::#element,
                    length: ::gemm_runtime::__private::Axis::#length,
                }
            }
        }
        ParameterKind::DeviceScalar(element) => {
            let element = format_ident!("{element:?}");
            quote!(DeviceScalar(::gemm_runtime::__private::ElementType::#element))
        }
        ParameterKind::Scalar(scalar) => {
            let scalar = format_ident!("{scalar:?}");
            quote!(Scalar(::gemm_runtime::__private::ScalarType::#scalar))
        }
    };
    let (name, batched) = (&parameter.name, parameter.batched);
    let align_macro = match &parameter.align_macro {
        Some(name) => {
            quote!(::core::option::Option::Some(::std::borrow::Cow::Borrowed(#name)))
        }
        None => quote!(::core::option::Option::None),
    };
    let tensor = match parameter.tensor {
        Some(TensorBox { rows, columns, rounds_to_tf32 }) => quote! {
            ::core::option::Option::Some(::gemm_runtime::__private::TensorBox {
                rows: #rows,
                columns: #columns,
                rounds_to_tf32: #rounds_to_tf32,
            })
        },
        None => quote!(::core::option::Option::None),
    };
    quote! {
        ::gemm_runtime::Parameter {
            name: ::std::borrow::Cow::Borrowed(#name),
            kind: ::gemm_runtime::__private::ParameterKind::#kind,
            batched: #batched,
            align_macro: #align_macro,
            tensor: #tensor,
        }
    }
}

/// `into`, `prepare` and `report`.
fn launches(item: &Item<'_>) -> TokenStream {
    let (a, device) = (borrow(), own("device"));
    let parameters: Vec<_> = parameters(item).collect();
    let of_output = item.output_trait();
    let (outputs, types): (Vec<_>, Vec<_>) = item.output_parameters().into_iter().unzip();
    let last = outputs.iter().map(|out| quote!(#of_output::argument(#out)));
    let arguments: Vec<_> = arguments(item).chain(last).collect();
    let all = quote!(#device: &::gemm_runtime::Device, #(#parameters,)* #(#outputs: #types),*);
    let given = own("arguments");
    let chosen = chosen(item, &TokenStream::new(), &given);
    quote! {
        /// Launches into memory that exists. Allocates no device memory, but for the workspace
        /// where K is split.
        ///
        /// # Errors
        ///
        /// As the function, and where what is written has another shape than the result.
        pub fn into<#a>(#all) -> ::core::result::Result<(), ::gemm_runtime::Error> {
            let #given = [#(#arguments),*];
            ::gemm_runtime::__private::into(#device, #chosen, #given)
        }

        /// Checks and compiles once, to be launched many times: a prepared launch allocates
        /// nothing, takes no lock and does not wait.
        ///
        /// # Errors
        ///
        /// As `into`.
        pub fn prepare<#a>(
            #all
        ) -> ::core::result::Result<::gemm_runtime::Prepared<#a>, ::gemm_runtime::Error> {
            let #given = [#(#arguments),*];
            ::gemm_runtime::__private::prepare(#device, #chosen, #given)
        }

        /// What the compiled kernel takes of the device: registers, spills, shared memory, blocks
        /// per multiprocessor.
        ///
        /// # Errors
        ///
        /// What kept the kernel from being compiled or loaded.
        pub fn report(
            #device: &::gemm_runtime::Device,
        ) -> ::core::result::Result<::gemm_runtime::Report, ::gemm_runtime::Error> {
            ::gemm_runtime::__private::report(#device, &KERNEL)
        }
    }
}

/// `name: type` of each operand of a launch.
fn parameters<'a>(item: &'a Item<'_>) -> impl Iterator<Item = TokenStream> + 'a {
    item.signature.parameters.iter().map(|parameter| {
        let (name, ty) = (parameter.ident(), parameter.argument_type());
        quote!(#name: #ty)
    })
}

/// Each parameter as the runtime's type-erased argument: what is written comes last.
fn arguments<'a>(item: &'a Item<'_>) -> impl Iterator<Item = TokenStream> + 'a {
    let parameters = &item.signature.parameters;
    let operands = parameters.iter().filter(|parameter| !parameter.written);
    operands.chain(item.signature.written()).map(|parameter| {
        let name = parameter.ident();
        match &parameter.kind {
            Some(Kind::Matrix(_) | Kind::Vector(_)) => {
                let r#trait = parameter.argument_trait(Span::call_site());
                quote!(::gemm_runtime::#r#trait::argument(#name))
            }
            Some(Kind::DeviceScalar(_)) => quote!(::gemm_runtime::AsScalar::argument(#name)),
            _ => quote!(::gemm_runtime::Argument::from(#name)),
        }
    })
}
