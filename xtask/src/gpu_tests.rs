//! Programs for a machine that has a GPU but no Rust.

use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;
use xshell::cmd;

use crate::workspace::Workspace;

/// Builds the GPU suite, the runtime's GPU tests, the examples and the benchmark in release and
/// copies them into `folder`.
///
/// They link only the C library, of this machine's version or newer; libcuda and libnvrtc are
/// looked for when they run.
pub(crate) fn build(workspace: &Workspace, folder: &Path) -> Result<()> {
    // Made before the shell changes the folder that a relative path starts from.
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let (sh, cargo) = (workspace.shell()?, workspace.cargo());
    let format = ["--message-format", "json-render-diagnostics"];
    let packages = ["gemm-tests", "gemm-studies", "gemm-examples", "gemm-interop", "bench"];
    let packages = packages.map(|name| format!("--package={name}"));
    let built = cmd!(sh, "{cargo} build --release {packages...} --bins --examples {format...}");
    let mut messages = built.read()?;
    let tests = "test --no-run --release --package gemm-runtime-tests --test gpu".split(' ');
    messages += "\n";
    messages += &cmd!(sh, "{cargo} {tests...} {format...}").read()?;
    let programs = programs(&messages)?;
    ensure!(!programs.is_empty(), "cargo built no program");
    for program in programs {
        let to = folder.join(&program.name);
        copy(&program.path, &to)?;
        println!("{}", to.display());
    }
    Ok(())
}

/// Something that cargo built and that can be run.
#[derive(Debug, PartialEq, Eq)]
struct Program {
    /// Its name without the hash that cargo gives to tests.
    name: String,
    path: PathBuf,
}

/// The programs in cargo's messages, one JSON value a line.
fn programs(messages: &str) -> Result<Vec<Program>> {
    let mut programs = Vec::new();
    for line in messages.lines() {
        let message: Value = serde_json::from_str(line).context("cargo's messages are no JSON")?;
        let Some(path) = message["executable"].as_str() else { continue };
        let target = &message["target"];
        let name = target["name"].as_str().context("a program without a name")?;
        let is_test = target["kind"][0] == "test";
        let name = if is_test { format!("{name}_tests") } else { name.to_owned() };
        programs.push(Program { name, path: path.into() });
    }
    Ok(programs)
}

fn copy(program: &Path, to: &Path) -> Result<()> {
    // A program that is running cannot be written over, but its name can be given away.
    match fs::remove_file(to) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
        _ => {}
    }
    fs::copy(program, to).with_context(|| format!("cannot copy to {}", to.display()))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_read_from_cargos_messages() {
        let messages = concat!(
            r#"{"reason":"compiler-artifact","target":{"name":"half"},"executable":null}"#,
            "\n",
            r#"{"target":{"name":"suite","kind":["bin"]},"executable":"/t/release/suite"}"#,
            "\n",
            r#"{"target":{"name":"gpu","kind":["test"]},"executable":"/t/release/deps/gpu-0f"}"#,
            "\n",
            r#"{"reason":"build-finished","success":true}"#,
        );
        let program = |name: &str, path: &str| Program { name: name.into(), path: path.into() };
        let expected =
            [program("suite", "/t/release/suite"), program("gpu_tests", "/t/release/deps/gpu-0f")];
        assert_eq!(programs(messages).unwrap(), expected);
    }
}
