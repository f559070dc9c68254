//! The calls between functions of the user's own: none calls itself, and they are not nested too deeply.

use crate::body::tree::{self, MAX_DEPTH};
use crate::field::Field;
use crate::rule::{Diagnostic, Rule};
use crate::spec::{Body, Node, NodeId};

use super::own::find;

/// Checks the functions and the body; their nodes are trees.
pub(super) fn check(body: &Body) -> Vec<Diagnostic> {
    let levels = vec![None; body.functions.len()];
    let mut calls = Calls { body, levels, open: Vec::new(), is_deep: false, broken: Vec::new() };
    for number in 0..body.functions.len() {
        calls.function(number, 0);
    }
    if !body.functions.is_empty() {
        calls.under(body.root, 1);
    }
    calls.broken
}

struct Calls<'a> {
    body: &'a Body,
    /// How deep each function is nested with those that it calls, where that is known.
    levels: Vec<Option<usize>>,
    /// The functions on the way to a node, the outermost first.
    open: Vec<usize>,
    /// Whether something was reported as nested too deeply.
    is_deep: bool,
    broken: Vec<Diagnostic>,
}

impl Calls<'_> {
    /// How deep a function is nested, which a node of this depth calls.
    fn function(&mut self, number: usize, depth: usize) -> usize {
        if let Some(levels) = self.levels[number] {
            return levels;
        }
        self.open.push(number);
        let levels = self.under(self.body.functions[number].root, depth + 1);
        self.open.pop();
        self.levels[number] = Some(levels);
        levels
    }

    /// How many levels there are from a node of this depth on.
    fn under(&mut self, id: NodeId, depth: usize) -> usize {
        let node = &self.body.nodes[id.0];
        if depth > MAX_DEPTH {
            self.report_depth(id);
            return 0;
        }
        let mut below = 0;
        for child in tree::children(node) {
            below = below.max(self.under(child, depth + 1));
        }
        let callee = match node {
            Node::Call { function, .. } => find(&self.body.functions, function),
            _ => None,
        };
        match callee {
            Some(callee) if self.open.contains(&callee) => self.report_recursion(id, callee),
            Some(callee) => below = below.max(self.function(callee, depth)),
            None => {}
        }
        if depth + below > MAX_DEPTH {
            self.report_depth(id);
            return 0;
        }
        below + 1
    }

    fn report_recursion(&mut self, id: NodeId, callee: usize) {
        let name = |number: &usize| format!("`{}`", self.body.functions[*number].name);
        let start = self.open.iter().position(|open| *open == callee).unwrap_or_default();
        let message = match &self.open[start..] {
            [_] => format!("{} calls itself", name(&callee)),
            [_, through @ ..] => {
                let through: Vec<String> = through.iter().map(name).collect();
                format!("{} calls itself through {}", name(&callee), through.join(" and "))
            }
            [] => return,
        };
        let help = "write it without recursion: the functions of a body are inlined on the device";
        let at = Field::Body(id);
        self.broken.push(Diagnostic::new(Rule::BodyFunctions, at, message, help));
    }

    fn report_depth(&mut self, id: NodeId) {
        if !std::mem::replace(&mut self.is_deep, true) {
            let message = format!("the functions are nested deeper than {MAX_DEPTH} levels");
            let (at, help) = (Field::Body(id), "call fewer functions from each other");
            self.broken.push(Diagnostic::new(Rule::BodyFunctions, at, message, help));
        }
    }
}
