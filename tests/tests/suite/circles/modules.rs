//! The modules of a crate, as its sources declare them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use syn::punctuated::Punctuated;
use syn::{Attribute, Item, ItemMod, Meta, Token};

/// The names from the root of a crate to a module; none for the root.
pub(super) type Name = Vec<String>;

/// A module and what is not compiled for tests alone.
pub(super) struct Module {
    /// The module of its file: itself, unless it is declared inline.
    pub(super) file: Name,
    /// Its items other than modules.
    pub(super) items: Vec<Item>,
}

/// How a crate is read.
pub(super) struct Reader<'r> {
    /// The text of a file, if there is one.
    pub(super) read: &'r dyn Fn(&Path) -> Option<String>,
    modules: BTreeMap<Name, Module>,
}

impl Reader<'_> {
    /// The modules of the crate with this root, such as `src/lib.rs`; `None` without such a file.
    pub(super) fn modules(
        root: &Path,
        read: &dyn Fn(&Path) -> Option<String>,
    ) -> Option<BTreeMap<Name, Module>> {
        let mut reader = Reader { read, modules: BTreeMap::new() };
        let items = reader.items(root)?;
        reader.add(Vec::new(), Vec::new(), &root.with_file_name(""), items);
        Some(reader.modules)
    }

    fn items(&self, path: &Path) -> Option<Vec<Item>> {
        let text = (self.read)(path)?;
        let file = syn::parse_file(&text);
        Some(file.unwrap_or_else(|error| panic!("{}: {error}", path.display())).items)
    }

    /// Adds a module and its descendants, whose files are in this folder.
    fn add(&mut self, name: Name, file: Name, folder: &Path, items: Vec<Item>) {
        let mut kept = Vec::new();
        for item in items {
            match item {
                Item::Mod(declared) if !is_test(&declared.attrs) => {
                    self.declare(&name, &file, folder, declared);
                }
                Item::Mod(_) => {}
                item => kept.push(item),
            }
        }
        let module = Module { file, items: Vec::new() };
        self.modules.entry(name).or_insert(module).items.append(&mut kept);
    }

    fn declare(&mut self, parent: &Name, file: &Name, folder: &Path, declared: ItemMod) {
        let ident = declared.ident.to_string();
        let name: Name = parent.iter().chain([&ident]).cloned().collect();
        let folder: PathBuf = folder.join(ident);
        match declared.content {
            Some((_, items)) => self.add(name, file.clone(), &folder, items),
            None => {
                let items = self.items(&folder.with_extension("rs"));
                let items = items.or_else(|| self.items(&folder.join("mod.rs")));
                let items = items.unwrap_or_else(|| panic!("no file of {}", folder.display()));
                self.add(name.clone(), name, &folder, items);
            }
        }
    }
}

/// Whether an item with these attributes is compiled for tests alone.
pub(super) fn is_test(attributes: &[Attribute]) -> bool {
    let is_cfg = |attribute: &&Attribute| attribute.path().is_ident("cfg");
    let condition = |attribute: &Attribute| attribute.parse_args::<Meta>().ok();
    attributes.iter().filter(is_cfg).filter_map(condition).any(|one| requires_test(&one))
}

fn requires_test(condition: &Meta) -> bool {
    let all = |meta: &Meta| {
        let list = meta.require_list().ok().filter(|list| list.path.is_ident("all"))?;
        list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).ok()
    };
    condition.path().is_ident("test")
        || all(condition).is_some_and(|each| each.iter().any(requires_test))
}
