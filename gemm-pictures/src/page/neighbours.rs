//! A table of a plan and its neighbours, where a reader chooses one.

use std::fmt::Write as _;

use super::{escape, figure};
use crate::picture::Picture;

/// A plan with one key changed.
#[derive(Clone, Debug)]
pub struct Neighbour {
    /// The change, as it is written.
    pub written: String,
    /// The cells of its row, if it is legal.
    pub cells: Vec<String>,
    /// The pictures that take the place of the plan's, or what the compiler says.
    pub result: Result<Vec<Picture>, String>,
}

/// The table, and what is shown once a row is chosen: pictures in templates, which a browser does not draw.
pub(super) fn html(section: usize, head: &[String], neighbours: &[Neighbour]) -> String {
    let heads = head.iter().fold(String::new(), |mut text, cell| {
        let _ = write!(text, "<th>{}</th>", escape(cell));
        text
    });
    let all = || (0..).zip(neighbours);
    let rows: String = all().map(|(number, one)| one.row(number, head.len())).collect();
    let templates: String = all().map(|(number, one)| one.template(section, number)).collect();
    format!(
        "<table class=\"neighbours\">\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n\
         <pre id=\"refused\" aria-live=\"polite\" hidden></pre>\n{templates}"
    )
}

impl Neighbour {
    fn row(&self, number: usize, columns: usize) -> String {
        let checked = if number == 0 { " checked" } else { "" };
        let written = escape(&self.written);
        let choice = format!(
            "<th scope=\"row\"><label><input type=\"radio\" name=\"plan\" value=\"{written}\"{checked}> \
             {written}</label></th>"
        );
        let cells: String = match &self.result {
            Ok(_) => {
                let cells = self.cells.iter().map(|cell| format!("<td>{}</td>", escape(cell)));
                cells.collect::<String>() + "<td>legal</td>"
            }
            Err(_) => "<td></td>".repeat(columns.saturating_sub(2)) + "<td>refused</td>",
        };
        format!("<tr>{choice}{cells}</tr>\n")
    }

    fn template(&self, section: usize, number: usize) -> String {
        let written = escape(&self.written);
        match &self.result {
            Ok(pictures) => {
                // Their ids must differ from those of the other neighbours.
                let figures =
                    pictures.iter().map(|picture| figure(1000 * section + number, picture));
                format!(
                    "<template data-plan=\"{written}\">\n{}</template>\n",
                    figures.collect::<String>()
                )
            }
            Err(message) => {
                format!("<template data-refused=\"{written}\">{}</template>\n", escape(message))
            }
        }
    }
}
