//! Pictures as XML.

use gemm_pictures::Picture;
use roxmltree::{Document, Node};

/// The document of a picture.
pub(crate) fn document(picture: &Picture) -> Document<'_> {
    Document::parse(&picture.svg).unwrap_or_else(|error| panic!("{}: {error}", picture.name))
}

/// The elements with this `data-*` attribute.
pub(crate) fn having<'a, 'input>(
    node: Node<'a, 'input>,
    name: &str,
) -> impl Iterator<Item = Node<'a, 'input>> {
    let name = format!("data-{name}");
    node.descendants().filter(move |node| node.has_attribute(&*name))
}

/// The only element with this attribute.
pub(crate) fn only<'a, 'input>(node: Node<'a, 'input>, name: &str) -> Node<'a, 'input> {
    let mut all = having(node, name);
    let first = all.next().unwrap_or_else(|| panic!("no data-{name}"));
    assert!(all.next().is_none(), "several data-{name}");
    first
}

/// The text of an attribute.
pub(crate) fn word<'a>(node: Node<'a, '_>, name: &str) -> &'a str {
    let found = node.attribute(&*format!("data-{name}"));
    found.unwrap_or_else(|| panic!("no data-{name} in {node:?}"))
}

/// The numbers of an attribute.
pub(crate) fn numbers(node: Node<'_, '_>, name: &str) -> Vec<u32> {
    let words = word(node, name).split(' ');
    words.map(|word| word.parse().unwrap_or_else(|_| panic!("{name}: {word}"))).collect()
}

/// The only number of an attribute.
pub(crate) fn number(node: Node<'_, '_>, name: &str) -> u32 {
    match numbers(node, name)[..] {
        [number] => number,
        _ => panic!("several numbers in data-{name}"),
    }
}

/// `data-row`, `data-column`, `data-rows` and `data-columns`, as first and extents.
pub(crate) fn area(node: Node<'_, '_>) -> ([u32; 2], [u32; 2]) {
    let [row, column, rows, columns] =
        ["row", "column", "rows", "columns"].map(|name| number(node, name));
    ([row, column], [rows, columns])
}

/// What a `use` refers to.
pub(crate) fn target<'a, 'input>(node: Node<'a, 'input>) -> Node<'a, 'input> {
    let id = node.attribute("href").and_then(|href| href.strip_prefix('#')).expect("a reference");
    let mut all = node.document().descendants();
    all.find(|other| other.attribute("id") == Some(id)).unwrap_or_else(|| panic!("no {id}"))
}
