//! What there is of one kernel.

use gemm_codegen::{Spec, emit};
use proc_macro2::TokenStream;
use quote::quote;

use super::constant::Constant as _;
use super::{Item, Proved};

/// Constants and the host's twin.
pub(super) fn contents(item: &Item<'_>, proved: &Proved<'_>) -> TokenStream {
    let Proved { kernel: (_, spec), plan } = proved;
    let (kernel, table) = (&emit(plan), plan.table());
    let (text, constant) = (&kernel.text, kernel.tokens());
    let kernels = item.auto.then(|| kernels_of(spec));
    let (host, mark) = (item.host(plan, kernel), item.mark());
    let constants = item.typed(spec);
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
        #host
        #constants
    }
}

/// `KERNELS`; the first of them is `KERNEL`.
fn kernels_of(spec: &Spec) -> TokenStream {
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
