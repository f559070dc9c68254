//! [`extents`]: the accessors of a matrix and its views.

/// The accessors of the field `layout`, a [`MatrixLayout`](crate::memory::MatrixLayout), and `Debug`,
/// without elements, since they are not on the host.
macro_rules! extents {
    ($matrix:ident $(<$lifetime:lifetime>)?, $place:expr) => {
        impl<T> $matrix<$($lifetime,)? T> {
            /// How many rows it has.
            ///
            /// # Example
            /// ```
            /// # use gemm_runtime::prelude::*;
            /// # let device = Device::emulator();
            /// assert_eq!(device.zeros::<f16>(3, 64)?.rows(), 3);
            /// # Ok::<(), Error>(())
            /// ```
            pub fn rows(&self) -> usize {
                self.layout.rows
            }

            /// How many columns it has.
            ///
            /// # Example
            /// ```
            /// # use gemm_runtime::prelude::*;
            /// # let device = Device::emulator();
            /// assert_eq!(device.zeros::<f16>(3, 64)?.columns(), 64);
            /// # Ok::<(), Error>(())
            /// ```
            pub fn columns(&self) -> usize {
                self.layout.columns
            }

            /// Elements from the start of a row to the start of the next.
            ///
            /// # Example
            /// ```
            /// # use gemm_runtime::prelude::*;
            /// # let device = Device::emulator();
            /// // rows begin at multiples of 32 bytes
            /// assert_eq!(device.zeros::<f16>(3, 63)?.leading_dimension(), 64);
            /// # Ok::<(), Error>(())
            /// ```
            pub fn leading_dimension(&self) -> usize {
                self.layout.leading_dimension
            }
        }

        impl<T: Element> std::fmt::Debug for $matrix<$($lifetime,)? T> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let MatrixLayout { rows, columns, leading_dimension } = self.layout;
                let (name, place) = (stringify!($matrix), $place(self));
                write!(
                    f,
                    "{name}<{}> {rows}×{columns} (leading dimension {leading_dimension}) on {place}",
                    T::ELEMENT
                )
            }
        }
    };
}
pub(super) use extents;
