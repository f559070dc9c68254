//! The macros that declare goldens beside what checks them. Each topic calls one of them once.

/// The goldens with their check: the operands of a problem, a launch into a poisoned output, the
/// verdict. In their signatures the indices are called M, N and K.
macro_rules! goldens {
    ($(
        $(#[$($attribute:tt)*])*
        pub fn $name:ident(
            $($operand:ident: $kind:ident $(<$element:ident $(, $index:ident)+>)?),+ $(,)?
        ) -> Mat<$output:ident, $row:ident, $column:ident> $body:tt
    )+) => {
        $(
            $(#[$($attribute)*])*
            pub fn $name(
                $($operand: $kind $(<$element $(, $index)+>)?),+
            ) -> Mat<$output, $row, $column> $body
        )+

        /// The goldens of this topic.
        pub(super) static ALL: &[Golden] = &[$(Golden {
            name: stringify!($name),
            kernel: &$name::KERNEL,
            plan: $name::PLAN,
            check: |problem| {
                $(let $operand = operand!(problem, $kind $(<$element $(, $index)+>)?);)+
                let mut output = problem.output::<$output>(Axis::$row, Axis::$column)?;
                $name::into(
                    problem.device(),
                    $($operand.device()?,)+
                    output.device_mut()?,
                )?;
                let expected = $name::reference(problem.shape(), $($operand.host()),+)?;
                problem.judge(&output, &expected)
            },
            check_kernel: |problem, kernel| {
                $(let $operand = operand!(problem, $kind $(<$element $(, $index)+>)?);)+
                let mut output = problem.output::<$output>(Axis::$row, Axis::$column)?;
                let arguments =
                    vec![$(argument!($operand, $kind),)+ output.device_mut()?.argument()];
                launch::into(problem.device(), kernel, arguments)?;
                let expected = $name::reference(problem.shape(), $($operand.host()),+)?;
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
    ($problem:ident, Vector<$element:ident, $index:ident>) => {
        $problem.vector::<$element>(Axis::$index)?
    };
    ($problem:ident, f32) => {
        $problem.scalar()
    };
    ($problem:ident, i32) => {
        Scalar(3i32)
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
    ($operand:ident, $scalar:ident) => {
        Argument::from($operand.device()?)
    };
}

/// The goldens with their check, as for those that return; what is written is declared first.
macro_rules! goldens_in_place {
    ($(
        $(#[$($attribute:tt)*])*
        pub fn $name:ident(
            $output:ident: &mut Mat<$written:ident, $row:ident, $column:ident>,
            $($operand:ident: $kind:ident $(<$element:ident $(, $index:ident)+>)?),+ $(,)?
        ) $body:tt
    )+) => {
        $(
            $(#[$($attribute)*])*
            pub fn $name(
                $output: &mut Mat<$written, $row, $column>,
                $($operand: $kind $(<$element $(, $index)+>)?),+
            ) $body
        )+

        /// The goldens of this topic.
        pub(super) static ALL: &[Golden] = &[$(Golden {
            name: stringify!($name),
            kernel: &$name::KERNEL,
            plan: $name::PLAN,
            check: |problem| {
                $(let $operand = operand!(problem, $kind $(<$element $(, $index)+>)?);)+
                let mut output = problem.matrix::<$written>(Axis::$row, Axis::$column)?;
                $name(problem.device(), output.device_mut()?, $($operand.device()?),+)?;
                let expected =
                    $name::reference(problem.shape(), output.host(), $($operand.host()),+)?;
                problem.judge(&output, &expected)
            },
            check_kernel: |problem, kernel| {
                $(let $operand = operand!(problem, $kind $(<$element $(, $index)+>)?);)+
                let mut output = problem.matrix::<$written>(Axis::$row, Axis::$column)?;
                let arguments =
                    vec![$(argument!($operand, $kind),)+ output.device_mut()?.argument()];
                launch::into(problem.device(), kernel, arguments)?;
                let expected =
                    $name::reference(problem.shape(), output.host(), $($operand.host()),+)?;
                problem.judge(&output, &expected)
            },
        }),+];
    };
}
