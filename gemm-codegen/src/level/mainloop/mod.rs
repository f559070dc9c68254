//! The main loop: a ring of stages in shared memory, which asynchronous copies fill some tiles
//! ahead, or two stages of which one is filled from registers while the other is read.

use crate::field::Field;
use crate::level::global_to_shared::CopyAtom;
use crate::rule::{Diagnostic, Rule};
use crate::spec::Side;

/// The proof that a ring has a stage to fill while another is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ring {
    /// Tiles of A and B in shared memory.
    pub stages: u32,
}

/// The stages between which copies through registers take turns.
const DOUBLE_BUFFER: u32 = 2;

/// Proves it.
pub(crate) fn plan(stages: u32, copy: CopyAtom) -> Result<Ring, Vec<Diagnostic>> {
    let (message, help) = match copy {
        CopyAtom::CpAsync { .. } | CopyAtom::Tma if stages < 2 => (
            format!(
                "1 stage would be filled while it is read; a ring of {} tiles needs 2",
                copy.ptx()
            ),
            "2 stages overlap one copy, 3 or 4 hide the latency of global memory",
        ),
        CopyAtom::LdGlobal { .. } if stages != DOUBLE_BUFFER => (
            format!(
                "{stages} stage{}, but what ld.global loads waits in registers and takes turns \
                 between {DOUBLE_BUFFER}",
                if stages == 1 { "" } else { "s" }
            ),
            "2 stages; a deeper ring needs `copy = cp_async(16, cg)`",
        ),
        _ => return Ok(Ring { stages }),
    };
    Err(vec![Diagnostic::new(Rule::PipelineDepth, Field::Stages, message, help)])
}

/// What the files of the main loop say of fragments that are loaded A first, and what is said where
/// those of B are wanted first.
const A_AND_B_FIRST: [[&str; 2]; 2] = [
    [
        "    shared_to_register<TileA>(fragments_a[0], ring, warp.m, warp.k);
    shared_to_register<TileB>(fragments_b[0], ring + TileA::BYTES, warp.n, warp.k);
",
        "    shared_to_register<TileB>(fragments_b[0], ring + TileA::BYTES, warp.n, warp.k);
    shared_to_register<TileA>(fragments_a[0], ring, warp.m, warp.k);
",
    ],
    [
        "            shared_to_register<TileA>(fragments_a[next], read, warp.m, next_k);
            shared_to_register<TileB>(fragments_b[next], read + TileA::BYTES, warp.n, next_k);
",
        "            // B first: the first factor of A meets all of its factors.
            shared_to_register<TileB>(fragments_b[next], read + TileA::BYTES, warp.n, next_k);
            shared_to_register<TileA>(fragments_a[next], read, warp.m, next_k);
",
    ],
];

/// The device function `mainloop`, which has its own prologue or calls the function of that name. Of
/// what asynchronous copies bring it loads the fragments of the side `first` first.
pub(crate) fn cuda(copy: CopyAtom, calls_prologue: bool, first: Side) -> String {
    let a_first = cuda_a_first(copy, calls_prologue).to_owned();
    match (copy, first) {
        (CopyAtom::CpAsync { .. }, Side::B) => {
            A_AND_B_FIRST.iter().fold(a_first, |text, [a, b]| text.replace(a, b))
        }
        _ => a_first,
    }
}

/// The same, A first.
fn cuda_a_first(copy: CopyAtom, calls_prologue: bool) -> &'static str {
    match copy {
        CopyAtom::CpAsync { .. } if calls_prologue => include_str!("multistage_prologue.cuh"),
        CopyAtom::CpAsync { .. } => include_str!("multistage.cuh"),
        CopyAtom::LdGlobal { .. } => include_str!("double_buffered.cuh"),
        CopyAtom::Tma => include_str!("tensor.cuh"),
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU16;

    use super::*;
    use crate::level::global_to_shared::CacheOperator;

    #[test]
    fn a_prologue_is_all_that_main_loops_differ_in() {
        let [own, called] = [false, true].map(|calls| {
            let bytes = NonZeroU16::MIN;
            let atom = CopyAtom::CpAsync { bytes, cache: CacheOperator::Cg, policy: None };
            cuda_a_first(atom, calls).split_once("    // Prologue: ").unwrap()
        });
        assert_eq!(own.0, called.0.replace("write = last;", "write = ring;"));
        let behind = |text: &str| text.split_once("    cp_async_wait<").unwrap().1.to_owned();
        assert_eq!(behind(own.1), behind(called.1));
    }

    #[test]
    fn the_side_that_is_loaded_first_is_all_that_its_main_loops_differ_in() {
        let bytes = NonZeroU16::new(16).unwrap();
        let atom = CopyAtom::CpAsync { bytes, cache: CacheOperator::Cg, policy: None };
        for calls in [false, true] {
            let [a, b] = Side::BOTH.map(|first| cuda(atom, calls, first));
            for [of_a, of_b] in A_AND_B_FIRST {
                assert_eq!([a.matches(of_a).count(), b.matches(of_a).count()], [1, 0]);
                assert_eq!([a.matches(of_b).count(), b.matches(of_b).count()], [0, 1]);
            }
        }
    }

    #[test]
    fn a_ring_has_two_stages_or_more_and_a_double_buffer_two() {
        let bytes = NonZeroU16::new(16).unwrap();
        let atom = CopyAtom::CpAsync { bytes, cache: CacheOperator::Cg, policy: None };
        let ring = |stages| plan(stages, atom);
        let double = |stages| plan(stages, CopyAtom::LdGlobal { bytes });
        assert_eq!(ring(1).unwrap_err()[0].rule, Rule::PipelineDepth);
        assert_eq!([2, 9].map(ring), [2, 9].map(|stages| Ok(Ring { stages })));
        assert_eq!(double(2), Ok(Ring { stages: 2 }));
        assert!([1, 3].iter().all(|stages| double(*stages).is_err()));
    }
}
