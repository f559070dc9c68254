//! What cargo says about the crate: the first file of each target.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail, ensure};
use clap::Args;
use serde::Deserialize;

/// Which crate is read.
#[derive(Args)]
pub(crate) struct Options {
    /// The package; by default that of the current folder, or all of a workspace
    #[arg(long, short, global = true, value_name = "NAME")]
    package: Option<String>,
    /// The Cargo.toml
    #[arg(long, global = true, value_name = "PATH")]
    manifest_path: Option<PathBuf>,
}

/// What is read of `cargo metadata`: a few fields, so that no crate with all of them is needed.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    target_directory: PathBuf,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    manifest_path: PathBuf,
    targets: Vec<Target>,
}

#[derive(Deserialize)]
struct Target {
    kind: Vec<String>,
    src_path: PathBuf,
}

/// The sources of a crate, or of a workspace.
pub(crate) struct Sources {
    /// The first file of each target, without build scripts.
    pub(crate) roots: Vec<PathBuf>,
    /// Where cargo puts what it builds.
    pub(crate) target_directory: PathBuf,
}

impl Sources {
    pub(crate) fn of(options: &Options) -> Result<Sources> {
        let Metadata { packages, target_directory } = metadata(options)?;
        let is_script = |target: &Target| target.kind.iter().any(|kind| kind == "custom-build");
        let targets = chosen(packages, options)?.into_iter().flat_map(|package| package.targets);
        let roots = targets.filter(|target| !is_script(target)).map(|target| target.src_path);
        Ok(Sources { roots: roots.collect(), target_directory })
    }
}

fn metadata(options: &Options) -> Result<Metadata> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["metadata", "--no-deps", "--format-version", "1"]);
    if let Some(manifest) = &options.manifest_path {
        command.arg("--manifest-path").arg(manifest);
    }
    let output = command.output().context("cannot run cargo")?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr).trim_end());
    serde_json::from_slice(&output.stdout).context("cannot read what `cargo metadata` prints")
}

/// The package that was named, else that of the current folder, else all.
fn chosen(packages: Vec<Package>, options: &Options) -> Result<Vec<Package>> {
    let names: Vec<String> = packages.iter().map(|package| package.name.clone()).collect();
    if let Some(name) = &options.package {
        let named: Vec<Package> = packages.into_iter().filter(|one| one.name == *name).collect();
        if named.is_empty() {
            bail!(
                "package `{name}` is not in this workspace; the packages are {}",
                names.join(", ")
            );
        }
        return Ok(named);
    }
    let within = match &options.manifest_path {
        Some(manifest) => manifest.canonicalize()?,
        None => env::current_dir()?.join("Cargo.toml"),
    };
    let folder = |package: &Package| package.manifest_path.parent().map(Path::to_owned);
    let depth = |folder: PathBuf| within.starts_with(&folder).then(|| folder.components().count());
    let depth_of = |package: &Package| folder(package).and_then(depth);
    let Some(deepest) = packages.iter().filter_map(depth_of).max() else { return Ok(packages) };
    Ok(packages.into_iter().filter(|package| depth_of(package) == Some(deepest)).collect())
}
