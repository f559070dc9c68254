//! The sums of a warpgroup: products of stamped factors, by the emitted text.
//!
//! Column 0 of A has the numbers of its rows and column 1 has ones; row 0 of B has ones and row 1 has 64
//! times the numbers of its columns. So the sum at (m, n) is m + 64·n.

use fastrand::Rng;
use gemm_codegen::level::mma::Unit;
use gemm_codegen::{Accumulator, AtomMatrix, Axis, Element, Owner, Plan, Side, Wgmma, emit};
use gemm_runtime::{
    AsMatrix as _, AsMatrixMut as _, Device, Kernel, LaunchShape, bf16, f16, launch,
};

use super::Mismatch;
use crate::random::draw::{Form, Orders, draw};
use crate::raw;

/// Threads of a warpgroup.
const THREADS: u32 = 128;

/// Compares where the sums of random warpgroups lie with what their plans say. Returns how many columns
/// their instructions had.
///
/// # Errors
/// The first difference, or what the device says.
pub fn check(device: &Device, count: usize) -> Result<Vec<u32>, Mismatch> {
    let mut rng = Rng::with_seed(11);
    let mut columns = Vec::new();
    for number in 0.. {
        let drawn = draw(&mut rng, Form::Warpgroups, Orders::number(number));
        let Ok(plan) = Plan::new(&drawn.spec) else { continue };
        let Unit::Warpgroup(unit) = plan.mma().unit else { continue };
        let kernel = emit(&plan);
        let is_tried = matches!(unit.element, Element::F16 | Element::Bf16)
            && plan.mma().accumulator == Accumulator::F32
            // The probe has both factors in shared memory.
            && plan.mma().conversion().is_none()
            && kernel.launch.cluster == [1; 3];
        if is_tried {
            run(device, &plan, unit, &kernel)?;
            columns.push(unit.columns);
        }
        if columns.len() == count {
            break;
        }
    }
    Ok(columns)
}

fn run(device: &Device, plan: &Plan, unit: Wgmma, kernel: &Kernel) -> Result<(), Mismatch> {
    let shape = LaunchShape {
        block_tile: [1, 1 << 20, 1 << 20],
        split_k: None,
        walks: false,
        pdl: None,
        launches_dependents: false,
        threads: THREADS,
        ..kernel.launch.clone()
    };
    let matrices = [("from", Axis::M, Axis::K), ("out", Axis::M, Axis::N)];
    let text = format!("{}{}", kernel.text, probe(plan, unit));
    let probe = raw::kernel("sums_probe".to_owned(), text, shape, &matrices);
    let none = device.zeros::<f32>(1, 1)?;
    let mut out = device.zeros::<f32>(1, (THREADS * unit.sums()) as usize)?;
    launch::into(device, &probe, vec![none.argument(), out.view_mut().argument()])?;
    let written = out.to_vec()?;
    for thread in 0..THREADS {
        for sum in 0..unit.sums() {
            let [row, column] = unit.position(thread, sum).expect("the sum of a thread");
            let got = written[(thread * unit.sums() + sum) as usize].into();
            let expected = f64::from(row + 64 * column);
            if got != expected {
                // Lanes and registers are those of the warpgroup.
                let owner = Owner { lane: thread, register: sum, element: 0 };
                let (what, matrix) = (format!("{unit:?}"), AtomMatrix::C);
                return Err(Mismatch::Element { what, matrix, owner, got, expected });
            }
        }
    }
    Ok(())
}

/// A kernel that fills the first stage and multiplies one k-step of it.
fn probe(plan: &Plan, unit: Wgmma) -> String {
    let [m, n, _] = unit.shape();
    let a = (0..m).flat_map(|m| [(m, 0, m), (m, 1, 1)]).map(|one| (Side::A, one));
    let b = (0..n).flat_map(|n| [(n, 0, 1), (n, 1, 64 * n)]).map(|one| (Side::B, one));
    let stores = a.chain(b).map(|(side, (mn, k, value))| {
        let base = if side == Side::A { 0 } else { plan.shared_tile(Side::A).bytes() };
        let at = (base + plan.shared_tile(side).address(mn, k)) / 2;
        let bits = match plan.mma().elements.get(side) {
            Element::F16 => f16::from_f32(value as f32).to_bits(),
            _ => bf16::from_f32(value as f32).to_bits(),
        };
        format!("    stage[{at}] = {bits};\n")
    });
    format!(
        "\nextern \"C\" __global__ void sums_probe(\n    \
         int, int, int, const float*, long long, float* out, long long) {{\n    \
         extern __shared__ __align__(1024) unsigned char probed[];\n    \
         unsigned short* const stage = reinterpret_cast<unsigned short*>(probed);\n    \
         for (int i = threadIdx.x; i < int(STAGE_BYTES / 2); i += {THREADS}) stage[i] = 0;\n    \
         __syncthreads();\n    if (threadIdx.x == 0) {{\n{}    }}\n    \
         asm volatile(\"fence.proxy.async.shared::cta;\" ::: \"memory\");\n    __syncthreads();\n    \
         const unsigned ring = static_cast<unsigned>(__cvta_generic_to_shared(probed));\n    \
         Sum sums[{count}];\n    wgmma_fence();\n    \
         wgmma<false>(sums, descriptor<TileA>(ring), descriptor<TileB>(ring + TileA::BYTES));\n    \
         wgmma_commit();\n    wgmma_wait<0>();\n    \
         for (int i = 0; i < {count}; ++i) out[threadIdx.x * {count} + i] = sums[i];\n}}\n",
        stores.collect::<String>(),
        count = unit.sums(),
    )
}
