//! The texts of the goldens as they are kept in the repository: some whole, for people to read, and of
//! the others what no other golden has, with the names of the sections that they share.
//!
//! A section is a function with its comment, also one of a struct, or a paragraph of declarations. Its
//! file is named after what it declares and the hash of its text, so that `NAME.cuh` determines the text.

pub(crate) mod changes;
pub(crate) mod cut;
pub mod read;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use std::{fs, io};

pub use changes::Changes;

/// The goldens whose text is kept whole: one for each form of a kernel and each walk of its blocks.
pub const WHOLE: [&str; 12] = [
    "classic",           // cp.async, multistage
    "through_registers", // ld.global, double buffer
    "tensor",            // tensor copies, mma.sync
    "fma_nt",            // FMA
    "split_gelu",        // split K
    "linear_gelu",       // a fused epilogue
    "batched",
    "wgmma", // one tile
    "wgmma_cooperative",
    "wgmma_pingpong",
    "wgmma_cluster",
    "wgmma_split", // split K within a cluster
];

/// The longest line that lists sections.
const COLUMNS: usize = 100;

/// The files of texts by their paths within the folder of the goldens.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Stored {
    files: BTreeMap<String, String>,
}

impl Stored {
    /// The files of these goldens: their names and texts.
    pub fn of(texts: &[(&str, &str)]) -> Stored {
        let (whole, others): (Vec<_>, Vec<_>) =
            texts.iter().partition(|(name, _)| WHOLE.contains(name));
        let others: Vec<_> =
            others.into_iter().map(|(name, text)| (name, cut::cut(text))).collect();
        let mut users: HashMap<&str, HashSet<&str>> = HashMap::new();
        for (name, paragraphs) in &others {
            for piece in paragraphs.iter().flatten().filter(|piece| !piece.stays) {
                users.entry(piece.text).or_default().insert(name);
            }
        }
        let shared: HashMap<&str, String> = users
            .into_iter()
            .filter(|(_, users)| users.len() > 1)
            .map(|(text, _)| (text, section_name(text)))
            .collect();
        let whole =
            whole.into_iter().map(|(name, text)| (format!("{name}.cu"), (*text).to_owned()));
        let sections = shared.iter().map(|(text, name)| (section_path(name), (*text).to_owned()));
        let others = others
            .iter()
            .map(|(name, paragraphs)| (format!("{name}.cuh"), factored(paragraphs, &shared)));
        Stored { files: whole.chain(sections).chain(others).collect() }
    }

    /// Those of a folder.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn read(folder: &Path) -> io::Result<Stored> {
        let mut files = BTreeMap::new();
        for part in ["", "sections/"] {
            for entry in fs::read_dir(folder.join(part))? {
                let name = entry?.file_name().to_string_lossy().into_owned();
                if name.ends_with(".cu") || name.ends_with(".cuh") {
                    let path = format!("{part}{name}");
                    let text = fs::read_to_string(folder.join(&path))?;
                    files.insert(path, text);
                }
            }
        }
        Ok(Stored { files })
    }

    /// Writes those of a folder that differ from `old`, which it has, and removes the others of `old`.
    ///
    /// # Errors
    /// A file cannot be written or removed.
    pub fn write(&self, folder: &Path, old: &Stored) -> io::Result<()> {
        for path in old.files.keys().filter(|path| !self.files.contains_key(*path)) {
            fs::remove_file(folder.join(path))?;
        }
        for (path, text) in
            self.files.iter().filter(|(path, text)| old.files.get(*path) != Some(text))
        {
            fs::write(folder.join(path), text)?;
        }
        Ok(())
    }

    /// The text of a golden.
    ///
    /// # Errors
    /// The path of the file that there is not.
    pub fn text(&self, name: &str) -> Result<String, String> {
        let file = |path: String| self.files.get(&path).ok_or(path);
        match file(format!("{name}.cu")) {
            Ok(whole) => Ok(whole.clone()),
            Err(_) => read::expand(file(format!("{name}.cuh"))?, |name| file(section_path(name))),
        }
    }

    /// The goldens, each with the lines that are its own and the sections that it names.
    fn goldens(&self) -> impl Iterator<Item = (&str, Vec<&str>, Vec<&str>)> {
        let goldens = self.files.iter().filter(|(path, _)| !path.starts_with(SECTIONS));
        goldens.map(|(path, text)| {
            let (name, _) = path.split_once('.').unwrap_or((path, ""));
            let listed = |line| {
                let marker = |marker| str::strip_prefix(line, marker);
                marker(read::PARAGRAPHS).or_else(|| marker(read::LINES))
            };
            let (lists, own): (Vec<&str>, _) =
                text.lines().partition(|line| listed(line).is_some());
            let sections = lists.into_iter().filter_map(listed).flat_map(|names| names.split(' '));
            (name, own, sections.collect())
        })
    }

    /// The sections: their names and texts.
    fn sections(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().filter_map(|(path, text)| {
            Some((path.strip_prefix(SECTIONS)?.strip_suffix(".cuh")?, &**text))
        })
    }
}

/// The folder of sections, in that of the goldens.
const SECTIONS: &str = "sections/";

fn section_path(name: &str) -> String {
    format!("{SECTIONS}{name}.cuh")
}

fn section_name(text: &str) -> String {
    let hash = blake3::hash(text.as_bytes()).to_hex();
    format!("{}-{}", cut::name(text), &hash[..8])
}

/// The file of a text that is not kept whole.
fn factored(paragraphs: &[Vec<cut::Piece<'_>>], shared: &HashMap<&str, String>) -> String {
    let mut lines = Lines::default();
    let name = |piece: &cut::Piece<'_>| shared.get(piece.text).filter(|_| !piece.stays);
    for pieces in paragraphs {
        if let [piece] = &**pieces
            && let Some(section) = name(piece)
        {
            lines.list(read::PARAGRAPHS, section);
            continue;
        }
        lines.begin_paragraph();
        for piece in pieces {
            match name(piece) {
                Some(section) => lines.list(read::LINES, section),
                None => lines.add(piece.text),
            }
        }
    }
    lines.text
}

/// The lines of such a file.
#[derive(Default)]
struct Lines {
    text: String,
    /// What the last line starts with, if it lists sections.
    marker: Option<&'static str>,
}

impl Lines {
    fn begin_paragraph(&mut self) {
        if !self.text.is_empty() && self.marker != Some(read::PARAGRAPHS) {
            self.add("\n");
        }
    }

    fn add(&mut self, lines: &str) {
        self.text += lines;
        self.marker = None;
    }

    fn list(&mut self, marker: &'static str, section: &str) {
        let last = self.text.lines().next_back().unwrap_or_default();
        if self.marker == Some(marker) && last.len() + 1 + section.len() <= COLUMNS {
            self.text.pop();
            self.text.push(' ');
        } else {
            self.text += marker;
        }
        self.text += section;
        self.text.push('\n');
        self.marker = Some(marker);
    }
}
