//! A warpgroup that copies and others that multiply.

use super::Mainloop;
use crate::axis::{Axis, Side};
use crate::field::Field;
use crate::hardware::WARP;
use crate::level::global_to_shared;
use crate::level::mma::Accumulator;
use crate::level::pdl::{self, Pdl};
use crate::level::scheduler::{Cluster, KOrder, Walk};
use crate::level::{feed, mma};
use crate::registers::Registers;
use crate::rule::{Diagnostic, Rule};
use crate::text::Sections;

/// Threads of a warpgroup.
const GROUP: u32 = mma::wgmma::WARPS * WARP;

/// Registers for addresses, bounds and counters of a consumer besides its sums, measured on emitted
/// kernels.
const ADDRESS_REGISTERS: u32 = 28;

/// Registers that ptxas wants for one instruction beside its sums, by its messages (NVRTC 13.1, C7602).
const INSTRUCTION_REGISTERS: u32 = 26;

/// Who does what in a block: the consumers are its first warpgroups, the producer is the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Roles {
    /// Warpgroups that multiply and store.
    pub consumers: u32,
    /// Registers of a thread of the producer and of a consumer, where `setmaxnreg` moves some from one to
    /// the other; a block of two warpgroups has enough for both.
    pub registers: Option<[u32; 2]>,
    /// How a block walks over several tiles, if it does.
    pub walk: Option<Walk>,
    /// In which order the producer of such a block brings the k-tiles of a tile.
    pub k_order: KOrder,
    /// The blocks that fill a stage together, if they do.
    pub cluster: Option<Cluster>,
}

/// The lines of the entry point for threads of the producer's warpgroup that move the slabs of the
/// epilogue.
#[derive(Clone, Debug, Default)]
pub(crate) struct Movers {
    /// Before threads part: the barriers of the slabs are initialised.
    pub(crate) initialised: String,
    /// What these threads do.
    pub(crate) moved: String,
}

impl Roles {
    /// Those of a block of one tile, in no cluster, with one to three consumers; more are an error
    /// elsewhere.
    pub(crate) fn of(consumers: u32) -> Roles {
        let registers = match consumers {
            0 | 1 => None,
            2 => Some([24, 240]),
            _ => Some([32, 160]),
        };
        Roles { consumers, registers, walk: None, k_order: KOrder::Ascending, cluster: None }
    }

    /// Threads of a block.
    pub fn threads(&self) -> u32 {
        (self.consumers + 1) * GROUP
    }

    /// The lines of the entry point that part producer and consumers, for the operands of these
    /// names, over all of K or over a part of it; and movers, if slabs have any.
    pub(crate) fn cuda(
        &self,
        factors: [&str; 2],
        has_part: bool,
        pdl: Option<Pdl>,
        movers: Option<Movers>,
    ) -> String {
        let Movers { initialised, moved } = movers.unwrap_or_default();
        let [fewer, more] = match self.registers {
            Some([fewer, more]) => [
                format!("        fewer_registers<{fewer}>();\n"),
                format!("    more_registers<{more}>();\n"),
            ],
            None => [String::new(), String::new()],
        };
        let along_k = if has_part { "part.from, part.k" } else { "0, k" };
        let [_, after] = pdl.map_or([""; 2], Pdl::around_mainloop);
        // Each block waits before the first tile that it stores; one that walks, before it begins.
        let waits = pdl.is_some_and(|pdl| pdl.early_side().is_some());
        let before = if waits || self.walk.is_some() && !after.is_empty() { pdl::WAIT } else { "" };
        let produced = match pdl.and_then(Pdl::early_side) {
            Some(side) => self.started(factors, side, along_k),
            None => self.produced(factors, along_k) + &indented(after),
        };
        format!(
            "    const Ring ring(shared);\n\
             {initialised}    \
             initialise(ring);\n    \
             if (threadIdx.x >= CONSUMERS) {{\n\
             {fewer}\
             {produced}\
             {moved}        \
             return;\n    }}\n\
             {more}\
             {before}"
        )
    }

    /// What the producer does.
    fn produced(&self, [a, b]: [&str; 2], along_k: &str) -> String {
        let (order, turns) = (self.order(), self.turns());
        let produce = format!("produce(ring, place, block, {a}, {b}, {along_k}{order});");
        let each = match self.walk {
            Some(_) => format!(
                "            while (tiles.next(block)) {{\n                \
                 {produce}\n\
                 {turns}            \
                 }}"
            ),
            None => format!("            {produce}"),
        };
        format!(
            "        if (threadIdx.x == CONSUMERS) {{\n            {PLACE}\n{first}{each}\n        }}\n",
            first = self.first_order(),
        )
    }

    /// What it does where it starts a side before the predecessor kernel has ended.
    fn started(&self, factors: [&str; 2], early: Side, along_k: &str) -> String {
        let ([a, b], order) = (factors, self.order());
        let produce = format!("produce(ring, place, block, {a}, {b}, {along_k}, started{order});");
        let [first, each] = match self.walk {
            Some(_) => [
                "            tiles.next(block);  // a block has one at least\n".to_owned(),
                format!(
                    "            do {{\n                \
                     {produce}\n                \
                     started = 0;\n\
                     {turns}            \
                     }} while (tiles.next(block));",
                    turns = self.turns(),
                ),
            ],
            None => [String::new(), format!("            {produce}")],
        };
        format!(
            "        int started = 0;\n        \
             if (threadIdx.x == CONSUMERS) {{\n\
             {first}            \
             started = start<Tile{letter}>(ring, block, {operand}, {along_k});\n        \
             }}\n\
             {wait}        \
             if (threadIdx.x == CONSUMERS) {{\n            \
             {PLACE}\n\
             {order}\
             {each}\n        \
             }}\n",
            order = self.first_order(),
            letter = early.letter().to_uppercase(),
            operand = factors[usize::from(early == Side::B)],
            wait = indented(pdl::WAIT),
        )
    }

    /// The argument of `produce` that says how a tile is summed, where tiles differ in that.
    fn order(&self) -> &'static str {
        match self.k_order {
            KOrder::Ascending => "",
            KOrder::Serpentine => ", backwards",
        }
    }

    /// The line that says it of the first tile.
    fn first_order(&self) -> &'static str {
        match self.k_order {
            KOrder::Ascending => "",
            KOrder::Serpentine => "            bool backwards = false;\n",
        }
    }

    /// The line that says it of the next tile.
    fn turns(&self) -> &'static str {
        match self.k_order {
            KOrder::Ascending => "",
            KOrder::Serpentine => "                backwards = !backwards;\n",
        }
    }
}

/// The producer's first place in the ring.
const PLACE: &str = "Place place = {0, 1};  // no stage has been filled: each counts as left";

/// Lines of the entry point in a block of it.
fn indented(lines: &str) -> String {
    lines.lines().map(|line| format!("    {line}\n")).collect()
}

/// The registers of a consumer; `threads` of its block multiply.
pub(super) fn registers(warp_accumulators: u32, threads: u32) -> Registers {
    let roles = Roles::of(threads / GROUP);
    let of_block = Registers::new(warp_accumulators, 0, 0, roles.threads());
    let limit = roles.registers.map_or(of_block.limit, |[_, consumer]| consumer);
    Registers { addresses: ADDRESS_REGISTERS, next_fragments: 0, limit, ..of_block }
}

/// Proves that ptxas can compile the instruction of a warpgroup of this tile; `threads` of its block
/// multiply. It gives an instruction the registers that a thread has at launch, whatever `setmaxnreg`
/// moves later.
pub(super) fn check_instruction(tile: [u32; 3], threads: u32) -> Result<(), Vec<Diagnostic>> {
    let roles = Roles::of(threads / GROUP);
    let limit = Registers::new(0, 0, 0, roles.threads()).limit;
    let needs = |columns: u32| columns * mma::wgmma::ROWS / GROUP + INSTRUCTION_REGISTERS;
    let columns = tile[1];
    if needs(columns) <= limit {
        return Ok(());
    }
    let step = mma::wgmma::COLUMN_STEP;
    let most = (1..columns / step).rev().map(|steps| steps * step);
    let most = most.into_iter().find(|columns| needs(*columns) <= limit).unwrap_or(step);
    Err(vec![Diagnostic::new(
        Rule::RegistersFit,
        Field::Tile(Axis::N),
        format!(
            "one wgmma of {columns} columns needs {} registers per thread, but ptxas has {limit} for it in \
             a block of {} threads",
            needs(columns),
            roles.threads()
        ),
        format!(
            "with {} warpgroups, use at most {most} columns for each, or use fewer",
            roles.consumers
        ),
    )])
}

pub(super) fn write(text: &mut Sections, mainloop: &Mainloop<'_>, roles: &Roles) {
    let Roles { walk, cluster, .. } = *roles;
    global_to_shared::write_tensor(text, mainloop.copies, mainloop.tensors);
    feed::write_descriptor(text);
    mma::write_atom(text, mainloop.multiply);
    let integers = mainloop.multiply.accumulator == Accumulator::I32;
    let turns = walk == Some(Walk::Pingpong);
    let parts = [
        ("INTEGERS", integers),
        ("WALKS", walk.is_some()),
        ("TURNS", turns),
        ("CLUSTERED", cluster.is_some()),
        ("EARLY", mainloop.tensors.early.is_some()),
        ("SERPENTINE", roles.k_order == KOrder::Serpentine),
    ];
    text.add_file(include_str!("specialised.cuh"), &parts);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hardware::REGISTERS_PER_SM;

    #[test]
    fn the_registers_of_all_warpgroups_are_those_of_an_sm() {
        for consumers in 1..=3 {
            let roles = Roles::of(consumers);
            let Some([producer, consumer]) = roles.registers else { continue };
            assert!(GROUP * (producer + consumers * consumer) <= REGISTERS_PER_SM, "{consumers}");
            let at_launch = Registers::new(0, 0, 0, roles.threads()).limit;
            assert!(producer < at_launch && at_launch < consumer, "{consumers}: {at_launch}");
            assert!([producer, consumer].iter().all(|count| (24..=256).contains(count)));
            assert!([producer, consumer].iter().all(|count| count.is_multiple_of(8)));
        }
    }
}
