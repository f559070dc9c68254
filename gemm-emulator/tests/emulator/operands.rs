//! A launch that names its operands: what lies outside of them is out of bounds, and inputs are not written.

use gemm_emulator::{
    Direction, Fault, Launch, LaunchError, Memory, Module, Operand, Space, Violation,
};

use crate::device::{Value, assert_violation, operand};
use crate::handwritten::kernel;

/// Bytes of the one allocation.
const BYTES: u64 = 1024;

/// Copies a word from one address to another.
const MOVE: &str = "    ld.global.u32 %r0, [%in];\n    st.global.u32 [%out], %r0;";

/// Copies up to 16 bytes, `count`, to shared memory.
const COPY: &str = "    .shared .align 16 .b8 s[16];
    mov.u32 %r0, s;
    cp.async.ca.shared.global [%r0], [%in], 16, %count;
    cp.async.wait_all;";

struct Bench {
    memory: Memory,
    base: u64,
}

impl Bench {
    fn new() -> Bench {
        let memory = Memory::new();
        let base = memory.allocate(BYTES).expect("allocates");
        memory.write(base, &[1; BYTES as usize]).expect("writes");
        Bench { memory, base }
    }

    /// `rows` rows of `row_bytes` bytes, from byte `offset` on, `pitch_bytes` apart.
    fn operand(
        &self,
        name: &str,
        writable: bool,
        [offset, rows, row_bytes, pitch_bytes]: [u64; 4],
    ) -> Operand {
        operand(name, self.base + offset, [rows, row_bytes, pitch_bytes], writable)
    }

    /// Runs one thread on bytes `from` and `to` of the allocation.
    fn run(
        &self,
        body: &str,
        operands: &[Operand],
        from: u64,
        to: u64,
        count: u32,
    ) -> Result<(), Fault> {
        let module = Module::parse(&kernel(body)).expect("parses");
        let arguments = [
            self.base.wrapping_add(from).bytes(),
            self.base.wrapping_add(to).bytes(),
            count.bytes(),
        ];
        let launch = Launch {
            arguments: &arguments,
            operands: Some(operands),
            ..Launch::new("test", [1, 1, 1], [1, 1, 1])
        };
        module.launch(&self.memory, &launch).map(|_| ())
    }

    fn moves(&self, operands: &[Operand], from: u64, to: u64) -> Result<(), Fault> {
        self.run(MOVE, operands, from, to, 0)
    }

    /// The violation of a move, and its message without the place and the address.
    fn violation(&self, operands: &[Operand], from: u64, to: u64) -> (Violation, String) {
        let fault = self.moves(operands, from, to).expect_err("the access is refused");
        let violation = fault.violation().expect("a violation").clone();
        let text = violation.to_string();
        let words = text.split(' ').filter(|word| !word.starts_with("0x"));
        (violation, words.collect::<Vec<_>>().join(" "))
    }

    /// `x` of 4 rows of 16 bytes, 64 apart, after a guard; `out` of 12 bytes.
    fn operands(&self) -> [Operand; 2] {
        [self.operand("x", false, [128, 4, 16, 64]), self.operand("out", true, [512, 1, 12, 0])]
    }
}

#[test]
fn every_byte_of_an_operand_can_be_reached() {
    let bench = Bench::new();
    for row in 0..4 {
        for word in 0..4 {
            let (from, to) = (128 + 64 * row + 4 * word, 512 + 4 * (word % 3));
            bench.moves(&bench.operands(), from, to).expect("is inside");
        }
    }
}

#[test]
fn gaps_guards_and_other_bytes_of_an_allocation_are_out_of_bounds() {
    let bench = Bench::new();
    let operands = bench.operands();
    for (from, row, text) in [
        (124, 0, "4 B before row 0 of x, which has 4 rows of 16 B"),
        (144, 0, "at byte 16 of row 0 of x, which has 4 rows of 16 B"),
        (188, 1, "4 B before row 1 of x, which has 4 rows of 16 B"),
        (208, 1, "at byte 16 of row 1 of x, which has 4 rows of 16 B"),
        (336, 3, "at byte 16 of row 3 of x, which has 4 rows of 16 B"),
        (384, 3, "at byte 64 of row 3 of x, which has 4 rows of 16 B"),
        (0, 0, "128 B before row 0 of x, which has 4 rows of 16 B"),
        (524, 0, "at byte 12 of the 12 B of out"),
        (1020, 0, "at byte 508 of the 12 B of out"),
    ] {
        let (violation, message) = bench.violation(&operands, from, 512);
        let Violation::OutOfBounds { space, address, bytes, direction, nearest } = violation else {
            panic!("{violation}");
        };
        assert_eq!((space, address), (Space::Global, bench.base + from));
        assert_eq!((bytes, direction), (4, Direction::Read));
        assert_eq!(nearest.map(|nearest| nearest.row), Some(row));
        assert_eq!(message, format!("read of 4 B at global address is out of bounds, {text}"));
    }
}

#[test]
fn an_access_lies_within_one_row() {
    let bench = Bench::new();
    let x = bench.operand("x", false, [0, 3, 6, 10]);
    let out = bench.operand("out", true, [512, 1, 4, 0]);
    bench.moves(&[x.clone(), out.clone()], 0, 512).expect("bytes 0 to 3 of row 0");
    assert_violation!(
        bench.violation(&[x.clone(), out.clone()], 4, 512).0,
        Violation::OutOfBounds { .. }
    );
    // Without gaps there is no end of a row.
    let dense = Operand { pitch_bytes: 6, ..x };
    bench.moves(&[dense, out], 4, 512).expect("the end of row 0 and the start of row 1");
}

#[test]
fn inputs_are_not_written() {
    let bench = Bench::new();
    let (violation, message) = bench.violation(&bench.operands(), 128, 192);
    let address = bench.base + 192;
    let (space, operand) = (Space::Global, Some("x".to_owned()));
    assert_eq!(violation, Violation::ReadOnly { space, address, bytes: 4, operand });
    assert_eq!(message, "write of 4 B at global address which is read-only (operand x)");
    let (violation, _) = bench.violation(&bench.operands(), 128, 144);
    let Violation::OutOfBounds { direction, .. } = violation else { panic!("{violation}") };
    assert_eq!(direction, Direction::Write);
}

#[test]
fn operands_may_share_bytes() {
    let bench = Bench::new();
    // The left and the right half of one matrix, and the left once more.
    let left = bench.operand("left", false, [0, 4, 32, 64]);
    let right = bench.operand("right", true, [32, 4, 32, 64]);
    let operands = [left.clone(), right, Operand { name: "again".to_owned(), ..left.clone() }];
    for row in 0..4 {
        bench.moves(&operands, 64 * row, 64 * row + 60).expect("from left to right");
        bench.moves(&operands, 64 * row + 32, 64 * row + 32).expect("right to itself");
        assert_violation!(
            bench.violation(&operands, 64 * row, 64 * row + 28).0,
            Violation::ReadOnly { .. }
        );
    }
    // What one lets be written can be written, whatever the others say.
    let all = bench.operand("all", true, [0, 1, BYTES, 0]);
    bench.moves(&[left, all], 0, 4).expect("all is writable");
}

#[test]
fn other_allocations_are_out_of_bounds() {
    let bench = Bench::new();
    let other = bench.memory.allocate(64).expect("allocates");
    bench.memory.write(other, &[0; 64]).expect("writes");
    let (violation, _) = bench.violation(&bench.operands(), other - bench.base, 512);
    let Violation::OutOfBounds { nearest, .. } = violation else { panic!("{violation}") };
    assert_eq!(nearest.and_then(|nearest| nearest.operand).as_deref(), Some("out"));
    bench.memory.free(other).expect("frees");
    assert_violation!(
        bench.violation(&bench.operands(), other - bench.base, 512).0,
        Violation::UseAfterFree { .. }
    );
}

#[test]
fn a_copy_reads_no_more_than_its_source_size() {
    let bench = Bench::new();
    let operands = [bench.operand("x", false, [0, 2, 24, 32])];
    for (from, size) in [(0, 16), (16, 8), (48, 8), (16, 0), (512, 0)] {
        bench.run(COPY, &operands, from, 0, size).expect("is inside, or reads nothing");
    }
    for (from, size) in [(16, 9), (48, 16), (512, 1)] {
        let fault = bench.run(COPY, &operands, from, 0, size).expect_err("reads too far");
        let violation = fault.violation().expect("a violation");
        let Violation::OutOfBounds { bytes, .. } = violation else { panic!("{violation}") };
        assert_eq!(*bytes, size);
    }
}

#[test]
fn empty_operands_may_be_anywhere_and_are_never_reached() {
    let bench = Bench::new();
    for empty in [[1 << 40, 0, 16, 16], [0, 4, 0, 0]] {
        let operands = [bench.operand("empty", true, empty)];
        assert_violation!(
            bench.violation(&operands, 0, 0).0,
            Violation::OutOfBounds { nearest: None, .. }
        );
    }
}

#[test]
fn operands_lie_within_an_allocation() {
    let bench = Bench::new();
    for (extents, expected) in [
        ([BYTES - 4, 1, 8, 0], "it does not lie within one allocation"),
        ([0, 5, 16, 256], "it does not lie within one allocation"),
        ([1 << 40, 1, 1, 0], "it does not lie within one allocation"),
        ([0, 2, 16, 8], "its rows overlap, or are too far apart"),
        ([0, 3, 16, u64::MAX], "its rows overlap, or are too far apart"),
    ] {
        let operands = [bench.operand("x", false, extents)];
        let error = bench.moves(&operands, 0, 0).expect_err("the launch is refused");
        let Fault::Launch(LaunchError::Operand { operand, what }) = &error else {
            panic!("{error}");
        };
        assert_eq!((operand.as_str(), *what), ("x", expected));
    }
}

#[test]
fn a_fault_cites_its_instruction() {
    let bench = Bench::new();
    for (from, to, instruction) in
        [(0, 512, "ld.global.u32 %r0, [%in];"), (128, 0, "st.global.u32 [%out], %r0;")]
    {
        let fault = bench.moves(&bench.operands(), from, to).expect_err("the access is refused");
        let place = fault.place().expect("a place");
        assert_eq!(place.instruction, instruction);
        let line = kernel(MOVE).lines().position(|line| line.trim() == instruction);
        assert_eq!(line.map(|at| at as u32 + 1), Some(place.ptx_line));
        let cited = format!("PTX line {}: `{instruction}`", place.ptx_line);
        assert!(fault.to_string().contains(&cited), "{fault}");
    }
}
