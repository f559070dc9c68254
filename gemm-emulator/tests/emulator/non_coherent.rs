//! `ld.global.nc` of memory that the grid writes, in either order and through any operand.

use gemm_emulator::{Direction, Launch, Memory, Module, Violation};

use crate::device::{Value, assert_violation, operand, violation};
use crate::handwritten::kernel;

const LOAD: &str = "ld.global.nc.u32 %r0, [%out];";
const STORE: &str = "st.global.u32 [%out+4], 7;";

/// Runs two blocks of one thread: `first` in block 0, `second` in block 1. The array is one operand, or one to read and
/// one to write.
fn run([first, second]: [&str; 2], aliased: bool) -> Result<(), Violation> {
    let body = format!("setp.eq.u32 %p0, %idx, 1;\n@!%p0 {first}\n@%p0 {second}");
    let module = Module::parse(&kernel(&body)).expect("parses");
    let memory = Memory::new();
    let array = memory.allocate(16).expect("allocates");
    memory.write(array, &[1; 16]).expect("writes");
    let operands = [true, false].map(|writable| operand("x", array, [1, 16, 0], writable));
    let arguments = [array.bytes(), array.bytes(), 0u32.bytes()];
    let launch = Launch {
        arguments: &arguments,
        operands: Some(if aliased { &operands } else { &operands[..1] }),
        ..Launch::new("test", [2, 1, 1], [1, 1, 1])
    };
    violation(module.launch(&memory, &launch))
}

#[test]
fn a_byte_is_written_or_read_by_a_non_coherent_load() {
    let written = STORE.replace("+4", "");
    let added = "red.global.add.u32 [%out], 7;";
    let uniform = "ldu.global.u32 %r0, [%out];";
    for aliased in [false, true] {
        for (load, store) in [(LOAD, written.as_str()), (LOAD, added), (uniform, &written)] {
            for order in [[load, store], [store, load]] {
                let violation = run(order, aliased).expect_err("the grid writes what it reads");
                let found = matches!(violation, Violation::NonCoherent { bytes: 4, .. });
                assert!(found, "{order:?}: {violation}");
            }
        }
    }
    let coherent = LOAD.replace(".nc", "");
    assert_eq!(run([&coherent, &written], false), Ok(()));
}

#[test]
fn bytes_next_to_each_other_are_told_apart() {
    assert_eq!(run([LOAD, STORE], true), Ok(()));
    let wide = "ld.global.nc.u64 %d0, [%out];";
    // The blocks run at the same time, and the access that comes second is the one that is named.
    let violation = run([STORE, wide], true).expect_err("four of the eight bytes");
    assert_violation!(
        violation,
        Violation::NonCoherent { direction: Direction::Read, bytes: 8, .. }
            | Violation::NonCoherent { direction: Direction::Write, bytes: 4, .. }
    );
}

#[test]
fn stores_of_two_blocks_meet_whichever_operand_they_are_of() {
    let half = "st.global.u16 [%out+6], 7;";
    let violation = run([STORE, half], true).expect_err("both blocks store");
    assert_violation!(violation, Violation::BlockRace { .. });
}
