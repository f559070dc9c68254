//! Integer factors that a GPU packs and unpacks.

use gemm_runtime::packing::{self, Packs};
use gemm_runtime::prelude::*;

use super::gpu;

/// Compares what a GPU packs with what the host packs.
fn check<E: Packs>(device: &Device, rows: usize, columns: usize) {
    let mut rng = fastrand::Rng::with_seed(7);
    // A row more and columns on both sides, which are not packed.
    let of_row = columns + 5;
    let all: Vec<E> = (0..(rows + 1) * of_row).map(|_| bytemuck::cast(rng.u8(..))).collect();
    let matrix = device.matrix_from(rows + 1, of_row, of_row, &all).expect("it fits");
    let part = matrix.submatrix(1..rows + 1, 3..3 + columns).expect("it is within");
    let w = part.to_vec().expect("a copy");
    let packed = device.pack(&part).expect("it runs");
    assert_eq!(
        packed.to_vec().expect("packed"),
        packing::pack(rows, columns, &w).expect("it fits")
    );
    let unpacked = device.unpack(&packed, rows, columns).expect("it runs");
    assert_eq!(unpacked.to_vec().expect("unpacked"), w);
}

#[test]
fn a_gpu_packs_what_the_host_packs() {
    let Some(device) = gpu() else { return };
    for [rows, columns] in [[1, 1], [17, 65], [300, 129], [1024, 4096]] {
        check::<i4x2>(&device, rows, columns);
        check::<u4x2>(&device, rows, columns);
        check::<i8>(&device, rows, columns);
        check::<u8>(&device, rows, columns);
    }
}
