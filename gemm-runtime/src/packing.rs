//! Integer factors in the order in which lanes multiply them: the types, and functions of the host.
//!
//! [`Device::pack`](crate::Device::pack) packs a matrix in device memory, [`pack`] one on the host, for example for a file.
//! Both give the same bits.

use gemm_codegen::packing::{PackedOrder, PackedPlace};

use crate::element::Element;
use crate::error::{Dimension, Error};
use crate::memory::{MatrixLayout, check_host_length};
use crate::packed::{i4x32, i8x16, u4x32, u8x16};
use crate::pairs::{i4x2, u4x2};

/// Bytes of a packed element.
const BYTES: usize = 16;

/// Rows and columns of the plain matrix that 32 packed elements have.
const LINES: usize = 16;
const COLUMNS: usize = 32;

/// An element type that can be packed: `i4x2`, `u4x2`, `i8` or `u8`.
///
/// Sealed, as [`Element`] is.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be packed",
    label = "expected `i4x2`, `u4x2`, `i8` or `u8`"
)]
pub trait Packs: Element<Value = i32> {
    /// The packed element of such numbers.
    type Packed: Packed<Plain = Self>;
}

/// A packed element type: `i4x32`, `u4x32`, `i8x16` or `u8x16`.
///
/// Sealed, as [`Element`] is.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not packed",
    label = "expected `i4x32`, `u4x32`, `i8x16` or `u8x16`"
)]
pub trait Packed: Element<Value = i32> {
    /// The element of such numbers that is not packed.
    type Plain: Packs<Packed = Self>;

    /// Where it has which number.
    const ORDER: PackedOrder;
}

macro_rules! packed {
    ($($plain:ident: $packed:ident = $element:ident;)+) => {$(
        impl Packs for $plain {
            type Packed = $packed;
        }

        impl Packed for $packed {
            type Plain = $plain;

            const ORDER: PackedOrder = match PackedOrder::of(gemm_codegen::Element::$element) {
                Some(order) => order,
                None => panic!("it is packed"),
            };
        }
    )+};
}

packed! {
    i4x2: i4x32 = I4x32;
    u4x2: u4x32 = U4x32;
    i8: i8x16 = I8x16;
    u8: u8x16 = U8x16;
}

/// Rows and columns of the packed matrix of a `rows` × `columns` matrix of `E`: `rows.div_ceil(16)` and
/// `columns.next_multiple_of(32)`.
///
/// # Example
/// ```
/// use gemm_runtime::packing;
/// use gemm_runtime::prelude::*;
///
/// assert_eq!(packing::extents::<i8>(17, 65), [2, 96]);
/// assert_eq!(packing::extents::<i4x2>(17, 33), [2, 64]); // K = 65 or 66
/// ```
pub fn extents<E: Packs>(rows: usize, columns: usize) -> [usize; 2] {
    let k = columns.saturating_mul(E::ELEMENT.numbers() as usize);
    E::Packed::ORDER.extents(rows, k)
}

/// Packs a `rows` × `columns` matrix on the host, without gaps between its rows. The result has the [`extents`], without
/// gaps too; its numbers outside the matrix are zero.
///
/// # Errors
/// [`Error::HostLength`] if `host` does not have `rows · columns` elements.
///
/// # Example
/// ```
/// # use gemm_runtime::prelude::*;
/// use gemm_runtime::packing;
///
/// # let device = Device::emulator();
/// let w = [u4x2::new(1, 2); 3 * 4];
/// let packed = packing::pack(3, 4, &w)?;
/// assert_eq!(packed, device.pack(&device.matrix(3, 4, &w)?)?.to_vec()?);
/// assert_eq!(packing::unpack(3, 4, &packed)?, w);
/// # Ok::<(), Error>(())
/// ```
pub fn pack<E: Packs>(rows: usize, columns: usize, host: &[E]) -> Result<Vec<E::Packed>, Error> {
    check_host_length("matrix", elements([rows, columns])?, &[rows, columns], host.len())?;
    let mut packed = vec![E::Packed::default(); elements(extents::<E>(rows, columns))?];
    let (from, to) = (bytemuck::cast_slice(host), bytemuck::cast_slice_mut(&mut packed));
    numbers::<E>(rows, columns).for_each(|[plain, packed]| plain.copy::<E>(from, packed, to));
    Ok(packed)
}

/// The `rows` × `columns` matrix that was packed, without gaps between its rows: bit for bit what [`pack`] was given.
///
/// # Errors
/// [`Error::HostLength`] if `host` does not have the elements of the [`extents`].
///
/// # Example
/// ```
/// # use gemm_runtime::prelude::*;
/// use gemm_runtime::packing;
///
/// let w = [5i8, -3, 127, -128];
/// assert_eq!(packing::unpack(1, 4, &packing::pack(1, 4, &w)?)?, w);
/// # Ok::<(), Error>(())
/// ```
pub fn unpack<P: Packed>(rows: usize, columns: usize, host: &[P]) -> Result<Vec<P::Plain>, Error> {
    let extents = extents::<P::Plain>(rows, columns);
    check_host_length("packed matrix", elements(extents)?, &extents, host.len())?;
    let mut plain = vec![P::Plain::default(); elements([rows, columns])?];
    let (from, to) = (bytemuck::cast_slice(host), bytemuck::cast_slice_mut(&mut plain));
    let numbers = numbers::<P::Plain>(rows, columns);
    numbers.for_each(|[plain, packed]| packed.copy::<P::Plain>(from, plain, to));
    Ok(plain)
}

/// Fails unless a packed matrix of these extents has as many rows and columns of the plain one.
pub(crate) fn check_extents(plain: [usize; 2], packed: [usize; 2]) -> Result<(), Error> {
    let limits = [packed[0].saturating_mul(LINES), packed[1] / COLUMNS * COLUMNS];
    let dimensions = [Dimension::Rows, Dimension::Columns];
    for ((dimension, end), extent) in dimensions.into_iter().zip(plain).zip(limits) {
        if end > extent {
            return Err(Error::OutOfRange { dimension, start: 0, end, extent });
        }
    }
    Ok(())
}

/// Elements of a matrix without gaps.
fn elements([rows, columns]: [usize; 2]) -> Result<usize, Error> {
    Ok(MatrixLayout::new(rows, columns, columns)?.elements())
}

/// Where the bits of a number are.
#[derive(Clone, Copy)]
struct Place {
    byte: usize,
    shift: usize,
}

impl Place {
    /// Copies a number to where the bits are zero.
    fn copy<E: Packs>(self, from: &[u8], at: Place, to: &mut [u8]) {
        let mask = u8::MAX >> (8 - E::ELEMENT.bits());
        to[at.byte] |= (from[self.byte] >> self.shift & mask) << at.shift;
    }
}

/// Each number of a plain matrix: where it is there, and in the packed matrix.
fn numbers<E: Packs>(rows: usize, columns: usize) -> impl Iterator<Item = [Place; 2]> {
    let (of_byte, bits) = (E::ELEMENT.numbers() as usize, E::ELEMENT.bits() as usize);
    let [_, of_row] = extents::<E>(rows, columns);
    let place = |bit| Place { byte: bit / 8, shift: bit % 8 };
    let all = (0..rows).flat_map(move |row| (0..columns * of_byte).map(move |k| (row, k)));
    all.map(move |(row, k)| {
        let PackedPlace { row: of_packed, column, number } = E::Packed::ORDER.place(row, k);
        let element = of_packed * of_row + column;
        let plain = (row * columns * of_byte + k) * bits;
        [place(plain), place(element * 8 * BYTES + number * bits)]
    })
}
