//! Values of gemm-codegen's types as expressions of the expansion.

use std::borrow::Cow;
use std::num::NonZeroU16;

use gemm_codegen::abi::{Abi, Count, Scratch, Word};
use gemm_codegen::auto::Footprint;
use gemm_codegen::body::{BinaryOp, Body, Node, NodeId, UnaryOp, UserFunction};
use gemm_codegen::{
    Accumulator, Allow, Axis, BankPasses, Batching, ByThreads, CacheOperator, CachePolicy,
    CopyAtom, Element, Factors, Facts, Form, KOrder, Kernel, LaunchShape, Mma, Operand,
    OperandKind, Output, OutputIndices, Parameter, ParameterKind, Part, Partials, PerSide, Planes,
    Precision, Promoting, Promotion, PtxFeature, Raster, ScalarType, Schedule, Spec, SplitK,
    Splits, Sums, Swizzle, Target, TensorBox, Walk, WgmmaShape,
};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// A value that can be written as an expression.
pub(super) trait Constant {
    /// The expression, with full paths.
    fn tokens(&self) -> TokenStream;
}

macro_rules! literals {
    ($($ty:ty),+) => {
        $(impl Constant for $ty {
            fn tokens(&self) -> TokenStream {
                quote!(#self)
            }
        })+
    };
}

literals!(bool, u8, u32, usize, i64);

/// The fields of a struct or of a variant, each by its own expression.
macro_rules! structs {
    ($($ty:ident { $($field:ident),+ })+) => {
        $(impl Constant for $ty {
            fn tokens(&self) -> TokenStream {
                let $ty { $($field),+ } = self;
                $(let $field = $field.tokens();)+
                quote!(::gemm_runtime::__private::codegen::$ty { $($field: #$field),+ })
            }
        })+
    };
}

structs! {
    LaunchShape {
        block_tile, products, columns, split_k, partials, walks, cluster, threads, shared_bytes, pdl, launches_dependents, targets,
        newest_feature
    }
    Parameter { name, kind, batch, align_constant, tensor, planes, epilogue_box }
    SplitK { splits, tail, partial_bytes }
    Partials { along, outputs, bytes, lines, part, passes }
    TensorBox { rows, columns, rounds_to_tf32 }
    Footprint {
        block, side_by_side, warps, step, products, converted, scale_bytes, scaled, promoted, promoting, element_bits, k_contiguous, ring_bytes, stages,
        shared_bytes, registers, splits, tail, form, cluster_splits, parts,
        walk, body, reduces
    }
    Facts { sums, raster, copies, bank_passes, parts, indices }
    BankPasses { copy, load, stage, unstage }
    Spec { name, operands, outputs, body, schedule }
    Operand { name, batch, kind }
    Output { in_place, batch, element, indices }
    Body { nodes, root, functions }
    UserFunction { name, parameters, result, root }
    Schedule {
        tile, warps, warpgroups, walk, k_order, cluster, mma, precision, acc, promote, copy, swizzle, stages, raster,
        split_k, pdl, invariant, targets, allow
    }
    Swizzle { b, m, s }
    WgmmaShape { n, k }
}

/// Enums of variants without fields, which `Debug` names as the code does.
macro_rules! units {
    ($($ty:ident),+) => {
        $(impl Constant for $ty {
            fn tokens(&self) -> TokenStream {
                let variant = format_ident!("{self:?}");
                quote!(::gemm_runtime::__private::codegen::$ty::#variant)
            }
        })+
    };
}

units!(Accumulator, Allow, Axis, BinaryOp, CacheOperator, CachePolicy, Element, ScalarType);
units!(
    ByThreads, Factors, KOrder, Part, Planes, Precision, Promoting, PtxFeature, Target, UnaryOp,
    Walk
);

/// Enums some of whose variants have fields.
macro_rules! enums {
    ($($ty:ident {
        $($unit:ident),*;
        $($tuple:ident($($part:ident),+)),*;
        $($record:ident { $($field:ident),+ }),*
    })+) => {
        $(impl Constant for $ty {
            fn tokens(&self) -> TokenStream {
                match self {
                    $($ty::$unit => quote!(::gemm_runtime::__private::codegen::$ty::$unit),)*
                    $($ty::$tuple($($part),+) => {
                        $(let $part = $part.tokens();)+
                        quote!(::gemm_runtime::__private::codegen::$ty::$tuple($(#$part),+))
                    })*
                    $($ty::$record { $($field),+ } => {
                        $(let $field = $field.tokens();)+
                        quote! {
                            ::gemm_runtime::__private::codegen::$ty::$record {
                                $($field: #$field),+
                            }
                        }
                    })*
                }
            }
        })+
    };
}

enums! {
    ParameterKind {
        ; DeviceScalar(element), Scalar(ty);
        Matrix { element, rows, columns }, Tiled { element, rows, columns, extents },
        Vector { element, length }
    }
    OperandKind {
        ; DeviceScalar(element), Scalar(ty);
        Matrix { element, indices }, Tiled { element, indices, extents },
        Vector { element, index }
    }
    Node {
        ;
        Float(value), Int(value), Bool(value), Name(name), Deref(name), Unary(op, x),
        Binary(op, x, y), Cast(x, ty), Typed(x, ty), Tuple(values);
        Call { function, arguments }, Method { receiver, method, arguments },
        If { condition, then, otherwise }, Block { bindings, value }
    }
    Mma { M8n8k4, M16n8k4, M16n8k8, M16n8k16, M16n8k32; Wgmma(shape); Fma { m, n } }
    CopyAtom {;; CpAsync { bytes, cache, policy }, LdGlobal { bytes }, Tma { policy } }
    Raster {; AlongM(blocks), AlongN(blocks); }
    Splits {; Every(splits), Tail(most); }
    Promotion { Never; Every(k); }
    Word {
        ;
        Extent(axis), Value(parameter), Pointer(parameter), Leading(parameter), Map(parameter),
        EpilogueMap(parameter), Exponents(parameter), Count(count), Workspace(part);
        Stride { parameter, index }, ExponentsStride { parameter, index }
    }
    Form { WarpsByTensors, Groups; Warps(by), Lanes(by); }
    Scratch { Partials, Arrivals; PartialsAlong(axis), ArrivalsAlong(axis); }
    OutputIndices {; Matrix(indices), Reduced(index); }
    Count { Matrices, WholeTiles, Splits; Values(index); }
    Sums { Truncated; Rounded(accumulator), Promoted(k); }
}

impl Constant for String {
    fn tokens(&self) -> TokenStream {
        quote!(::std::string::String::from(#self))
    }
}

/// Only a literal with all its bits is the same number, and not every one is a literal.
impl Constant for f64 {
    fn tokens(&self) -> TokenStream {
        let bits = self.to_bits();
        quote!(::core::primitive::f64::from_bits(#bits))
    }
}

impl Constant for Batching {
    fn tokens(&self) -> TokenStream {
        let indices = self.0.tokens();
        quote!(::gemm_runtime::__private::codegen::Batching(#indices))
    }
}

impl Constant for NonZeroU16 {
    fn tokens(&self) -> TokenStream {
        let past_one = self.get() - 1;
        quote!(::core::num::NonZeroU16::MIN.saturating_add(#past_one))
    }
}

impl Constant for NodeId {
    fn tokens(&self) -> TokenStream {
        let number = self.0;
        quote!(::gemm_runtime::__private::codegen::NodeId(#number))
    }
}

impl<T: Constant> Constant for PerSide<T> {
    fn tokens(&self) -> TokenStream {
        let (a, b) = (self.a.tokens(), self.b.tokens());
        quote!(::gemm_runtime::__private::codegen::PerSide { a: #a, b: #b })
    }
}

impl<T: Constant> Constant for Option<T> {
    fn tokens(&self) -> TokenStream {
        match self.as_ref().map(Constant::tokens) {
            None => quote!(::core::option::Option::None),
            Some(value) => quote!(::core::option::Option::Some(#value)),
        }
    }
}

impl<T: Constant, const N: usize> Constant for [T; N] {
    fn tokens(&self) -> TokenStream {
        let values = self.iter().map(Constant::tokens);
        quote!([#(#values),*])
    }
}

impl<T: Constant> Constant for Vec<T> {
    fn tokens(&self) -> TokenStream {
        let values = self.iter().map(Constant::tokens);
        quote!(::std::vec![#(#values),*])
    }
}

impl<T: Constant, U: Constant> Constant for (T, U) {
    fn tokens(&self) -> TokenStream {
        let (first, second) = (self.0.tokens(), self.1.tokens());
        quote!((#first, #second))
    }
}

impl Constant for Cow<'_, str> {
    fn tokens(&self) -> TokenStream {
        quote!(::std::borrow::Cow::Borrowed(#self))
    }
}

impl<T: Constant + Clone> Constant for Cow<'_, [T]> {
    fn tokens(&self) -> TokenStream {
        let values = self.iter().map(Constant::tokens);
        quote!(::std::borrow::Cow::Borrowed(&[#(#values),*]))
    }
}

impl Constant for Abi {
    fn tokens(&self) -> TokenStream {
        let words = self.0.tokens();
        quote!(::gemm_runtime::abi::Abi(#words))
    }
}

/// With a text that is named and not repeated.
impl Constant for Kernel {
    fn tokens(&self) -> TokenStream {
        let (name, entry) = (self.name.tokens(), self.entry.tokens());
        let (parameters, abi) = (self.parameters.tokens(), self.abi.tokens());
        let Kernel { outputs, reads_output, .. } = self;
        let factors = self.factors.tokens();
        let (launch, footprint) = (self.launch.tokens(), self.footprint.tokens());
        let facts = self.facts.tokens();
        quote! {
            ::gemm_runtime::Kernel {
                name: #name,
                entry: #entry,
                text: ::std::borrow::Cow::Borrowed(SOURCE),
                parameters: #parameters,
                abi: #abi,
                outputs: #outputs,
                factors: #factors,
                reads_output: #reads_output,
                launch: #launch,
                footprint: #footprint,
                facts: #facts,
            }
        }
    }
}
