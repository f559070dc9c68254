//! An instruction is refused unless its registers are of the sizes that it works on.
//!
//! Predicates, registers of up to 32 bits and registers of 64 bits lie in three files. An instruction that takes the
//! number of a register of one for that of another works on something else, or on nothing: then it panics. So the
//! files are made of very unlike lengths here, and the last registers of each are used.

use std::panic::{AssertUnwindSafe, catch_unwind};

use fastrand::Rng;
use gemm_emulator::{Launch, Memory};

use super::fuzz::kernels::Kernel;
use super::fuzz::words::words;
use super::fuzz::{check, kernels};

const TYPES: &[&str] = &[
    "pred", "b8", "u8", "s8", "b16", "u16", "s16", "f16", "bf16", "b32", "u32", "s32", "f32",
    "f16x2", "bf16x2", "tf32", "b64", "u64", "s64", "f64", "e4m3x2", "e5m2x2", "b128",
];
const KINDS: &[char] = &['p', 'h', 'r', 'd'];
/// Registers of each kind, in some order. The two kinds of a word are one file.
const LENGTHS: [[usize; 3]; 6] =
    [[20, 72, 240], [20, 240, 72], [72, 20, 240], [72, 240, 20], [240, 20, 72], [240, 72, 20]];

/// Lines of one instruction each, of the texts that have them all.
fn instructions() -> Vec<&'static str> {
    let all = |kernel: &&Kernel| ["every_instruction", "tensors"].contains(&kernel.entry);
    let kernels = kernels::all().iter().filter(all);
    let lines = kernels.flat_map(|kernel| kernel.text.lines().map(str::trim));
    let plain =
        |line: &&str| line.ends_with(';') && !line.starts_with(['.', '@']) && line.contains(' ');
    lines.filter(plain).collect()
}

fn pick<T: Copy>(random: &mut Rng, from: &[T]) -> T {
    from[random.usize(..from.len())]
}

/// The text around one instruction, with registers as many as `lengths` says of predicates, words and longs.
fn kernel(instruction: &str, [predicates, words, longs]: [usize; 3]) -> String {
    format!(
        ".version 9.1
.target sm_90
.address_size 64
.const .align 16 .b32 table[8] = {{1, 2, 3, 4}};
.global .align 16 .b8 scratch[1024];
.entry test(.param .align 16 .b8 block[64])
{{
    .local .align 16 .b8 own[64];
    .shared .align 16 .b8 tile[1024];
    .reg .pred %p<{predicates}>;
    .reg .b16 %h<{}>;
    .reg .b32 %r<{}>, %at;
    .reg .b64 %d<{longs}>;
    mov.u32 %at, %tid.x;
    shl.b32 %at, %at, 5;
    mov.u32 %r0, tile;
    add.u32 %at, %at, %r0;
    st.shared.v4.b32 [%at], {{%r1, %r1, %r1, %r1}};
    st.shared.v4.b32 [%at+16], {{%r1, %r1, %r1, %r1}};
    bar.sync 0;
    {instruction}
    exit;
}}",
        words / 2,
        words / 2,
    )
}

/// An instruction with other types, and registers of other kinds.
fn varied(random: &mut Rng, line: &str, lengths: [usize; 3]) -> String {
    let (opcode, operands) = line.split_once(' ').expect("an instruction with operands");
    let mut opcode: Vec<&str> = opcode.split('.').collect();
    for part in &mut opcode {
        if TYPES.contains(part) && random.bool() {
            *part = pick(random, TYPES);
        }
    }
    let memory =
        ["shared", "global", "local", "const"].iter().zip(["tile", "scratch", "own", "table"]);
    let place =
        memory.clone().find(|(space, _)| opcode.contains(*space)).map_or("block", |(_, name)| name);
    let mut out = opcode.join(".") + " ";
    let mut last = 0;
    let kind_of_all = pick(random, KINDS);
    for word in words(operands) {
        let name = &operands[word.clone()];
        out += &operands[last..word.start];
        last = word.end;
        if operands[..word.start].ends_with('[') {
            out += place;
        } else if name.starts_with('%') && !name.contains('.') {
            let kind = match random.u8(0..3) {
                0 => kind_of_all,
                1 => pick(random, KINDS),
                _ => name.as_bytes()[1] as char,
            };
            out += &register(random, kind, lengths);
        } else {
            out += name;
        }
    }
    out + &operands[last..]
}

/// One of the last registers of a kind; f32 and f64 have no names of their own here.
fn register(random: &mut Rng, kind: char, [predicates, words, longs]: [usize; 3]) -> String {
    let (kind, length) = match kind {
        'p' => ('p', predicates),
        'h' => ('h', words / 2),
        'd' | 'g' => ('d', longs),
        _ => ('r', words / 2),
    };
    format!("%{kind}{}", length - random.usize(1..=10))
}

/// How many instructions are tried.
const TRIES: u64 = 20_000;

#[test]
fn instructions_work_on_registers_of_their_own_size() {
    let instructions = instructions();
    assert!(instructions.len() > 150, "the instructions were not found");
    let (mut parsed, mut ran) = (0, 0);
    for seed in 0..TRIES {
        let mut random = Rng::with_seed(seed);
        let lengths = pick(&mut random, &LENGTHS);
        let line = pick(&mut random, &instructions);
        let instruction = varied(&mut random, line, lengths);
        let Ok(module) = check::parse(&kernel(&instruction, lengths)) else { continue };
        parsed += 1;
        let launch =
            Launch { arguments: &[vec![0; 64]], ..Launch::new("test", [1, 1, 1], [32, 1, 1]) };
        let result = catch_unwind(AssertUnwindSafe(|| module.launch(&Memory::new(), &launch)));
        ran += u32::from(result.unwrap_or_else(|_| panic!("panic at {instruction}")).is_ok());
    }
    assert!(parsed > 5000 && ran > 4000, "{parsed} of the texts were parsed, {ran} ran");
}
