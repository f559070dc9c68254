//! A wave of blocks of warps, which multiply by `mma.sync` or in register tiles of their lanes.

use super::{Launch, Rows, Wave, body, groups, reduced};
use crate::auto::fitted::{self, converted, lanes};
use crate::auto::footprint::Footprint;
use crate::form::Form;
use crate::hardware::Target;

/// Seconds of a wave of blocks of warps.
pub(super) fn wave(of: &Footprint, wave: Wave, launch: &Launch<'_>) -> f64 {
    let blocks = wave.each as f64;
    let [m, n, _] = of.block.map(f64::from);
    let waiting = match of.form.copies_tensors() {
        true => fitted::WAVE_BY_TENSORS,
        false => fitted::WAVE,
    };
    let filling = of.in_flight(blocks) / (fitted::FILL * launch.machine.clock);
    // The time to store is of elements of 2 bytes; what is staged are sums.
    let wide = of.element_bytes()[2] / 2.0;
    let stored = fitted::STORE * wide + fitted::STAGE * f64::from(of.warps[2]) + body(of);
    let storing = blocks * m * n * stored;
    waiting + wave.steps * tile(of, blocks, launch) + filling + storing + reduced(of)
}

/// Seconds of a tile of K of `blocks` on a multiprocessor.
fn tile(of: &Footprint, blocks: f64, launch: &Launch<'_>) -> f64 {
    let machine = launch.machine;
    let [moved_a, moved_b] = launch.rows.map(|rows| match rows {
        Rows::OfLines | Rows::InLine => 1.0,
        Rows::InSector => fitted::STRADDLE,
    });
    let [m, n, k] = of.block.map(f64::from);
    let [warps_m, warps_n, warps_k] = of.warps.map(f64::from);
    let [a, b, _] = of.element_bytes();
    // Loads for lanes hardly hinder their products: by `fma(16, 8)`, with a quarter fewer, a large product
    // was 1 % faster.
    let by_lanes = matches!(of.form, Form::Lanes(_));
    let (share, [passes_a, passes_b], step) = match by_lanes {
        true => (fma_units(machine.target), lanes::PASSES, lanes::STEP),
        false => (tensor_cores(machine.target), [1.0; 2], fitted::STEP),
    };
    let products = f64::from(of.products) * share;
    let multiplied = m * n * k / (fitted::TENSOR * products * machine.clock);
    // Each row of warps loads all of A, each column all of B.
    let loaded = k * (warps_n * m * a * passes_a + warps_m * n * b * passes_b);
    let [from_shared, from_l2] = match of.form.copies_tensors() {
        true => [fitted::SHARED_BESIDE_TENSORS, fitted::L2_BY_TENSORS],
        false => [fitted::SHARED, fitted::L2],
    };
    let shared = loaded / (from_shared * machine.clock);
    let steps = k / warps_k / f64::from(of.step.max(1));
    let chain = fitted::TILE + step * steps;
    let copied = (from_l2 * machine.clock).min(of.in_flight(blocks) / fitted::LATENCY);
    let [with_a, with_b] = of.scaled_bytes();
    let copies = k * (m * with_a * moved_a + n * with_b * moved_b) / copied;
    // Each row of warps converts all of B, each column all of A.
    let [of_a, of_b] = of.converted.map(f64::from);
    let [cycles_a, cycles_b] = converted::OF_WARPS;
    let cycles = k * (cycles_a * warps_n * m * of_a + cycles_b * warps_m * n * of_b);
    let converting = cycles / converted::ISSUED / machine.clock;
    let lanes = blocks * (shared + converting + scaling(of, m * n * k, launch));
    let all = [blocks * multiplied, lanes, blocks * copies, chain];
    if by_lanes { groups::slowest(all) } else { slowest(all) }
}

/// Seconds in which the lanes of a block scale the sums of this number of products.
fn scaling(of: &Footprint, products: f64, launch: &Launch<'_>) -> f64 {
    let [instructions, k] = of.scaled.map(f64::from);
    // Of a sum and not, as of what is converted, of a pair.
    let issued = converted::ISSUED / 2.0;
    converted::OF_SCALES * instructions * products / k.max(1.0) / (issued * launch.machine.clock)
}

/// Seconds of things that go on at the same time and are in each other's way: more than the slowest
/// takes, and less than all of them one after the other. It is their norm of order 5/2; the order was
/// fitted too, and rounded to one whose powers are cheap.
pub(super) fn slowest<const N: usize>(seconds: [f64; N]) -> f64 {
    seconds.iter().map(|seconds| seconds * seconds * seconds.sqrt()).sum::<f64>().powf(0.4)
}

/// Products of an SM in a cycle by `mma.sync`, of those of sm_90 (architecture whitepapers, peak of
/// f16).
fn tensor_cores(target: Target) -> f64 {
    match target {
        Target::Sm75 | Target::Sm86 | Target::Sm87 | Target::Sm89 => 0.4,
        Target::Sm120 | Target::Sm121 => 0.4,
        Target::Sm80 => 0.8,
        Target::Sm90 | Target::Sm90a | Target::Sm100 | Target::Sm103 | Target::Sm110 => 1.0,
    }
}

/// The same by FMA units (CUDA C++ Programming Guide, "Arithmetic Instructions", 32-bit multiply-add).
fn fma_units(target: Target) -> f64 {
    match target {
        Target::Sm75 | Target::Sm80 => 0.5,
        Target::Sm86 | Target::Sm87 | Target::Sm89 | Target::Sm90 | Target::Sm90a => 1.0,
        Target::Sm100 | Target::Sm103 | Target::Sm110 | Target::Sm120 | Target::Sm121 => 1.0,
    }
}
