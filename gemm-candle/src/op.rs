//! [`custom_op!`](crate::custom_op): an operation of candle's from a function.

/// Declares a struct that is an operation of candle's with as many operands as a `#[gemm]` function has tensors: a
/// [`CustomOp1`](candle_core::CustomOp1), [`CustomOp2`](candle_core::CustomOp2) or
/// [`CustomOp3`](candle_core::CustomOp3), of the function's name alone:
///
/// ```
/// use candle_core::{DType, Device, Tensor};
/// use gemm_runtime::prelude::*;
///
/// /// y = gelu(x · wᵀ + bias)
/// #[gemm(T = [f16, bf16, f32])]
/// fn linear_gelu<T>(x: Mat<T, M, K>, w: Mat<T, N, K>, bias: Vector<T, N>) -> Mat<T, M, N> {
///     gelu(matmul(x, w) + bias)
/// }
///
/// gemm_candle::custom_op! {
///     /// `gelu(x · wᵀ + bias)` of `x: [.., k]`, `w: [n, k]` and `bias: [n]`.
///     #[derive(Clone, Copy, Debug)]
///     pub struct LinearGelu: CustomOp3 = linear_gelu;
/// }
///
/// for dtype in [DType::F16, DType::BF16, DType::F32] {
///     let x = Tensor::ones((2, 3, 8), dtype, &candle_core::Device::Cpu)?;
///     let w = Tensor::ones((4, 8), dtype, &candle_core::Device::Cpu)?;
///     let bias = Tensor::zeros(4, dtype, &candle_core::Device::Cpu)?;
///     let y = x.apply_op3(&w, &bias, LinearGelu)?;
///     assert_eq!((y.dims(), y.dtype()), (&[2, 3, 4][..], dtype));
/// }
/// # Ok::<(), candle_core::Error>(())
/// ```
///
/// The dtypes of the tensors choose among the listed element types when the operation runs. A function of another number
/// of tensors, with scalars by value, in place or of several outputs is an error of rustc, which says what to write.
///
/// ```compile_fail,E0080
/// # use gemm_runtime::prelude::*;
/// #[gemm]
/// fn linear(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
///     matmul(x, w)
/// }
///
/// gemm_candle::custom_op! { struct Linear: CustomOp3 = linear; } // has two tensors: a `CustomOp2`
/// ```
///
/// # With the signature
///
/// An operation of one choice of element types repeats the signature of its function:
///
/// ```
/// use gemm_runtime::prelude::*;
///
/// /// y = (x · wᵀ) * scale
/// #[gemm]
/// fn scaled(x: Mat<i8, M, K>, w: Mat<i8, N, K>, scale: Vector<f32, N>) -> Mat<f16, M, N> {
///     matmul(x, w) as f32 * scale
/// }
///
/// gemm_candle::custom_op! {
///     /// `(x · wᵀ) * scale` of `x: [.., k]`, `w: [n, k]` and `scale: [n]`.
///     #[derive(Clone, Copy, Debug)]
///     pub struct Scaled;
///
///     fn scaled(x: Mat<i8, M, K>, w: Mat<i8, N, K>, scale: Vector<f32, N>) -> Mat<f16, M, N>;
/// }
/// ```
///
/// The signature is compared with the one of the `#[gemm]` function when both are compiled: names, kinds
/// and elements of the operands and of the output, and which of their indices are the same. Another one
/// is an error of rustc that names the operand; only the names of indices may differ.
///
/// ```compile_fail,E0080
/// # use gemm_runtime::prelude::*;
/// #[gemm]
/// fn linear(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> {
///     matmul(x, w)
/// }
///
/// gemm_candle::custom_op! {
///     struct Linear;
///
///     fn linear(x: Mat<f16, M, K>, w: Mat<f16, K, N>) -> Mat<f16, M, N>; // w is declared N, K
/// }
/// ```
///
/// On the CPU it runs `reference`; with the feature `cuda` of this crate it launches on candle's stream.
/// Its name is that of the function.
///
/// The result has the dimensions of the operand whose rows are its rows, such as `x`, with another last
/// one; a vector along these rows has the leading ones alone. Where an operand has them as columns it has two, as
/// `dyᵀ · x` has.
///
/// Methods after the name of the function, or its signature, are those of the operation, such as `bwd` for the gradients.
///
/// A function in place is an operation written by hand, of the functions of [`cpu`](crate::cpu) and `cuda`, with
/// [`extents`](crate::extents()), as `examples/candle/src/add_linear.rs` in the repository.
#[macro_export]
macro_rules! custom_op {
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $name:ident;
        fn $function:ident(
            $a:ident: $a_kind:ident<$a_type:ty $(, $a_index:ident)+>,
            $b:ident: $b_kind:ident<$b_type:ty $(, $b_index:ident)+> $(,)?
        ) -> Mat<$type:ty, $rows:ident, $columns:ident>;
        $($methods:tt)*
    ) => {
        $(#[$attribute])*
        $visibility struct $name;

        $crate::custom_op! {
            @CustomOp2 $name $function $a -> [$type, $rows, $columns] {
                $a a_layout $a_kind [$a_type $(, $a_index)+]
                $b b_layout $b_kind [$b_type $(, $b_index)+]
            }
            $($methods)*
        }
    };
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $name:ident;
        fn $function:ident(
            $a:ident: $a_kind:ident<$a_type:ty $(, $a_index:ident)+>,
            $b:ident: $b_kind:ident<$b_type:ty $(, $b_index:ident)+>,
            $c:ident: $c_kind:ident<$c_type:ty $(, $c_index:ident)+> $(,)?
        ) -> Mat<$type:ty, $rows:ident, $columns:ident>;
        $($methods:tt)*
    ) => {
        $(#[$attribute])*
        $visibility struct $name;

        $crate::custom_op! {
            @CustomOp3 $name $function $a -> [$type, $rows, $columns] {
                $a a_layout $a_kind [$a_type $(, $a_index)+]
                $b b_layout $b_kind [$b_type $(, $b_index)+]
                $c c_layout $c_kind [$c_type $(, $c_index)+]
            }
            $($methods)*
        }
    };
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $name:ident: CustomOp1 = $($function:ident)::+;
        $($methods:tt)*
    ) => {
        $(#[$attribute])*
        $visibility struct $name;

        $crate::__op_by_name! {
            CustomOp1 1 $name [$($function)::+] { a a_layout } $($methods)*
        }
    };
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $name:ident: CustomOp2 = $($function:ident)::+;
        $($methods:tt)*
    ) => {
        $(#[$attribute])*
        $visibility struct $name;

        $crate::__op_by_name! {
            CustomOp2 2 $name [$($function)::+] { a a_layout b b_layout } $($methods)*
        }
    };
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $name:ident: CustomOp3 = $($function:ident)::+;
        $($methods:tt)*
    ) => {
        $(#[$attribute])*
        $visibility struct $name;

        $crate::__op_by_name! {
            CustomOp3 3 $name [$($function)::+] { a a_layout b b_layout c c_layout } $($methods)*
        }
    };
    (
        @$operation:ident $name:ident $function:ident $first:ident
        -> [$type:ty, $rows:ident, $columns:ident] {
            $($operand:ident $layout:ident $kind:ident [$element:ty $(, $index:ident)+])+
        }
        $($methods:tt)*
    ) => {
        const _: () = {
            use $crate::__private::{Element, Message, Written, difference, joined, length};

            const DIFFERENCE: Message = difference(
                &$function::SIGNATURE,
                &[
                    $($crate::custom_op!(
                        @written stringify!($operand), $kind, $element $(, $index)+
                    ),)+
                    $crate::custom_op!(@written "", Mat, $type, $rows, $columns),
                ],
            );
            const MESSAGE: [u8; length(&DIFFERENCE)] = joined(&DIFFERENCE);
            const TEXT: &str = match ::core::str::from_utf8(&MESSAGE) {
                Ok(text) => text,
                Err(_) => "the signature is not that of the `#[gemm]` function",
            };
            assert!(TEXT.is_empty(), "{}", TEXT);
        };

        impl $crate::__private::candle_core::$operation for $name {
            fn name(&self) -> &'static str {
                stringify!($function)
            }

            fn cpu_fwd(
                &self,
                $($operand: &$crate::__private::candle_core::CpuStorage,
                $layout: &$crate::__private::candle_core::Layout,)+
            ) -> $crate::__private::candle_core::Result<(
                $crate::__private::candle_core::CpuStorage,
                $crate::__private::candle_core::Shape,
            )> {
                let (extents, _, shape) =
                    $crate::__private::shapes(&$function::SIGNATURE, &[$($layout),+])?;
                $(let $operand =
                    $crate::custom_op!(@read cpu $kind $element, $operand, $layout)?;)+
                let result = $function::reference(extents, $(&$operand),+);
                Ok(($crate::cpu::output::<$type, _>(result)?, shape))
            }

            $crate::__on_a_gpu! {
                fn cuda_fwd(
                    &self,
                    $($operand: &$crate::__private::candle_core::CudaStorage,
                    $layout: &$crate::__private::candle_core::Layout,)+
                ) -> $crate::__private::candle_core::Result<(
                    $crate::__private::candle_core::CudaStorage,
                    $crate::__private::candle_core::Shape,
                )> {
                    let (_, [rows, columns], shape) =
                        $crate::__private::shapes(&$function::SIGNATURE, &[$($layout),+])?;
                    let gpu = &$first.device;
                    $(let $operand =
                        $crate::custom_op!(@read cuda $kind $element, $operand, $layout)?;)+
                    let result = $crate::cuda::output::<$type>(
                        gpu,
                        rows,
                        columns,
                        |device, result| $function::into(device, $(&$operand,)+ result),
                    );
                    Ok((result?, shape))
                }
            }

            $($methods)*
        }
    };
    (@written $operand:expr, $kind:ident, $element:ty $(, $index:ident)+) => {
        Written {
            name: $operand,
            text: concat!(stringify!($kind), "<", stringify!($element) $(, ", ", stringify!($index))+, ">"),
            kind: stringify!($kind),
            element: <$element as Element>::ELEMENT,
            indices: &[$(stringify!($index)),+],
        }
    };
    (@read $device:ident Mat $element:ty, $storage:ident, $layout:ident) => {
        $crate::$device::matrix::<$element>($storage, $layout)
    };
    (@read $device:ident Vector $element:ty, $storage:ident, $layout:ident) => {
        $crate::$device::vector::<$element>($storage, $layout)
    };
    (@read $device:ident $kind:ident $element:ty, $storage:ident, $layout:ident) => {
        compile_error!("an operand of `custom_op!` is a `Mat` or a `Vector`")
    };
    ($($other:tt)*) => {
        compile_error!(
            "`custom_op!` takes `struct NAME: CustomOp1 = FUNCTION;`, with `CustomOp2` or `CustomOp3` for two or three \
             tensors, or `struct NAME; fn FUNCTION(..) -> Mat<..>;` with the signature of two or three tensors\n\
             help: make a `gemm_candle::Operation` of a function with more tensors, scalars or several outputs; write \
             one in place by hand of `gemm_candle::cpu` and `gemm_candle::cuda`"
        );
    };
}

/// The function, where tensors can be on a GPU.
#[doc(hidden)]
#[macro_export]
#[cfg(feature = "cuda")]
macro_rules! __on_a_gpu {
    ($($function:tt)*) => { $($function)* };
}

/// The function, where tensors can be on a GPU.
#[doc(hidden)]
#[macro_export]
#[cfg(not(feature = "cuda"))]
macro_rules! __on_a_gpu {
    ($($function:tt)*) => {};
}
