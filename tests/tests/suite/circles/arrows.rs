//! Which modules name what others define.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, ImplItem, Item, ItemUse, Macro, Meta, Path, Visibility};

use super::modules::{Module, Name, is_test};
use super::names::{Names, Target, imports};

/// The modules that each module of a crate depends on, with the names that it uses of them. A module
/// is a file, with the modules that are inline in it.
pub(super) type Arrows = BTreeMap<Name, BTreeMap<Name, BTreeSet<String>>>;

pub(super) fn arrows(modules: &BTreeMap<Name, Module>) -> Arrows {
    let names = Names::new(modules);
    let mut arrows = Arrows::new();
    for (name, module) in modules {
        let from = arrows.entry(module.file.clone()).or_default();
        let mut visitor = Visitor { modules, names: &names, module: name, found: from };
        module.items.iter().for_each(|item| visitor.visit_item(item));
        from.remove(&module.file);
    }
    arrows
}

/// Collects the arrows of one module.
struct Visitor<'m> {
    modules: &'m BTreeMap<Name, Module>,
    names: &'m Names,
    module: &'m Name,
    found: &'m mut BTreeMap<Name, BTreeSet<String>>,
}

impl Visitor<'_> {
    /// Adds the modules that define what the path names: a module is not a use of it.
    fn add(&mut self, path: &[String]) {
        for target in self.names.targets(self.module, path) {
            if let (Target::Item(module), Some(name)) = (target, path.last()) {
                let file = self.modules[&module].file.clone();
                self.found.entry(file).or_default().insert(name.clone());
            }
        }
    }

    /// The paths in the arguments of a macro, which may have a syntax of their own.
    fn add_tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Punct(colon) if colon.as_char() == ':' => colons += 1,
                TokenTree::Ident(ident) => {
                    if colons != 2 {
                        self.add(&path);
                        path.clear();
                    }
                    path.push(ident.to_string());
                    colons = 0;
                }
                other => {
                    self.add(&path);
                    path.clear();
                    colons = 0;
                    if let TokenTree::Group(group) = other {
                        self.add_tokens(group.stream());
                    }
                }
            }
        }
        self.add(&path);
    }
}

impl<'ast> Visit<'ast> for Visitor<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        if !is_test(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        let is_test = match item {
            ImplItem::Const(item) => is_test(&item.attrs),
            ImplItem::Fn(item) => is_test(&item.attrs),
            _ => false,
        };
        if !is_test {
            visit::visit_impl_item(self, item);
        }
    }

    /// Those of a derive macro may name functions.
    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        if let Meta::List(list) = &attribute.meta {
            self.add_tokens(list.tokens.clone());
        }
    }

    /// A re-export is not a use: who names it depends on what it stands for.
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        if matches!(item.vis, Visibility::Inherited) {
            imports(&item.tree).iter().for_each(|import| self.add(&import.path));
        }
    }

    fn visit_path(&mut self, path: &'ast Path) {
        if path.leading_colon.is_none() {
            let names = path.segments.iter().map(|segment| segment.ident.to_string());
            self.add(&names.collect::<Vec<_>>());
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &'ast Macro) {
        self.visit_path(&item.path);
        self.add_tokens(item.tokens.clone());
    }
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}
