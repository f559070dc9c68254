//! [`i4x2`] and [`u4x2`]: two integers of 4 bits in a byte.

use std::fmt;

use crate::of_bytes::of_bytes;

macro_rules! pairs {
    ($($(#[$($doc:tt)*])* $name:ident: $number:ty, $bias:literal;)+) => {$(
        $(#[$($doc)*])*
        ///
        /// An element of a factor alone. A factor of such elements is a [`Matrix`](crate::Matrix) of half as many columns
        /// as it has numbers along K, rounded up; of an odd K the last high bits may be any.
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
        #[repr(transparent)]
        pub struct $name(u8);

        of_bytes!($name(u8));

        impl $name {
            /// The pair of the low 4 bits of these numbers: `low` is the first along K.
            pub const fn new(low: $number, high: $number) -> $name {
                $name(low as u8 & 0xf | (high as u8) << 4)
            }

            /// The pair with these bits.
            pub const fn from_bits(bits: u8) -> $name {
                $name(bits)
            }

            /// The bits.
            pub const fn to_bits(self) -> u8 {
                self.0
            }

            /// Both numbers, the first along K first.
            pub const fn numbers(self) -> [$number; 2] {
                // Biased, the number is not negative.
                let (low, high) = (self.0 & 0xf ^ $bias, self.0 >> 4 ^ $bias);
                [low as $number - $bias, high as $number - $bias]
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.numbers().fmt(f)
            }
        }
    )+};
}

pairs! {
    /// Two signed integers of 4 bits, from -8 to 7, neighbours along K: the first in the low bits.
    i4x2: i8, 8;
    /// Two unsigned integers of 4 bits, from 0 to 15, neighbours along K: the first in the low bits.
    u4x2: u8, 0;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_has_the_numbers_that_it_was_made_of() {
        for low in -8..8i8 {
            for high in -8..8i8 {
                assert_eq!(i4x2::new(low, high).numbers(), [low, high]);
                let [low, high] = [low, high].map(|number| (number + 8) as u8);
                assert_eq!(u4x2::new(low, high).numbers(), [low, high]);
                assert_eq!(u4x2::new(low, high).to_bits(), low + 16 * high);
            }
        }
        assert_eq!(format!("{:?}", i4x2::from_bits(0x7f)), "[-1, 7]");
    }
}
