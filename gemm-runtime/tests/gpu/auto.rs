//! Every schedule among which a launch chooses, on a GPU.

use gemm_runtime::prelude::*;
use gemm_runtime::{AsMatrix, AsMatrixMut, Kernel, launch};

use super::gpu;
use crate::common::{factors, halves};

#[gemm(auto)]
fn product(a: Mat<f16, M, K>, b: Mat<f16, N, K>) -> Mat<f32, M, N> {
    matmul(a, b)
}

#[test]
fn every_schedule_gives_the_same() {
    let Some(device) = gpu() else { return };
    for [m, n, k] in [[1, 999, 2048], [300, 301, 1112], [64, 2000, 513]] {
        let [a, b] = factors(&device, [m, n, k], halves);
        let expected = product(&device, &a, &b).expect("it runs").to_vec().expect("out");
        for kernel in product::KERNELS.iter() {
            let mut out = device.matrix(m, n, &vec![f32::NAN; m * n]).expect("out");
            let arguments = [a.argument(), b.argument(), AsMatrixMut::argument(&mut out)];
            launch::into(&device, kernel, arguments).expect("it runs");
            let same = out.to_vec().expect("out") == expected;
            assert!(same, "{:?} at {m}, {n}, {k}", kernel.footprint);
        }
    }
}

#[test]
fn large_products_and_few_rows_have_kernels_of_their_own() {
    let Some(device) = gpu() else { return };
    let chosen = |m, n, k| -> &Kernel {
        let [a, b] = [m, n].map(|rows| device.uninitialized::<f16>(rows, k).expect("it fits"));
        launch::choose(&device, &product::KERNELS, &[a.argument(), b.argument()])
    };
    assert!(chosen(4096, 4096, 4096).launch.block_tile[0] >= 128);
    assert!(chosen(1, 4096, 4096).launch.block_tile[0] <= 64);
}
