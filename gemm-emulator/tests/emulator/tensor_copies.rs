//! Copies of boxes of tensors: where each byte goes, what is read, what is refused.

mod bounds;

use gemm_emulator::{
    Class, Direction, Fault, Launch, Memory, Operand, Space, Statistics, Swizzle, TensorMap,
    Violation,
};

use crate::device::{Random, Value, assert_violation, download};
use crate::formats::{Format, Mode};
use crate::nvrtc::module;
use crate::rounding::singles;

pub(crate) const TEXT: &str = include_str!("../kernels/tensor.cu");

/// A tensor in memory, and a box that is copied.
struct Bench {
    memory: Memory,
    map: TensorMap,
    /// Its bytes, from the first to the last.
    bytes: Vec<u8>,
    out: u64,
    /// Of the compiler.
    options: &'static [&'static str],
}

impl Bench {
    /// A tensor of random bytes with gaps that were never written.
    fn new(element_bytes: u32, dims: &[u64], box_dims: &[u32], swizzle: Swizzle) -> Bench {
        let (memory, mut random) = (Memory::new(), Random(7));
        let mut strides = Vec::new();
        let mut stride = dims[0] * u64::from(element_bytes);
        for extent in &dims[1..] {
            stride = (stride + 1).next_multiple_of(16);
            strides.push(stride);
            stride *= extent;
        }
        let row_bytes = (dims[0] * u64::from(element_bytes)) as usize;
        let address = memory.allocate(stride).expect("allocates");
        let mut bytes = vec![0; stride as usize];
        let rows: u64 = dims[1..].iter().product();
        for number in 0..rows {
            let (mut left, mut offset) = (number, 0);
            for (extent, stride) in dims[1..].iter().zip(&strides) {
                offset += left % extent * stride;
                left /= extent;
            }
            let row: Vec<u8> = (0..row_bytes).map(|_| random.next() as u8).collect();
            memory.write(address + offset, &row).expect("writes");
            bytes[offset as usize..offset as usize + row_bytes].copy_from_slice(&row);
        }
        let (dims, box_dims) = (dims.to_vec(), box_dims.to_vec());
        let rounds_to_tf32 = false;
        let map =
            TensorMap { address, element_bytes, dims, strides, box_dims, swizzle, rounds_to_tf32 };
        let out = memory.allocate(map.box_bytes()).expect("allocates");
        Bench { memory, map, bytes, out, options: &[] }
    }

    fn run(&self, corner: &[i32], offset: u32) -> Result<Statistics, Fault> {
        let map = self.map.encode().expect("is legal").to_vec();
        self.run_with(map, corner, offset, None)
    }

    fn run_with(
        &self,
        map: Vec<u8>,
        corner: &[i32],
        offset: u32,
        operands: Option<&[Operand]>,
    ) -> Result<Statistics, Fault> {
        let entry = ["copy_line", "copy_matrix", "copy_cube"][corner.len() - 1];
        let at = |dimension: usize| corner.get(dimension).copied().unwrap_or(0).bytes();
        let bytes = self.map.box_bytes() as u32;
        let arguments = [map, at(0), at(1), at(2), bytes.bytes(), offset.bytes(), self.out.bytes()];
        let launch = Launch {
            arguments: &arguments,
            shared_bytes: bytes + 2048,
            operands,
            profile: true,
            ..Launch::new(entry, [1, 1, 1], [64, 1, 1])
        };
        module(TEXT, "sm_90", self.options).launch(&self.memory, &launch)
    }

    /// Copies a box and compares it with what lies in the tensor, element by element.
    fn check(&self, corner: &[i32], offset: u32) -> Statistics {
        let statistics = self.run(corner, offset).unwrap_or_else(|fault| panic!("{fault}"));
        let out: Vec<u8> = download(&self.memory, self.out, self.map.box_bytes() as usize);
        let (width, tf32) = (self.map.element_bytes as usize, Format::new("tf32"));
        for (number, place) in (0..out.len()).step_by(width).enumerate() {
            let (mut left, mut inside, mut from) = (number as i64, true, 0);
            for (dimension, extent) in self.map.box_dims.iter().enumerate() {
                let at = i64::from(corner[dimension]) + left % i64::from(*extent);
                left /= i64::from(*extent);
                inside &= at >= 0 && at < self.map.dims[dimension] as i64;
                let stride = match dimension {
                    0 => width as i64,
                    _ => self.map.strides[dimension - 1] as i64,
                };
                from += at * stride;
            }
            // The pattern of a swizzle is that of the address: `offset` counts from a multiple of 1024.
            let address = place + offset as usize;
            let flipped = match self.map.swizzle {
                Swizzle::None => 0,
                Swizzle::Bytes32 => address >> 7 & 1,
                Swizzle::Bytes64 => address >> 7 & 3,
                Swizzle::Bytes128 => address >> 7 & 7,
            };
            let place = (address ^ flipped << 4) - offset as usize;
            let want = match inside {
                true => self.copied(&self.bytes[from as usize..from as usize + width], &tf32),
                false => vec![0; width],
            };
            assert_eq!(out[place..place + width], want, "element {number} of {:?}", self.map);
        }
        statistics
    }

    /// Other elements in a row of a matrix.
    fn write(&mut self, row: u64, elements: &[f32]) {
        let offset = row * self.map.strides[0];
        let bytes: Vec<u8> = elements.iter().flat_map(|element| element.to_le_bytes()).collect();
        self.memory.write(self.map.address + offset, &bytes).expect("writes");
        self.bytes[offset as usize..offset as usize + bytes.len()].copy_from_slice(&bytes);
    }

    /// What a copy makes of an element.
    fn copied(&self, element: &[u8], tf32: &Format) -> Vec<u8> {
        match element.try_into().map(f32::from_le_bytes) {
            Ok(single) if self.map.rounds_to_tf32 => {
                let bits = tf32.round(single.into(), Mode::Nearest, false) << 13;
                bits.to_le_bytes().to_vec()
            }
            _ => element.to_vec(),
        }
    }

    fn violation(&self, corner: &[i32], offset: u32) -> Violation {
        let fault = self.run(corner, offset).expect_err("is refused");
        fault.violation().expect("a violation").clone()
    }
}

#[test]
fn boxes_come_as_they_lie_or_swizzled() {
    Bench::new(4, &[300], &[64], Swizzle::None).check(&[100], 0);
    for (swizzle, columns) in [
        (Swizzle::None, 40),
        (Swizzle::Bytes32, 16),
        (Swizzle::Bytes64, 32),
        (Swizzle::Bytes128, 64),
    ] {
        let bench = Bench::new(2, &[200, 90], &[columns, 24], swizzle);
        bench.check(&[64, 8], 0);
        bench.check(&[3, 1], 0);
        bench.check(&[64, 8], 128);
        bench.check(&[64, 8], 896);
    }
    Bench::new(1, &[150, 7, 5], &[128, 3, 2], Swizzle::Bytes128).check(&[0, 2, 1], 0);
    Bench::new(8, &[40, 7, 5], &[4, 4, 4], Swizzle::Bytes32).check(&[5, 2, 1], 0);
}

#[test]
fn singles_can_be_rounded_on_the_way() {
    const ROWS: u32 = 128;
    let all = singles();
    let mut bench = Bench::new(4, &[256, all.len() as u64 / 256], &[256, ROWS], Swizzle::None);
    bench.map.rounds_to_tf32 = true;
    for (row, elements) in (0..).zip(all.chunks_exact(256)) {
        bench.write(row, elements);
    }
    for row in (0..bench.map.dims[1] as i32).step_by(ROWS as usize) {
        bench.check(&[0, row], 0);
    }
    // Swizzled, and cut on every side.
    let mut bench = Bench::new(4, &[90, 20], &[32, 16], Swizzle::Bytes128);
    bench.map.rounds_to_tf32 = true;
    bench.check(&[-3, -1], 128);
    bench.check(&[70, 9], 0);
}

#[test]
fn what_lies_outside_of_the_tensor_is_zero_and_not_read() {
    let bench = Bench::new(2, &[70, 11], &[64, 8], Swizzle::Bytes128);
    for corner in [[64, 8], [-3, -2], [69, 10], [70, 0], [0, 11], [-64, 0], [1000, -1000]] {
        bench.check(&corner, 0);
    }
    let statistics = bench.check(&[64, 8], 0);
    assert_eq!(statistics.global_bytes_loaded, 6 * 2 * 3);
    let cube = Bench::new(2, &[16, 3, 3], &[8, 2, 2], Swizzle::None);
    cube.check(&[12, 2, 2], 0);
    cube.check(&[-1, -1, -1], 0);
}

#[test]
fn matrices_of_a_batch_lie_in_the_rows_of_others_or_are_the_same() {
    let mut bench = Bench::new(2, &[200, 90], &[8, 24], Swizzle::None);
    let pitch = bench.map.strides[0];
    bench.map.dims = vec![16, 90, 3];
    bench.map.box_dims = vec![8, 4, 2];
    for stride in [32, 0] {
        bench.map.strides = vec![pitch, stride];
        for corner in [[0, 0, 0], [8, 3, 1], [12, 88, 2], [0, 0, 3], [8, 5, -1]] {
            bench.check(&corner, 0);
        }
    }
}

#[test]
fn copies_are_counted_as_sectors_and_whole_cycles() {
    let bench = Bench::new(2, &[256, 64], &[64, 16], Swizzle::Bytes128);
    let statistics = bench.check(&[64, 8], 0);
    let profile = statistics.profile.as_ref().expect("was asked for");
    let copies = profile.of_class(Class::TensorCopy);
    assert_eq!((copies.executed, copies.threads), (1, 1), "of the first warp");
    let (global, shared) = (copies.global, copies.shared);
    // The rows begin 16 bytes further each: every other one ends in a sector of its own.
    assert_eq!((global.requests, global.bytes, global.sectors), (1, 2048, 64 + 8));
    assert_eq!((shared.bytes, shared.wavefronts, shared.conflicts()), (2048, 16, 0));
    assert_eq!(statistics.shared_bytes_stored, 2048);
    assert!(profile.of_class(Class::Mbarrier).executed >= 4);
}

#[test]
fn a_fence_lies_between_stores_and_a_copy_over_them() {
    let mut bench = Bench::new(2, &[64, 64], &[64, 8], Swizzle::Bytes128);
    bench.options = &["-DCLEAR", "-DCLEAR_FENCE"];
    bench.check(&[0, 0], 0);
    bench.options = &["-DCLEAR"];
    // Thread 0 has executed one after its own store.
    let violation = bench.violation(&[0, 0], 128);
    let wrote = Violation::TensorCopyNotFenced {
        address: 1024 + 128 + 4,
        other: Some(1),
        other_direction: Direction::Write,
    };
    assert_eq!(violation, wrote);
    let text = "tensor copy to shared address 0x484 after write by thread 1, with no fence.proxy.async between";
    assert_eq!(violation.to_string(), text);
}

#[test]
fn destinations_are_aligned() {
    let bench = Bench::new(2, &[64, 64], &[64, 8], Swizzle::Bytes128);
    for offset in [16, 64] {
        let misaligned = bench.violation(&[0, 0], offset);
        assert_violation!(
            misaligned,
            Violation::Misaligned { space: Space::Shared, bytes: 128, .. }
        );
    }
    let far = bench.violation(&[0, 0], 4096);
    assert_violation!(
        far,
        Violation::OutOfBounds {
            space: Space::Shared,
            bytes: 1024,
            direction: Direction::Write,
            ..
        }
    );
}
