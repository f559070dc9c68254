//! A warpgroup that copies and others that multiply.

use super::roles::GROUP;
use super::{Mainloop, Roles};
use crate::axis::Axis;
use crate::field::Field;
use crate::level::global_to_shared::{self, tensor};
use crate::level::mma::{Promoting, ScaledBy};
use crate::level::{feed, mma, shared_to_register};
use crate::part::Part;
use crate::registers::Registers;
use crate::rule::{Diagnostic, Rule};
use crate::spec::{Accumulator, KOrder, Walk};
use crate::text::{Sections, select};

/// Registers for addresses, bounds and counters of a consumer besides its sums, measured on emitted
/// kernels.
const ADDRESS_REGISTERS: u32 = 28;

/// Registers that ptxas wants for one instruction beside its sums, by its messages (NVRTC 13.1, C7602).
const INSTRUCTION_REGISTERS: u32 = 26;

/// The registers of a consumer with these for a k-tile of a factor that it converts; `threads` of its block multiply.
/// It converts a k-tile while the one before is multiplied.
pub(super) fn registers(warp_accumulators: u32, converted: u32, threads: u32) -> Registers {
    let roles = Roles::of(threads / GROUP);
    let of_block = Registers::new(warp_accumulators, 2 * converted, 0, roles.threads());
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
            "use at most {most} columns for each of {} warpgroups, or fewer warpgroups",
            roles.consumers
        ),
    )])
}

pub(super) fn write(text: &mut Sections, mainloop: &Mainloop<'_>) {
    text.add(include_str!("../../ptx/prefetch_map.cuh"));
    let of_factors = tensor::of_factors(mainloop.parts, mainloop.in_turn);
    global_to_shared::write_tensor(text, mainloop.copies, mainloop.tensors, of_factors);
    feed::write_descriptor(text);
    mma::write_atom(text, mainloop.multiply, mainloop.promoting);
    if mainloop.redistributes {
        text.add(include_str!("../../ptx/setmaxnreg.cuh"));
    }
    let of_loop = |text: &mut Sections, file: &str| text.of(Part::Mainloop).add(file);
    of_loop(text, include_str!("specialised/pipeline_state.cuh"));
    of_loop(text, include_str!("specialised/ring.cuh"));
    write_producer(text, mainloop);
    write_consumer(text, mainloop);
}

/// What the producer calls.
fn write_producer(text: &mut Sections, mainloop: &Mainloop<'_>) {
    let of_loop = |text: &mut Sections, file: &str| text.of(Part::Mainloop).add(file);
    let acquire = match mainloop.scheduler.cluster() {
        Some(_) => include_str!("specialised/producer_acquire_cluster.cuh"),
        None => include_str!("specialised/producer_acquire.cuh"),
    };
    let converted = [("CONVERTED", mainloop.multiply.conversion().is_some())];
    text.of(Part::Mainloop).add_file(acquire, &converted);
    of_loop(text, include_str!("specialised/copy_tile.cuh"));
    of_loop(
        text,
        match mainloop.pdl.early_side() {
            Some(_) => include_str!("specialised/start_early.cuh"),
            None => include_str!("specialised/start.cuh"),
        },
    );
    of_loop(
        text,
        match mainloop.scheduler.k_order() {
            KOrder::Serpentine => include_str!("specialised/produce_serpentine.cuh"),
            KOrder::Ascending => include_str!("specialised/produce.cuh"),
        },
    );
}

/// What the consumers call.
fn write_consumer(text: &mut Sections, mainloop: &Mainloop<'_>) {
    let (walk, cluster) = (mainloop.scheduler.walk(), mainloop.scheduler.cluster());
    text.add(match mainloop.multiply.accumulator {
        Accumulator::I32 => include_str!("../../ptx/fence_operand_s32.cuh"),
        _ => include_str!("../../ptx/fence_operand_f32.cuh"),
    });
    let of_loop = |text: &mut Sections, file: &str| text.of(Part::Mainloop).add(file);
    of_loop(
        text,
        match cluster {
            Some(_) => include_str!("specialised/consumer_release_cluster.cuh"),
            None => include_str!("specialised/consumer_release.cuh"),
        },
    );
    if let Some(planes) = mainloop.planes {
        text.of(Part::Mainloop).add(mma::steps_of(planes, mainloop.multiply));
    }
    let converted = [("CONVERTED", mainloop.multiply.conversion().is_some())];
    write_multiply(text, mainloop);
    if walk == Some(Walk::Pingpong) {
        of_loop(text, include_str!("specialised/skip.cuh"));
    }
    let mainloop = match (walk, cluster, mainloop.terms) {
        (Some(Walk::Pingpong), _, false) => include_str!("specialised/mainloop_pingpong.cuh"),
        (Some(Walk::Pingpong), _, true) => include_str!("specialised/mainloop_onto_pingpong.cuh"),
        (_, _, true) => include_str!("specialised/mainloop_onto.cuh"),
        (Some(Walk::Cooperative), _, false) | (None, Some(_), false) => {
            include_str!("specialised/mainloop_released.cuh")
        }
        (None, None, false) => include_str!("specialised/mainloop.cuh"),
    };
    text.of(Part::Mainloop).add_file(mainloop, &converted);
}

/// The products of all k-tiles.
fn write_multiply(text: &mut Sections, mainloop: &Mainloop<'_>) {
    if let Some(conversion) = mainloop.multiply.conversion() {
        shared_to_register::write(text, &mainloop.loads);
        conversion.write_chunks(text, mainloop.scaling.as_ref());
    }
    let of_loop = |text: &mut Sections, file: &str, parts: &[(&str, bool)]| {
        text.of(Part::Mainloop).add(select(file, parts));
    };
    let planes = [("PLANES", mainloop.planes.is_some())];
    let sums = mainloop.scaling.filter(|scaling| scaling.by == ScaledBy::Sums);
    let offsets = [("OFFSETS", sums.is_some_and(|scaling| scaling.offset().is_some()))];
    if offsets[0].1 {
        text.add(include_str!("../../ptx/fence_operand_b32.cuh"));
    }
    if sums.is_some() {
        text.of(Part::Mainloop).add(include_str!("specialised/clear.cuh"));
    }
    match (mainloop.promoting, mainloop.multiply.conversion(), sums) {
        (Some(promoting), ..) => write_promoted(text, promoting, mainloop.planes.is_some()),
        (None, None, _) => {
            of_loop(text, include_str!("specialised/multiply.cuh"), &planes);
            let all = match mainloop.terms {
                false => include_str!("specialised/multiply_all.cuh"),
                true => include_str!("specialised/multiply_all_onto.cuh"),
            };
            of_loop(text, all, &[]);
        }
        (None, Some(_), None) => {
            of_loop(text, include_str!("specialised/multiply_converted.cuh"), &[]);
        }
        (None, Some(_), Some(_)) => {
            of_loop(text, include_str!("specialised/multiply_scaled.cuh"), &offsets);
        }
    }
    if mainloop.promoting.is_none() && sums.is_none() {
        of_loop(text, include_str!("specialised/products.cuh"), &[]);
    }
}

/// The products of all k-tiles, whose sums are promoted.
fn write_promoted(text: &mut Sections, promoting: Promoting, planes: bool) {
    let planes = [("PLANES", planes)];
    text.of(Part::Mainloop).add(include_str!("specialised/clear.cuh"));
    text.of(Part::Mainloop).add(select(include_str!("specialised/unpromoted.cuh"), &planes));
    text.of(Part::Mainloop).add(match promoting {
        Promoting::Atoms => include_str!("specialised/multiply_promoted.cuh"),
        Promoting::Halves => include_str!("specialised/multiply_promoted_by_halves.cuh"),
        Promoting::InTurn => include_str!("specialised/multiply_promoted_in_turn.cuh"),
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hardware::REGISTERS_PER_SM;

    #[test]
    fn the_registers_of_all_warpgroups_are_those_of_an_sm() {
        let of = |consumers| [Roles::of(consumers), Roles::of(consumers).of_products_in_turn()];
        for roles in (1..=3).flat_map(of) {
            let consumers = roles.consumers;
            let Some([producer, consumer]) = roles.registers else { continue };
            assert!(GROUP * (producer + consumers * consumer) <= REGISTERS_PER_SM, "{consumers}");
            let at_launch = Registers::new(0, 0, 0, roles.threads()).limit;
            assert!(producer < at_launch && at_launch < consumer, "{consumers}: {at_launch}");
            assert!([producer, consumer].iter().all(|count| (24..=256).contains(count)));
            assert!([producer, consumer].iter().all(|count| count.is_multiple_of(8)));
        }
    }
}
