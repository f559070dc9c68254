//! Matrices that a kernel of ours packs and unpacks.

use std::sync::OnceLock;

use gemm_codegen::{Axis, Element as ElementType, Kernel, MAX_EXTENT, packing};

use crate::argument::{Argument, AsMatrixMut};
use crate::device::Device;
use crate::element::Element;
use crate::error::Error;
use crate::launch::bound::Bound;
use crate::launch::copies::kind_of;
use crate::launch::extents::too_large;
use crate::launch::prepared::Work;
use crate::launch::problem::{Problem, check_address, check_place};
use crate::memory::Matrix;
use crate::packing::{Packed, Packs, check_extents, extents};

/// The packed matrix of a plain one. The launch that makes it is enqueued.
///
/// # Errors
/// Those of [`converted`].
pub(crate) fn pack<E: Packs>(
    device: &Device,
    plain: Argument<'_>,
) -> Result<Matrix<E::Packed>, Error> {
    let [rows, columns] = extents_of(&plain)?;
    let of_packed = extents::<E>(rows, columns);
    let kernel = packer(E::ELEMENT);
    converted(device, kernel, plain, [rows, columns], of_packed)
}

/// A plain matrix of these extents, of a packed one. The launch that makes it is enqueued.
///
/// # Errors
/// [`Error::OutOfRange`]; otherwise as [`pack`].
pub(crate) fn unpack<P: Packed>(
    device: &Device,
    packed: Argument<'_>,
    plain: [usize; 2],
) -> Result<Matrix<P::Plain>, Error> {
    check_extents(plain, extents_of(&packed)?)?;
    converted(device, unpacker(<P::Plain as Element>::ELEMENT), packed, plain, plain)
}

fn extents_of(matrix: &Argument<'_>) -> Result<[usize; 2], Error> {
    let region = matrix.region().ok_or_else(|| kind_of(matrix))?;
    Ok([region.layout.rows, region.layout.columns])
}

/// A matrix of the extents `out` that a kernel makes of another one; `plain` has the extents of the one that is not
/// packed.
///
/// # Errors
/// [`Error::DeviceMismatch`], [`Error::StreamMismatch`], [`Error::Misaligned`], [`Error::DimensionTooLarge`];
/// [`Error::OutOfMemory`], [`Error::SizeOverflow`], [`Error::Driver`], a refusal of the compiler's.
fn converted<T: Element>(
    device: &Device,
    kernel: &'static Kernel,
    from: Argument<'_>,
    plain: [usize; 2],
    [rows, columns]: [usize; 2],
) -> Result<Matrix<T>, Error> {
    let mut read = kernel.parameters[0].clone();
    read.name = "the matrix".into();
    check_place(device, (&read, &from))?;
    check_address(&read, &from)?;
    let limit = MAX_EXTENT as usize;
    for (axis, extent) in [Axis::M, Axis::N].into_iter().zip(plain) {
        if extent > limit {
            return Err(too_large(&kernel.name, (axis, extent), limit));
        }
    }
    let mut made = device.uninitialized(rows, columns)?;
    if !plain.contains(&0) {
        let problem = Problem::of_copy(device, kernel, Vec::new(), plain)?;
        let arguments = vec![from, AsMatrixMut::argument(&mut made)];
        Work::new(device, kernel, Bound::of_copy(arguments, problem))?.launch()?;
    }
    Ok(made)
}

/// The kernel that packs elements of this size.
fn packer(plain: ElementType) -> &'static Kernel {
    static KERNELS: [OnceLock<Kernel>; 2] = [const { OnceLock::new() }; 2];
    KERNELS[usize::from(plain.bits() == 4)].get_or_init(|| packing::pack(plain))
}

/// The kernel that unpacks them.
fn unpacker(plain: ElementType) -> &'static Kernel {
    static KERNELS: [OnceLock<Kernel>; 2] = [const { OnceLock::new() }; 2];
    KERNELS[usize::from(plain.bits() == 4)].get_or_init(|| packing::unpack(plain))
}
