//! Registers → global memory: the accumulator is staged through shared memory, the body applied,
//! the result stored along the output's rows.
//!
//! A block has its part of the output alone, a pass its rows of it, a thread its chunks of a pass:
//! each element is in one chunk. Of several outputs a thread stores the same chunk to each. So a
//! body can read the old elements of an output: the thread that stores an element is the only one
//! that reads it, and reads it before. Where tensor copies bring them (`fetched`), that holds of the
//! thread that has them copied: a stage is stored after the warpgroup has waited for what was brought
//! there.

mod block;
mod exchanged;
mod fetched;
mod groups;
mod operand;
mod parts;
mod reduced;
mod reducible;
mod staging;
mod stored;
mod stores;
mod values;

use crate::axis::{PerSide, Side};
use crate::element::Element;
use crate::hardware::{Availability, Target};
use crate::level::global_to_shared::TensorBox;
use crate::level::mma::{Multiply, Unit};
use crate::level::shared_to_register::LoadPath;
use crate::level::warps::Warps;
use crate::problem::{ParameterKind, Store};
use crate::rule::{Diagnostic, Rule};
use crate::targets;
use crate::text::Sections;

pub use block::BlockEpilogue;
pub use fetched::Fetched;
pub(crate) use fetched::{ReadMatrix, names as moved_names};
pub(crate) use groups::tile_bytes;
pub use groups::{GroupEpilogue, Staging};
pub(crate) use operand::{BodyOperand, reads_together};
pub use reduced::Partials;
pub(crate) use reduced::{Lines, Parts, Reduced, Reductions};
pub(crate) use stored::Stored;

/// How the sums of a tile reach the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Epilogue {
    /// All warps of a block stage together.
    Block(BlockEpilogue),
    /// Each warpgroup stages by itself.
    Groups(GroupEpilogue),
}

/// Chooses how `warps` store, the more at a time the more of the ring's bytes the main loop leaves free.
pub(crate) fn plan(
    warps: &Warps,
    multiply: &Multiply,
    paths: PerSide<LoadPath>,
    stored: Stored<'_>,
    ring_bytes: u32,
) -> Epilogue {
    match multiply.unit {
        Unit::Warpgroup(_) => Epilogue::Groups(staging::plan(warps, multiply, stored)),
        Unit::TensorCore(_) | Unit::Fma(_) => {
            let order = (stored.n_contiguous, stored.products);
            Epilogue::Block(block::plan(warps, multiply, paths, order, ring_bytes))
        }
    }
}

impl Epilogue {
    /// Whether rows are reduced in the registers of lanes that stage results; else values are where sums were
    /// staged.
    pub(crate) fn reduces_in_registers(&self) -> bool {
        match self {
            Epilogue::Block(_) => false,
            Epilogue::Groups(groups) => groups.stages_results(),
        }
    }

    /// Whether the output's rows run along N; else along M.
    pub fn n_contiguous(&self) -> bool {
        match self {
            Epilogue::Block(block) => block.n_contiguous,
            Epilogue::Groups(groups) => groups.n_contiguous,
        }
    }

    /// Passes until the part of a block, or of a warpgroup, is stored.
    pub fn passes(&self) -> u32 {
        match self {
            Epilogue::Block(block) => block.passes,
            Epilogue::Groups(groups) => groups.passes,
        }
    }

    /// Passes of the banks that one staging store needs at most; 1 is free of conflicts.
    pub fn bank_passes(&self) -> u32 {
        match self {
            Epilogue::Block(block) => block.bank_passes,
            Epilogue::Groups(groups) => groups.bank_passes,
        }
    }

    /// Passes of the banks that one load of staged elements needs at most, by threads that store `vector`
    /// elements of a row each; 1 is free of conflicts. Sixteen bytes a lane are free of them; a lane that
    /// takes more, as `vector` sums of 4 bytes do for 8 elements of 2, shares banks with another one.
    pub fn load_passes(&self, vector: u32) -> u32 {
        match self {
            Epilogue::Block(block) => block.load_passes(vector),
            Epilogue::Groups(groups) => groups.load_passes(vector),
        }
    }

    /// Elements of a row that a thread stores to each of several outputs of these elements at a time.
    pub(crate) fn vector(&self, outputs: impl Iterator<Item = Element>) -> u32 {
        let of_one = |element: Element| self.store_bytes(element.bytes()) / element.bytes();
        outputs.map(of_one).min().unwrap_or(1)
    }

    /// Elements of a row that a thread stores to each output that is a matrix; if none is, of the sums as
    /// they are `staged`.
    pub(crate) fn vector_of(&self, stores: &[Store], staged: Element) -> u32 {
        let matrices = stores.iter().filter(|store| store.reduced_along().is_none());
        let elements: Vec<Element> = matrices.map(Store::element).collect();
        match elements.is_empty() {
            true => self.vector(std::iter::once(staged)),
            false => self.vector(elements.into_iter()),
        }
    }

    /// Shared memory of what is staged at a time.
    pub fn shared_bytes(&self) -> u32 {
        match self {
            Epilogue::Block(block) => block.shared_bytes(),
            Epilogue::Groups(groups) => groups.shared_bytes(),
        }
    }

    /// Bytes of the widest store of elements of this size in bytes: a staged row is a whole number of them.
    pub fn store_bytes(&self, element_bytes: u32) -> u32 {
        match self {
            Epilogue::Block(block) => block.store_bytes(element_bytes),
            Epilogue::Groups(groups) => groups.store_bytes(element_bytes),
        }
    }

    /// The box by which the copy unit stores the output, if it does.
    pub(crate) fn stored_box(&self) -> Option<TensorBox> {
        match self {
            Epilogue::Block(_) => None,
            Epilogue::Groups(groups) => groups.stored_box(),
        }
    }

    /// The epilogue tiles that tensor copies fill for the body, if they do.
    pub(crate) fn fetched(&self) -> Option<Fetched> {
        match self {
            Epilogue::Block(_) => None,
            Epilogue::Groups(groups) => groups.fetched(),
        }
    }

    /// The box by which tensor copies bring a matrix for the body, if they do: that of the epilogue tiles.
    pub(crate) fn fetched_box(&self) -> Option<TensorBox> {
        self.fetched().and(self.stored_box())
    }

    /// Whether each warpgroup has the copy unit store what it has staged; what is fetched for a warpgroup,
    /// other threads have stored.
    pub(crate) fn cuda_stores_boxes(&self) -> bool {
        self.stored_box().is_some() && self.fetched().is_none()
    }

    /// The statement by which threads wait before they stage, if the epilogue does not for each pass.
    pub(crate) fn cuda_wait(&self) -> Option<&'static str> {
        match self {
            Epilogue::Block(_) => None,
            Epilogue::Groups(groups) => groups.cuda_wait(),
        }
    }

    /// Shared memory of its barriers.
    pub(crate) fn barrier_bytes(&self) -> u32 {
        match self {
            Epilogue::Block(_) => 0,
            Epilogue::Groups(groups) => groups.barrier_bytes(),
        }
    }

    /// Whether it stages beside the ring; else where that is.
    pub(crate) fn is_apart(&self) -> bool {
        match self {
            Epilogue::Block(_) => false,
            Epilogue::Groups(groups) => groups.apart,
        }
    }

    /// The member of a side's tile that `line` reads, where anything calls it.
    pub(crate) fn cuda_interleaved(&self, side: Side) -> String {
        match self {
            Epilogue::Block(block) => block.cuda_interleaved(side),
            Epilogue::Groups(_) => String::new(),
        }
    }

    /// The constants of what is staged at a time, after the `types` of the outputs.
    pub(crate) fn cuda_constants(&self, types: &str, multiply: &Multiply, several: bool) -> String {
        match self {
            Epilogue::Block(block) => block.cuda_constants(types, multiply, several),
            Epilogue::Groups(groups) => groups.cuda_constants(types, several),
        }
    }

    /// The device functions `stage` and `epilogue`, and what they call, for `outputs` and for what the
    /// body reads, of a batch of this rank.
    pub(crate) fn write(
        &self,
        text: &mut Sections,
        multiply: &Multiply,
        outputs: &[(&str, ParameterKind)],
        reads: &[BodyOperand],
        rank: usize,
    ) {
        match self {
            Epilogue::Block(block) => {
                block.write_staging(text, multiply);
                block.write(text, reads_together(reads));
            }
            Epilogue::Groups(groups) => groups.write(text, outputs, reads, rank),
        }
    }

    /// The same where outputs are reduced.
    pub(crate) fn write_reduced(
        &self,
        text: &mut Sections,
        multiply: &Multiply,
        (outputs, reductions): (&[(&str, ParameterKind)], &Reductions),
        reads: &[BodyOperand],
        rank: usize,
    ) {
        let together = reads_together(reads);
        if let Epilogue::Groups(groups) = self
            && self.reduces_in_registers()
        {
            return groups.write_reduced(text, (outputs, reductions), rank);
        }
        let files = match self {
            Epilogue::Block(block) => {
                block.write_staging(text, multiply);
                (block.staged_tile(), include_str!("reduced/epilogue_of_block.cuh"))
            }
            Epilogue::Groups(groups) => {
                groups.write_staging(text);
                (groups.staged_tile(), include_str!("reduced/epilogue_of_groups.cuh"))
            }
        };
        reductions.write(text, files, together);
    }
}

/// Every target converts between these elements, which the body reads or writes, and its values. Of
/// several the one that the fewest targets convert is reported.
pub(crate) fn check(
    elements: impl Iterator<Item = (Element, Availability)>,
    targets: &[Target],
) -> Result<(), Vec<Diagnostic>> {
    let rarest = elements.max_by_key(|(_, on)| on.lacking(&Target::ALL));
    let Some((element, on)) = rarest else { return Ok(()) };
    let what = format!("conversion of {element}");
    targets::require(Rule::ElementsOnTarget, &what, on, targets, "")
}
