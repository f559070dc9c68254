//! Operations of candle's from the name of a function, for [`custom_op!`](crate::custom_op).

/// The operation of a struct; not public API.
#[doc(hidden)]
#[macro_export]
macro_rules! __op_by_name {
    (@constant $constant:ident [$($function:ident)::+]) => { $($function)::+::$constant };
    (
        $operation:ident $count:literal $name:ident $function:tt {
            $($operand:ident $layout:ident)+
        }
        $($methods:tt)*
    ) => {
        const _: () = {
            use $crate::__private::{Message, joined, length, unfit};

            const UNFIT: Message = unfit(
                &$crate::__op_by_name!(@constant SIGNATURE $function),
                stringify!($operation),
                stringify!($count),
            );
            const MESSAGE: [u8; length(&UNFIT)] = joined(&UNFIT);
            const TEXT: &str = match ::core::str::from_utf8(&MESSAGE) {
                Ok(text) => text,
                Err(_) => "the function is not an operation of tensors alone",
            };
            assert!(TEXT.is_empty(), "{}", TEXT);
        };

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
