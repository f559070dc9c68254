//! [`Picture`]: what every function of this crate returns.

/// A picture of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// What it shows, as a word for file names and ids: `shared_tile_a`.
    pub name: String,
    /// Its heading, which it shows on top.
    pub title: String,
    /// A sentence or two that state its numbers.
    pub caption: String,
    /// The document, an `<svg>` element that stands alone or in a page.
    pub svg: String,
}
