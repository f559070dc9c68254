//! How k-tiles reach the multiply, and who waits for whom.
//!
//! Each form has its main loop, its barriers and its part of the map of shared memory. The text of each
//! is the file of its name.

mod counts;
mod double_buffer;
mod fragments;
mod multistage;
mod roles;
mod specialised;
mod text;
mod tma;

use crate::field::Field;
use crate::form::ByThreads::{CpAsync, LdGlobal};
use crate::form::Form;
use crate::hardware::Target;
use crate::help::{Edit, Values};
use crate::level::global_to_shared::{GlobalToShared, TensorCopies};
use crate::level::mma::{Multiply, Promoting, Scaling};
use crate::level::pdl::Pdl;
use crate::level::scheduler::Scheduler;
use crate::level::shared_to_register::SharedToRegister;
use crate::registers::Registers;
use crate::rule::{Diagnostic, Rule};
use crate::spec::Planes;
use crate::text::Sections;

pub use counts::StageCounts;
pub use roles::Roles;
pub(crate) use text::Beside;

/// The stages of a pipeline in shared memory, a legal number. How they are filled and who waits for whom
/// is a fact of the [`Form`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ring {
    /// Stages, each with a k-tile of each factor.
    pub stages: u32,
    /// Rings of a block: one, or one for the warps at each place along K.
    pub rings: u32,
}

impl Form {
    /// The most stages that are derived: four hide the latency of global memory.
    pub(crate) const fn default_stages(self) -> u32 {
        if self.is_double_buffered() { double_buffer::STAGES } else { 4 }
    }

    /// Whether one of two stages is filled from registers while the other is multiplied.
    pub const fn is_double_buffered(self) -> bool {
        matches!(self, Form::Warps(LdGlobal) | Form::Lanes(LdGlobal))
    }

    /// Rings of a block with `warps_k` warps along K.
    pub(crate) const fn rings(self, warps_k: u32) -> u32 {
        match self {
            Form::Warps(_) | Form::Lanes(_) | Form::Groups => 1,
            Form::WarpsByTensors => warps_k,
        }
    }

    /// Bytes of the barriers of one stage of a ring.
    pub(crate) const fn barrier_bytes(self) -> u32 {
        match self {
            Form::Warps(_) | Form::Lanes(_) => 0,
            Form::WarpsByTensors | Form::Groups => tma::BARRIER_BYTES,
        }
    }

    /// The registers of a thread in a block of `threads`: those of a warp's accumulators, the fragments
    /// of A and B that a k-step loads, and the `copies` that hold the next tile.
    pub(crate) fn registers(
        self,
        warp_accumulators: u32,
        loaded: [u32; 2],
        copies: u32,
        threads: u32,
    ) -> Registers {
        match self {
            Form::Warps(_) | Form::Lanes(_) => {
                let fragments = loaded[0].saturating_add(loaded[1]);
                Registers::new(warp_accumulators, fragments, copies, threads)
            }
            Form::WarpsByTensors => tma::registers(warp_accumulators, loaded, threads),
            Form::Groups => specialised::registers(warp_accumulators, loaded[0], threads),
        }
    }

    /// Proves that an instruction fits the registers with which it is compiled; `threads` of its block
    /// multiply.
    pub(crate) fn check_instruction(
        self,
        warp_tile: [u32; 3],
        threads: u32,
    ) -> Result<(), Vec<Diagnostic>> {
        match self {
            Form::Groups => specialised::check_instruction(warp_tile, threads),
            Form::Warps(_) | Form::Lanes(_) | Form::WarpsByTensors => Ok(()),
        }
    }

    /// Proves that a stage can be filled while another is read.
    pub(crate) fn ring(
        self,
        stages: u32,
        rings: u32,
        targets: &[Target],
    ) -> Result<Ring, Vec<Diagnostic>> {
        let is_legal = match self.is_double_buffered() {
            true => stages == double_buffer::STAGES,
            false => stages >= 2,
        };
        if is_legal {
            return Ok(Ring { stages, rings });
        }
        let cp_async = cp_async_on(targets);
        let (message, help, stages, after) = match self {
            Form::Warps(LdGlobal) | Form::Lanes(LdGlobal) => (
                format!(
                    "`ld_global` is double-buffered: it supports exactly 2 stages, not {stages}"
                ),
                format!("more than 2 need {cp_async}"),
                2..=2,
                format!("; a deeper ring needs {cp_async}"),
            ),
            Form::Warps(CpAsync) | Form::Lanes(CpAsync) | Form::WarpsByTensors | Form::Groups => (
                "1 stage: a pipeline of asynchronous copies needs at least 2".to_owned(),
                "use a smaller block tile, so that 2 stages fit".to_owned(),
                2..=4,
                ": 2 overlap one copy, more hide the latency of global memory".to_owned(),
            ),
        };
        let values = Values { most: 3, ..Values::one(stages.map(Edit::Stages), after) };
        let broken = Diagnostic::new(Rule::PipelineDepth, Field::Stages, message, help);
        Err(vec![broken.naming(values)])
    }
}

/// The copies of a deeper ring, with the targets that have them if some here do not.
fn cp_async_on(targets: &[Target]) -> &'static str {
    let lacks = |target: &Target| target.capability() < Target::Sm80.capability();
    match targets.iter().any(lacks) {
        true => "`copy = cp_async(16, cg)`, and targets from sm_80 on",
        false => "`copy = cp_async(16, cg)`",
    }
}

/// What the main loop's text depends on.
pub(crate) struct Mainloop<'a> {
    pub(crate) form: Form,
    pub(crate) scheduler: Scheduler,
    pub(crate) copies: [&'a GlobalToShared; 2],
    /// The loads of fragments; none where instructions read shared memory.
    pub(crate) loads: Vec<&'a SharedToRegister>,
    pub(crate) multiply: &'a Multiply,
    /// How tensor copies bring both tiles, where they do.
    pub(crate) tensors: TensorCopies,
    pub(crate) pdl: Pdl,
    /// What f32 factors are multiplied as, if that is planes.
    pub(crate) planes: Option<Planes>,
    /// Whether a stage has an odd number of k-steps.
    pub(crate) odd_steps: bool,
    /// Whether sums are promoted.
    pub(crate) promotes: bool,
    /// How warpgroups hold these, if they do.
    pub(crate) promoting: Option<Promoting>,
    /// How they are scaled, if they are.
    pub(crate) scaling: Option<Scaling>,
    /// Whether `setmaxnreg` moves registers from one role to another.
    pub(crate) redistributes: bool,
    /// Whether the tile of B has parts of several factors.
    pub(crate) parts: bool,
    /// Whether it is that of the block's product, of several in turn.
    pub(crate) in_turn: bool,
    /// Whether a term is added to the sums: the main loop is called for each of the two.
    pub(crate) terms: bool,
}

impl Mainloop<'_> {
    /// The device function `mma`, which multiplies the fragments of a k-step, and what it calls.
    fn write_step(&self, text: &mut Sections) {
        let two_sums = self.scaling.is_some_and(|scaling| scaling.two_sums);
        self.multiply.write_step(text, self.form.copies_tensors(), two_sums);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_has_two_stages_or_more_and_a_double_buffer_two() {
        for form in [Form::Warps(CpAsync), Form::WarpsByTensors, Form::Groups] {
            assert_eq!(form.ring(1, 1, &[]).unwrap_err()[0].rule, Rule::PipelineDepth);
            assert_eq!([2, 9].map(|stages| form.ring(stages, 1, &[]).is_ok()), [true; 2]);
        }
        let double = |stages| Form::Lanes(LdGlobal).ring(stages, 1, &[]);
        assert_eq!(double(2), Ok(Ring { stages: 2, rings: 1 }));
        assert!([1, 3].iter().all(|stages| double(*stages).is_err()));
    }

    #[test]
    fn tensor_copies_have_a_ring_for_each_place_along_k() {
        assert_eq!(Form::WarpsByTensors.rings(4), 4);
        assert_eq!(Form::Warps(CpAsync).rings(4), 1);
    }
}
