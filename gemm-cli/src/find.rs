//! The annotated functions and the modules in the tokens of a file.
//!
//! Tokens, not items: they are found in the arguments of macros too, and a file that uses a syntax
//! which this program does not know is read all the same.

use std::mem;
use std::ops::Range;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// What a file has.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) annotated: Vec<Annotated>,
    pub(crate) outlines: Vec<Outline>,
    pub(crate) items: Vec<ModuleItem>,
}

/// An item that `#[gemm]` annotates.
pub(crate) struct Annotated {
    /// The tokens in the parentheses of the attribute.
    pub(crate) arguments: TokenStream,
    /// The item.
    pub(crate) item: TokenStream,
    /// The bytes of the attribute in the file.
    pub(crate) attribute: Range<usize>,
    /// The line of its name, from 1.
    pub(crate) line: usize,
    /// The modules that it lies in.
    pub(crate) modules: Vec<String>,
    /// The items of the annotated module that it lies in.
    pub(crate) beside: Option<TokenStream>,
    /// Those of the annotated `impl` that it lies in.
    pub(crate) block: Option<TokenStream>,
    /// Whether it is an argument of a macro, which may be written in a syntax of that macro.
    pub(crate) in_macro: bool,
}

/// `const ..;` or `use ..;` of a module.
pub(crate) struct ModuleItem {
    /// The item, from its keyword to its semicolon.
    pub(crate) tokens: TokenStream,
    /// Its line, from 1.
    pub(crate) line: usize,
    /// The modules that it lies in.
    pub(crate) modules: Vec<String>,
}

/// `mod name;`
pub(crate) struct Outline {
    pub(crate) name: String,
    /// The modules of this file that it lies in.
    pub(crate) inside: Vec<String>,
    /// All modules that it lies in, and itself.
    pub(crate) path: Vec<String>,
    /// `#[path = "..."]`
    pub(crate) written_path: Option<String>,
}

/// Reads a file that lies in these modules.
///
/// # Errors
/// The text is not of Rust's tokens.
pub(crate) fn find(text: &str, modules: &[String]) -> Result<Found, proc_macro2::LexError> {
    // The first line of a script is not Rust.
    let script = text.starts_with("#!") && !text.starts_with("#![");
    let skipped = if script { text.find('\n').unwrap_or(text.len()) } else { 0 };
    // Spaces keep the places of what follows.
    let text = " ".repeat(skipped) + text.get(skipped..).unwrap_or_default();
    let mut search = Search {
        outer: modules,
        inside: Vec::new(),
        macros: 0,
        groups: 0,
        is_annotated: false,
        beside: None,
        next_block: None,
        block: None,
        found: Found::default(),
    };
    search.tokens(text.parse::<TokenStream>()?);
    Ok(search.found)
}

struct Search<'a> {
    /// The modules of the file.
    outer: &'a [String],
    /// Those within it.
    inside: Vec<String>,
    /// The calls of macros that it lies in.
    macros: usize,
    /// The other groups of its module, such as the body of a function.
    groups: usize,
    /// Whether the item that follows is an annotated module.
    is_annotated: bool,
    /// The items of its module, if that is annotated.
    beside: Option<TokenStream>,
    /// The items of an annotated `impl` that follows.
    next_block: Option<TokenStream>,
    /// Those of the one that it lies in.
    block: Option<TokenStream>,
    found: Found,
}

impl Search<'_> {
    fn tokens(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let (mut at, mut path) = (0, None);
        while at < tokens.len() {
            let (before, rest) = tokens.split_at(at);
            at += self.token(before.last(), rest, &mut path);
        }
    }

    /// Reads what begins with the first of the tokens; how many of them are done.
    fn token(
        &mut self,
        before: Option<&TokenTree>,
        rest: &[TokenTree],
        path: &mut Option<String>,
    ) -> usize {
        if let Some(attribute) = attribute(rest) {
            *path = written_path(attribute).or(path.take());
            let annotated = |arguments| self.annotated(arguments, attribute, &rest[2..]);
            return arguments(attribute).map_or(2, annotated);
        }
        match rest {
            [TokenTree::Ident(word), TokenTree::Ident(name), next, ..] if word == "mod" => {
                self.module(name.to_string(), next, path.take());
                3
            }
            // What a definition has is not compiled where it stands.
            [TokenTree::Ident(word), TokenTree::Punct(_), TokenTree::Ident(_), _, ..]
                if word == "macro_rules" =>
            {
                4
            }
            [TokenTree::Punct(mark), TokenTree::Group(arguments), ..] if mark.as_char() == '!' => {
                self.macros += 1;
                self.tokens(arguments.stream());
                self.macros -= 1;
                2
            }
            _ => {
                self.item(before, rest);
                if let [TokenTree::Group(group), ..] = rest {
                    self.group(group);
                }
                1
            }
        }
    }

    /// A group that is neither an attribute, nor a module, nor an argument of a macro.
    fn group(&mut self, group: &Group) {
        // Before its braces an `impl` has other groups, but none that the functions lie in.
        let outer = match group.delimiter() == Delimiter::Brace {
            true => self.next_block.take().map(|block| self.block.replace(block)),
            false => None,
        };
        self.groups += 1;
        self.tokens(group.stream());
        self.groups -= 1;
        if let Some(outer) = outer {
            self.block = outer;
        }
    }

    /// Keeps what follows an attribute up to its body; how many tokens are done: the attribute and
    /// further ones, since the body may have functions of its own.
    fn annotated(&mut self, arguments: TokenStream, written: &Group, rest: &[TokenTree]) -> usize {
        let ends = |token: &TokenTree| match token {
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
            TokenTree::Punct(punct) => punct.as_char() == ';',
            _ => false,
        };
        let length = rest.iter().position(ends).map_or(rest.len(), |last| last + 1);
        let item = &rest[..length];
        let is = |token: &TokenTree, name| matches!(token, TokenTree::Ident(word) if word == name);
        let place = item.iter().find(|token| is(token, "fn"));
        // The functions of an `impl` or a module are found in it, each by an attribute of its own.
        let has = |name| item.iter().any(|token| is(token, name));
        if place.is_none() && (has("impl") || has("mod")) {
            self.is_annotated = has("mod");
            self.next_block = match item.last() {
                Some(TokenTree::Group(body)) if !self.is_annotated => Some(body.stream()),
                _ => None,
            };
            return 2;
        }
        let place = place.map_or(written.span(), TokenTree::span);
        let modules = self.outer.iter().chain(&self.inside).cloned().collect();
        self.found.annotated.push(Annotated {
            arguments,
            item: item.iter().cloned().collect(),
            attribute: written.span().byte_range(),
            line: place.start().line,
            modules,
            beside: self.beside.clone(),
            block: self.block.clone(),
            in_macro: self.macros > 0,
        });
        2 + 2 * rest.chunks(2).take_while(|pair| attribute(pair).is_some()).count()
    }

    /// Keeps a `const` or `use` of a module that begins here.
    fn item(&mut self, before: Option<&TokenTree>, rest: &[TokenTree]) {
        let (word, is_item) = match rest {
            [TokenTree::Ident(word), TokenTree::Ident(_), TokenTree::Punct(colon), ..]
                if word == "const" =>
            {
                (word, colon.as_char() == ':')
            }
            // Not `impl Trait + use<'a>`.
            [TokenTree::Ident(word), next, ..] if word == "use" => {
                (word, !matches!(next, TokenTree::Punct(mark) if mark.as_char() == '<'))
            }
            _ => return,
        };
        // A parameter of a generic item: `<const N: usize>`.
        let is_parameter =
            matches!(before, Some(TokenTree::Punct(mark)) if "<,".contains(mark.as_char()));
        if !is_item || is_parameter || self.groups + self.macros > 0 {
            return;
        }
        let is_end =
            |token: &TokenTree| matches!(token, TokenTree::Punct(mark) if mark.as_char() == ';');
        let length = rest.iter().position(is_end).map_or(rest.len(), |last| last + 1);
        self.found.items.push(ModuleItem {
            tokens: rest[..length].iter().cloned().collect(),
            line: word.span().start().line,
            modules: self.outer.iter().chain(&self.inside).cloned().collect(),
        });
    }

    /// `mod name` with what follows it.
    fn module(&mut self, name: String, next: &TokenTree, written_path: Option<String>) {
        let is_annotated = mem::take(&mut self.is_annotated);
        match next {
            TokenTree::Group(body) => {
                self.inside.push(name);
                let outer = mem::replace(&mut self.beside, is_annotated.then(|| body.stream()));
                self.tokens(body.stream());
                self.beside = outer;
                self.inside.pop();
            }
            _ => {
                let inside = self.inside.clone();
                let outer = self.outer.iter().chain(&self.inside).cloned();
                let path = outer.chain([name.clone()]).collect();
                self.found.outlines.push(Outline { name, inside, path, written_path });
            }
        }
    }
}

/// The attribute that tokens begin with, in its brackets.
fn attribute(tokens: &[TokenTree]) -> Option<&Group> {
    match tokens {
        [TokenTree::Punct(hash), TokenTree::Group(attribute), ..] if hash.as_char() == '#' => {
            Some(attribute).filter(|attribute| attribute.delimiter() == Delimiter::Bracket)
        }
        _ => None,
    }
}

/// The arguments of `gemm` or `path::gemm(..)`; `None` for another attribute.
fn arguments(attribute: &Group) -> Option<TokenStream> {
    let mut tokens: Vec<TokenTree> = attribute.stream().into_iter().collect();
    let arguments = match tokens.pop_if(|last| matches!(last, TokenTree::Group(_))) {
        Some(TokenTree::Group(group)) => group.stream(),
        _ => TokenStream::new(),
    };
    let is_path = |token: &TokenTree| match token {
        TokenTree::Ident(_) => true,
        TokenTree::Punct(punct) => punct.as_char() == ':',
        _ => false,
    };
    let is_gemm = matches!(tokens.last(), Some(TokenTree::Ident(name)) if name == "gemm");
    (is_gemm && tokens.iter().all(is_path)).then_some(arguments)
}

/// The path of `path = "..."`.
fn written_path(attribute: &Group) -> Option<String> {
    let tokens: Vec<TokenTree> = attribute.stream().into_iter().collect();
    match &*tokens {
        [TokenTree::Ident(word), TokenTree::Punct(_), TokenTree::Literal(path)]
            if word == "path" =>
        {
            Some(path.to_string().trim_matches('"').to_owned())
        }
        _ => None,
    }
}
