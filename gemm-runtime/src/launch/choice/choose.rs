//! One of several kernels of the same function, by the shape of its operands.

use gemm_codegen::Kernel;

use crate::argument::Argument;
use crate::compile::Located;
use crate::device::Device;
use crate::error::Error;
use crate::launch::choice::candidate::candidates;
use crate::launch::choice::kernels::Kernels;
use crate::launch::choice::memo::Remembered;
use crate::launch::choice::query::LaunchQuery;
use crate::launch::measure::{Answer, answer};
use crate::launch::prepared::Prepared;
use crate::launch::run::prepare;
use crate::report::ChosenBy;

/// The kernel of `kernels` that should be fastest on these arguments, the operands with or without
/// the outputs: as [`Footprint`](gemm_codegen::auto::Footprint) estimates or, on a device [with a
/// tuning](Device::with_tuning), as measured. Copies of operands that a kernel's tensor copies cannot
/// read count as a part of it.
///
/// A kernel that cannot be launched here, or that the NVRTC that was found is too old for, is not
/// chosen. For arguments that do not fit it is the first
/// one, whose launch returns the error.
///
/// A shape that `kernels` remembers takes about 0.2 µs of host time, any other some microseconds for
/// the estimates; a prepared launch takes neither. The first shape of a function takes the
/// milliseconds in which its schedules are planned.
pub fn choose<'k>(
    device: &Device,
    kernels: &'k Kernels<'_>,
    arguments: &[Argument<'_>],
) -> &'k Kernel {
    chosen(device, kernels, arguments).0
}

/// As [`prepare`], with the kernel that [`choose`] picks for the arguments.
/// [`Prepared::report`] says by what it was chosen.
///
/// # Errors
/// As [`prepare`].
pub fn prepare_chosen<'a>(
    device: &Device,
    kernels: &Kernels<'_>,
    arguments: impl Into<Vec<Argument<'a>>>,
) -> Result<Prepared<'a>, Error> {
    let arguments = arguments.into();
    let (kernel, by) = chosen(device, kernels, &arguments);
    Ok(prepare(device, kernel, arguments)?.chosen(by))
}

/// The kernel that [`choose`] picks, and by what it was chosen.
fn chosen<'k>(
    device: &Device,
    kernels: &'k Kernels<'_>,
    arguments: &[Argument<'_>],
) -> (&'k Kernel, ChosenBy) {
    let Ok(query) = LaunchQuery::new(device, kernels, arguments) else {
        return (kernels.first(), ChosenBy::Estimate);
    };
    let choice = kernels.memo.get(&query.key).unwrap_or_else(|| {
        let nvrtc = Located::get().ok().map(|nvrtc| nvrtc.version);
        let candidates = candidates(&query, nvrtc);
        let answer =
            device.tuning().map_or(Answer::Unknown, |tuning| answer(tuning, &query, &candidates));
        let best = || candidates.first().map_or(0, |best| best.number);
        let choice = match answer {
            Answer::Kernel(number) => Remembered { number, by: ChosenBy::Measurement },
            Answer::Unknown | Answer::Later => {
                let by = match candidates.len() {
                    1 => ChosenBy::OnlyCandidate,
                    _ => ChosenBy::Estimate,
                };
                Remembered { number: best(), by }
            }
        };
        if answer != Answer::Later {
            kernels.memo.put(query.key, choice);
        }
        choice
    });
    (kernels.numbered(choice.number), choice.by)
}
