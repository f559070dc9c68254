//! Whether a device can run a kernel: one rule for GPUs and the emulator.

use gemm_codegen::{LaunchShape, Target};

use crate::error::{Error, KernelFault};

/// The oldest architecture a kernel was proved legal on.
pub(super) fn lowest_target(name: &str, launch: &LaunchShape) -> Result<Target, Error> {
    launch
        .targets
        .iter()
        .copied()
        .min()
        .ok_or_else(|| Error::Kernel { kernel: name.to_owned(), what: KernelFault::NoTarget })
}

/// A kernel runs on every device that is at least as new as the oldest architecture it was proved
/// legal on, if a block has the shared memory there, `shared_bytes`.
pub(super) fn check(
    name: &str,
    launch: &LaunchShape,
    capability: (u32, u32),
    shared_bytes: u32,
) -> Result<(), Error> {
    let lowest = lowest_target(name, launch)?;
    let name = || name.to_owned();
    if capability < capability_of(lowest) {
        return Err(Error::UnsupportedArchitecture { kernel: name(), device: capability, lowest });
    }
    let (needed, available) = (launch.shared_bytes, shared_bytes);
    if needed > available {
        return Err(Error::SharedMemory { kernel: name(), needed, available });
    }
    Ok(())
}

/// The newest architecture that is not newer than a device of this capability.
pub(super) fn nearest_target(capability: (u32, u32)) -> Target {
    let older = |target: &Target| capability_of(*target) <= capability;
    Target::ALL.into_iter().rev().find(older).unwrap_or(Target::ALL[0])
}

pub(super) fn capability_of(target: Target) -> (u32, u32) {
    // Every name is `sm_` and the capability times ten.
    let number: u32 = target.name().trim_start_matches("sm_").parse().unwrap_or(u32::MAX);
    (number / 10, number % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_has_a_capability() {
        assert_eq!(capability_of(Target::Sm80), (8, 0));
        assert_eq!(capability_of(Target::Sm103), (10, 3));
        let nearest = [(7, 0), (8, 8), (9, 0), (12, 9)].map(nearest_target);
        assert_eq!(nearest, [Target::Sm75, Target::Sm87, Target::Sm90, Target::Sm121]);
        for target in Target::ALL {
            let (major, minor) = capability_of(target);
            assert_eq!(Target::from_capability(major, minor), Some(target));
        }
    }
}
