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
use crate::launch::extents::Bounds;
use crate::launch::measure::{Answer, answer};
use crate::launch::prepared::Prepared;
use crate::launch::run::prepare_within;
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
    chosen(device, kernels, arguments).kernel
}

/// As [`prepare`](crate::launch::prepare), with the kernel that [`choose`] picks for the arguments.
/// [`Prepared::report`] says by what it was chosen.
///
/// # Errors
/// As [`prepare`](crate::launch::prepare).
pub fn prepare_chosen<'a>(
    device: &Device,
    kernels: &Kernels<'_>,
    arguments: impl Into<Vec<Argument<'a>>>,
) -> Result<Prepared<'a>, Error> {
    let arguments = arguments.into();
    let Chosen { kernel, by, bounds } = chosen(device, kernels, &arguments);
    Ok(prepare_within(device, kernel, arguments, bounds)?.chosen(by))
}

/// The kernel that [`choose`] picks.
struct Chosen<'k> {
    kernel: &'k Kernel,
    /// By what it was chosen.
    by: ChosenBy,
    /// The bounds of its launch, where the arguments fit.
    bounds: Option<Bounds>,
}

fn chosen<'k>(device: &Device, kernels: &'k Kernels<'_>, arguments: &[Argument<'_>]) -> Chosen<'k> {
    let Ok(query) = LaunchQuery::new(device, kernels, arguments) else {
        return Chosen { kernel: kernels.first(), by: ChosenBy::Estimate, bounds: None };
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
    let bounds = query.into_bounds();
    let swapped = kernels.is_swapped(choice.number);
    Chosen {
        kernel: kernels.numbered(choice.number),
        by: choice.by,
        bounds: Some(if swapped { bounds.swapped() } else { bounds }),
    }
}
