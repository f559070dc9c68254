//! Digests of the machine code of every golden, one line for each target and alignment. Two runs,
//! before and after a change of the generator, are compared with `diff`: no line differs where only
//! comments, names or the order of declarations changed.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io};

use anyhow::{Context, Result};
use clap::Parser;
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
    let macros = text.lines().filter_map(|line| line.strip_prefix("#ifndef "));
    let unaligned: Vec<String> =
        macros.map(|name| format!("-D{name}={}", least(&text, name))).collect();
    let mut lines = String::new();
    for target in &targets {
        lines += &digest(path, &text, target, "aligned", Vec::new())?;
    }
    if let (Some(target), false) = (targets.first(), unaligned.is_empty()) {
        lines += &digest(path, &text, target, "unaligned", unaligned)?;
    }
    Ok(lines)
}

/// The least alignment that the text accepts for an operand: the size of an element.
fn least(text: &str, name: &str) -> u32 {
    let size = |element: &str| match element {
        "f64" => 8,
        "f32" | "i32" => 4,
        "f16" | "bf16" => 2,
        _ => 1,
    };
    let operand = name.trim_start_matches("ALIGN_");
    // In the signature of the entry point: `const f16* a` or `f16* out`.
    let declared = format!("* {operand},");
    let at = text.rfind(&declared).or_else(|| text.rfind(&format!("* {operand})"))).unwrap_or(0);
    size(text[..at].rsplit([' ', '(', '\n']).next().unwrap_or_default())
}

fn digest(
    path: &Path,
    text: &str,
    target: &str,
    label: &str,
    options: Vec<String>,
) -> Result<String> {
    let program =
        Program { name: stem(path), text, architecture: target, options, format: Format::Cubin };
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
