//! [`read_as`]: a constant of a body, of the type that the kernel takes.

/// A type of constants that a kernel takes as a `T`: `T` alone, as a macro sees only the name of a constant.
///
/// # Safety
/// It is the type `T`.
#[diagnostic::on_unimplemented(
    message = "a constant of a body is read as `{T}`, but this one is of `{Self}`",
    label = "expected `{T}`, found `{Self}`",
    note = "bind it by a `let` of its type and convert that, `let a: {Self} = A;` and `a as {T}`; of another type than \
            `f32`, `f64` and `i32`, declare the constant as `{T}`"
)]
pub unsafe trait ReadAs<T>: Copy {}

/// A second type that is read, without values: of a single one, rustc would say that it expects that, and no more.
#[derive(Clone, Copy)]
pub enum Other {}

macro_rules! read_as_itself {
    ($($ty:ident)+) => {
        $(
            // SAFETY: they are the same type.
            #[diagnostic::do_not_recommend]
            unsafe impl ReadAs<$ty> for $ty {}

            // SAFETY: there is no value of it.
            #[diagnostic::do_not_recommend]
            unsafe impl ReadAs<$ty> for Other {}
        )+
    };
}

read_as_itself! { f32 f64 i32 bool }

/// The constant itself: rustc says of another type what to write.
pub const fn read_as<T, C: ReadAs<T>>(constant: C) -> T {
    // SAFETY: by the trait, both are one type, which is `Copy`.
    unsafe { std::mem::transmute_copy(&constant) }
}
