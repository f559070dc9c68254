//! Whether a device can run a kernel: one rule for GPUs and the emulator.

use gemm_codegen::{LaunchShape, Target};

use crate::error::{Error, KernelFault};

/// The target of the lowest compute capability.
pub(super) fn lowest_target(name: &str, launch: &LaunchShape) -> Result<Target, Error> {
    let none = || Error::Kernel { kernel: name.to_owned(), what: KernelFault::NoTarget };
    launch.lowest_target().ok_or_else(none)
}

/// The architecture-specific target that a kernel names for devices of this compute capability.
pub(super) fn specific_target(launch: &LaunchShape, capability: (u32, u32)) -> Option<Target> {
    let specific =
        |target: &Target| target.is_architecture_specific() && target.capability() == capability;
    launch.targets.iter().copied().find(specific)
}

/// The architecture that NVRTC compiles for: the device's own, in the architecture-specific form that a
/// kernel names.
pub(super) fn native_architecture(launch: &LaunchShape, capability: (u32, u32)) -> String {
    match specific_target(launch, capability) {
        Some(target) => target.name().to_owned(),
        None => format!("sm_{}{}", capability.0, capability.1),
    }
}

/// A kernel runs on every device that [runs](Target::runs_on) one of its targets, if a block has the
/// shared memory there, `shared_bytes`.
pub(super) fn check(
    name: &str,
    launch: &LaunchShape,
    capability: (u32, u32),
    shared_bytes: u32,
) -> Result<(), Error> {
    let lowest = lowest_target(name, launch)?;
    let name = || name.to_owned();
    if !launch.targets.iter().any(|target| target.runs_on(capability)) {
        return Err(Error::UnsupportedArchitecture { kernel: name(), device: capability, lowest });
    }
    let (needed, available) = (launch.shared_bytes, shared_bytes);
    if needed > available {
        return Err(Error::SharedMemory { kernel: name(), needed, available });
    }
    Ok(())
}

/// The general target of the highest compute capability up to a device's.
pub(super) fn nearest_target(capability: (u32, u32)) -> Target {
    let runs = |target: &Target| !target.is_architecture_specific() && target.runs_on(capability);
    Target::ALL.into_iter().rev().find(runs).unwrap_or(Target::ALL[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_of_a_device_is_the_nearest_general_target() {
        let nearest = [(7, 0), (8, 8), (9, 0), (12, 9)].map(nearest_target);
        assert_eq!(nearest, [Target::Sm75, Target::Sm87, Target::Sm90, Target::Sm121]);
        for target in Target::ALL.into_iter().filter(|target| !target.is_architecture_specific()) {
            assert_eq!(nearest_target(target.capability()), target);
        }
    }

    #[test]
    fn code_of_one_architecture_is_compiled_for_it_and_runs_nowhere_else() {
        let of = |targets| LaunchShape::new([16, 8, 16], 32, targets);
        let runs = |targets, capability| check("f", &of(targets), capability, 0).is_ok();
        assert!(runs(&[Target::Sm90a], (9, 0)) && !runs(&[Target::Sm90a], (10, 0)));
        assert!(runs(&[Target::Sm90], (10, 0)) && !runs(&[Target::Sm90], (8, 9)));
        assert!(runs(&[Target::Sm80, Target::Sm90a], (10, 0)), "by what is legal on sm_80");
        let native = |targets, capability| native_architecture(&of(targets), capability);
        assert_eq!(native(&[Target::Sm80, Target::Sm90a], (9, 0)), "sm_90a");
        assert_eq!(native(&[Target::Sm80, Target::Sm90a], (10, 0)), "sm_100");
        assert_eq!(native(&[Target::Sm80], (9, 0)), "sm_90");
    }
}
