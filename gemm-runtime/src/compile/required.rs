//! The NVRTC that a kernel needs.

use gemm_codegen::{LaunchShape, PtxFeature};

use crate::compile::located::Located;
use crate::error::Error;
use crate::version::Version;

/// Whether an NVRTC of this version compiles every instruction of a kernel.
pub(crate) fn compiles(launch: &LaunchShape, nvrtc: Version) -> bool {
    launch.newest_feature.is_none_or(|feature| nvrtc >= first(feature))
}

/// Fails unless this NVRTC compiles every instruction of the kernel of this name.
pub(crate) fn check(name: &str, launch: &LaunchShape, nvrtc: &Located) -> Result<(), Error> {
    match launch.newest_feature {
        Some(feature) if !compiles(launch, nvrtc.version) => Err(Error::NvrtcTooOld {
            kernel: name.to_owned(),
            feature,
            needed: first(feature),
            nvrtc: nvrtc.version,
            found: nvrtc.name.clone(),
        }),
        _ => Ok(()),
    }
}

/// The first version that compiles a feature.
fn first(feature: PtxFeature) -> Version {
    let (major, minor) = feature.nvrtc();
    Version { major, minor }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(feature: Option<PtxFeature>) -> LaunchShape {
        LaunchShape { newest_feature: feature, ..LaunchShape::new([16, 8, 16], 32, &[]) }
    }

    fn version(minor: u32) -> Version {
        Version { major: 12, minor }
    }

    #[test]
    fn a_feature_is_compiled_from_its_first_version_on() {
        let least = |feature| (0..10).find(|minor| compiles(&of(feature), version(*minor)));
        assert_eq!(least(None), Some(0));
        assert_eq!(least(Some(PtxFeature::Float8Conversions)), Some(1));
        assert_eq!(least(Some(PtxFeature::Float8Products)), Some(4));
        assert_eq!(least(Some(PtxFeature::MixedSigns)), Some(4));
        assert_eq!(least(Some(PtxFeature::ClusterFences)), Some(8));
        let newer = Version { major: 13, minor: 0 };
        assert!(PtxFeature::ALL.into_iter().all(|feature| compiles(&of(Some(feature)), newer)));
    }

    #[test]
    fn an_nvrtc_that_is_too_old_is_named_with_what_it_lacks_and_where_to_get_another() {
        let nvrtc = Located { version: version(6), name: "/old/libnvrtc.so.12".to_owned() };
        let error = check("linear", &of(Some(PtxFeature::ClusterFences)), &nvrtc);
        let text = error.expect_err("12.6 lacks it").to_string();
        for part in [
            "linear: `fence.sync_restrict` between blocks of a cluster needs NVRTC 12.8 or newer, for PTX \
             ISA 8.6; found NVRTC 12.6: /old/libnvrtc.so.12",
            "help: ",
            "pip install --no-deps --target",
            "nvidia-cuda-nvrtc-cu12==12.9.86",
            "GEMM_NVRTC_DIR",
        ] {
            assert!(text.contains(part), "{part:?} is not in:\n{text}");
        }
        assert!(check("linear", &of(None), &nvrtc).is_ok());
    }
}
