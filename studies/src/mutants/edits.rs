//! Statements → mutants: what is dropped, swapped and moved. What is changed within a statement is
//! the concern of [`operators`](super::operators).

use std::ops::Range;

use super::operators::{Scope, within};
use super::tokens::{Kind as TokenKind, Token};
use super::tree::{Form, Statement};
use super::{Kind, Mutant};

/// Marks of statements that order threads or copies.
const SYNCHRONIZATION: [&str; 12] = [
    "__syncthreads",
    "consumers_sync",
    "group_sync",
    "cp_async_wait",
    "cp_async_commit",
    "cp.async.wait",
    "cp.async.commit",
    "mbarrier_wait",
    "mbarrier_arrive",
    "wgmma_wait",
    "wgmma_commit",
    "wgmma_fence",
];

/// All mutants of a text, in its order.
pub(super) fn edits(text: &str, tokens: &[Token], statements: &[Statement]) -> Vec<Mutant> {
    let mut maker = Maker { text, tokens, found: Vec::new() };
    maker.list(statements, "", None);
    maker.found
}

struct Maker<'t> {
    text: &'t str,
    tokens: &'t [Token],
    found: Vec<Mutant>,
}

impl Maker<'_> {
    /// The statements of one block, which stands in `parent`.
    fn list(&mut self, list: &[Statement], place: &str, parent: Option<&Statement>) {
        for (at, statement) in list.iter().enumerate() {
            if self.word(statement.tokens.start) == "static_assert" {
                continue;
            }
            if matches!(statement.form, Form::Simple | Form::Control) {
                self.drop(statement, place);
                if let (Some(next), Some(_)) = (list.get(at + 1), parent) {
                    self.swap(statement, next, place);
                }
                if let Some(parent) = parent.filter(|parent| parent.form == Form::Control) {
                    let (is_first, is_last) = (at == 0, at + 1 == list.len());
                    self.leave(statement, parent, [is_first, is_last], place);
                }
            }
            let inner = match &statement.name {
                Some(name) if place.is_empty() => name.clone(),
                Some(name) => format!("{place}::{name}"),
                None => place.to_owned(),
            };
            let scope = Scope {
                text: self.text,
                place: &inner,
                is_synchronization: self.is_synchronization(statement),
            };
            self.found.extend(within(&scope, &self.own_tokens(statement)));
            for body in &statement.bodies {
                self.list(body, &inner, Some(statement));
            }
        }
    }

    fn drop(&mut self, statement: &Statement, place: &str) {
        let name = format!("drop `{}`", self.head(statement));
        self.add(Kind::Drop, statement, place, name, vec![(self.span(statement), String::new())]);
        for at in statement.tokens.clone() {
            let token = &self.tokens[at];
            if token.kind != TokenKind::Directive {
                break;
            }
            let line = &self.text[token.range.clone()];
            let name = format!("drop `{line}` of `{}`", self.head(statement));
            let edits = vec![(token.range.clone(), String::new())];
            self.add(Kind::Drop, statement, place, name, edits);
        }
    }

    fn swap(&mut self, first: &Statement, second: &Statement, place: &str) {
        let is_swapped = matches!(second.form, Form::Simple | Form::Control);
        if !is_swapped || self.word(second.tokens.start) == "static_assert" {
            return;
        }
        let name = format!("swap `{}` and `{}`", self.head(first), self.head(second));
        let (one, other) = (self.span(first), self.span(second));
        let edits = vec![
            (one.clone(), self.text[other.clone()].to_owned()),
            (other, self.text[one].to_owned()),
        ];
        // A swap with a barrier is one of the barrier's.
        let about = if self.is_synchronization(second) { second } else { first };
        self.add(Kind::Swap, about, place, name, edits);
    }

    /// Moves a barrier, a wait or a commit out of the block that it opens or closes.
    fn leave(
        &mut self,
        statement: &Statement,
        parent: &Statement,
        [is_first, is_last]: [bool; 2],
        place: &str,
    ) {
        if !self.is_synchronization(statement) {
            return;
        }
        let (own, around) = (self.span(statement), self.span(parent));
        let moved = self.text[own.clone()].to_owned();
        let (head, parent) = (self.head(statement), self.head(parent));
        let dropped = (own, String::new());
        if is_first {
            let name = format!("move `{head}` before `{parent}`");
            // A pragma before the block needs a line of its own.
            let edits = vec![(around.start..around.start, format!("{moved}\n")), dropped.clone()];
            self.add(Kind::Move, statement, place, name, edits);
        }
        if is_last {
            let name = format!("move `{head}` behind `{parent}`");
            let edits = vec![dropped, (around.end..around.end, format!(" {moved}"))];
            self.add(Kind::Move, statement, place, name, edits);
        }
    }

    fn add(
        &mut self,
        kind: Kind,
        about: &Statement,
        place: &str,
        name: String,
        edits: Vec<(Range<usize>, String)>,
    ) {
        let is_synchronization = self.is_synchronization(about);
        let place = if place.is_empty() { "text" } else { place };
        let name = format!("{place}: {name}");
        self.found.push(Mutant { kind, name, is_synchronization, edits });
    }

    /// Whether a statement without nested ones is a barrier, a wait or a commit.
    fn is_synchronization(&self, statement: &Statement) -> bool {
        let text = &self.text[self.span(statement)];
        statement.form == Form::Simple
            && statement.bodies.is_empty()
            && SYNCHRONIZATION.iter().any(|mark| text.contains(mark))
    }

    /// The tokens of a statement that belong to none that is nested in it.
    fn own_tokens(&self, statement: &Statement) -> Vec<Token> {
        let nested: Vec<&Statement> = statement.bodies.iter().flatten().collect();
        let is_own = |at: &usize| !nested.iter().any(|inner| inner.tokens.contains(at));
        statement.tokens.clone().filter(is_own).map(|at| self.tokens[at].clone()).collect()
    }

    fn word(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| &self.text[token.range.clone()])
    }

    fn span(&self, statement: &Statement) -> Range<usize> {
        let Range { start, end } = statement.tokens;
        self.tokens[start].range.start..self.tokens[end - 1].range.end
    }

    /// The first line of a statement, without its pragma; two dots where there is more.
    fn head(&self, statement: &Statement) -> String {
        let mut own = statement.tokens.clone().map(|at| &self.tokens[at]);
        let first = own.find(|token| token.kind != TokenKind::Directive);
        let span = self.span(statement);
        let text = &self.text[first.map_or(span.start, |token| token.range.start)..span.end];
        let (line, more) = text.split_once('\n').map_or((text, ""), |(line, _)| (line, " .."));
        let code = line.split_once("  //").map_or(line, |(code, _)| code);
        format!("{}{more}", code.trim_end())
    }
}
