//! [`Judge`]: compiles a mutant and runs it on its golden's problems.

use std::collections::HashMap;
use std::fmt;

use gemm_codegen::{ParameterKind, Target, Variant};
use gemm_runtime::compile::{Format, Program, compile};
use gemm_runtime::{Device, Error, Kernel};

use super::{Mutant, Outcome, mutants};
use gemm_tests::cases::{Case, all_cases, slow};
use gemm_tests::data::Alignment;
use gemm_tests::{Failure, Golden};

/// The virtual architecture whose PTX is compared, unless a kernel is for one architecture alone: nothing
/// is assembled for it, which is quicker.
const ARCHITECTURE: &str = "compute_80";

/// Seeds of the emulator for kernels that wait for mbarriers.
const SEEDS: [u64; 3] = [0, 1 << 32, 2 << 32];

/// Alignments that kernels are compiled for, in bytes, unless elements are larger; the best one
/// first, as the others are narrower versions of the same.
const ALIGNMENTS: [usize; 5] = [16, 8, 4, 2, 1];

/// Judges the mutants of one golden.
pub struct Judge {
    golden: &'static Golden,
    mutants: Vec<Mutant>,
    /// One for each seed.
    devices: Vec<Device>,
    /// Those of [`ALIGNMENTS`] that make a difference.
    alignments: Vec<usize>,
    /// The original's PTX by alignment.
    original: HashMap<usize, String>,
    cases: Vec<Case>,
}

impl fmt::Debug for Judge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Judge").field("golden", &self.golden.name).finish_non_exhaustive()
    }
}

impl Judge {
    /// A judge on the emulator.
    ///
    /// # Errors
    /// The original does not compile or is wrong.
    pub fn new(golden: &'static Golden) -> Result<Judge, Failure> {
        let elements = golden.kernel.parameters.iter().filter_map(|p| p.kind.element());
        let least = elements.map(|element| element.bytes() as usize).min().unwrap_or(1);
        let alignments: Vec<usize> = ALIGNMENTS.into_iter().filter(|b| *b >= least).collect();
        let original = alignments
            .iter()
            .map(|bytes| Ok((*bytes, ptx(golden.kernel, *bytes)?)))
            .collect::<Result<_, Error>>()?;
        let mut cases = all_cases(golden);
        // Nothing is launched without an output.
        cases.retain(|case| case.shape.m > 0 && case.shape.n > 0);
        // Each alignment is a compilation, and most mutants are caught by the first case.
        cases.sort_by_key(|case| std::cmp::Reverse(bytes_of(case.alignment)));
        let mutants = mutants(&golden.kernel.text);
        let seeds =
            if golden.kernel.footprint.form.copies_tensors() { &SEEDS[..] } else { &SEEDS[..1] };
        let devices = seeds.iter().map(|seed| Device::emulator_with(slow().seed(*seed)));
        let devices = devices.collect();
        let judge = Judge { golden, mutants, devices, alignments, original, cases };
        for case in &judge.cases {
            judge.run(golden.kernel, case)?;
        }
        Ok(judge)
    }

    /// Judges the mutant of this number.
    ///
    /// # Errors
    /// An error that is not the mutant's fault.
    pub fn judge(&self, number: usize) -> Result<Outcome, Failure> {
        let text = self.mutants[number].apply(&self.golden.kernel.text);
        let kernel = Kernel { text: text.into(), ..self.golden.kernel.clone() };
        let mut is_same = true;
        let worst = self.alignments.last().copied().unwrap_or(1);
        for bytes in self.alignments.iter().copied() {
            let is_same_here = match ptx(&kernel, bytes) {
                Ok(ptx) => ptx == self.original[&bytes],
                Err(error) => return Outcome::of_failure(error.into(), &"compiled"),
            };
            is_same &= is_same_here;
            // Where operands differ in alignment, none of these texts is the one that is run.
            let runs = |alignment: &Alignment| match bytes_of(*alignment) {
                0 => bytes == worst && !is_same,
                own => own.max(worst) == bytes && !is_same_here,
            };
            for case in self.cases.iter().filter(|case| runs(&case.alignment)) {
                if let Err(failure) = self.run(&kernel, case) {
                    return Outcome::of_failure(failure, case);
                }
            }
        }
        Ok(if is_same { Outcome::Same } else { Outcome::Survived })
    }

    fn run(&self, kernel: &Kernel, case: &Case) -> Result<(), Failure> {
        let mut devices = self.devices.iter();
        devices.try_for_each(|device| {
            (self.golden.check_kernel)(&mut case.problem(device), kernel).map(drop)
        })
    }
}

/// What a kernel is compiled for.
fn architecture(kernel: &Kernel) -> String {
    match kernel.launch.targets.first() {
        Some(Target::Sm90a) => Target::Sm90a.name().replace("sm_", "compute_"),
        _ => ARCHITECTURE.to_owned(),
    }
}

/// 0 where each operand has its own.
fn bytes_of(alignment: Alignment) -> usize {
    match alignment {
        Alignment::Bytes(bytes) => bytes,
        Alignment::Mixed => 0,
    }
}

/// The code of a kernel where every operand is aligned to this many bytes.
fn ptx(kernel: &Kernel, bytes: usize) -> Result<String, Error> {
    let mut variant = Variant::default();
    for parameter in kernel.parameters.iter() {
        let (ParameterKind::Matrix { element, .. } | ParameterKind::Vector { element, .. }) =
            parameter.kind
        else {
            continue;
        };
        if let Some(name) = &parameter.align_constant {
            variant.push(name, element.bytes().max(bytes as u32));
        }
    }
    let architecture = architecture(kernel);
    let compilation = compile(&Program {
        name: "mutant.cu",
        text: &variant.text(&kernel.text),
        architecture: &architecture,
        options: Vec::new(),
        format: Format::Ptx,
    })?;
    Ok(without_unused_variables(compilation.ptx().unwrap_or_default()))
}

/// NVRTC makes a variable of each constant, also of those that no instruction names.
fn without_unused_variables(ptx: &str) -> String {
    let (variables, code): (Vec<&str>, Vec<&str>) =
        ptx.lines().partition(|line| line.starts_with(".global "));
    let code = code.join("\n");
    let name = |line: &str| {
        let mut words = line.split_whitespace().take_while(|word| *word != "=");
        words.by_ref().last().map(|word| word.trim_end_matches(';').to_owned())
    };
    let mut used: Vec<&str> = variables
        .into_iter()
        .filter(|line| name(line).is_none_or(|name| code.contains(&name)))
        .collect();
    used.sort_unstable();
    used.join("\n") + &code
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_that_nothing_names_are_left_out() {
        let text = ".version 8.0\n.global .align 4 .u32 A = 3;\n.global .align 1 .u8 t[2] = {1, 2};\n\
                    .global .u32 B;\nld.global.u32 %r1, [B];\nmov.u64 %rd1, t[2];";
        assert_eq!(
            without_unused_variables(text),
            ".global .align 1 .u8 t[2] = {1, 2};\n.global .u32 B;.version 8.0\n\
             ld.global.u32 %r1, [B];\nmov.u64 %rd1, t[2];"
        );
    }
}
