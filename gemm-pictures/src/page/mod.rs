//! A self-contained HTML page of pictures, tables and a kernel's source.
//!
//! The page loads nothing and works without a network. A pointer over an element of a picture, or the arrow
//! keys in a picture, show its `data-*` attributes in a line at the bottom and mark the source lines of that
//! picture; a pointer over a source line marks its pictures. What is selected is in the fragment of the URL.

mod first;
mod neighbours;
mod source;

use std::fmt::Write as _;

use crate::palette::{self, PALETTE};
use crate::picture::Picture;

pub use first::{Fact, First, State, Word};
pub use neighbours::Neighbour;
pub use source::{Counted, Source};

/// A page, from its title to its last section.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// The heading.
    pub title: String,
    /// A paragraph below it.
    pub summary: String,
    /// What a reader sees first.
    pub first: Option<First>,
    /// The sections, in order.
    pub sections: Vec<Section>,
    /// What links elements of the pictures to the source, as JSON.
    pub links: Option<String>,
}

/// A part of a page with a heading.
#[derive(Clone, Debug)]
pub struct Section {
    /// The heading.
    pub heading: String,
    /// A paragraph below it; may be empty.
    pub text: String,
    /// What it shows.
    pub content: Content,
}

/// What a section shows.
#[derive(Clone, Debug)]
pub enum Content {
    /// Rows of cells; the first cell of each is its heading.
    Table {
        /// The headings of the columns.
        head: Vec<String>,
        /// The rows.
        rows: Vec<Vec<String>>,
    },
    /// Pictures with their captions.
    Pictures(Vec<Picture>),
    /// A plan, first, and its neighbours, as a table in which one is chosen.
    Neighbours {
        /// The headings of the columns.
        head: Vec<String>,
        /// The plan and its neighbours.
        neighbours: Vec<Neighbour>,
    },
    /// The source of a kernel with what its lines did.
    Source(Source),
}

/// The script. Its last part restores what the URL names.
const SCRIPT: &str = concat!(
    include_str!("page.js"),
    include_str!("links.js"),
    include_str!("neighbours.js"),
    include_str!("scrub.js"),
    include_str!("first.js"),
    "restore();\n"
);

impl Page {
    /// The HTML document.
    pub fn html(&self) -> String {
        let sections = self.sections.iter().enumerate();
        let contents = sections.clone().fold(String::new(), |mut text, (number, section)| {
            let heading = escape(&section.heading);
            let _ = writeln!(text, "<a href=\"#section={number}\">{heading}</a>");
            text
        });
        let body: String = sections.map(|(number, section)| section.html(number)).collect();
        include_str!("page.html")
            .replace("{{style}}", &style())
            .replace("{{script}}", SCRIPT)
            .replace("{{title}}", &escape(&self.title))
            .replace("{{summary}}", &escape(&self.summary))
            .replace("{{first}}", &self.first.as_ref().map(First::html).unwrap_or_default())
            .replace("{{links}}", self.links.as_deref().unwrap_or("{}"))
            .replace("{{contents}}", &contents)
            .replace("{{sections}}", &body)
    }
}

impl Section {
    fn html(&self, number: usize) -> String {
        let text = match &*self.text {
            "" => String::new(),
            text => format!("<p>{}</p>\n", escape(text)),
        };
        let content = match &self.content {
            Content::Table { head, rows } => table(head, rows),
            Content::Pictures(pictures) => {
                let figures = pictures.iter().map(|picture| figure(number, picture));
                format!("<div class=\"pictures\">\n{}</div>\n", figures.collect::<String>())
            }
            Content::Neighbours { head, neighbours } => neighbours::html(number, head, neighbours),
            Content::Source(source) => source.html(),
        };
        let heading = escape(&self.heading);
        let class = match &self.content {
            Content::Pictures(_) | Content::Source(_) => " class=\"wide\"",
            Content::Table { .. } | Content::Neighbours { .. } => "",
        };
        format!(
            "<section id=\"section-{number}\"{class}>\n<h2>{heading}</h2>\n{text}{content}</section>\n"
        )
    }
}

/// A picture with its caption. Its ids are prefixed, as other sections may have the same picture.
fn figure(section: usize, picture: &Picture) -> String {
    let Picture { name, caption, svg, .. } = picture;
    let prefix = format!("s{section}-{name}-");
    let svg = ["id=\"", "href=\"#", "url(#"].iter().fold(svg.clone(), |svg, before| {
        svg.replace(&format!("{before}{name}-"), &format!("{before}{prefix}"))
    });
    // The page has one style sheet for all of them.
    let svg = svg.replace(&format!("<style>\n{}\n</style>\n", palette::style()), "");
    let svg = svg.replacen("<svg ", "<svg tabindex=\"0\" ", 1);
    format!(
        "<figure data-name=\"{name}\">\n{svg}<figcaption>{}</figcaption>\n</figure>\n",
        escape(caption)
    )
}

fn table(head: &[String], rows: &[Vec<String>]) -> String {
    let cells = |tag: &str, cells: &[String]| {
        cells.iter().fold(String::new(), |mut text, cell| {
            let _ = write!(text, "<{tag}>{}</{tag}>", escape(cell));
            text
        })
    };
    let body = rows.iter().fold(String::new(), |mut text, row| {
        let (first, rest) = row.split_at(row.len().min(1));
        let first = cells("th scope=\"row\"", first).replace("</th scope=\"row\">", "</th>");
        let _ = writeln!(text, "<tr>{first}{}</tr>", cells("td", rest));
        text
    });
    format!(
        "<table>\n<thead><tr>{}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>\n",
        cells("th", head)
    )
}

/// The styles of the page and of its pictures, with the themes that its button sets.
fn style() -> String {
    let theme = |name: &str, of: fn(&crate::Colour) -> &'static str| {
        let variables = PALETTE.iter().fold(String::new(), |mut text, colour| {
            let _ = write!(text, "--{}:{};", colour.name, of(colour));
            text
        });
        let scheme = format!("color-scheme:{name};");
        format!(":root[data-theme={name}],:root[data-theme={name}] .gemm{{{variables}{scheme}}}\n")
    };
    let pictures = palette::style();
    let light = theme("light", |colour| colour.light);
    let dark = theme("dark", |colour| colour.dark);
    // The page has the colours of the pictures.
    let root = pictures.replace(".gemm{--", ":root,.gemm{--");
    format!("{root}\n{light}{dark}{}", include_str!("page.css"))
}

/// Text as the content of an element or an attribute.
pub(crate) fn escape(text: &str) -> String {
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    escaped.replace('"', "&quot;")
}
