//! What there is of one kernel.

use gemm_codegen::{Plan, Spec, emit};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::constant::Constant as _;
use super::erased;
use super::{Item, Proved, Schedules};

/// Constants and the host's twin.
pub(super) fn contents(item: &Item<'_>, proved: &Proved<'_>) -> TokenStream {
    let Proved { plan, others, .. } = proved;
    let (kernel, table) = (&emit(plan), plan.table());
    let (text, constant) = (&kernel.text, kernel.tokens());
    let kernels = match item.schedules {
        Schedules::One => None,
        Schedules::Auto => Some(planned(plan.spec())),
        Schedules::Written { .. } => Some(written(item, others)),
    };
    let (host, mark) = (item.host(plan, kernel), item.mark());
    let constants = item.typed(plan.spec());
    let (reported, instance) = (reported(item, proved), erased::instance(item, proved, kernel));
    quote! {
        /// The CUDA C++ text of the kernel.
        pub const SOURCE: &::core::primitive::str = {
            #mark;
            #text
        };
        /// The plan as a Markdown table.
        pub const PLAN: &::core::primitive::str = {
            #mark;
            #table
        };
        /// The text and what a launch has to know about it.
        pub static KERNEL: ::gemm_runtime::Kernel = #constant;
        #kernels
        #reported
        #host
        #instance
        #constants
    }
}

/// A module for each schedule but the first, and `KERNELS`.
fn written(item: &Item<'_>, others: &[Plan]) -> TokenStream {
    let names: Vec<_> = item.schedules.further().collect();
    let (count, ids) = (names.len(), names.iter().map(Ident::to_string));
    let modules = names.iter().zip(others).map(|(name, plan)| {
        let (kernel, table) = (&emit(plan), plan.table());
        let (text, constant) = (&kernel.text, kernel.tokens());
        quote! {
            /// The kernel of another `#[gemm]`.
            pub mod #name {
                /// The CUDA C++ text of the kernel.
                pub const SOURCE: &::core::primitive::str = #text;
                /// The plan as a Markdown table.
                pub const PLAN: &::core::primitive::str = #table;
                /// The text and what a launch has to know about it.
                pub static KERNEL: ::gemm_runtime::Kernel = #constant;
            }
        }
    });
    quote! {
        #(#modules)*
        /// The kernels among which a launch chooses: one for each `#[gemm]`, in their order.
        pub static KERNELS: ::gemm_runtime::launch::Kernels<'static> = {
            static OTHERS: [::gemm_runtime::launch::Choice<'static>; #count] =
                [#(::gemm_runtime::launch::Choice::new(#ids, &#names::KERNEL)),*];
            let first = ::gemm_runtime::launch::Choice::new("schedule_1", &KERNEL);
            ::gemm_runtime::launch::Kernels::written(first, &OTHERS)
        };
    }
}

/// `KERNELS`; the first of them is `KERNEL`, the others are planned when they are needed.
fn planned(spec: &Spec) -> TokenStream {
    let spec = spec.tokens();
    quote! {
        /// The kernels among which a launch chooses by its shape; the first one is `KERNEL`.
        pub static KERNELS: ::gemm_runtime::launch::Kernels<'static> = {
            fn spec() -> ::gemm_runtime::__private::codegen::Spec {
                #spec
            }
            ::gemm_runtime::launch::Kernels::planned(&KERNEL, spec)
        };
    }
}

/// `REPORTED`: the specs of the schedules, from which a report plans them again.
#[cfg(feature = "report")]
fn reported(item: &Item<'_>, proved: &Proved<'_>) -> TokenStream {
    let auto = item.schedules == Schedules::Auto;
    let first = proved.plan.spec().tokens();
    let others = proved.others.iter().map(|plan| plan.spec().tokens());
    // Of a function that a macro writes, there may be no text.
    let body = item.function.block.brace_token.span.join().source_text();
    let body = body.map(|body| quote!(.with_body(#body)));
    quote! {
        /// The function as data, for `Device::report_html`.
        pub static REPORTED: ::gemm_runtime::ReportedFunction = {
            fn first() -> ::gemm_runtime::__private::codegen::Spec {
                #first
            }
            fn others() -> ::std::vec::Vec<::gemm_runtime::__private::codegen::Spec> {
                ::std::vec![#(#others),*]
            }
            ::gemm_runtime::ReportedFunction::new(first, others, #auto)#body
        };
    }
}

/// Nothing: the feature is off.
#[cfg(not(feature = "report"))]
fn reported(_: &Item<'_>, _: &Proved<'_>) -> TokenStream {
    TokenStream::new()
}
