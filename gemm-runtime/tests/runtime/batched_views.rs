//! Views of batches that are refused: nothing is written.

use gemm_runtime::BatchError;
use gemm_runtime::prelude::*;

const BATCH: usize = 5;
const M: usize = 35;
const N: usize = 21;

#[test]
fn output_views_whose_matrices_overlap_are_refused() {
    let device = Device::emulator();
    let mut buffer = device.vector(&vec![9.0f32; BATCH * M * N]).expect("out");
    let mut strided = |stride: isize| {
        BatchedMut::strided(&mut buffer, [BATCH, M, N], [stride, N as isize, 1]).map(|_| ())
    };
    strided((M * N) as isize).expect("they lie apart");
    for stride in [0, 1, N as isize, (M * N) as isize - 1] {
        let error = strided(stride).expect_err("they overlap");
        assert!(matches!(error, Error::Batch(BatchError::Overlap { .. })), "{stride}: {error}");
    }
    let text = strided(7).expect_err("they overlap").to_string();
    assert_eq!(
        text,
        "matrices 0 and 1 of an output batch share elements: 35×21 with leading dimension \
         21, 7 elements apart\nhelp: a stride of 735 or more keeps them apart"
    );
    let dense = BatchedMut::new(&mut buffer, BATCH, M, N).expect("it fits");
    assert!(matches!(
        dense.with_strides(N + 1, M * N).map(|_| ()),
        Err(Error::Batch(BatchError::Overlap { first: 0, second: 1, .. }))
    ));
    let dense = BatchedMut::new(&mut buffer, BATCH - 1, M, N).expect("it fits");
    assert!(matches!(
        dense.with_strides(N + 1, M * (N + 1)).and_then(|view| view.with_strides(N, 2 * M * N)),
        Err(Error::Batch(BatchError::BufferTooSmall { got: 3675, .. }))
    ));
    assert!(buffer.to_vec().expect("out").iter().all(|value| *value == 9.0));
}

#[test]
fn sizes_that_overflow_are_refused() {
    let device = Device::emulator();
    let half = usize::MAX / 2;
    assert!(matches!(device.batched::<f16>(half, 2, 2, &[]), Err(Error::Batch(_))));
    assert!(matches!(device.batched_zeros::<f32>(3, half, half), Err(Error::SizeOverflow { .. })));
    let error = device.batched(2, 2, 3, &[f16::ONE; 11]).expect_err("one is missing");
    assert_eq!(error.to_string(), "batch: expected 12 elements (2 × 2 × 3), got 11");
    let buffer = device.vector(&[f16::ONE; 11]).expect("a vector");
    let error = BatchedRef::new(&buffer, 2, 2, 3).expect_err("one is missing");
    assert!(matches!(error, Error::Batch(BatchError::BufferTooSmall { needed: 12, got: 11, .. })));
    let error = BatchedRef::strided(&buffer, [2, 1, 3], [-3, 3, 1]).expect_err("it goes back");
    assert!(matches!(error, Error::Batch(BatchError::Stride { batch: 2, stride: -3 })));
}
