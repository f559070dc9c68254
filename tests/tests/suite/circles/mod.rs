//! Modules that depend on each other are next to each other: up to [`MOST`] files of a folder may form a
//! circle, those of several folders may not.

mod arrows;
mod made_up;
mod modules;
mod names;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::Path;

use crate::Test;
use arrows::{Arrows, arrows};
use modules::{Name, Reader};

/// The most modules of a circle.
const MOST: usize = 8;

/// Circles that are left: the crate, and the module that all of the circle are in.
const EXCEPTIONS: [(&str, &str); 4] = [
    ("gemm-codegen", "level::global_to_shared"),
    ("gemm-codegen", "level::scheduler"),
    // Its simulations call each other.
    ("tests/brute_force", ""),
    // Each list of mistakes names the type of a mistake.
    ("tests", "planted"),
];

pub(crate) fn tests() -> Vec<Test> {
    let mut tests = made_up::tests();
    tests.extend(tests![circles_are_within_a_folder]);
    tests
}

fn circles_are_within_a_folder() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let manifest = fs::read_to_string(root.join("Cargo.toml")).expect("a workspace");
    let members = manifest.split("\nmembers = [").nth(1).and_then(|rest| rest.split(']').next());
    let members: Vec<&str> = members.expect("members").split('"').skip(1).step_by(2).collect();
    let mut report = String::new();
    let mut left = EXCEPTIONS.to_vec();
    for (member, file) in members.into_iter().flat_map(|one| [(one, "lib.rs"), (one, "main.rs")]) {
        let file = root.join(member).join("src").join(file);
        for circle in crossing(&file, &|path| fs::read_to_string(path).ok()) {
            let home = circle.home();
            match left.iter().position(|exception| *exception == (member, &*home)) {
                Some(at) => drop(left.remove(at)),
                None => report += &format!("{member}, in crate::{home}: {circle}"),
            }
        }
    }
    assert!(report.is_empty(), "{report}");
    assert!(left.is_empty(), "these are no exceptions any more: {left:?}");
}

/// The circles of a crate that lie in more than one folder or have too many modules; none, if it has no
/// such root.
fn crossing(root: &Path, read: &dyn Fn(&Path) -> Option<String>) -> Vec<Circle> {
    let modules = Reader::modules(root, read).unwrap_or_default();
    let arrows = arrows(&modules);
    let mut circles = circles(&arrows);
    circles.retain(|circle| circle.folders(&arrows).len() > 1 || circle.modules.len() > MOST);
    circles
}

/// Modules that all depend on each other, directly or through others of them.
struct Circle {
    modules: BTreeSet<Name>,
    arrows: Arrows,
}

fn circles(arrows: &Arrows) -> Vec<Circle> {
    let reached: BTreeMap<&Name, BTreeSet<&Name>> =
        arrows.keys().map(|name| (name, reached(name, arrows))).collect();
    let mut circles: Vec<Circle> = Vec::new();
    for name in arrows.keys() {
        if circles.iter().any(|circle| circle.modules.contains(name)) {
            continue;
        }
        let back = |other: &&&Name| reached[*other].contains(name);
        let modules: BTreeSet<Name> =
            reached[name].iter().filter(back).map(|name| (*name).clone()).collect();
        if modules.len() > 1 {
            let mut arrows = arrows.clone();
            arrows.retain(|from, _| modules.contains(from));
            arrows.values_mut().for_each(|from| from.retain(|to, _| modules.contains(to)));
            circles.push(Circle { modules, arrows });
        }
    }
    circles
}

/// The modules that this one depends on, through others.
fn reached<'a>(name: &'a Name, arrows: &'a Arrows) -> BTreeSet<&'a Name> {
    let mut reached = BTreeSet::new();
    let mut open = vec![name];
    while let Some(name) = open.pop() {
        open.extend(arrows[name].keys().filter(|to| reached.insert(*to)));
    }
    reached
}

impl Circle {
    /// The module that all of it are in.
    fn home(&self) -> String {
        let mut home = self.modules.first().cloned().unwrap_or_default();
        while !self.modules.iter().all(|module| module.starts_with(&home)) {
            home.pop();
        }
        home.join("::")
    }

    /// The folders of its modules. That of `x.rs` with files in `x/`, and of `x/mod.rs`, is `x`.
    fn folders(&self, all: &Arrows) -> BTreeSet<Name> {
        let parent = |name: &Name| name[..name.len().saturating_sub(1)].to_vec();
        let folders: BTreeSet<Name> = all.keys().map(parent).collect();
        let folder = |name: &Name| if folders.contains(name) { name.clone() } else { parent(name) };
        self.modules.iter().map(folder).collect()
    }
}

impl fmt::Display for Circle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "a circle of {} modules", self.modules.len())?;
        for (from, all) in &self.arrows {
            for (to, names) in all {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                let [from, to] = [from, to].map(|name| format!("crate::{}", name.join("::")));
                writeln!(f, "    {from} uses {} of {to}", names.join(", "))?;
            }
        }
        Ok(())
    }
}
