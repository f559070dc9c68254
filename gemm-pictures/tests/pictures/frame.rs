//! What all pictures have in common.

use std::collections::{BTreeMap, HashSet};

use roxmltree::Node;

use crate::parse::{document, having, number, target};
use crate::{GOLDENS, PICTURES};

/// Width and height of a picture, by its view box.
fn extents(root: Node<'_, '_>) -> [f64; 2] {
    let view = root.attribute("viewBox").expect("a view box");
    let all: Vec<f64> = view.split(' ').map(|one| one.parse().expect("a number")).collect();
    [all[2], all[3]]
}

/// Left, top, right and bottom of a text, whose characters are of one width.
fn text_box(node: Node<'_, '_>) -> [f64; 4] {
    let classes: Vec<&str> = node.attribute("class").unwrap_or_default().split(' ').collect();
    let size = match (classes.contains(&"s"), classes.contains(&"b")) {
        (true, _) => 9.0,
        (_, true) => 14.0,
        _ => 12.0,
    };
    let [x, y] = ["x", "y"].map(|name| {
        node.attribute(name).map_or(0.0, |at| at.parse::<f64>().expect("a coordinate"))
    });
    let [x, y] = moved(node, [x, y]);
    let width = node.text().unwrap_or_default().chars().count() as f64 * 0.602 * size;
    let left = match (classes.contains(&"m"), classes.contains(&"e")) {
        (true, _) => x - width / 2.0,
        (_, true) => x - width,
        _ => x,
    };
    [left, y - 0.73 * size, left + width, y + 0.05 * size]
}

/// A place within a node, after the `translate` of the groups around it.
fn moved(node: Node<'_, '_>, place: [f64; 2]) -> [f64; 2] {
    let moves = node.ancestors().filter_map(|node| {
        let inner = node.attribute("transform")?.strip_prefix("translate(")?.strip_suffix(')')?;
        let by: Vec<f64> = inner.split(' ').map(|one| one.parse().expect("a number")).collect();
        Some([by[0], by[1]])
    });
    moves.fold(place, |[x, y], [dx, dy]| [x + dx, y + dy])
}

fn is_defined(node: Node<'_, '_>) -> bool {
    node.ancestors().any(|node| node.has_tag_name("defs"))
}

#[test]
fn no_text_overlaps_another_or_the_edge() {
    for (golden, picture) in PICTURES.iter() {
        let (document, name) = (document(picture), &picture.name);
        let [width, height] = extents(document.root_element());
        let texts = document.descendants().filter(|node| node.has_tag_name("text"));
        let texts: Vec<_> = texts
            .filter(|node| !is_defined(*node))
            .map(|node| (node.text(), text_box(node)))
            .collect();
        assert!(texts.len() > 2, "{golden} {name}");
        for (at, (text, one)) in texts.iter().enumerate() {
            let [left, top, right, bottom] = *one;
            let is_inside = left >= 0.0 && top >= 0.0 && right <= width && bottom <= height;
            assert!(is_inside, "{golden} {name}: {text:?} at {one:?} of {width} × {height}");
            for (other, [l, t, r, b]) in &texts[at + 1..] {
                let apart = right <= *l || *r <= left || bottom <= *t || *b <= top;
                assert!(apart, "{golden} {name}: {text:?} over {other:?}");
            }
        }
    }
}

#[test]
fn every_reference_is_defined_and_every_id_is_of_its_picture() {
    let mut references = 0;
    for (golden, picture) in PICTURES.iter() {
        let document = document(picture);
        for node in document.descendants().filter(|node| node.has_tag_name("use")) {
            target(node);
            references += 1;
        }
        let ids: Vec<&str> =
            document.descendants().filter_map(|node| node.attribute("id")).collect();
        let distinct: HashSet<&str> = ids.iter().copied().collect();
        assert_eq!(distinct.len(), ids.len(), "{golden} {}: {ids:?}", picture.name);
        let prefix = format!("{}-", picture.name);
        assert!(ids.iter().all(|id| id.starts_with(&prefix)), "{golden} {ids:?}");
    }
    assert!(references > GOLDENS.len());
}

#[test]
fn a_picture_states_its_title_and_its_caption() {
    for (golden, picture) in PICTURES.iter() {
        let document = document(picture);
        let of = |tag: &str| {
            let mut all = document.root_element().children();
            let node = all.find(|node| node.has_tag_name(tag)).and_then(|node| node.text());
            node.unwrap_or_default().trim().to_owned()
        };
        assert_eq!(of("title"), picture.title, "{golden}");
        assert_eq!(of("desc"), picture.caption, "{golden}");
        let states = picture.caption.chars().any(|one| one.is_ascii_digit());
        assert!(states && picture.caption.ends_with('.'), "{golden}: {}", picture.caption);
    }
}

#[test]
fn pictures_of_a_plan_are_small() {
    for (golden, picture) in PICTURES.iter() {
        let most = match picture.name.as_str() {
            "raster" => 100_000,
            "pipeline" => 40_000,
            "fragments" => 32_000,
            "fragments_wrong" => 64_000,
            "shared_tile_a" | "shared_tile_b" | "overview" => 56_000,
            _ => 28_000,
        };
        assert!(picture.svg.len() <= most, "{golden} {}: {} B", picture.name, picture.svg.len());
    }
}

/// Whether the coordinate of an element follows from its number, and grows with it.
fn is_in_order(places: &[(u32, f64)]) -> bool {
    let mut by_number = BTreeMap::new();
    let is_same = places.iter().all(|(number, at)| *by_number.entry(*number).or_insert(*at) == *at);
    let coordinates: Vec<f64> = by_number.into_values().collect();
    is_same && coordinates.windows(2).all(|pair| pair[0] < pair[1])
}

#[test]
fn elements_lie_in_the_order_of_their_rows_and_columns() {
    let mut groups = 0;
    for (golden, picture) in PICTURES.iter() {
        let document = document(picture);
        for group in document.descendants().filter(|node| node.has_tag_name("g")) {
            let cells: Vec<_> = group
                .children()
                .filter(|node| node.has_attribute("data-row") && node.has_attribute("data-column"))
                .collect();
            if cells.is_empty() {
                continue;
            }
            let of = |name: &str, coordinate: &str| -> Vec<(u32, f64)> {
                let at = |cell: &Node<'_, '_>| {
                    let at = cell.attribute(coordinate).map_or(0.0, |at| at.parse().expect("one"));
                    (number(*cell, name), at)
                };
                cells.iter().map(at).collect()
            };
            // Columns of a tile that its copies transpose are drawn as lines.
            let upright = is_in_order(&of("row", "y")) && is_in_order(&of("column", "x"));
            let turned = is_in_order(&of("row", "x")) && is_in_order(&of("column", "y"));
            assert!(upright || turned, "{golden} {}", picture.name);
            groups += 1;
        }
    }
    assert!(groups > 5 * GOLDENS.len(), "only {groups} groups of elements");
}

#[test]
fn elements_share_no_place() {
    for (golden, picture) in PICTURES.iter() {
        let document = document(picture);
        for group in document.descendants().filter(|node| node.has_tag_name("g")) {
            let is_shape = |node: &Node<'_, '_>| node.has_tag_name("rect");
            let shapes = having(group, "row").filter(|node| node.parent() == Some(group));
            let areas: Vec<[f64; 4]> = shapes
                .filter(is_shape)
                .map(|node| {
                    let [x, y, width, height] = ["x", "y", "width", "height"].map(|name| {
                        node.attribute(name).map_or(0.0, |at| at.parse::<f64>().expect("one"))
                    });
                    // Coordinates are rounded to hundredths.
                    [x, y, x + width - 0.02, y + height - 0.02]
                })
                .collect();
            for (at, [left, top, right, bottom]) in areas.iter().enumerate() {
                for [l, t, r, b] in &areas[at + 1..] {
                    let apart = right <= l || r <= left || bottom <= t || b <= top;
                    assert!(apart, "{golden} {}", picture.name);
                }
            }
        }
    }
}
