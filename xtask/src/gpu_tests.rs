//! Programs for a machine that has a GPU but no Rust.

use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;
use xshell::cmd;

use crate::workspace::Workspace;

/// Builds the GPU suite and the examples in release and copies them into `folder`.
///
/// They link only the C library, of this machine's version or newer; libcuda and libnvrtc are
/// looked for when they run.
pub(crate) fn build(workspace: &Workspace, folder: &Path) -> Result<()> {
    // Made before the shell changes the folder that a relative path starts from.
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let (sh, cargo) = (workspace.shell()?, workspace.cargo());
    let messages = cmd!(
        sh,
        "{cargo} build --release --package gemm-tests --package gemm-examples --bins --examples
            --message-format json-render-diagnostics"
    )
    .read()?;
    let programs = executables(&messages)?;
    ensure!(!programs.is_empty(), "cargo built no program");
    for program in programs {
        println!("{}", copy(&program, folder)?.display());
    }
    Ok(())
}

/// The programs in cargo's messages, one JSON value a line.
fn executables(messages: &str) -> Result<Vec<PathBuf>> {
    let mut programs = Vec::new();
    for line in messages.lines() {
        let message: Value = serde_json::from_str(line).context("cargo's messages are no JSON")?;
        if let Some(path) = message["executable"].as_str() {
            programs.push(path.into());
        }
    }
    Ok(programs)
}

fn copy(program: &Path, folder: &Path) -> Result<PathBuf> {
    let name = program.file_name().context("a program without a name")?;
    let to = folder.join(name);
    // A program that is running cannot be written over, but its name can be given away.
    match fs::remove_file(&to) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
        _ => {}
    }
    fs::copy(program, &to).with_context(|| format!("cannot copy to {}", to.display()))?;
    Ok(to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_read_from_cargos_messages() {
        let messages = concat!(
            r#"{"reason":"compiler-artifact","target":{"name":"half"},"executable":null}"#,
            "\n",
            r#"{"reason":"compiler-artifact","executable":"/t/release/gpu_suite"}"#,
            "\n",
            r#"{"reason":"build-finished","success":true}"#,
        );
        assert_eq!(executables(messages).unwrap(), [PathBuf::from("/t/release/gpu_suite")]);
    }
}
