//! [`Canvas`]: the frame that all pictures share, and the shapes they are made of.

use svg::Document;
use svg::Node;
use svg::node::Value;
use svg::node::element::{
    Definitions, Description, Element, Group, Line, Rectangle, Style, Text, Title, Use,
};

use crate::palette::{self, fill};
use crate::picture::Picture;

/// Width of a picture.
pub(crate) const WIDTH: f64 = 760.0;

/// Between the edge of a picture and what it shows.
pub(crate) const MARGIN: f64 = 24.0;

/// Width and height of a cell of a matrix.
pub(crate) const CELL: [f64; 2] = [20.0, 16.0];

/// Where the first line of a picture below its title begins.
pub(crate) const TOP: f64 = 56.0;

/// Between two lines of text.
pub(crate) const LINE: f64 = 18.0;

/// Width of a character of 12 units; its share of the height of a font.
const CHARACTER: f64 = 0.61;

/// Width of a text in a font of this size.
pub(crate) fn text_width(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * CHARACTER * size
}

/// A picture that is being drawn.
pub(crate) struct Canvas {
    name: String,
    title: String,
    definitions: Vec<Box<dyn Node>>,
    shapes: Vec<Box<dyn Node>>,
    bottom: f64,
}

impl Canvas {
    pub(crate) fn new(name: impl Into<String>, title: impl Into<String>) -> Canvas {
        let (name, title) = (name.into(), title.into());
        let mut canvas = Canvas {
            name,
            title: title.clone(),
            definitions: Vec::new(),
            shapes: Vec::new(),
            bottom: TOP,
        };
        canvas.add(text(MARGIN, 32.0, &title).set("class", "b"));
        canvas
    }

    /// An id that no other picture of the page has.
    pub(crate) fn id(&self, suffix: &str) -> String {
        format!("{}-{suffix}", self.name)
    }

    pub(crate) fn add(&mut self, shape: impl Into<Box<dyn Node>>) {
        self.shapes.push(shape.into());
    }

    /// Keeps a shape that [`used`] draws by its id.
    pub(crate) fn define(&mut self, shape: impl Into<Box<dyn Node>>) {
        self.definitions.push(shape.into());
    }

    /// Says how far down the picture reaches.
    pub(crate) fn reach(&mut self, bottom: f64) {
        self.bottom = self.bottom.max(bottom);
    }

    /// Where what follows below begins.
    pub(crate) fn bottom(&self) -> f64 {
        self.bottom
    }

    /// Puts what another canvas shows below its title here, moved by `[x, y]`.
    pub(crate) fn inset(&mut self, other: Canvas, [x, y]: [f64; 2]) {
        let moved = Group::new().set("transform", format!("translate({} {})", round(x), round(y)));
        // The first shape is the title.
        let shapes = other.shapes.into_iter().skip(1);
        self.add(shapes.fold(moved, Group::add));
        self.definitions.extend(other.definitions);
        self.reach(other.bottom + y);
    }

    /// Names fills in lines at the bottom.
    pub(crate) fn legend(&mut self, entries: &[(u32, String)]) {
        let (mut x, mut y) = (MARGIN, self.bottom + 14.0);
        for (number, label) in entries {
            let width = 18.0 + text_width(label, 12.0) + 16.0;
            if x + width > WIDTH - MARGIN + 16.0 && x > MARGIN {
                (x, y) = (MARGIN, y + LINE);
            }
            self.add(rectangle(x, y, 12.0, 12.0).set("class", fill(*number)));
            self.add(text(x + 18.0, y + 10.5, label).set("class", "q"));
            x += width;
        }
        self.reach(y + 12.0);
    }

    /// Lines of text at the bottom.
    pub(crate) fn notes(&mut self, lines: &[String]) {
        for line in lines {
            let y = self.bottom + LINE;
            self.add(text(MARGIN, y, line).set("class", "q"));
            self.reach(y);
        }
    }

    pub(crate) fn finish(self, caption: impl Into<String>) -> Picture {
        let caption = caption.into();
        let height = (self.bottom + MARGIN).ceil();
        let paper = rectangle(0.0, 0.0, WIDTH, height).set("class", "p").set("rx", 8);
        let mut document = Document::new()
            .set("class", "gemm")
            .set("role", "img")
            .set("viewBox", (0, 0, WIDTH, height))
            .set("width", WIDTH)
            .set("height", height)
            .set("data-picture", &*self.name)
            .add(tooltip(&*self.title))
            .add(Label::new(Description::new().add(svg::node::Text::new(&*caption))))
            .add(Style::new(palette::style()));
        if !self.definitions.is_empty() {
            document = document
                .add(self.definitions.into_iter().fold(Definitions::new(), Definitions::add));
        }
        let document = self.shapes.into_iter().fold(document.add(paper), Document::add);
        Picture { name: self.name, title: self.title, caption, svg: format!("{document}\n") }
    }
}

/// Coordinates with at most two digits after the point.
pub(crate) fn round(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

pub(crate) fn rectangle(x: f64, y: f64, width: f64, height: f64) -> Rectangle {
    let shape = Rectangle::new().set("width", round(width)).set("height", round(height));
    let shape = if x == 0.0 { shape } else { shape.set("x", round(x)) };
    if y == 0.0 { shape } else { shape.set("y", round(y)) }
}

/// A text whose baseline begins there.
pub(crate) fn text(x: f64, y: f64, content: impl Into<String>) -> Label {
    Label::new(Text::new(content)).set("x", round(x)).set("y", round(y))
}

/// An element with text, which is written without line breaks around it.
pub(crate) struct Label(Element);

impl Label {
    fn new(element: impl Into<Element>) -> Label {
        Label(element.into())
    }

    pub(crate) fn set(mut self, name: &str, value: impl Into<Value>) -> Label {
        self.0.assign(name, value);
        self
    }
}

impl From<Label> for Box<dyn Node> {
    fn from(label: Label) -> Box<dyn Node> {
        label.0.into()
    }
}

pub(crate) fn line([x1, y1]: [f64; 2], [x2, y2]: [f64; 2]) -> Line {
    let line = Line::new().set("x1", round(x1)).set("y1", round(y1));
    line.set("x2", round(x2)).set("y2", round(y2))
}

/// A shape that was defined, moved there.
pub(crate) fn used(id: &str, x: f64, y: f64) -> Use {
    Use::new().set("href", format!("#{id}")).set("x", round(x)).set("y", round(y))
}

pub(crate) fn group() -> Group {
    Group::new()
}

/// What a pointer that rests on a shape shows.
pub(crate) fn tooltip(content: impl Into<String>) -> Label {
    Label::new(Title::new(content))
}

/// `0, 8, 16` or `0–7`: numbers in words, runs of neighbours by their ends.
pub(crate) fn ranges(numbers: &[u32]) -> String {
    let runs = numbers.chunk_by(|one, next| *next == one + 1);
    let run = |run: &[u32]| match run {
        [] => String::new(),
        [one] => one.to_string(),
        [one, next] => format!("{one}, {next}"),
        [first, .., last] => format!("{first}–{last}"),
    };
    runs.map(run).collect::<Vec<_>>().join(", ")
}

/// Numbers as the value of a `data-*` attribute.
pub(crate) fn list(numbers: &[u32]) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
}
