//! The first screen of a page: the function as written, and what a reader asks first.

use std::fmt::Write as _;

use super::escape;

/// The first screen.
#[derive(Clone, Debug, Default)]
pub struct First {
    /// The source of the function.
    pub code: String,
    /// Where it is from, in a few words.
    pub origin: String,
    /// What is known of it, in order.
    pub facts: Vec<Fact>,
}

/// An answer to a question.
#[derive(Clone, Debug)]
pub struct Fact {
    /// What it is about, in a word or two.
    pub name: &'static str,
    /// How it is marked.
    pub state: State,
    /// Its paragraphs.
    pub lines: Vec<Vec<Word>>,
}

/// How a fact is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Not at all.
    Plain,
    /// As right.
    Right,
    /// As right, with warnings.
    Warned,
    /// As wrong.
    Wrong,
}

/// A part of a paragraph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// Text.
    Text(String),
    /// A line of the source, by its number from 1: a click goes there.
    Line(u32),
    /// A term, with its meaning, which is shown on a click.
    Term {
        /// As it is written in the sentence.
        written: &'static str,
        /// What it means.
        meaning: &'static str,
    },
}

impl First {
    pub(super) fn html(&self) -> String {
        let facts: String = self.facts.iter().map(Fact::html).collect();
        format!(
            "<div id=\"first\">\n<div>\n<pre class=\"code\">{}</pre>\n<p>{}</p>\n</div>\n<dl>\n{facts}</dl>\n</div>\n",
            escape(&self.code),
            escape(&self.origin)
        )
    }
}

impl Fact {
    fn html(&self) -> String {
        let state = match self.state {
            State::Plain => "plain",
            State::Right => "right",
            State::Warned => "warned",
            State::Wrong => "wrong",
        };
        let lines = self.lines.iter().fold(String::new(), |mut text, line| {
            let words: String = line.iter().map(Word::html).collect();
            let _ = write!(text, "<p>{words}</p>");
            text
        });
        let name = escape(self.name);
        format!("<dt>{name}</dt><dd class=\"{state}\" data-fact=\"{name}\">{lines}</dd>\n")
    }
}

impl Word {
    fn html(&self) -> String {
        match self {
            Word::Text(text) => escape(text),
            Word::Line(line) => format!("<a href=\"#line={line}\">line {line}</a>"),
            Word::Term { written, meaning } => format!(
                "<button type=\"button\" class=\"term\" title=\"{meaning}\" data-term=\"{written}\">{written}</button>",
                meaning = escape(meaning),
                written = escape(written)
            ),
        }
    }
}
