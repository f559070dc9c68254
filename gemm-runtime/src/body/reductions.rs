//! The functions by which a body ends in a value for an output that is a vector: what is reduced over the index
//! that the output lacks.

/// The value of one element, to be reduced.
#[derive(Clone, Copy, Debug, Default)]
#[doc(hidden)]
pub struct Reduced<T>(pub T);

macro_rules! reductions {
    ($($(#[$doc:meta])* $name:ident)+) => {
        $($(#[$doc])*
        #[inline]
        pub fn $name<T>(x: T) -> Reduced<T> {
            Reduced(x)
        })+
    };
}

reductions! {
    /// The sum of the values along the index that the output lacks: `sum(h * h)` for `-> Vector<f32, M>`.
    ///
    /// Parts are summed in a fixed order, so that a launch has the same result each time. Integers wrap.
    sum
    /// The largest value along the index that the output lacks; as [`f32::max`] it skips NaN. Where all are NaN
    /// it is minus infinity.
    max
    /// The least value along the index that the output lacks; as [`f32::min`] it skips NaN. Where all are NaN it
    /// is infinity.
    min
    /// The largest magnitude along the index that the output lacks; it skips NaN. Where all are NaN it is 0.
    abs_max
}
