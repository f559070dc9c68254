//! The macros that declare goldens beside what checks them. Each topic calls one of them once.

/// The goldens with their check: the operands of a problem, a launch into a poisoned output, the
/// verdict. In their signatures the indices are called M, N and K.
macro_rules! goldens {
    ($(
        $(#[$($attribute:tt)*])*
        pub fn $name:ident(
            $($operand:ident: $kind:ident $(<$element:ident $(, $index:ident)*>)?),+ $(,)?
        ) -> $form:ident<$output:ident $(, $out_index:ident)+> $body:tt
    )+) => {
        $(
            $(#[$($attribute)*])*
            pub fn $name(
                $($operand: $kind $(<$element $(, $index)*>)?),+
            ) -> $form<$output $(, $out_index)+> $body
        )+

        /// The goldens of this topic.
        pub(super) static ALL: &[Golden] = &[$(Golden {
            name: stringify!($name),
            kernel: &$name::KERNEL,
            plan: $name::PLAN,
            check: |problem| {
                $(let $operand = operand!(problem, $kind $(<$element $(, $index)*>)?);)+
                let mut output = output!(problem, $form<$output $(, $out_index)+>);
                $name::into(
                    problem.device(),
                    $($operand.device()?,)+
                    output.device_mut()?,
                )?;
                let expected = reference!($name, problem, $form, $($operand.host()),+)?;
                problem.sums_in($crate::judge::accumulator($name::PLAN));
                problem.judge(&output, &expected)
            },
            check_kernel: |problem, kernel| {
                $(let $operand = operand!(problem, $kind $(<$element $(, $index)*>)?);)+
                let mut output = output!(problem, $form<$output $(, $out_index)+>);
                let arguments =
                    vec![$(argument!($operand, $kind),)+ output.device_mut()?.argument()];
                launch::into(problem.device(), kernel, arguments)?;
                let expected = reference!($name, problem, $form, $($operand.host()),+)?;
                problem.sums_in($crate::judge::accumulator($name::PLAN));
                problem.judge(&output, &expected)
            },
        }),+];
    };
}

/// An operand of the declared type, with the data of a problem.
macro_rules! operand {
    ($problem:ident, Mat<$element:ident, $row:ident, $column:ident>) => {
        $problem.matrix::<$element>(Axis::$row, Axis::$column)?
    };
    ($problem:ident, Batched<$element:ident, $batch:ident, $row:ident, $column:ident>) => {
        $problem.batch_of_matrices::<$element>(Axis::$row, Axis::$column)?
    };
    ($problem:ident, Batched<$element:ident, $batch:ident, $index:ident>) => {
        $problem.batch_of_vectors::<$element>(Axis::$index)?
    };
    ($problem:ident, Scalar<$element:ident>) => {
        $problem.device_scalar::<$element>()?
    };
    ($problem:ident, Vector<$element:ident, $index:ident>) => {
        $problem.vector::<$element>(Axis::$index)?
    };
    ($problem:ident, f32) => {
        $problem.scalar()
    };
    ($problem:ident, f64) => {
        $problem.scalar_f64()
    };
    ($problem:ident, i32) => {
        Scalar(3i32)
    };
}

/// What an output of the declared type is written to.
macro_rules! output {
    ($problem:ident, Mat<$element:ident, $row:ident, $column:ident>) => {
        $problem.output::<$element>(Axis::$row, Axis::$column)?
    };
    ($problem:ident, Batched<$element:ident, $batch:ident, $row:ident, $column:ident>) => {
        $problem.batch_of_outputs::<$element>(Axis::$row, Axis::$column)?
    };
}

/// A call of the host's reference: that of a batch takes its extent first.
macro_rules! reference {
    ($name:ident, $problem:ident, Mat, $($operand:expr),+) => {
        $name::reference($problem.shape(), $($operand),+)
    };
    ($name:ident, $problem:ident, Batched, $($operand:expr),+) => {
        $name::reference($problem.batch(), $problem.shape(), $($operand),+)
    };
}

/// What a launch takes of an operand of this kind.
macro_rules! argument {
    ($operand:ident, Mat) => {
        $operand.device()?.argument()
    };
    ($operand:ident, Vector) => {
        $operand.device()?.argument()
    };
    ($operand:ident, Scalar) => {
        $operand.device()?.argument()
    };
    ($operand:ident, Batched) => {
        $operand.device()?.argument()
    };
    ($operand:ident, $scalar:ident) => {
        Argument::from($operand.device()?)
    };
}

/// The goldens with their check, as for those that return; what is written is declared first.
macro_rules! goldens_in_place {
    ($(
        $(#[$($attribute:tt)*])*
        pub fn $name:ident(
            $output:ident: &mut $form:ident<$written:ident $(, $out_index:ident)+>,
            $($operand:ident: $kind:ident $(<$element:ident $(, $index:ident)*>)?),+ $(,)?
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
        pub(super) static ALL: &[Golden] = &[$(Golden {
            name: stringify!($name),
            kernel: &$name::KERNEL,
            plan: $name::PLAN,
            check: |problem| {
                $(let $operand = operand!(problem, $kind $(<$element $(, $index)*>)?);)+
                let mut output = operand!(problem, $form<$written $(, $out_index)+>);
                $name(problem.device(), output.device_mut()?, $($operand.device()?),+)?;
                let old = output.host();
                let expected = reference!($name, problem, $form, old, $($operand.host()),+)?;
                problem.sums_in($crate::judge::accumulator($name::PLAN));
                problem.judge(&output, &expected)
            },
            check_kernel: |problem, kernel| {
                $(let $operand = operand!(problem, $kind $(<$element $(, $index)*>)?);)+
                let mut output = operand!(problem, $form<$written $(, $out_index)+>);
                let arguments =
                    vec![$(argument!($operand, $kind),)+ output.device_mut()?.argument()];
                launch::into(problem.device(), kernel, arguments)?;
                let old = output.host();
                let expected = reference!($name, problem, $form, old, $($operand.host()),+)?;
                problem.sums_in($crate::judge::accumulator($name::PLAN));
                problem.judge(&output, &expected)
            },
        }),+];
    };
}

/// The goldens with several outputs, which are numbered in their declaration. Each is judged, and the
/// worst verdict counts.
macro_rules! goldens_of_several {
    ($(
        $(#[$($attribute:tt)*])*
        pub fn $name:ident(
            $($operand:ident: $kind:ident $(<$element:ident $(, $index:ident)*>)?),+ $(,)?
        ) -> ($($number:tt: $form:ident<$written:ident $(, $out_index:ident)+>),+ $(,)?) $body:tt
    )+) => {
        $(
            $(#[$($attribute)*])*
            pub fn $name(
                $($operand: $kind $(<$element $(, $index)*>)?),+
            ) -> ($($form<$written $(, $out_index)+>),+) $body
        )+

        /// The goldens of this topic.
        pub(super) static ALL: &[Golden] = &[$(Golden {
            name: stringify!($name),
            kernel: &$name::KERNEL,
            plan: $name::PLAN,
            check: |problem| {
                $(let $operand = operand!(problem, $kind $(<$element $(, $index)*>)?);)+
                let mut outputs = ($(output!(problem, $form<$written $(, $out_index)+>)),+);
                $name::into(
                    problem.device(),
                    $($operand.device()?,)+
                    $(outputs.$number.device_mut()?),+
                )?;
                let expected =
                    reference_of_several!($name, problem, [$($form),+], $($operand.host()),+)?;
                problem.sums_in($crate::judge::accumulator($name::PLAN));
                Ok(Verdict::worst([$(problem.judge(&outputs.$number, &expected.$number)?),+]))
            },
            check_kernel: |problem, kernel| {
                $(let $operand = operand!(problem, $kind $(<$element $(, $index)*>)?);)+
                let mut outputs = ($(output!(problem, $form<$written $(, $out_index)+>)),+);
                let arguments = vec![
                    $(argument!($operand, $kind),)+
                    $(outputs.$number.device_mut()?.argument()),+
                ];
                launch::into(problem.device(), kernel, arguments)?;
                let expected =
                    reference_of_several!($name, problem, [$($form),+], $($operand.host()),+)?;
                problem.sums_in($crate::judge::accumulator($name::PLAN));
                Ok(Verdict::worst([$(problem.judge(&outputs.$number, &expected.$number)?),+]))
            },
        }),+];
    };
}

/// A call of the host's reference whose outputs are of these forms, all batched or none.
macro_rules! reference_of_several {
    ($name:ident, $problem:ident, [$form:ident $(, $other:ident)+], $($operand:expr),+) => {
        reference!($name, $problem, $form, $($operand),+)
    };
}
