//! [`i4x32`], [`u4x32`], [`i8x16`], [`u8x16`]: integers of a factor as lanes multiply them.

use std::fmt;

use crate::of_bytes::of_bytes;

/// Bytes of a packed element.
const BYTES: usize = 16;

macro_rules! packed {
    ($($(#[$($doc:tt)*])* $name:ident: $bits:literal, $bias:literal;)+) => {$(
        $(#[$($doc)*])*
        ///
        /// An element of a factor alone, which [`Device::pack`](crate::Device::pack) makes. A row of such a matrix has 16
        /// rows of the factor ([`PackedOrder`](gemm_codegen::packing::PackedOrder)).
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
        #[repr(C, align(16))]
        pub struct $name([u8; BYTES]);

        of_bytes!($name([u8; BYTES]));

        impl $name {
            /// How many numbers it has.
            pub const NUMBERS: usize = 8 * BYTES / $bits;

            /// The element with these bytes.
            pub const fn from_bytes(bytes: [u8; BYTES]) -> $name {
                $name(bytes)
            }

            /// Its bytes.
            pub const fn to_bytes(self) -> [u8; BYTES] {
                self.0
            }

            /// The number whose bits are the `at`th ones.
            ///
            /// # Panics
            /// If it has no such number.
            pub fn number(self, at: usize) -> i32 {
                let bits = i32::from(self.0[at * $bits / 8]) >> (at * $bits % 8);
                // Biased, the number is not negative.
                (bits & ((1 << $bits) - 1) ^ $bias) - $bias
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_list().entries((0..Self::NUMBERS).map(|at| self.number(at))).finish()
            }
        }
    )+};
}

packed! {
    /// 32 packed signed integers of 4 bits, from -8 to 7, of 16 lines of a factor: 2 along K of each in the mean.
    i4x32: 4, 8;
    /// 32 packed unsigned integers of 4 bits, from 0 to 15, of 16 lines of a factor: 2 along K of each in the mean.
    u4x32: 4, 0;
    /// 16 packed signed integers of 8 bits, of 16 lines of a factor: 1 along K of each in the mean.
    i8x16: 8, 128;
    /// 16 packed unsigned integers of 8 bits, of 16 lines of a factor: 1 along K of each in the mean.
    u8x16: 8, 0;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_bits() {
        let bytes = std::array::from_fn(|at| (at * 37 + 200) as u8);
        for at in 0..BYTES {
            let byte = bytes[at];
            assert_eq!(i8x16::from_bytes(bytes).number(at), i32::from(byte as i8));
            assert_eq!(u8x16::from_bytes(bytes).number(at), byte.into());
            let [low, high] = [byte & 0xf, byte >> 4].map(i32::from);
            let signed = |number: i32| if number > 7 { number - 16 } else { number };
            assert_eq!(u4x32::from_bytes(bytes).number(2 * at), low);
            assert_eq!(u4x32::from_bytes(bytes).number(2 * at + 1), high);
            assert_eq!(i4x32::from_bytes(bytes).number(2 * at), signed(low));
            assert_eq!(i4x32::from_bytes(bytes).number(2 * at + 1), signed(high));
        }
        let list = format!("{:?}", i8x16::from_bytes([255; BYTES]));
        assert_eq!(list.matches("-1").count(), i8x16::NUMBERS);
    }
}
