//! Tokens → nested statements. Knows as much C++ as the emitted texts have.

use std::ops::Range;

use super::tokens::{Kind, Token};

/// The form of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Up to a semicolon: a declaration, an expression, `if (..) ..;` on one line.
    Simple,
    /// `if`, `for` or `while` with a body in braces.
    Control,
    /// A function with its body.
    Function,
    /// A struct with its members.
    Struct,
    /// A line for the preprocessor that is not a pragma.
    Directive,
}

/// A statement with what is nested in it.
#[derive(Debug)]
pub(super) struct Statement {
    pub(super) form: Form,
    /// Its tokens: a pragma before it, its semicolon or last brace.
    pub(super) tokens: Range<usize>,
    /// The statements in its braces; those of initializers do not count.
    pub(super) bodies: Vec<Vec<Statement>>,
    /// The name of a function or a struct; `kernel` for the entry point, whose name has a hash.
    pub(super) name: Option<String>,
}

/// The statements of a text.
pub(super) fn statements(text: &str, tokens: &[Token]) -> Vec<Statement> {
    let mut parser = Parser { text, tokens, at: 0 };
    let mut found = Vec::new();
    while parser.at < tokens.len() {
        found.extend(parser.list());
        parser.at += 1; // a brace too many, in a text that is not ours
    }
    found
}

struct Parser<'t> {
    text: &'t str,
    tokens: &'t [Token],
    at: usize,
}

impl Parser<'_> {
    fn word(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| &self.text[token.range.clone()])
    }

    fn is_directive(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.kind == Kind::Directive)
    }

    /// Statements up to a closing brace, which stays, or the end.
    fn list(&mut self) -> Vec<Statement> {
        let mut found = Vec::new();
        while self.at < self.tokens.len() && self.word(self.at) != "}" {
            found.push(self.statement());
        }
        found
    }

    fn statement(&mut self) -> Statement {
        let start = self.at;
        if self.is_directive(start) && !self.word(start).starts_with("#pragma") {
            self.at += 1;
            return self.finish(Form::Directive, start, Vec::new());
        }
        self.prefix();
        let first = self.at;
        let (mut bodies, mut depth, mut is_expression) = (Vec::new(), 0usize, false);
        let mut form = Form::Simple;
        while self.at < self.tokens.len() {
            match self.word(self.at) {
                "(" | "[" => depth += 1,
                ")" | "]" => depth = depth.saturating_sub(1),
                "=" | "return" if depth == 0 => is_expression = true,
                ";" if depth == 0 => {
                    self.at += 1;
                    break;
                }
                "{" if depth > 0 || (is_expression && self.word(self.at - 1) != "]") => self.skip(),
                "{" => {
                    self.at += 1;
                    bodies.push(self.list());
                    if !is_expression {
                        form = self.form(first);
                        if form != Form::Struct && self.word(self.at + 1) != "else" {
                            self.at += 1;
                            break;
                        }
                    }
                }
                "}" if depth == 0 => break,
                _ => {}
            }
            self.at += 1;
        }
        self.finish(form, start, bodies)
    }

    /// The pragmas of a statement, and the parameters of a template, which may have defaults: they make it
    /// no expression.
    fn prefix(&mut self) {
        while self.is_directive(self.at) {
            self.at += 1;
        }
        if self.word(self.at) == "template" {
            while self.at < self.tokens.len() && self.word(self.at) != ">" {
                self.at += 1;
            }
        }
    }

    /// From an opening brace to its closing one.
    fn skip(&mut self) {
        let mut depth = 0usize;
        while self.at < self.tokens.len() {
            match self.word(self.at) {
                "{" => depth += 1,
                "}" if depth == 1 => return,
                "}" => depth -= 1,
                _ => {}
            }
            self.at += 1;
        }
    }

    /// The form of a statement with a body, by its header.
    fn form(&self, first: usize) -> Form {
        if matches!(self.word(first), "if" | "for" | "while") {
            return Form::Control;
        }
        let header = (first..self.at).take_while(|at| !matches!(self.word(*at), "{" | "("));
        match header.into_iter().any(|at| self.word(at) == "struct") {
            true => Form::Struct,
            false => Form::Function,
        }
    }

    fn finish(&self, form: Form, start: usize, bodies: Vec<Vec<Statement>>) -> Statement {
        let tokens = start..self.at.min(self.tokens.len());
        let name = match form {
            Form::Struct => tokens.clone().find(|at| self.word(*at) == "struct").map(|at| at + 1),
            Form::Function => self.function_name(tokens.clone()),
            _ => None,
        };
        let is_entry = tokens.clone().any(|at| self.word(at) == "__global__");
        let name = name.map(|at| if is_entry { "kernel" } else { self.word(at) }.to_owned());
        Statement { form, tokens, bodies, name }
    }

    /// The word before the last parenthesis of the header that is on no other's inside.
    fn function_name(&self, tokens: Range<usize>) -> Option<usize> {
        let (mut depth, mut name) = (0usize, None);
        for at in tokens {
            match self.word(at) {
                "(" => {
                    if depth == 0 {
                        name = at.checked_sub(1);
                    }
                    depth += 1;
                }
                ")" => depth = depth.saturating_sub(1),
                "{" | ":" if depth == 0 => break,
                _ => {}
            }
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;

    /// Every statement with its form, those that are nested indented.
    fn shown(text: &str) -> String {
        let tokens = tokens(text);
        let mut lines = String::new();
        show(text, &tokens, &statements(text, &tokens), 0, &mut lines);
        lines
    }

    fn show(text: &str, tokens: &[Token], list: &[Statement], depth: usize, lines: &mut String) {
        for statement in list {
            let first = &tokens[statement.tokens.start].range;
            let last = &tokens[statement.tokens.end - 1].range;
            let name = statement.name.as_deref().unwrap_or_default();
            let line = text[first.start..last.end].lines().next().unwrap_or_default();
            *lines += &format!("{:depth$}{:?} {name}: {line}\n", "", statement.form);
            statement.bodies.iter().for_each(|body| show(text, tokens, body, depth + 1, lines));
        }
    }

    #[test]
    fn statements_are_nested() {
        let text = "#define X 1\n\
            struct Block { int m, n; };\n\
            template <> struct Word<2> { typedef int T; };\n\
            template <class T> struct Source {\n  int k;\n  Source(int a) : k(a) { k -= 1; }\n};\n\
            extern \"C\" __global__ void __launch_bounds__(X, 1) name_0123(int m) {\n\
            float acc[2] = {};\n\
            const auto copy = [&] {\n  go();\n  stop();\n};\n\
            #pragma unroll\nfor (int i = 0; i < 3; ++i) {\n  if (i) { a(); } else { b(); }\n}\n\
            return Warp{1, 2};\n}\n";
        let expected = "Directive : #define X 1\n\
            Struct Block: struct Block { int m, n; };\n \
             Simple : int m, n;\n\
            Struct Word: template <> struct Word<2> { typedef int T; };\n \
             Simple : typedef int T;\n\
            Struct Source: template <class T> struct Source {\n \
             Simple : int k;\n \
             Function Source: Source(int a) : k(a) { k -= 1; }\n  \
              Simple : k -= 1;\n\
            Function kernel: extern \"C\" __global__ void __launch_bounds__(X, 1) name_0123(int m) {\n \
             Simple : float acc[2] = {};\n \
             Simple : const auto copy = [&] {\n  \
              Simple : go();\n  \
              Simple : stop();\n \
             Control : #pragma unroll\n  \
              Control : if (i) { a(); } else { b(); }\n   \
               Simple : a();\n   \
               Simple : b();\n \
             Simple : return Warp{1, 2};\n";
        assert_eq!(shown(text), expected);
    }

    #[test]
    fn any_text_has_an_end() {
        for text in ["}", "{", "a { ; } }", "for (;;", "= {", "if (a) {", "struct", "#pragma x"] {
            shown(text);
        }
    }
}
