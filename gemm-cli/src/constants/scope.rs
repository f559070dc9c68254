//! [`Scope`]: the constants of a crate, and which one a name means in a module.

use quote::ToTokens as _;
use syn::{Expr, ItemConst, ItemUse, UseTree};

use crate::files::File;

/// How many imports lead to a constant at most: they may go round in circles.
const DEEPEST: usize = 16;

/// A module of a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Module {
    /// The number of the target whose files it is among.
    pub(crate) root: usize,
    pub(crate) path: Vec<String>,
}

/// `const NAME: TYPE = VALUE;`
pub(super) struct Item {
    pub(super) module: Module,
    pub(super) name: String,
    pub(super) ty: String,
    pub(super) value: Expr,
    /// `src/layers.rs:12`
    pub(super) place: String,
}

/// `use path as name;`, or `use path::*;` without a name.
struct Import {
    module: Module,
    path: Vec<String>,
    name: Option<String>,
}

/// What a path means.
pub(super) enum Meaning<'a> {
    Item(&'a Item),
    /// A path into another crate, or to a primitive type.
    Foreign(Vec<String>),
}

/// The constants and imports of all modules.
#[derive(Default)]
pub(crate) struct Scope {
    items: Vec<Item>,
    imports: Vec<Import>,
}

impl Scope {
    /// Those of these files.
    pub(crate) fn of(files: &[File]) -> Scope {
        let mut scope = Scope::default();
        for file in files {
            for found in &file.items {
                let module = Module { root: file.root, path: found.modules.clone() };
                let tokens = &found.tokens;
                if let Ok(item) = syn::parse2::<ItemConst>(tokens.clone()) {
                    scope.items.push(Item {
                        module,
                        name: item.ident.to_string(),
                        ty: item.ty.to_token_stream().to_string(),
                        value: *item.expr,
                        place: format!("{}:{}", file.path.display(), found.line),
                    });
                } else if let Ok(item) = syn::parse2::<ItemUse>(tokens.clone()) {
                    scope.import(&module, &item.tree, Vec::new());
                }
            }
        }
        scope
    }

    fn import(&mut self, module: &Module, tree: &UseTree, mut path: Vec<String>) {
        let mut push = |path: Vec<String>, name| {
            self.imports.push(Import { module: module.clone(), path, name });
        };
        match tree {
            UseTree::Path(inner) => {
                path.push(inner.ident.to_string());
                self.import(module, &inner.tree, path);
            }
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.import(module, tree, path.clone()));
            }
            UseTree::Glob(_) => push(path, None),
            // `use a::{self};` imports `a`.
            UseTree::Name(name) if name.ident == "self" => push(path.clone(), path.last().cloned()),
            UseTree::Name(name) => {
                path.push(name.ident.to_string());
                push(path, Some(name.ident.to_string()));
            }
            UseTree::Rename(renamed) => {
                path.push(renamed.ident.to_string());
                push(path, Some(renamed.rename.to_string()));
            }
        }
    }

    /// What a path means in a module.
    ///
    /// # Errors
    /// Why it is not known.
    pub(super) fn meaning(&self, module: &Module, path: &[String]) -> Result<Meaning<'_>, String> {
        self.path(module, path, DEEPEST)
    }

    fn path(&self, module: &Module, path: &[String], depth: usize) -> Result<Meaning<'_>, String> {
        let Some(depth) = depth.checked_sub(1) else {
            return Err(format!("the imports of `{}` are circular", path.join("::")));
        };
        match path {
            [] => Err("it has no name".to_owned()),
            [name] => self.name(module, name, depth),
            [first, rest @ ..] => match self.child(module, first) {
                Some(module) => self.path(&module, rest, depth),
                None => match self.named_import(module, first) {
                    Some(import) => {
                        let whole = [&import.path[..], rest].concat();
                        self.path(module, &whole, depth)
                    }
                    None => Ok(Meaning::Foreign(path.to_vec())),
                },
            },
        }
    }

    fn name(&self, module: &Module, name: &str, depth: usize) -> Result<Meaning<'_>, String> {
        let mut items =
            self.items.iter().filter(|item| item.module == *module && item.name == name);
        match (items.next(), items.next()) {
            (Some(item), None) => return Ok(Meaning::Item(item)),
            (Some(one), Some(other)) => {
                return Err(format!("it is written at {} and at {}", one.place, other.place));
            }
            (None, _) => {}
        }
        if let Some(import) = self.named_import(module, name) {
            return self.path(module, &import.path, depth);
        }
        let globs = self.imports.iter().filter(|one| one.module == *module && one.name.is_none());
        let found = globs.filter_map(|import| {
            let path = [&import.path[..], &[name.to_owned()]].concat();
            self.path(module, &path, depth).ok()
        });
        let mut ours = found.filter(|meaning| matches!(meaning, Meaning::Item(_)));
        ours.next().ok_or_else(|| "it is not written in this crate as `const`".to_owned())
    }

    fn named_import(&self, module: &Module, name: &str) -> Option<&Import> {
        let is_it = |one: &&Import| one.module == *module && one.name.as_deref() == Some(name);
        self.imports.iter().find(is_it)
    }

    /// The module to which the first name of a path leads, if it is one of this target.
    fn child(&self, module: &Module, first: &str) -> Option<Module> {
        let Module { root, path } = module;
        let path = match first {
            "crate" => Vec::new(),
            "self" => path.clone(),
            "super" => path.split_last()?.1.to_vec(),
            name => {
                let path = [&path[..], &[name.to_owned()]].concat();
                let within = |one: &Module| one.root == *root && one.path.starts_with(&path);
                let mut modules = self.items.iter().map(|item| &item.module);
                let mut importing = self.imports.iter().map(|import| &import.module);
                (modules.any(within) || importing.any(within)).then_some(path)?
            }
        };
        Some(Module { root: *root, path })
    }
}
