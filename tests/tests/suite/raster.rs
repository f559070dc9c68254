//! The order of the tiles by the plan, compared with the function `raster` of the emitted text.

use std::collections::BTreeMap;

use gemm_codegen::{Axis, Raster};
use gemm_runtime::{AsMatrix as _, AsMatrixMut as _, Device, LaunchShape, launch};
use gemm_tests::{Golden, goldens, raw};

use crate::Test;

/// Tiles along M and N; the last ones are partial: strips of 2, 3, 4 and 8 do not divide them.
const TILES: [u64; 2] = [7, 11];

pub(crate) fn tests() -> Vec<Test> {
    tests![the_text_computes_the_tiles_in_the_order_of_the_plan]
}

fn the_text_computes_the_tiles_in_the_order_of_the_plan() {
    // One golden of each order. The function of a cluster names a block's tile within it.
    let mut rasters = BTreeMap::new();
    for golden in goldens::ALL.iter().filter(|golden| golden.kernel.launch.cluster == [1; 3]) {
        // The function of a batch returns a matrix too.
        let is_batched = golden.kernel.parameters.iter().any(|one| one.batch.is_batched());
        if let Some(facts) = golden.kernel.facts.as_ref().filter(|_| !is_batched) {
            let raster = facts.raster;
            rasters.entry((raster.name(), raster.width())).or_insert((raster, golden));
        }
    }
    let is_along_m = |raster: &Raster| matches!(raster, Raster::AlongM(_));
    let along_m = rasters.values().filter(|(raster, _)| is_along_m(raster)).count();
    assert!(along_m > 0 && rasters.len() > along_m, "{:?}", rasters.keys());
    for (raster, golden) in rasters.into_values() {
        check(raster, golden);
    }
}

fn check(raster: Raster, golden: &Golden) {
    let [block_m, block_n, _] = golden.kernel.launch.block_tile.map(u64::from);
    let [m, n] = [TILES[0] * block_m - 3, TILES[1] * block_n - 1];
    let count = TILES[0] * TILES[1];
    let probe = format!(
        "\n// Writes the first row and column of each tile.\n\
         extern \"C\" __global__ void raster_probe(\n    \
         int, int, int, const float*, long long, float* out, long long) {{\n    \
         for (int tile = threadIdx.x; tile < {count}; tile += blockDim.x) {{\n        \
         const Block block = raster({m}, {n}, tile);\n        \
         out[2 * tile] = block.m;\n        out[2 * tile + 1] = block.n;\n    }}\n}}\n"
    );
    let shape = LaunchShape {
        block_tile: [1, 1 << 20, 1 << 20],
        split_k: None,
        walks: false,
        pdl: None,
        ..golden.kernel.launch.clone()
    };
    let matrices = [("from", Axis::M, Axis::K), ("out", Axis::M, Axis::N)];
    let text = format!("{}{probe}", golden.kernel.text);
    let kernel = raw::kernel("raster_probe".to_owned(), text, shape, &matrices);
    let target = gemm_check::usual_target(&kernel);
    let options = gemm_runtime::EmulatorOptions::default().target(target);
    let device = Device::emulator_with(options);
    let none = device.zeros::<f32>(1, 1).expect("an operand");
    let mut out = device.zeros::<f32>(1, 2 * count as usize).expect("an output");
    let arguments = vec![none.argument(), out.view_mut().argument()];
    launch::into(&device, &kernel, arguments).expect("the probe runs");
    let written = out.to_vec().expect("the output");
    for (tile, at) in (0..).zip(written.chunks(2)) {
        let [row, column] = raster.place(tile, TILES);
        let expected = [row * block_m, column * block_n].map(|at| at as f32);
        assert_eq!(at, expected, "{}: tile {tile} in {raster:?}", golden.name);
    }
}
