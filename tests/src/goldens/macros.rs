//! The macros that declare goldens with their checks. Each topic calls one of them once.

/// A golden of a function: what a check prepares, a launch of the function, the arguments of a launch of another kernel,
/// and the verdict.
macro_rules! golden {
    (
        $name:ident, $problem:ident, { $($prepare:tt)* }, { $($launch:tt)* },
        [$($argument:tt)*], { $($judge:tt)* }
    ) => {
        $crate::Golden {
            name: stringify!($name),
            kernel: &$name::KERNEL,
            check: |$problem| {
                $($prepare)*
                $($launch)*
                $problem.sums_of(&$name::KERNEL);
                $($judge)*
            },
            check_kernel: |$problem, kernel| {
                $($prepare)*
                gemm_runtime::launch::into($problem.device(), kernel, vec![$($argument)*])?;
                $problem.sums_of(&$name::KERNEL);
                $($judge)*
            },
        }
    };
}

/// The goldens with their check: the operands of a problem, a launch into a poisoned output, the
/// verdict. In their signatures the indices are called M, N and K.
macro_rules! goldens {
    // With functions that the bodies call.
    (own { $($own:item)+ } $($goldens:tt)+) => {
        #[gemm]
        mod declared {
            use super::prelude::*;
            $($own)+
            $($goldens)+
        }
        pub use declared::*;
        goldens! { of $($goldens)+ }
    };
    (of $(
        $(#[$($attribute:tt)*])*
        pub fn $name:ident(
            $($operand:ident: $kind:ident $(<$element:ident $(, $index:tt)*>)?),+ $(,)?
        ) -> $form:ident<$output:ident $(, $out_index:tt)+> $body:tt
    )+) => {
        /// The goldens of this topic.
        pub(super) static ALL: &[$crate::Golden] = &[$(golden! {
            $name, problem,
            {
                $(whole_tiles!(problem, $kind $(<$element $(, $index)*>)?);)+
                $(let $operand = operand!(problem, $kind $(<$element $(, $index)*>)?);)+
                let mut output = output!(problem, $form<$output $(, $out_index)+>);
            },
            {
                $name::into(problem.device(), $($operand.device()?,)+ output.device_mut()?)?;
            },
            [$(argument!($operand, $kind),)+ output.device_mut()?.argument()],
            {
                let expected = reference!($name, problem, $form<$($out_index),+>, $($operand.host()),+)?;
                problem.judge(&output, &expected)
            }
        }),+];
    };
    ($($goldens:tt)+) => {
        $($goldens)+
        goldens! { of $($goldens)+ }
    };
}

/// Makes K a multiple of the tiles of the operand, if it has an element for each tile of a factor.
macro_rules! whole_tiles {
    ($problem:ident, Tiled<$element:ident, $row:ident, K, $rows:literal, $columns:literal>) => {
        $problem.round_k_up([$columns].into_iter())
    };
    ($problem:ident, $($other:tt)+) => {};
}

/// An operand of the declared type, with the data of a problem.
macro_rules! operand {
    ($problem:ident, Mat<$element:ident, $row:ident, $column:ident>) => {
        $problem.matrix::<$element>(gemm_codegen::Axis::$row, gemm_codegen::Axis::$column)?
    };
    ($problem:ident, Batched<$element:ident, $batch:tt, $row:ident, $column:ident>) => {{
        let axes = [gemm_codegen::Axis::$row, gemm_codegen::Axis::$column];
        $problem.batch_of_matrices::<$element>(axes[0], axes[1], along!($batch))?
    }};
    ($problem:ident, Batched<$element:ident, ($($batch:ident),+), $index:ident>) => {
        $problem.batches_of_vectors::<$element>(
            gemm_codegen::Axis::$index,
            along!(($($batch),+)),
        )?
    };
    ($problem:ident, Batched<$element:ident, $batch:ident, $index:ident>) => {
        $problem.batch_of_vectors::<$element>(gemm_codegen::Axis::$index, along!($batch))?
    };
    ($problem:ident, Tiled<$element:ident, $row:ident, $column:ident, $rows:literal, $columns:literal>) => {
        $problem.tiles::<$element>(
            [gemm_codegen::Axis::$row, gemm_codegen::Axis::$column],
            [$rows, $columns],
        )?
    };
    ($problem:ident, Scalar<$element:ident>) => {
        $problem.device_scalar::<$element>(None)?
    };
    ($problem:ident, Vector<$element:ident, $index:ident>) => {
        $problem.vector::<$element>(gemm_codegen::Axis::$index)?
    };
    ($problem:ident, f32) => {
        $problem.scalar()
    };
    ($problem:ident, f64) => {
        $problem.scalar_f64()
    };
    ($problem:ident, i32) => {
        $crate::operand::Scalar(3i32)
    };
}

/// The batch indices of an operand.
macro_rules! along {
    (($($batch:ident),+)) => {
        &$crate::goldens::along(&[$(stringify!($batch)),+])
    };
    ($batch:ident) => {
        along!(($batch))
    };
}

/// The output of the declared type.
macro_rules! output {
    ($problem:ident, Mat<$element:ident, $row:ident, $column:ident>) => {
        $problem.output::<$element>(gemm_codegen::Axis::$row, gemm_codegen::Axis::$column)?
    };
    ($problem:ident, Vector<$element:ident, $index:ident>) => {{
        let alone = gemm_codegen::Batching::NONE;
        $crate::operand::GuardedRow(
            $problem.reduced::<$element>(gemm_codegen::Axis::$index, &alone)?,
        )
    }};
    ($problem:ident, Batched<$element:ident, $batch:ident, $index:ident>) => {
        $problem.reduced::<$element>(gemm_codegen::Axis::$index, along!($batch))?
    };
    ($problem:ident, Batched<$element:ident, $batch:tt, $row:ident, $column:ident>) => {{
        let axes = [gemm_codegen::Axis::$row, gemm_codegen::Axis::$column];
        $problem.batch_of_outputs::<$element>(axes[0], axes[1], along!($batch))?
    }};
}

/// A call of the host's reference: that of a batch takes its extent first.
macro_rules! reference {
    ($name:ident, $problem:ident, Mat<$row:ident, $column:ident>, $($operand:expr),+) => {
        $name::reference($problem.shape(), $($operand),+)
    };
    ($name:ident, $problem:ident, Vector<$index:ident>, $($operand:expr),+) => {
        $name::reference($problem.shape(), $($operand),+)
    };
    ($name:ident, $problem:ident, Batched<($($index:ident),+), $row:ident, $column:ident>, $($operand:expr),+) => {
        $name::reference($problem.batches(), $problem.shape(), $($operand),+)
    };
    ($name:ident, $problem:ident, Batched<$index:ident, $row:ident, $column:ident>, $($operand:expr),+) => {
        $name::reference($problem.batch(), $problem.shape(), $($operand),+)
    };
}

/// The argument of a launch for an operand of this kind.
macro_rules! argument {
    ($operand:ident, f32) => {
        gemm_runtime::Argument::from($operand.device()?)
    };
    ($operand:ident, f64) => {
        gemm_runtime::Argument::from($operand.device()?)
    };
    ($operand:ident, i32) => {
        gemm_runtime::Argument::from($operand.device()?)
    };
    ($operand:ident, $view:ident) => {
        $operand.device()?.argument()
    };
}

/// As `goldens`, of functions that write into their first parameter.
macro_rules! goldens_in_place {
    ($(
        $(#[$($attribute:tt)*])*
        pub fn $name:ident(
            $output:ident: &mut $form:ident<$written:ident $(, $out_index:tt)+>,
            $($operand:ident: $kind:ident $(<$element:ident $(, $index:tt)*>)?),+ $(,)?
        ) $body:tt
    )+) => {
        $(
            $(#[$($attribute)*])*
            pub fn $name(
                $output: &mut $form<$written $(, $out_index)+>,
                $($operand: $kind $(<$element $(, $index)*>)?),+
            ) $body
        )+

        /// The goldens of this topic.
        pub(super) static ALL: &[$crate::Golden] = &[$(golden! {
            $name, problem,
            {
                $(let $operand = operand!(problem, $kind $(<$element $(, $index)*>)?);)+
                let mut output = operand!(problem, $form<$written $(, $out_index)+>);
            },
            {
                $name(problem.device(), output.device_mut()?, $($operand.device()?),+)?;
            },
            [$(argument!($operand, $kind),)+ output.device_mut()?.argument()],
            {
                let old = output.host();
                let expected = reference!(
                    $name, problem, $form<$($out_index),+>, old, $($operand.host()),+
                )?;
                problem.judge(&output, &expected)
            }
        }),+];
    };
}

/// As `goldens`, of functions with several outputs, which are numbered in their declaration. Each is judged, and the
/// worst verdict counts.
macro_rules! goldens_of_several {
    ($(
        $(#[$($attribute:tt)*])*
        pub fn $name:ident(
            $($operand:ident: $kind:ident $(<$element:ident $(, $index:tt)*>)?),+ $(,)?
        ) -> ($($number:tt: $form:ident<$written:ident $(, $out_index:tt)+>),+ $(,)?) $body:tt
    )+) => {
        $(
            $(#[$($attribute)*])*
            pub fn $name(
                $($operand: $kind $(<$element $(, $index)*>)?),+
            ) -> ($($form<$written $(, $out_index)+>),+) $body
        )+

        /// The goldens of this topic.
        pub(super) static ALL: &[$crate::Golden] = &[$(golden! {
            $name, problem,
            {
                $(let $operand = operand!(problem, $kind $(<$element $(, $index)*>)?);)+
                let mut outputs = ($(output!(problem, $form<$written $(, $out_index)+>)),+);
            },
            {
                $name::into(
                    problem.device(),
                    $($operand.device()?,)+
                    $(outputs.$number.device_mut()?),+
                )?;
            },
            [$(argument!($operand, $kind),)+ $(outputs.$number.device_mut()?.argument()),+],
            {
                let expected =
                    reference_of_several!(
                        $name, problem, [$($form<$($out_index),+>),+], $($operand.host()),+
                    )?;
                Ok($crate::judge::Verdict::worst([
                    $(problem.judge(&outputs.$number, &expected.$number)?),+
                ]))
            }
        }),+];
    };
}

/// A call of the host's reference whose outputs are of these forms, all batched or none.
macro_rules! reference_of_several {
    ($name:ident, $problem:ident, [
        $form:ident<$($index:tt),+> $(, $other:ident<$($its:tt),+>)+
    ], $($operand:expr),+) => {
        reference!($name, $problem, $form<$($index),+>, $($operand),+)
    };
}
