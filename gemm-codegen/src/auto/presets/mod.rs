//! The schedules that [`candidates`](super::candidates) tries after the derived one.

mod groups;
mod list;
mod warps;
mod written;

use std::fmt;
use std::num::NonZeroU16;

use crate::level::global_to_shared::tensor;
use crate::plan::Plan;
use crate::spec::{Body, Node, Raster, Schedule, Spec};
use groups::OfGroups;
use warps::OfWarps;

pub(super) use list::{CONVERTED, PRESETS};

/// A schedule for any element of up to 4 bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Preset {
    /// BLK_M, BLK_N, and BLK_K in bytes.
    pub(super) tile: [u16; 3],
    stages: u16,
    /// Blocks of a raster strip along M; `None` takes those of the derived schedule.
    strip: Option<u16>,
    /// Whether the factors are exchanged, so that the second one has the rows of the atom: an atom
    /// of a warp has twice as many rows as columns and one of a warpgroup has 64, so fewer are empty if
    /// the first factor has few rows.
    pub(super) swapped: bool,
    pub(super) by: OfForm,
}

/// Who multiplies, with the keys of a schedule that depend on it.
#[derive(Clone, Copy, Debug)]
pub(super) enum OfForm {
    Warps(OfWarps),
    Groups(OfGroups),
}

impl Preset {
    /// `spec` with this schedule, for the targets that can have it; `None` if none can, or if the spec
    /// names a key otherwise.
    pub(super) fn spec(self, spec: &Spec, derived: &Plan) -> Option<Spec> {
        let [m, n, k_bytes] = self.tile;
        // As many units of planes as boxes, and stages of about as many bytes.
        let (k, stages) = match derived.planes {
            None => (k_bytes / u16::try_from(bytes_along_k(derived)).ok()?, self.stages),
            Some(planes) => {
                let boxes = k_bytes / u16::try_from(tensor::ROW_BYTES).ok()?;
                let k = boxes * u16::try_from(tensor::whole_boxes(planes)).ok()?;
                let bytes = u16::try_from(planes.count() * bytes_along_k(derived)).ok()?;
                (k, (self.stages * k_bytes / (k * bytes).max(1)).max(2))
            }
        };
        let [m, n, k] = [m, n, k].map(NonZeroU16::new);
        let strip = self.strip.and_then(NonZeroU16::new);
        let schedule = match self.by {
            OfForm::Warps(warps) => warps.schedule(self, spec, derived)?,
            OfForm::Groups(groups) => groups.schedule(self, &spec.schedule, derived)?,
        };
        let schedule = Schedule {
            tile: Some([m?, n?, k?]),
            stages: NonZeroU16::new(stages),
            raster: spec.schedule.raster.or(strip.map(Raster::AlongM)),
            ..schedule
        };
        let body = if self.swapped { swapped(&spec.body) } else { spec.body.clone() };
        Some(Spec { schedule, body, ..spec.clone() })
    }

    /// The same with a stage or two less, of warpgroups: that leaves room for epilogue tiles that are filled ahead
    /// of time. Three stages are the least that hide the latency of global memory.
    pub(super) fn with_fewer_stages(self) -> impl Iterator<Item = Preset> {
        let least = match self.by {
            OfForm::Groups(_) => 3,
            OfForm::Warps(_) => self.stages,
        };
        let fewer = (least..self.stages).rev().take(2);
        fewer.map(move |stages| Preset { stages, ..self })
    }

    /// Whether tensor copies bring the tiles, where that is legal.
    #[cfg(test)]
    pub(super) fn copies_tensors(self) -> bool {
        match self.by {
            OfForm::Warps(warps) => warps.tensors,
            OfForm::Groups(_) => true,
        }
    }

    /// Whether it is only for products without tensor cores.
    #[cfg(test)]
    pub(super) fn is_of_lanes(self) -> bool {
        matches!(self.by, OfForm::Warps(OfWarps { lanes: true, .. }))
    }
}

/// Its id: tile, workers and stages, and what else it fixes.
impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [m, n, k] = self.tile;
        write!(f, "{m}x{n}x{k}B-")?;
        match self.by {
            OfForm::Warps(warps) => warps.id(self.stages, f)?,
            OfForm::Groups(groups) => groups.id(self.stages, f)?,
        }
        f.write_str(if self.swapped { "-swap" } else { "" })
    }
}

/// Bytes of an element along K, as the depth of a preset counts them. Where a factor is converted, they are those of what
/// is stored: deeper k-tiles have fewer barriers for as many bytes in flight.
fn bytes_along_k(derived: &Plan) -> u32 {
    derived.mma.stored.a.plain().bytes().min(derived.mma.stored.b.plain().bytes())
}

/// The body with the arguments of `matmul` exchanged, so that the transpose is multiplied.
fn swapped(body: &Body) -> Body {
    let mut body = body.clone();
    for node in &mut body.nodes {
        if let Node::Call { function, arguments } = node
            && function == "matmul"
        {
            arguments.reverse();
        }
    }
    body
}
