//! Operations of candle's from the name of a function, for [`custom_op!`](crate::custom_op).

/// The operation of a struct; not public API.
#[doc(hidden)]
#[macro_export]
macro_rules! __op_by_name {
    (@constant $constant:ident [$($function:ident)::+]) => { $($function)::+::$constant };
    (@path [$($function:ident)::+]) => { stringify!($($function)::+) };
    (
        $operation:ident $count:literal $name:ident $function:tt {
            $($operand:ident $layout:ident)+
        }
        $($methods:tt)*
    ) => {
        const _: () = assert!(
            $crate::__private::is_operation(&$crate::__op_by_name!(@constant SIGNATURE $function), $count),
            concat!(
                "`", $crate::__op_by_name!(@path $function), "` is not a function of ", stringify!($count),
                " tensors and one output, as a `", stringify!($operation), "` is\n",
                "help: make a `gemm_candle::Operation` of it",
            ),
        );

        impl $crate::__private::candle_core::$operation for $name {
            fn name(&self) -> &'static str {
                $crate::__op_by_name!(@constant SIGNATURE $function).function
            }

            fn cpu_fwd(
                &self,
                $($operand: &$crate::__private::candle_core::CpuStorage,
                $layout: &$crate::__private::candle_core::Layout,)+
            ) -> $crate::__private::candle_core::Result<(
                $crate::__private::candle_core::CpuStorage,
                $crate::__private::candle_core::Shape,
            )> {
                let function = &$crate::__op_by_name!(@constant FUNCTION $function);
                $crate::__private::on_cpu(function, &[$(($operand, $layout)),+])
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
                    let function = &$crate::__op_by_name!(@constant FUNCTION $function);
                    $crate::__private::on_cuda(function, &[$(($operand, $layout)),+])
                }
            }

            $($methods)*
        }
    };
}
