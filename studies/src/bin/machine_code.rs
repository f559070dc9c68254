//! Digests of the machine code of every golden, one line for each target and alignment. Two runs,
//! before and after a change of the generator, are compared with `diff`: no line differs where only
//! comments, names or the order of declarations changed.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io};

use anyhow::{Context, Result};
use clap::Parser;
use gemm_codegen::{Element, Variant};
use gemm_runtime::compile::{Format, Program, compile};
use gemm_tests::stored::read;
use object::{Object, ObjectSection};
use rayon::prelude::*;

/// Prints a digest of the machine code of every golden on each of its targets.
#[derive(Parser)]
struct Options {
    /// Folder of the goldens
    #[arg(default_value = "tests/goldens")]
    goldens: PathBuf,
    /// Only the goldens whose name contains this
    #[arg(long, default_value = "")]
    golden: String,
}

fn main() -> ExitCode {
    gemm_tests::exit(run(&Options::parse()).map(|()| true))
}

fn run(options: &Options) -> Result<()> {
    let mut names = fs::read_dir(&options.goldens)
        .with_context(|| format!("cannot read {}", options.goldens.display()))?
        .map(|entry| Ok(entry?.path()))
        .collect::<io::Result<Vec<_>>>()?;
    names.retain(|path| path.extension().is_some_and(|extension| extension == "ptxas"));
    names.retain(|path| stem(path).contains(&options.golden));
    names.sort();
    let lines = names.par_iter().map(|path| digests(path)).collect::<Result<Vec<_>>>()?;
    lines.iter().for_each(|lines| print!("{lines}"));
    Ok(())
}

fn stem(path: &Path) -> &str {
    path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default()
}

/// A line for each target of a golden, and one for operands of the least alignment.
fn digests(path: &Path) -> Result<String> {
    let folder = path.parent().context("a golden is in a folder")?;
    let text = read::text(folder, stem(path))?;
    let costs = fs::read_to_string(path)?;
    let targets: Vec<&str> = costs
        .lines()
        .filter_map(|line| line.split(' ').next())
        .filter(|w| w.starts_with("sm_"))
        .collect();
    let mut variant = Variant::default();
    let constants = text.lines().filter_map(|line| line.strip_prefix("constexpr int ALIGN_"));
    for (operand, _) in constants.filter_map(|line| line.split_once(" = ")) {
        variant.push(&format!("ALIGN_{operand}"), least(&text, operand));
    }
    let mut lines = String::new();
    for target in &targets {
        lines += &digest(path, &text, target, "aligned")?;
    }
    if let (Some(target), false) = (targets.first(), variant == Variant::default()) {
        lines += &digest(path, &variant.text(&text), target, "unaligned")?;
    }
    Ok(lines)
}

/// The least alignment that the text accepts for an operand: the size of an element.
fn least(text: &str, operand: &str) -> u32 {
    let size = |element: &str| match element {
        "int" | "unsigned" => 4,
        _ => Element::from_name(element).map_or(1, Element::bytes),
    };
    // In the signature of the entry point: `const f16* a` or `f16* out`.
    let declared = format!("* {operand},");
    let at = text.rfind(&declared).or_else(|| text.rfind(&format!("* {operand})"))).unwrap_or(0);
    size(text[..at].rsplit([' ', '(', '\n']).next().unwrap_or_default())
}

fn digest(path: &Path, text: &str, target: &str, label: &str) -> Result<String> {
    let (options, format) = (Vec::new(), Format::Cubin);
    let program = Program { name: stem(path), text, architecture: target, options, format };
    let cubin =
        compile(&program).with_context(|| format!("{} {target} {label}", path.display()))?;
    let file = object::File::parse(&*cubin.image)?;
    let mut hasher = blake3::Hasher::new();
    let mut bytes = 0;
    for section in file.sections() {
        let name = section.name()?;
        if name.starts_with(".text.") {
            hasher.update(section.data()?);
            bytes += section.size();
        }
    }
    let hash = hasher.finalize().to_hex();
    Ok(format!("{:<32} {target} {label:<9} {bytes:>6} B {}\n", stem(path), &hash[..16]))
}
