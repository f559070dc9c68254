//! The text of the copies.

use super::policy::{CUDA_POLICY, cuda_policy, has_policy};
use super::{GlobalToShared, TensorBox, tensor};
use crate::axis::{PerSide, Side};
use crate::batch_text::select_rank;
use crate::level::scheduler::Cluster;
use crate::level::shared_tile::{CHUNK_BYTES, SharedTile};
use crate::part::Part;
use crate::spec::{CacheOperator, CachePolicy, CopyAtom};
use crate::text::wrap::wrap_lines;
use crate::text::{Sections, select};

/// The members of a tile in a kernel where the tile of a side consists of panels: one whose rows are
/// those of a box is one panel.
const CUDA_PANELS: &str = "    static constexpr int PANEL_COLS = PITCH / int(sizeof(Element));\n    \
     static constexpr int PANELS = COLS / PANEL_COLS, PANEL_BYTES = ROWS * PITCH;  // boxes\n";

impl GlobalToShared {
    /// The members of the tile's struct that `global_to_shared` reads, for an operand whose
    /// alignment is the macro `align`, in a kernel of these `sides`.
    pub(crate) fn cuda_members(
        &self,
        align: &str,
        sides: [&GlobalToShared; 2],
        is_fed: bool,
    ) -> String {
        let bytes = self.atom.bytes();
        let aligned = format!("{align} < {bytes} ? {align} : {bytes}");
        match self.atom {
            CopyAtom::CpAsync { cache, policy, .. } => {
                // No asynchronous copy has less than 4 bytes; below that it is an element at a time.
                let narrow = match self.element_bytes {
                    1 => format!("{align} < 4 ? 1 : "),
                    _ => String::new(),
                };
                let members = wrap_lines(&format!(
                    "    static constexpr int COPY_BYTES = {narrow}{aligned};\n    \
                     static constexpr bool PAST_L1 = {};\n",
                    cache == CacheOperator::Cg
                ));
                let policy = if has_policy(sides) { cuda_policy(policy) } else { String::new() };
                members + &self.cuda_threads() + &policy
            }
            CopyAtom::Tma { .. } => {
                let panels = match self.panels.is_none() && has_panels(sides) && !is_fed {
                    true => CUDA_PANELS,
                    false => "",
                };
                let policy = self.box_policy(sides).map_or(String::new(), |policy| {
                    format!("    {CUDA_POLICY} {{ return {}(); }}\n", policy.name())
                });
                format!("{panels}{policy}")
            }
            CopyAtom::LdGlobal { .. } => {
                wrap_lines(&format!(
                    "    static constexpr int COPY_BYTES = {bytes};\n    \
                     static constexpr int LOAD_BYTES = {aligned};\n",
                )) + &self.cuda_threads()
            }
        }
    }

    /// The member that says how many threads share a row.
    fn cuda_threads(&self) -> String {
        let most = self.row_threads.map_or("THREADS".to_owned(), |most| most.to_string());
        format!(
            "    static constexpr int ROW_THREADS = {most};  // the most that share the copies of a row\n"
        )
    }

    /// What L2 does with the lines of a box, in a kernel where a side says it. Of the other side it
    /// keeps them as all others, which is its default (PTX ISA, "Cache Eviction Priority Hints").
    pub(super) fn box_policy(&self, sides: [&GlobalToShared; 2]) -> Option<CachePolicy> {
        let of_boxes = self.atom.is_tma() && has_policy(sides);
        of_boxes.then(|| self.atom.policy().unwrap_or(CachePolicy::EvictNormal))
    }

    /// What the start of shared memory has to be aligned to, in bytes.
    pub(crate) fn align(&self) -> u32 {
        match self.atom {
            CopyAtom::Tma { .. } => tensor::ALIGN,
            CopyAtom::CpAsync { .. } | CopyAtom::LdGlobal { .. } => CHUNK_BYTES,
        }
    }
}

/// Copies by all threads: `global_to_shared` and what it calls.
///
/// The wrappers of instructions take the tile, as in
/// [`shared_to_register`](crate::level::shared_to_register::write).
pub(crate) fn write_cp_async(
    text: &mut Sections,
    sides: [&GlobalToShared; 2],
    several: bool,
    scales: Option<u32>,
) {
    let (past_l1, policy) = (past_l1(sides), has_policy(sides));
    let parts = [("POLICY", policy)];
    text.add_file(include_str!("../../ptx/cp_async_ca.cuh"), &parts);
    if past_l1 {
        text.add_file(include_str!("../../ptx/cp_async_cg.cuh"), &parts);
    }
    text.add(match (sides.map(|side| side.element_bytes), scales) {
        ([1, 1], None | Some(4)) => include_str!("../../ptx/store_shared_u8.cuh"),
        ([1, _] | [_, 1], _) => include_str!("../../ptx/store_shared_narrow.cuh"),
        ([_, _], _) => include_str!("../../ptx/store_shared_u16.cuh"),
    });
    text.add(match past_l1 {
        true => include_str!("copy_past_l1.cuh"),
        false => include_str!("copy.cuh"),
    });
    text.add(include_str!("../../ptx/cp_async_group.cuh"));
    write_source(text, policy, sides, scales.is_some());
    text.of(Part::Copies).add_file(include_str!("cp_async.cuh"), &parts);
    write_sources(text, several);
    if several {
        text.of(Part::Copies).add(include_str!("cp_async_factors.cuh"));
    }
}

/// Copies through registers: `global_to_register`, `register_to_shared` and what they call.
pub(crate) fn write_ld_global(text: &mut Sections, sides: [&GlobalToShared; 2], several: bool) {
    text.add(include_str!("../word.cuh"));
    text.add(include_str!("../../ptx/store_shared_words.cuh"));
    write_source(text, false, sides, false);
    text.of(Part::Copies).add(include_str!("ld_global.cuh"));
    write_sources(text, several);
    text.of(Part::Copies).add(match several {
        true => include_str!("ld_global_factors.cuh"),
        false => include_str!("held.cuh"),
    });
}

/// A thread's position in an operand.
fn write_source(text: &mut Sections, policy: bool, sides: [&GlobalToShared; 2], scales: bool) {
    let fewer = scales || sides.iter().any(|side| side.numbers > 1);
    let parts = [("POLICY", policy), ("FEWER_COLUMNS", fewer)];
    text.of(Part::Copies).add_file(include_str!("source.cuh"), &parts);
}

/// A thread's positions in what it copies of each side: in a factor, or in several.
fn write_sources(text: &mut Sections, several: bool) {
    text.add(match several {
        true => include_str!("factors.cuh"),
        false => include_str!("sources.cuh"),
    });
}

/// The struct of what the tile of B has of one of several factors: for threads that copy all of it, or for
/// a box.
pub(crate) fn cuda_part(tile: &SharedTile, is_box: bool) -> String {
    let file = match (is_box, tile.lines) {
        (true, _) => include_str!("box_of_b.cuh"),
        (false, 1) => include_str!("part_of_b.cuh"),
        (false, _) => include_str!("part_of_packed_b.cuh"),
    };
    select(file, &[("K_CONTIGUOUS", tile.k_contiguous)])
}

/// How tensor copies bring the tiles of both sides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TensorCopies {
    /// The sides that have a matrix for each one of a batch: their maps have more than two
    /// dimensions.
    pub(crate) batched: PerSide<bool>,
    /// How many indices the batch has: these maps have as many further dimensions.
    pub(crate) rank: usize,
    /// The blocks that copy what several of them multiply together, if they do.
    pub(crate) cluster: Option<Cluster>,
}

impl TensorCopies {
    /// The members of the struct of a side's tile by which one function copies both.
    pub(crate) fn cuda_members(self, side: Side, tile: &SharedTile, several: bool) -> String {
        let (offset, mn0) = match side {
            Side::A => ("0", "block.m"),
            Side::B => ("TileA::BYTES", "block.n"),
        };
        let mn0 = if tile.lines > 1 { &*format!("{mn0} / LINES") } else { mn0 };
        let of_element = match TensorBox::columns_of(tile.element_bytes) {
            1 => String::new(),
            columns => format!(" * {columns}"),
        };
        let k0 = match tile.numbers {
            1 => format!("k0{of_element}"),
            _ => format!("k0 / NUMBERS{of_element}"),
        };
        let k0 = &*k0;
        let [col, row] = if tile.k_contiguous { [k0, mn0] } else { [mn0, k0] };
        let (ty, matrix) = match self.batched.get(side) {
            true => ("BatchBox", ", block.batch"),
            false => ("Box", ""),
        };
        let shared = self.cluster.map_or("", |_| cuda_shares(side));
        let factor = if side == Side::B && several { "MapsOfB" } else { "TensorMap" };
        format!(
            "    typedef {factor} Factor;\n    \
             static constexpr int STAGE_OFFSET = {offset};\n    \
             static __device__ __forceinline__ {ty} box(Block block, int k0) {{\n        \
             return {{{col}, {row}{matrix}}};\n    \
             }}\n\
             {shared}"
        )
    }
}

/// The members of a side's tile that say which blocks of a cluster multiply it: of A those that follow each
/// other along N, of B those along M, in which blocks are numbered first.
fn cuda_shares(side: Side) -> &'static str {
    match side {
        Side::A => {
            "    // Blocks of a cluster that multiply it, and how far apart their ranks are.\n    \
             static constexpr int SHARERS = CLUSTER_N, RANKS_APART = CLUSTER_M;\n"
        }
        Side::B => "    static constexpr int SHARERS = CLUSTER_M, RANKS_APART = 1;  // the same\n",
    }
}

/// Tensor copies: the barriers, the copies of boxes of each rank that a side has, to one block or to
/// several of a cluster, and `global_to_shared`, with what it is for several factors of B.
pub(crate) fn write_tensor(
    text: &mut Sections,
    sides: [&GlobalToShared; 2],
    copies: TensorCopies,
    of_factors: Option<&'static str>,
) {
    let TensorCopies { batched, rank, cluster } = copies;
    let policy = [("POLICY", has_policy(sides))];
    write_barriers(text, cluster.is_some());
    let kinds = [(false, false), (false, true), (true, false), (true, true)];
    for (to_all, of_batch) in kinds {
        let is_of_kind =
            |side| (Cluster::parts(cluster, side) > 1) == to_all && *batched.get(side) == of_batch;
        if Side::BOTH.into_iter().any(is_of_kind) {
            let file = match to_all {
                true => include_str!("../../ptx/multicast_box.cuh"),
                false => include_str!("../../ptx/copy_box.cuh"),
            };
            text.add(select_rank(file, &policy, if of_batch { rank } else { 0 }));
        }
    }
    if cluster.is_some() {
        text.of(Part::Copies).add_file(include_str!("tensor_shared.cuh"), &policy);
    }
    let file = match (has_panels(sides), cluster.is_some()) {
        (false, false) => include_str!("tensor_box.cuh"),
        (true, false) => include_str!("tensor_panels.cuh"),
        (false, true) => include_str!("tensor_box_shared.cuh"),
        (true, true) => include_str!("tensor_panels_shared.cuh"),
    };
    text.of(Part::Copies).add_file(file, &policy);
    if let Some(file) = of_factors {
        text.of(Part::Copies).add(file);
    }
}

/// The instructions of the barriers that count copies, in a cluster those of its blocks too.
fn write_barriers(text: &mut Sections, clustered: bool) {
    text.add(include_str!("../../ptx/fence_proxy_async.cuh"));
    text.add(include_str!("../../ptx/mbarrier.cuh"));
    text.add(match clustered {
        true => include_str!("../../ptx/mbarrier_init_fence_cluster.cuh"),
        false => include_str!("../../ptx/mbarrier_init_fence.cuh"),
    });
    if clustered {
        text.add(include_str!("../../ptx/mbarrier_cluster.cuh"));
    }
}

/// Whether the tile of a side consists of panels.
fn has_panels(sides: [&GlobalToShared; 2]) -> bool {
    sides.iter().any(|side| side.panels.is_some())
}

fn past_l1(sides: [&GlobalToShared; 2]) -> bool {
    sides.iter().any(|side| side.atom.cache() == Some(CacheOperator::Cg))
}
