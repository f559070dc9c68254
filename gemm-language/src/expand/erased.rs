//! `FUNCTION`: the function with its types erased, for crates that make operations of annotated functions.

use gemm_codegen::{Kernel, ParameterKind};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt;

use super::constant::Constant as _;
use super::generic::module_name;
use super::{Item, Proved, own, types};
use crate::body::Constant;

/// The constant of the module of a function, with the kernel of each of its element types.
pub(super) fn function(item: &Item<'_>, proved: &[Proved<'_>]) -> TokenStream {
    let kernels = proved.iter().map(|proved| match item.is_generic() {
        true => {
            let module = module_name(proved.instance);
            quote!(self::#module::INSTANCE)
        }
        false => quote!(self::INSTANCE),
    });
    quote! {
        /// The function with its types erased, for crates that make operations of it.
        pub const FUNCTION: ::gemm_runtime::erased::Function =
            ::gemm_runtime::erased::Function { signature: &self::SIGNATURE, kernels: &[#(#kernels),*] };
    }
}

/// That of a function without a kernel.
pub(super) fn unknown() -> TokenStream {
    quote! {
        pub const FUNCTION: ::gemm_runtime::erased::Function =
            ::gemm_runtime::erased::Function::UNKNOWN;
    }
}

/// The constant of the module of a kernel: how it is launched and computed on the host.
///
/// Its functions are inline, so that a crate without operations compiles none of them.
pub(super) fn instance(item: &Item<'_>, proved: &Proved<'_>, kernel: &Kernel) -> TokenStream {
    let elements = proved.instance.elements().iter().map(|element| element.tokens());
    let (launch, reference) = (launch(item), reference(item, proved, kernel));
    quote! {
        #[doc(hidden)]
        pub const INSTANCE: ::gemm_runtime::erased::Instance = {
            #launch
            #reference
            ::gemm_runtime::erased::Instance::new(&[#(#elements),*], launch, reference)
        };
    }
}

/// Constants of the body follow the operands, as in a launch of the function.
fn launch(item: &Item<'_>) -> TokenStream {
    let constants = item.constants.iter().map(|Constant { name, .. }| {
        quote!(arguments.push(::gemm_runtime::Argument::from(self::#name));)
    });
    let kernel = match item.schedules.are_several() {
        true => quote!(::gemm_runtime::__private::choose(device, &self::KERNELS, &arguments)),
        false => quote!(&self::KERNEL),
    };
    quote! {
        #[inline]
        fn launch<'a>(
            device: &::gemm_runtime::Device,
            mut arguments: ::std::vec::Vec<::gemm_runtime::Argument<'a>>,
            outputs: ::std::vec::Vec<::gemm_runtime::Argument<'a>>,
        ) -> ::core::result::Result<(), ::gemm_runtime::Error> {
            #(#constants)*
            arguments.extend(outputs);
            ::gemm_runtime::__private::into(device, #kernel, arguments)
        }
    }
}

/// Operands are in the order of `SIGNATURE`: what is written in place comes last.
fn reference(item: &Item<'_>, proved: &Proved<'_>, kernel: &Kernel) -> TokenStream {
    let (ordered, passed) = operands(item, kernel);
    let outputs: Vec<Ident> =
        (0..proved.plan.results().count()).map(|n| format_ident!("output{n}")).collect();
    let pattern = types::one_or_tuple(outputs.iter().map(|output| quote!(#output)));
    let batch = match item.batch_indices() {
        0 => TokenStream::new(),
        1 => quote!(batch[0],),
        _ => quote!(batch,),
    };
    let (function, indices) = (&kernel.name, item.batch_indices());
    quote! {
        #[inline]
        #[allow(unused_variables)]
        fn reference(
            batch: &[::core::primitive::usize],
            shape: ::gemm_runtime::Shape,
            operands: &[::gemm_runtime::erased::HostArgument<'_>],
        ) -> ::core::result::Result<
            ::std::vec::Vec<::std::vec::Vec<::core::primitive::f64>>,
            ::gemm_runtime::Error,
        > {
            let batch = ::gemm_runtime::__private::counted::<#indices, _>(#function, batch)?;
            let [#(#ordered),*] = ::gemm_runtime::__private::counted(#function, operands)?;
            let #pattern = self::reference(#batch shape, #(#passed),*)?;
            ::core::result::Result::Ok(::std::vec![
                #(::gemm_runtime::__private::values(#outputs)),*
            ])
        }
    }
}

/// The names of the operands of the erased function in its order, and the arguments of `reference` made of them.
fn operands(item: &Item<'_>, kernel: &Kernel) -> (Vec<Ident>, Vec<TokenStream>) {
    let parameters = &item.signature.parameters;
    let named: Vec<_> = (0..parameters.len()).map(|n| own(&format!("operand{n}"))).collect();
    let written = |is: bool| {
        let of = parameters.iter().zip(&named).filter(move |(of, _)| of.written == is);
        of.map(|(_, name)| name.clone())
    };
    let ordered = written(false).chain(written(true)).collect();
    let paired = item.paired(kernel);
    let passed = paired.iter().zip(&named).map(|((parameter, of_kernel), operand)| {
        let name = parameter.ident().unraw().to_string();
        match of_kernel.kind {
            ParameterKind::DeviceScalar(_) | ParameterKind::Scalar(_) => {
                quote!(#operand.value(#name)?)
            }
            _ => quote!(#operand.elements(#name)?),
        }
    });
    (ordered, passed.collect())
}
