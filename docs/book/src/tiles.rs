//! Blocks, warps and the edge.

use anyhow::Result;
use gemm_runtime::prelude::*;

use crate::values;

// ANCHOR: kernel
/// C = A · Bᵀ: blocks of four warps, each with 32×32 elements
#[gemm(tile = [64, 64, 32], warps = [2, 2], stages = 3, targets = [sm_80, sm_90])]
pub fn tiles(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}
// ANCHOR_END: kernel

/// A product whose extents are not multiples of the tile.
pub fn run() -> Result<String> {
    let shape = Shape { m: 100, n: 75, k: 50 };
    let (a, b) = (values(shape.m * shape.k), values(shape.n * shape.k));
    let device = Device::auto()?;
    let c = tiles(&device, &device.matrix(100, 50, &a)?, &device.matrix(75, 50, &b)?)?;

    let [rows, columns, _] = tiles::KERNEL.launch.block_tile.map(|extent| extent as usize);
    let blocks = [shape.m.div_ceil(rows), shape.n.div_ceil(columns)];
    let errors = c.to_vec()?.into_iter().zip(tiles::reference(shape, &a, &b)?);
    let wrong = errors.filter(|(c, expected)| (c - expected).abs() > 1e-4).count();
    Ok(format!(
        "{}x{}x{} by {}x{} blocks of {rows}x{columns}: {wrong} of {} elements are wrong\n",
        shape.m,
        shape.n,
        shape.k,
        blocks[0],
        blocks[1],
        shape.m * shape.n
    ))
}

/// The plan of the kernel.
pub fn plan() -> Result<String> {
    Ok(format!("{}\n", tiles::PLAN.trim_end()))
}
