//! Maps of what may not be read.

use gemm_emulator::{Space, Swizzle, Violation};

use super::Bench;
use crate::device::{assert_violation, operand};

#[test]
fn a_tensor_larger_than_its_allocation_is_found_where_it_is_touched() {
    let mut bench = Bench::new(2, &[64, 16], &[64, 8], Swizzle::Bytes128);
    bench.map.dims[1] = 17;
    bench.check(&[0, 8], 0);
    let row = bench.map.address + 16 * bench.map.strides[0];
    assert_violation!(
        bench.violation(&[0, 9], 0),
        Violation::OutOfBounds { space: Space::Global, address, bytes: 128, .. } if *address == row
    );
    let mut wide = Bench::new(2, &[64, 16], &[64, 8], Swizzle::Bytes128);
    wide.map.dims[0] = 72;
    let gap = wide.violation(&[8, 0], 0);
    assert_violation!(gap, Violation::Uninitialized { space: Space::Global, .. });
}

#[test]
fn only_operands_are_read() {
    let bench = Bench::new(2, &[64, 16], &[64, 8], Swizzle::Bytes128);
    let (address, pitch) = (bench.map.address, bench.map.strides[0]);
    let a = |rows| operand("a", address, [rows, 128, pitch], false);
    let out = operand("out", bench.out, [1, 1024, 1024], true);
    let map = bench.map.encode().expect("is legal").to_vec();
    let run = |rows| bench.run_with(map.clone(), &[0, 8], 0, Some(&[a(rows), out.clone()]));
    run(16).expect("all of it");
    let fault = run(15).expect_err("a row too far");
    let Some(Violation::OutOfBounds { nearest: Some(nearest), .. }) = fault.violation() else {
        panic!("{fault}");
    };
    assert_eq!((nearest.operand.as_deref(), nearest.row), (Some("a"), 14));
}

#[test]
fn a_parameter_without_a_map_is_refused() {
    let bench = Bench::new(2, &[64, 16], &[64, 8], Swizzle::Bytes128);
    let refused = |map: Vec<u8>, corner: &[i32]| {
        let fault = bench.run_with(map, corner, 0, None).expect_err("is refused");
        match fault.violation() {
            Some(Violation::BadTensorMap { space: Space::Parameter, what, .. }) => *what,
            _ => panic!("{fault}"),
        }
    };
    assert_eq!(refused(vec![0; 128], &[0, 0]), "there is none");
    let map = bench.map.encode().expect("is legal").to_vec();
    let rank = "it has another number of dimensions than the copy";
    assert_eq!(refused(map.clone(), &[0]), rank);
    assert_eq!(refused(map, &[0, 0, 0]), rank);
}
