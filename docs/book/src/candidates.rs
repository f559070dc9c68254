//! What a launch chooses among.

use std::fmt::Write as _;

use anyhow::Result;
use gemm_codegen::hardware::{A100, H200};
use gemm_runtime::prelude::*;
use gemm_runtime::{AsMatrix as _, EmulatorOptions, launch};

// ANCHOR: kernel
/// y = x · wᵀ
#[gemm]
pub fn linear(x: Mat<bf16, T, D>, w: Mat<bf16, H, D>) -> Mat<bf16, T, H> {
    matmul(x, w)
}
// ANCHOR_END: kernel

// ANCHOR: choose
/// The tile of the kernel that a device chooses for some rows.
pub fn chosen(device: &Device, rows: usize) -> Result<[u32; 3], Error> {
    let x = device.zeros::<bf16>(rows, 4096)?;
    let w = device.zeros::<bf16>(4096, 4096)?;
    let kernel = launch::choose(device, &linear::KERNELS, &[x.argument(), w.argument()]);
    Ok(kernel.launch.block_tile)
}
// ANCHOR_END: choose

/// The choices on two devices.
pub fn run() -> Result<String> {
    let mut text = format!("{:>6}  {:<18}{:<18}\n", "rows", "H200", "A100");
    for rows in [1, 64, 512, 4096] {
        write!(text, "{rows:>6}  ")?;
        for machine in [H200, A100] {
            let device = Device::emulator_with(EmulatorOptions::default().machine(machine));
            write!(text, "{:<18}", format!("{:?}", chosen(&device, rows)?))?;
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    Ok(text)
}
