//! [`Functions`]: the annotated functions of a crate, and what is wrong with those that have none.

use std::iter;
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use gemm_codegen::auto::{self, Candidate};
use gemm_codegen::{Kernel, Plan, emit};
use gemm_language::Declaration;
use gemm_runtime::launch::{Choice, Kernels};

use crate::constants::{Module, Scope};
use crate::files::{self, File};
use crate::find::Annotated;
use crate::mistake;
use crate::package::{Options, Sources};

/// The functions of a crate.
pub(crate) struct Functions {
    pub(crate) all: Vec<Function>,
    /// The errors of functions that declare nothing, as rustc would print them.
    mistakes: Vec<String>,
    /// The constants that bodies may name.
    pub(crate) scope: Scope,
    pub(crate) target_directory: PathBuf,
}

/// A function with what it declares.
pub(crate) struct Function {
    /// Its path in its target: `layers::linear`.
    pub(crate) path: String,
    /// `src/layers.rs:12`
    pub(crate) place: String,
    /// The module that it lies in.
    pub(crate) module: Module,
    /// Its attribute and itself, as they are written in the file.
    pub(crate) written: String,
    pub(crate) declaration: Declaration,
}

impl Functions {
    /// Those of the crate that the options name.
    pub(crate) fn read(options: &Options) -> Result<Functions> {
        let Sources { roots, target_directory } = Sources::of(options)?;
        let (mut all, mut mistakes) = (Vec::new(), Vec::new());
        let files = files::read(&roots)?;
        for file in &files {
            for annotated in &file.annotated {
                match Function::all_of(annotated, file) {
                    Ok(functions) => all.extend(functions),
                    Err(_) if annotated.in_macro => {}
                    Err(errors) => {
                        // That of a function of a module is one of each of its kernels.
                        let mistake = mistake::render(&errors, annotated, file);
                        if !mistakes.contains(&mistake) {
                            mistakes.push(mistake);
                        }
                    }
                }
            }
        }
        Ok(Functions { all, mistakes, scope: Scope::of(&files), target_directory })
    }

    /// Whether all could be read; prints what is wrong with the others.
    pub(crate) fn report_mistakes(&self) -> bool {
        self.mistakes.iter().for_each(|mistake| eprintln!("{mistake}\n"));
        self.mistakes.is_empty()
    }

    /// The function of this name, of a part of its path, or of this place.
    pub(crate) fn named(&self, name: &str) -> Result<&Function> {
        let those = |is_it: &dyn Fn(&Function) -> bool| {
            self.all.iter().filter(|function| is_it(function)).collect::<Vec<_>>()
        };
        let ends = format!("::{name}");
        let within = format!("::{name}::");
        let mut found = those(&|one| one.path == name || one.path.ends_with(&ends));
        if found.is_empty() {
            // One of several element types: `linear` for `linear::f16`.
            let path = |one: &Function| format!("::{}", one.path);
            found = those(&|one| one.place == name || path(one).contains(&within));
        }
        match found[..] {
            [function] => Ok(function),
            [] => self.none_named(name),
            _ => {
                bail!("several functions `{name}`; name one by its path or place:{}", list(&found))
            }
        }
    }

    /// The error for a name that no function has: with those next to a line, or else with all.
    fn none_named(&self, name: &str) -> Result<&Function> {
        if let Some((file, line)) = place(name) {
            let distance = |one: &&Function| {
                let (other, own) = place(&one.place)?;
                (other == file).then_some(own.abs_diff(line))
            };
            let nearest = self.all.iter().filter_map(|one| distance(&one)).min();
            let found: Vec<&Function> = self
                .all
                .iter()
                .filter(|one| distance(one).is_some_and(|it| Some(it) == nearest))
                .collect();
            if !found.is_empty() {
                bail!("no function has its name at `{name}`; the nearest:{}", list(&found));
            }
        }
        self.report_mistakes();
        bail!("no function `{name}`; there are{}", list(&self.all.iter().collect::<Vec<_>>()))
    }
}

/// A line for each function, with its place.
fn list(functions: &[&Function]) -> String {
    let line = |function: &&Function| format!("\n  {} {}", function.path, function.place);
    functions.iter().map(line).collect()
}

/// The file and the line of a place.
fn place(text: &str) -> Option<(&str, usize)> {
    let (file, line) = text.rsplit_once(':')?;
    Some((file, line.parse().ok()?))
}

impl Function {
    /// The functions of an annotated one: several if it lists element types.
    fn all_of(annotated: &Annotated, file: &File) -> syn::Result<Vec<Function>> {
        let Annotated { arguments, item, line, modules, beside, block, .. } = annotated;
        let (arguments, item) = (arguments.clone(), item.clone());
        let declarations = match (beside.clone(), block.clone()) {
            (module, Some(block)) => gemm_language::read_in_impl(module, block, arguments, item)?,
            (Some(items), None) => gemm_language::read_in_module(items, arguments, item)?,
            (None, None) => gemm_language::read(arguments, item)?,
        };
        let function = |declaration: Declaration| {
            let path = modules.iter().chain([&declaration.path]).cloned().collect::<Vec<_>>();
            let place = format!("{}:{line}", file.path.display());
            let module = Module { root: file.root, path: modules.clone() };
            let written = written(annotated, &file.text);
            Function { path: path.join("::"), place, module, written, declaration }
        };
        Ok(declarations.into_iter().map(function).collect())
    }

    /// Its name, as in its tuning records.
    pub(crate) fn name(&self) -> &str {
        &self.declaration.spec.name
    }

    /// Its schedules: those among which a launch chooses, or the one that is written or derived.
    pub(crate) fn candidates(&self) -> Vec<Candidate> {
        let Declaration { spec, plan, auto, others, .. } = &self.declaration;
        let candidate = |id: String, plan: &Plan| Candidate {
            id,
            swapped: false,
            plan: plan.clone(),
            class: 0,
        };
        let written = iter::once(plan).chain(others).zip(1..);
        match (auto, &others[..]) {
            (true, _) => auto::candidates(spec).unwrap_or_default(),
            (false, []) => vec![candidate(auto::DERIVED.to_owned(), plan)],
            (false, _) => written
                .map(|(plan, number)| candidate(format!("schedule_{number}"), plan))
                .collect(),
        }
    }

    /// Whether a launch chooses among several.
    pub(crate) fn chooses(&self) -> bool {
        self.declaration.auto || !self.declaration.others.is_empty()
    }

    /// What `read` returns of the kernels among which it chooses.
    pub(crate) fn of_kernels<T>(&self, read: impl FnOnce(&Kernels<'_>) -> T) -> T {
        let Declaration { spec, plan, auto, others, .. } = &self.declaration;
        let first = emit(plan);
        if *auto {
            return read(&Kernels::of_spec(&first, spec));
        }
        let ids: Vec<String> =
            self.candidates().into_iter().map(|candidate| candidate.id).collect();
        let others: Vec<Kernel> = others.iter().map(emit).collect();
        let mut choices = ids.iter().zip(iter::once(&first).chain(&others));
        match choices.next() {
            Some((id, first)) => {
                let others: Vec<_> = choices.map(|(id, kernel)| Choice::new(id, kernel)).collect();
                read(&Kernels::written(Choice::new(id, first), &others))
            }
            None => read(&Kernels::new(&first, &[])),
        }
    }

    /// The schedule of this id; the first if none is named.
    pub(crate) fn candidate(&self, id: Option<&str>) -> Result<Candidate> {
        let mut candidates = self.candidates().into_iter();
        let found = match id {
            Some(id) => candidates.find(|candidate| candidate.id == id),
            None => candidates.next(),
        };
        let help = || {
            let (name, id) = (&self.path, id.unwrap_or_default());
            format!("{name} has no schedule `{id}`: `cargo gemm list {name}` lists those it has")
        };
        found.with_context(help)
    }
}

/// The attribute and the function in the text of a file, without the indentation of their module.
fn written(annotated: &Annotated, text: &str) -> String {
    let mut item = annotated.item.clone().into_iter();
    let first =
        item.next().map_or(annotated.attribute.start, |token| token.span().byte_range().start);
    let last = item.last().map_or(annotated.attribute.end, |token| token.span().byte_range().end);
    // The brackets of the attribute follow its `#`.
    let start = annotated.attribute.start.saturating_sub(1).min(first);
    let before = text.get(..start).unwrap_or_default();
    let indentation = before.chars().rev().take_while(|one| *one == ' ').count();
    let margin = format!("\n{}", " ".repeat(indentation));
    text.get(start..last).unwrap_or_default().replace(&margin, "\n")
}
