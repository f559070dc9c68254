//! Launches whose memory traffic is counted twice, by the emulator and by a profiler on a GPU.
//!
//! Some are goldens, the others single instructions with hand-picked or random addresses, which
//! show how the hardware serves a warp. What they have in common with a GEMM is only the way they
//! are launched.

pub mod compare;
pub mod ncu;
pub mod pattern;

use std::fmt;

use gemm_runtime::{Device, Shape};

use gemm_tests::data::Alignment;
use gemm_tests::goldens;
use gemm_tests::{Failure, Golden, Problem};
use pattern::Pattern;

/// One launch.
#[derive(Clone, Debug)]
pub enum Case {
    /// A golden on a problem.
    Golden {
        /// Which one.
        golden: &'static Golden,
        /// The extents.
        shape: Shape,
        /// Of all its operands.
        alignment: Alignment,
    },
    /// One memory instruction of one warp.
    Pattern(Box<Pattern>),
}

/// The goldens that are compared, with their shape and alignment. The last two have swizzles that
/// are bad on purpose.
const GOLDENS: &[(&str, [usize; 3], usize)] = &[
    ("derived", [256, 384, 160], 16),
    ("derived", [200, 300, 100], 16),
    ("classic", [300, 260, 130], 4),
    ("km_kn_nm", [256, 256, 128], 16),
    ("mk_kn", [250, 130, 72], 2),
    ("atom_m16n8k8", [128, 192, 96], 16),
    ("big_tile", [384, 512, 256], 16),
    ("conflicts_no_swizzle", [192, 128, 192], 16),
    ("conflicts_weak_swizzle", [192, 128, 192], 16),
];

/// All of them, in the order of launch.
pub fn cases() -> Vec<Case> {
    let goldens = GOLDENS.iter().filter_map(|(name, [m, n, k], alignment)| {
        let golden = goldens::named(name).ok()?;
        let shape = Shape { m: *m, n: *n, k: *k };
        Some(Case::Golden { golden, shape, alignment: Alignment::Bytes(*alignment) })
    });
    goldens
        .chain(pattern::all().into_iter().map(|pattern| Case::Pattern(Box::new(pattern))))
        .collect()
}

impl Case {
    /// Launches it and waits for it.
    ///
    /// # Errors
    /// A problem of the launch or of a golden's output.
    pub fn launch(&self, device: &Device) -> Result<(), Failure> {
        match self {
            Case::Golden { golden, shape, alignment } => {
                (golden.check)(&mut Problem::new(device, *shape, *alignment, 1))?;
                Ok(())
            }
            Case::Pattern(pattern) => Ok(pattern.launch(device)?),
        }
    }

    /// The name of its kernel's entry point.
    pub fn entry(&self) -> String {
        match self {
            Case::Golden { golden, .. } => golden.kernel.entry.to_string(),
            Case::Pattern(pattern) => pattern.operation.entry(),
        }
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Case::Golden { golden, shape: Shape { m, n, k }, alignment } => {
                write!(f, "{} {m}×{n}×{k}", golden.name)?;
                match alignment {
                    Alignment::Bytes(16) => Ok(()),
                    Alignment::Bytes(bytes) => write!(f, ", {bytes} B aligned"),
                    Alignment::Mixed => f.write_str(", mixed alignment"),
                }
            }
            Case::Pattern(pattern) => write!(f, "{pattern}"),
        }
    }
}
