//! What the names of a crate stand for, through `use` items and re-exports.

use std::collections::BTreeMap;

use syn::{Ident, Item, UseTree};

use super::modules::{Module, Name};

/// What a path leads to.
pub(super) enum Target {
    /// A module.
    Module(Name),
    /// Something that this module defines.
    Item(Name),
    /// Something of another crate.
    Elsewhere,
}

impl Target {
    fn is_module(&self) -> bool {
        matches!(self, Target::Module(_))
    }
}

/// The names of each module.
pub(super) struct Names(BTreeMap<Name, Scope>);

/// The names that a module defines and imports.
#[derive(Default)]
struct Scope {
    items: Vec<String>,
    imports: Vec<Import>,
}

/// A leaf of a `use` item.
pub(super) struct Import {
    pub(super) path: Vec<String>,
    /// The name that it has in the module; `None` for all the names of what the path leads to.
    name: Option<String>,
}

impl Names {
    pub(super) fn new(modules: &BTreeMap<Name, Module>) -> Names {
        let scopes = modules.iter().map(|(name, module)| {
            let mut scope = Scope::default();
            for item in &module.items {
                match item {
                    Item::Use(one) => scope.imports.append(&mut imports(&one.tree)),
                    item => scope.items.extend(defined(item)),
                }
            }
            (name.clone(), scope)
        });
        Names(scopes.collect())
    }

    /// What a path in the sources of a module leads to: several targets, if a module and a function
    /// share a name; none, if its first name is local or that of another crate.
    pub(super) fn targets(&self, module: &[String], path: &[String]) -> Vec<Target> {
        Search { names: self, open: Vec::new() }.follow(module, path)
    }
}

/// Follows a path, and those of the `use` items that it meets.
struct Search<'n> {
    names: &'n Names,
    /// What is being followed: `use` items may form circles too.
    open: Vec<(Name, Vec<String>)>,
}

impl<'n> Search<'n> {
    fn follow(&mut self, module: &[String], path: &[String]) -> Vec<Target> {
        let Some((first, rest)) = path.split_first() else {
            return vec![Target::Module(module.to_vec())];
        };
        match first.as_str() {
            "crate" => return self.within(&[], rest),
            "self" => return self.within(module, rest),
            "super" => return self.within(&module[..module.len().saturating_sub(1)], rest),
            _ => {}
        }
        let followed = (module.to_vec(), path.to_vec());
        let Some(scope) = self.names.0.get(module) else { return Vec::new() };
        if self.open.contains(&followed) {
            return Vec::new();
        }
        self.open.push(followed);
        let mut targets = self.explicit(module, scope, first, rest);
        if targets.is_empty() {
            targets = self.through_globs(module, scope, path);
        }
        self.open.pop();
        targets
    }

    /// The same in a module that a path has led to; what it does not name is defined by a macro.
    fn within(&mut self, module: &[String], path: &[String]) -> Vec<Target> {
        let targets = self.follow(module, path);
        if targets.is_empty() { vec![Target::Item(module.to_vec())] } else { targets }
    }

    fn explicit(
        &mut self,
        module: &[String],
        scope: &'n Scope,
        first: &String,
        rest: &[String],
    ) -> Vec<Target> {
        let mut targets = Vec::new();
        let child: Name = module.iter().chain([first]).cloned().collect();
        let is_module = self.names.0.contains_key(&child);
        if is_module {
            targets.append(&mut self.within(&child, rest));
        }
        // Nothing is within a function that shares its name with a module.
        if scope.items.contains(first) && (rest.is_empty() || !is_module) {
            targets.push(Target::Item(module.to_vec()));
        }
        for import in scope.imports.iter().filter(|one| one.name.as_ref() == Some(first)) {
            let mut sources = self.follow(module, &import.path);
            if !rest.is_empty() && sources.iter().any(Target::is_module) {
                sources.retain(Target::is_module);
            }
            if sources.is_empty() {
                targets.push(Target::Elsewhere);
            }
            for source in sources {
                match source {
                    Target::Module(source) => targets.append(&mut self.within(&source, rest)),
                    item => targets.push(item),
                }
            }
        }
        targets
    }

    fn through_globs(
        &mut self,
        module: &[String],
        scope: &'n Scope,
        path: &[String],
    ) -> Vec<Target> {
        let mut targets = Vec::new();
        for import in scope.imports.iter().filter(|import| import.name.is_none()) {
            for source in self.follow(module, &import.path) {
                if let Target::Module(source) = source {
                    targets.append(&mut self.follow(&source, path));
                }
            }
        }
        targets
    }
}

/// The leaves of a `use` item.
pub(super) fn imports(tree: &UseTree) -> Vec<Import> {
    let mut leaves = Vec::new();
    add_imports(tree, &mut Vec::new(), &mut leaves);
    leaves
}

fn add_imports(tree: &UseTree, path: &mut Vec<String>, leaves: &mut Vec<Import>) {
    let mut add = |last: &Ident, name: &Ident| {
        let (last, name) = (last.to_string(), name.to_string());
        let name = path.last().filter(|_| name == "self").cloned().unwrap_or(name);
        let path = path.iter().cloned().chain([last]).collect();
        leaves.push(Import { path, name: Some(name) });
    };
    match tree {
        UseTree::Path(one) => {
            path.push(one.ident.to_string());
            add_imports(&one.tree, path, leaves);
            path.pop();
        }
        UseTree::Name(one) => add(&one.ident, &one.ident),
        UseTree::Rename(one) => add(&one.ident, &one.rename),
        UseTree::Glob(_) => leaves.push(Import { path: path.clone(), name: None }),
        UseTree::Group(group) => group.items.iter().for_each(|one| add_imports(one, path, leaves)),
    }
}

/// The name that an item defines.
fn defined(item: &Item) -> Option<String> {
    let ident = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::TraitAlias(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(ident.to_string())
}
