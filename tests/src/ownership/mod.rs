//! Are the ownership maps of the MMA atoms right? Operands are stamped so that a result tells
//! which lane, register and element it came from, and what comes back is compared with the maps.

mod emitted;
mod kernels;
mod stamped;
pub mod sums;

use gemm_codegen::{AtomMatrix, Fragment, Owner};
use gemm_runtime::{Device, Error};

/// Why a map is wrong, or could not be tried.
#[derive(Debug, thiserror::Error)]
pub enum Mismatch {
    /// The launch or a copy failed.
    #[error(transparent)]
    Runtime(#[from] Error),
    /// Something is elsewhere than the map says.
    #[error(
        "{what}: {} of lane {}, register {}, element {} is {got}, by its map {expected}",
        .matrix.letter(), .owner.lane, .owner.register, .owner.element
    )]
    Element {
        /// The instruction or the kernel.
        what: String,
        /// The matrix whose element it is.
        matrix: AtomMatrix,
        /// Who holds it.
        owner: Owner,
        /// What was there.
        got: f64,
        /// What should have been there.
        expected: f64,
    },
}

/// Compares the maps with what `device` does, and says what was compared, a line each:
///
/// - for every form of `mma.sync` whose elements have at least 8 bits, each element of A against
///   all of B, in an operand of A that is 1 there and 0 elsewhere;
/// - what the emitted kernels load into the registers of A and B, and where they store those of C.
///
/// # Errors
/// The first difference, or what the device says.
pub fn check(device: &Device) -> Result<Vec<String>, Mismatch> {
    let mut done = stamped::check(device)?;
    done.extend(emitted::check(device)?);
    Ok(done)
}

/// An error unless `got`, held by `owner`, is what the map says.
fn compare(
    what: &str,
    map: &Fragment,
    owner: Owner,
    got: f64,
    expected: f64,
) -> Result<(), Mismatch> {
    if got == expected {
        return Ok(());
    }
    Err(Mismatch::Element { what: what.to_owned(), matrix: map.matrix(), owner, got, expected })
}
