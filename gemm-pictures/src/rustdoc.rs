//! Pictures in the documentation of an item: HTML that Markdown passes through.

use gemm_codegen::{Plan, Side};

use crate::picture::Picture;
use crate::{copies, memory_map, overview, palette, registers};

/// Most bytes of the pictures of an item.
pub const MOST_BYTES: usize = 30_000;

/// The [`overview`] of a plan, then each of the smaller pictures that fits in [`MOST_BYTES`].
///
/// It is one HTML block of CommonMark: it begins with a tag on its own line and has no blank line. Its
/// colours follow the theme of rustdoc. The `data-*` attributes are left out.
pub fn figures(plan: &Plan) -> String {
    let mut html = format!("<div class=\"gemm-pictures\">\n<style>{}</style>\n", style());
    let end = "</div>\n";
    let smaller = [copies::picture(plan, Side::A), memory_map::picture(plan)];
    let pictures = [overview::picture(plan)].into_iter().chain(smaller);
    for picture in pictures.chain([registers::picture(plan)]) {
        let figure = figure(&picture);
        if html.len() + figure.len() + end.len() <= MOST_BYTES {
            html.push_str(&figure);
        }
    }
    html + end
}

/// The style sheet of all pictures of a page of rustdoc, whose theme may differ from that of the system.
fn style() -> String {
    let [light, dark] = palette::variables();
    let themes = format!(
        "[data-theme=light] .gemm{{{light}}}[data-theme=dark] .gemm,[data-theme=ayu] .gemm{{{dark}}}\
         .gemm-pictures svg{{max-width:100%;height:auto}}.gemm-pictures figure{{margin:0 0 1.5em}}"
    );
    (palette::style() + &themes).replace('\n', "")
}

/// A picture without its style sheet, with its caption as text.
fn figure(picture: &Picture) -> String {
    let svg = ["desc", "style"].into_iter().fold(picture.svg.clone(), without_element);
    let caption = svg::node::Text::new(&*picture.caption);
    format!("<figure>{}<figcaption>{caption}</figcaption></figure>\n", without_data(&svg))
}

/// The text without its first element of this name.
fn without_element(svg: String, name: &str) -> String {
    let (open, close) = (format!("<{name}>"), format!("</{name}>"));
    let rest =
        svg.split_once(&open).and_then(|(before, rest)| Some((before, rest.split_once(&close)?.1)));
    rest.map_or(svg.clone(), |(before, after)| format!("{before}{after}"))
}

/// The tags without `data-*` and the name space, and without the line breaks between them.
fn without_data(svg: &str) -> String {
    let mut text = String::with_capacity(svg.len());
    for part in svg.split('<').skip(1) {
        let (tag, content) = part.split_once('>').unwrap_or((part, ""));
        text += &format!("<{}>{}", visible(tag), content.trim_end_matches('\n'));
    }
    text
}

/// A tag without the attributes that a reader does not see.
fn visible(tag: &str) -> String {
    let is_unseen = |attribute: &str| attribute.starts_with("data-") || attribute == "xmlns=";
    // Values are in quotes: the parts are alternately a name with `=`, and a value.
    let mut parts = tag.split('"');
    let mut kept = String::with_capacity(tag.len());
    while let Some(before) = parts.next() {
        match (parts.next(), before.rsplit_once(' ')) {
            (Some(_), Some((rest, attribute))) if is_unseen(attribute) => kept.push_str(rest),
            (Some(value), _) => kept += &format!("{before}\"{value}\""),
            (None, _) => kept.push_str(before),
        }
    }
    kept
}
