//! What crates.io and docs.rs would get: the packages are made, unpacked, checked together with a user's
//! crate that depends on them, and documented.
//!
//! `cargo package` would compile each of them in a folder of its own, five times what this takes, and
//! documenting the workspace would check each of them once more.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;
use xshell::{Cmd, Shell, cmd};

use crate::workspace::Workspace;

/// A package that is published: its name and version.
struct Package {
    name: String,
    version: String,
}

impl Package {
    /// The folder that its archive unpacks into.
    fn folder(&self) -> String {
        format!("{}-{}", self.name, self.version)
    }
}

/// How a command runs that does something, and usually takes so long.
pub(crate) type Step = fn(&str, &str, Cmd<'_>) -> Result<()>;

/// Makes the packages, checks what is in them and documents them, with these options of cargo.
pub(crate) fn check(workspace: &Workspace, options: &[&str], run: Step) -> Result<()> {
    let (sh, cargo) = (workspace.shell()?, workspace.cargo());
    let packages = published(&sh, workspace)?;
    let chosen = packages.iter().map(|package| format!("--package={}", package.name));
    let make = cmd!(sh, "{cargo} package --no-verify --allow-dirty --quiet {chosen...}");
    run("make the packages", "seconds", make)?;

    let archives = workspace.root().join("target/package");
    let unpacked = archives.join("unpacked");
    sh.remove_path(&unpacked)?;
    sh.create_dir(&unpacked)?;
    for package in &packages {
        let archive = archives.join(format!("{}.crate", package.folder()));
        // With the time of now: cargo compares it to tell whether a file has changed, and those in the
        // archive have one time always.
        cmd!(sh, "tar -xmzf {archive} -C {unpacked}").quiet().run()?;
        check_files(&unpacked, package)?;
    }
    write_workspace(&sh, workspace, &unpacked, &packages)?;
    sh.change_dir(&unpacked);
    let target = workspace.root().join("target");
    // Without gemm-candle: candle's dependencies would be compiled again, with the features that they
    // have in this smaller workspace. Clippy checks its sources.
    let options = [options, &["--offline", "--quiet", "--workspace", "--exclude=gemm-candle"]];
    let options = &options.concat();
    let check = cmd!(sh, "{cargo} check {options...} --target-dir {target}");
    run("check the packages and a crate that uses them", "half a minute", check)?;
    let _deny = sh.push_env("RUSTDOCFLAGS", "-D warnings");
    let document = cmd!(sh, "{cargo} doc --no-deps {options...} --target-dir {target}");
    run("rustdoc", "10 seconds", document)
}

/// The packages of the workspace that crates.io may get.
fn published(sh: &Shell, workspace: &Workspace) -> Result<Vec<Package>> {
    let cargo = workspace.cargo();
    let text =
        cmd!(sh, "{cargo} metadata --no-deps --format-version 1 --offline").quiet().read()?;
    let metadata: Value = serde_json::from_str(&text)?;
    let packages = metadata["packages"].as_array().context("cargo metadata lists no packages")?;
    let of_field = |package: &Value, field: &str| {
        package[field].as_str().map(str::to_owned).with_context(|| format!("no {field}"))
    };
    packages
        .iter()
        // `publish = false` is an empty list of registries there.
        .filter(|package| package["publish"].is_null())
        .map(|package| {
            Ok(Package { name: of_field(package, "name")?, version: of_field(package, "version")? })
        })
        .collect()
}

/// Files that a package must have, besides those that its sources name.
fn check_files(unpacked: &Path, package: &Package) -> Result<()> {
    for file in ["README.md", "LICENSE-APACHE", "LICENSE-MIT"] {
        let path = unpacked.join(package.folder()).join(file);
        ensure!(path.is_file(), "{} has no {file}: link it from its folder", package.name);
    }
    Ok(())
}

/// A workspace of the packages and of a user's crate: the README's program, with pictures in its
/// documentation.
fn write_workspace(
    sh: &Shell,
    workspace: &Workspace,
    unpacked: &Path,
    packages: &[Package],
) -> Result<()> {
    let mut manifest =
        "[workspace]\nresolver = \"3\"\nmembers = [\"*\"]\n\n[patch.crates-io]\n".to_owned();
    for package in packages {
        writeln!(manifest, "{} = {{ path = \"{}\" }}", package.name, package.folder())?;
    }
    // With the same profiles, dependencies are not compiled again.
    let own = fs::read_to_string(workspace.root().join("Cargo.toml"))?;
    let (_, profiles) = own.split_once("\n[profile.dev]").context("no [profile.dev]")?;
    write!(manifest, "\n[profile.dev]{profiles}")?;
    sh.write_file(unpacked.join("Cargo.toml"), manifest)?;
    sh.copy_file(workspace.root().join("Cargo.lock"), unpacked.join("Cargo.lock"))?;

    let runtime = packages.iter().find(|package| package.name == "gemm-runtime");
    let version = &runtime.context("gemm-runtime is not published")?.version;
    let user = unpacked.join("user");
    sh.write_file(
        user.join("Cargo.toml"),
        format!(
            "[package]\nname = \"user\"\nedition = \"2024\"\n\n\
             [dependencies]\n\
             gemm-runtime = {{ version = \"{version}\", features = [\"pictures\", \"report\"] }}\n"
        ),
    )?;
    // The tests compare it with the README.
    sh.create_dir(user.join("src"))?;
    sh.copy_file(workspace.root().join("examples/quickstart.rs"), user.join("src/main.rs"))?;
    Ok(())
}
