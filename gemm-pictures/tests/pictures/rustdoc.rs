//! The pictures in the documentation of an item.

use std::collections::HashSet;

use gemm_pictures::rustdoc::{MOST_BYTES, figures};
use proc_macro2::TokenStream;
use roxmltree::{Document, Node};

use crate::GOLDENS;
use crate::parse::target;

/// The text and the attributes that a reader sees, of each element but descriptions and styles.
fn seen(svg: Node<'_, '_>) -> Vec<String> {
    let is_left_out = |node: &Node<'_, '_>| node.has_tag_name("desc") || node.has_tag_name("style");
    let elements = svg.descendants().filter(|node| node.is_element() && !is_left_out(node));
    let described = elements.map(|node| {
        let mut text = format!("{} {}", node.tag_name().name(), node.text().unwrap_or("").trim());
        for attribute in node.attributes() {
            let name = attribute.name();
            if !name.starts_with("data-") {
                text += &format!(" {name}={}", attribute.value());
            }
        }
        text
    });
    described.collect()
}

#[test]
fn figures_show_the_overview_within_their_size() {
    for (golden, plan) in GOLDENS.iter() {
        let html = figures(plan);
        assert!(html.len() <= MOST_BYTES, "{golden}: {} B", html.len());
        let page = Document::parse(&html).unwrap_or_else(|error| panic!("{golden}: {error}"));
        let first = page.descendants().find(|node| node.has_tag_name("svg"));
        let overview = gemm_pictures::overview::picture(plan).svg;
        let overview = Document::parse(&overview).expect("XML");
        assert_eq!(seen(first.expect(golden)), seen(overview.root_element()), "{golden}");
        for node in page.descendants().filter(|node| node.has_tag_name("use")) {
            target(node);
        }
        let ids: Vec<_> = page.descendants().filter_map(|node| node.attribute("id")).collect();
        let distinct: HashSet<_> = ids.iter().collect();
        assert_eq!(distinct.len(), ids.len(), "{golden}: {ids:?}");
    }
}

/// CommonMark 0.31, "HTML blocks": one of the sixth kind begins with the tag and ends at a blank line.
#[test]
fn figures_are_one_block_of_markdown() {
    for (golden, plan) in GOLDENS.iter() {
        let html = figures(plan);
        assert!(html.starts_with("<div "), "{golden}");
        assert!(html.lines().all(|line| !line.trim().is_empty()), "{golden}");
        assert_eq!(html.matches("<div").count(), 1, "{golden}");
    }
}

/// How many modules of an expansion have pictures.
fn illustrated(arguments: &str, function: &str) -> usize {
    let [arguments, function]: [TokenStream; 2] =
        [arguments, function].map(|text| text.parse().expect("tokens"));
    let expansion = gemm_language::expand(arguments, function).to_string();
    assert!(!expansion.contains("compile_error"), "{expansion}");
    expansion.matches(r#"<div class=\"gemm-pictures\">"#).count()
}

#[test]
fn each_module_with_a_plan_has_pictures() {
    let one = "fn f(x: Mat<f16, M, K>, w: Mat<f16, N, K>) -> Mat<f16, M, N> { matmul(x, w) }";
    assert_eq!(illustrated("", one), 1);
    // The module of the function, and one for each type.
    let generic = one.replace("fn f", "fn f<T>").replace("f16", "T");
    assert_eq!(illustrated("T = [f16, bf16]", &generic), 3);
}
