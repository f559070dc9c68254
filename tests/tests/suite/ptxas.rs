//! What ptxas reports of the kernels that must not spill.
//!
//! `ptxas.txt` has it by entry point, whose name ends in a hash of the text, and target. Only what the
//! file lacks is compiled, or everything where [`RECOMPILE_VARIABLE`] is set, as in
//! `cargo xtask test --long`. A hash of the machine code shows whether a change of the text is one of
//! words alone.

use std::collections::HashMap;
use std::env;
use std::fs;
use std::sync::LazyLock;

use expect_test::{ExpectFile, expect_file};
use gemm_runtime::compile::{Format, Program, cached};
use gemm_runtime::{Kernel, Target};
use gemm_tests::{goldens, require_pinned_nvrtc};
use object::{Object as _, ObjectSection as _};
use rayon::prelude::*;

use crate::{Test, derived};

/// What a kernel takes, in 32-bit registers of a thread and in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    pub(crate) registers: u32,
    pub(crate) spilled: u32,
    stack: u32,
    /// Static shared memory of a block.
    pub(crate) shared: u32,
    code: Code,
}

/// The machine code of an entry point.
#[derive(Clone, Copy, Debug)]
struct Code {
    instructions: u32,
    /// The first bytes of its BLAKE3 hash.
    hash: u32,
}

impl Code {
    /// Bytes of an instruction, on all targets. (CUDA Binary Utilities: 128 bits since Volta)
    const INSTRUCTION_BYTES: usize = 16;

    /// What a cubin, an ELF file, has in the section of an entry point.
    fn of(cubin: &[u8], entry: &str) -> Result<Code, String> {
        let file = object::File::parse(cubin).map_err(|error| error.to_string())?;
        let section = file.section_by_name(&format!(".text.{entry}"));
        let section = section.ok_or_else(|| format!("the cubin has no {entry}"))?;
        let code = section.data().map_err(|error| error.to_string())?;
        let [a, b, c, d, ..] = *blake3::hash(code).as_bytes();
        Ok(Code {
            instructions: (code.len() / Code::INSTRUCTION_BYTES) as u32,
            hash: u32::from_be_bytes([a, b, c, d]),
        })
    }
}

impl Cost {
    /// Whether everything is kept in registers.
    pub(crate) fn fits(self) -> bool {
        self.spilled + self.stack == 0
    }
}

const RECOMPILE_VARIABLE: &str = "GEMM_RECOMPILE";

/// The lines of the file by what comes before their numbers; none if it is of another NVRTC.
static RECORD: LazyLock<HashMap<String, Cost>> = LazyLock::new(|| {
    let text = match env::var_os(RECOMPILE_VARIABLE) {
        None => fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/ptxas.txt")),
        Some(_) => Ok(String::new()),
    };
    let text = text.unwrap_or_default();
    let is_current = |version| text.starts_with(&format!("NVRTC {version}:"));
    match require_pinned_nvrtc().is_ok_and(is_current) {
        true => text.lines().filter_map(read).collect(),
        false => HashMap::new(),
    }
});

pub(crate) fn tests() -> Vec<Test> {
    tests![the_record_has_what_ptxas_reports]
}

fn the_record_has_what_ptxas_reports() {
    let version = require_pinned_nvrtc().expect("the pinned NVRTC");
    let measured: Vec<_> = derived::derived().into_iter().chain(derived::candidates()).collect();
    let measured = measured.iter().map(|measured| (&measured.kernel, measured.targets.to_vec()));
    let goldens = goldens::ALL.iter().map(|golden| (golden.kernel, golden.compiled_for()));
    let all: Vec<_> = goldens.chain(measured).collect();
    let lines = all.par_iter().flat_map_iter(|(kernel, targets)| {
        targets.iter().map(|target| {
            let cost = cost(kernel, *target).expect("a plan compiles");
            line(&key(kernel, *target), cost)
        })
    });
    let mut lines: Vec<String> = lines.collect();
    lines.sort_unstable();
    lines.dedup();
    let mut text = format!(
        "NVRTC {version}: entry point, target; registers; bytes spilled, of stack, of static \
         shared memory; instructions, hash of the machine code\n"
    );
    lines.iter().for_each(|line| text += line);
    let file: ExpectFile = expect_file!["../../ptxas.txt"];
    file.assert_eq(&text);
}

/// What a kernel takes on a target.
pub(crate) fn cost(kernel: &Kernel, target: Target) -> Result<Cost, String> {
    require_pinned_nvrtc()?;
    match RECORD.get(&key(kernel, target)) {
        Some(known) => Ok(*known),
        None => compiled(kernel, target),
    }
}

fn compiled(kernel: &Kernel, target: Target) -> Result<Cost, String> {
    let program = Program {
        name: "measured.cu",
        text: &kernel.text,
        architecture: target.name(),
        options: Vec::new(),
        format: Format::Cubin,
    };
    let compilation = cached(&program).map_err(|error| error.to_string())?;
    // C7510 and its like: registers of products in flight are accessed, so they run one by one.
    if compilation.log.contains("serialized") {
        return Err(compilation.log);
    }
    let reported = compilation.resources(&kernel.entry);
    let reported = reported.ok_or_else(|| "ptxas says nothing of the entry".to_owned())?;
    Ok(Cost {
        registers: reported.registers,
        spilled: reported.spill_store_bytes + reported.spill_load_bytes,
        stack: reported.stack_bytes,
        shared: reported.shared_bytes,
        code: Code::of(&compilation.image, &kernel.entry)?,
    })
}

fn key(kernel: &Kernel, target: Target) -> String {
    format!("{} {target}", kernel.entry)
}

fn line(key: &str, cost: Cost) -> String {
    let Cost { registers, spilled, stack, shared, code: Code { instructions, hash } } = cost;
    format!("{key} {registers} {spilled} {stack} {shared} {instructions} {hash:08x}\n")
}

fn read(line: &str) -> Option<(String, Cost)> {
    let mut words = line.rsplitn(7, ' ');
    let hash = u32::from_str_radix(words.next()?, 16).ok()?;
    let mut number = || words.next()?.parse().ok();
    let code = Code { instructions: number()?, hash };
    let (shared, stack, spilled, registers) = (number()?, number()?, number()?, number()?);
    Some((words.next()?.to_owned(), Cost { registers, spilled, stack, shared, code }))
}
