//! The keys whose values are names: `schedule`, `k_order`, `mma`, `precision`, `acc`, `promote`, `pdl`, `targets`,
//! `allow`, `crate`.

use gemm_codegen::{
    Accumulator, Allow, Axis, Field, KOrder, Mma, Precision, Promotion, Target, Walk, WgmmaShape,
};
use quote::quote;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Ident, LitStr, Path, token};

use super::Reader;
use super::entry::{Entry, Piece, Written};
use super::extents;
use crate::errors::{Unknown, error, expected};
use crate::spans::TokenRange;

impl Reader<'_> {
    pub(super) fn mma(&mut self, entry: &Entry) {
        let Some(value) = self.value(entry) else { return };
        self.spans.set(Field::Mma, TokenRange::of(value));
        self.schedule.mma = match value.parse::<Call>() {
            Ok(call) if call.name == "fma" => self.fma(value, &call.arguments),
            _ => self.tensor_atom(value),
        };
    }

    /// Reads `m16n8k16`, `wgmma` or its shape, `m64n256k16`.
    fn tensor_atom(&mut self, value: &Piece) -> Option<Mma> {
        let name = value.parse::<Ident>().ok().map(|name| name.to_string());
        if let Some(shape) = name.as_deref().and_then(WgmmaShape::named) {
            return Some(Mma::Wgmma(Some(shape)));
        }
        let names = Mma::ALL.map(Mma::name);
        let possible = names.iter().map(|name| &**name).chain(["m64nNkK", "fma(m, n)"]);
        let name = self.one_of(value, "MMA atom", possible)?;
        Mma::ALL.into_iter().find(|atom| name == *atom.name())
    }

    /// Reads the arguments of `fma(8, 8)`.
    fn fma(&mut self, value: &Piece, arguments: &Piece) -> Option<Mma> {
        let Ok(pieces) = <[Piece; 2]>::try_from(arguments.split()) else {
            let message = "`fma` takes the rows and columns of a thread's register tile";
            self.errors.push(value, message, "write for example `fma(8, 8)`");
            return None;
        };
        for (axis, piece) in [Axis::M, Axis::N].into_iter().zip(&pieces) {
            self.spans.set(Field::FmaExtent(axis), TokenRange::of(piece));
        }
        let extents = pieces.map(|piece| extents::one(&piece, "an extent of `fma`", self.errors));
        let [m, n] = extents::all(extents)?;
        Some(Mma::Fma { m, n })
    }

    pub(super) fn schedule(&mut self, entry: &Entry) {
        let Some(value) = self.value(entry) else { return };
        self.spans.set(Field::Walk, TokenRange::of(value));
        self.schedule.walk = self.named(value, "schedule", &Walk::ALL, Walk::name);
    }

    pub(super) fn k_order(&mut self, entry: &Entry) {
        let Some(value) = self.value(entry) else { return };
        self.spans.set(Field::KOrder, TokenRange::of(value));
        self.schedule.k_order = self.named(value, "order", &KOrder::ALL, KOrder::name);
    }

    pub(super) fn precision(&mut self, entry: &Entry) {
        let Some(value) = self.value(entry) else { return };
        self.spans.set(Field::Precision, TokenRange::of(value));
        self.schedule.precision = self.named(value, "precision", &Precision::ALL, Precision::name);
    }

    pub(super) fn acc(&mut self, entry: &Entry) {
        let Some(value) = self.value(entry) else { return };
        self.spans.set(Field::Accumulator, TokenRange::of(value));
        self.schedule.acc = self.named(value, "accumulator", &Accumulator::ALL, Accumulator::name);
    }

    pub(super) fn promote(&mut self, entry: &Entry) {
        let Some(value) = self.value(entry) else { return };
        self.spans.set(Field::Promotion, TokenRange::of(value));
        self.schedule.promote = match value.parse::<Ident>() {
            Ok(_) => self.named(value, "promotion", &[Promotion::Never], |_| "never"),
            Err(_) => extents::one(value, "promote", self.errors).map(Promotion::Every),
        };
    }

    pub(super) fn targets(&mut self, entry: &Entry) {
        let Some(value) = self.value(entry) else { return };
        let help = "write for example `targets = [sm_80, sm_90]`";
        let pieces = match value.list(error(value, "expected targets in brackets", help)) {
            Ok(pieces) => pieces,
            Err(error) => return self.errors.push_syn(error),
        };
        // An error about the first target also points here if the list is empty.
        self.spans.set(Field::Target(0), TokenRange::of(value));
        let mut targets = Vec::new();
        for piece in &pieces {
            if let Some(target) = self.named(piece, "target", &Target::ALL, Target::name) {
                self.spans.set(Field::Target(targets.len()), TokenRange::of(piece));
                targets.push(target);
            }
        }
        self.schedule.targets = Some(targets);
    }

    /// Reads `[w]`, names of operands, which are not resolved here.
    pub(super) fn pdl(&mut self, entry: &Entry) {
        let Some(value) = self.value(entry) else { return };
        let help = "write for example `pdl = [w]`, `pdl = []` to read no operand early, or leave `pdl` out";
        let pieces = match value.list(error(value, "expected operands in brackets", help)) {
            Ok(pieces) => pieces,
            Err(error) => return self.errors.push_syn(error),
        };
        let mut names = Vec::new();
        for piece in &pieces {
            match piece.parse::<Ident>() {
                Ok(name) => {
                    self.spans.set(Field::PdlOperand(names.len()), TokenRange::of(piece));
                    names.push(name.unraw().to_string());
                }
                Err(_) => self.errors.push(piece, "expected the name of an operand", help),
            }
        }
        self.schedule.pdl = Some(names);
    }

    pub(super) fn allow(&mut self, entry: &Entry) {
        let Written::List(list) = &entry.form else { return self.wrong_form(entry) };
        if list.is_empty() {
            return self.wrong_form(entry);
        }
        for piece in list.split() {
            let allow = self.named(&piece, "permission", &Allow::ALL, Allow::name);
            self.schedule.allow.extend(allow);
        }
    }

    /// Reads the path of the runtime: from the name of a crate, or from `crate` on.
    pub(super) fn runtime(&mut self, entry: &Entry) {
        let Some(value) = self.value(entry) else { return };
        let path = value.parse_with(Path::parse_mod_style).ok();
        let start = path.as_ref().and_then(|path| path.segments.first());
        let (Some(path), Some(start)) = (&path, start) else {
            let help = "write for example `crate = gemm`, the name of the dependency";
            return self.errors.push(value, "expected the path of gemm_runtime", help);
        };
        // The expansion names it in a module of its own.
        if start.ident == "self" || start.ident == "super" {
            let message = format!("the path of gemm_runtime begins with `{}`", start.ident);
            let help = "begin with `crate`, or with the name of a dependency";
            return self.errors.push(value, message, help);
        }
        let is_absolute =
            start.ident.to_string().ends_with("crate") || path.leading_colon.is_some();
        let root = (!is_absolute).then(|| quote!(::));
        self.runtime = Some(quote!(#root #path));
    }

    /// The one of `all` that `piece` names; an error lists them.
    fn named<T: Copy>(
        &mut self,
        piece: &Piece,
        what: &str,
        all: &[T],
        name: impl Fn(T) -> &'static str,
    ) -> Option<T> {
        let named = self.one_of(piece, what, all.iter().map(|t| name(*t)))?;
        all.iter().copied().find(|t| named == name(*t))
    }

    /// The name that `piece` is, if it is a possible one; an error lists them.
    fn one_of<'n>(
        &mut self,
        piece: &Piece,
        what: &str,
        possible: impl Iterator<Item = &'n str> + Clone,
    ) -> Option<Ident> {
        let help = || expected(possible.clone());
        let is_name = |name: &&str| syn::parse_str::<Ident>(name).is_ok();
        let Ok(ident) = piece.parse::<Ident>() else {
            let quoted = piece.parse::<LitStr>().map(|text| text.value());
            let meant = quoted.ok().filter(|text| possible.clone().any(|name| name == text));
            let help = meant.map_or_else(help, |name| format!("write `{name}`, without quotes"));
            self.errors.push(piece, format!("expected the name of one {what}"), help);
            return None;
        };
        if !possible.clone().any(|name| ident == name) {
            // Forms such as `fma(m, n)` are listed, but are not what a name is misspelt from.
            let names: Vec<String> = possible.clone().filter(is_name).map(str::to_owned).collect();
            let all = (names.len() < possible.clone().count()).then(help);
            self.errors.push_unknown(Unknown {
                message: format!("unknown {what} `{ident}`"),
                written: ident.to_string(),
                candidates: names.into_iter().filter(|name| name != "m64nNkK").collect(),
                all,
                tokens: quote!(#ident),
                is_element: false,
            });
            return None;
        }
        Some(ident)
    }
}

/// `fma(8, 8)`, not interpreted yet.
struct Call {
    name: Ident,
    arguments: Piece,
}

impl Parse for Call {
    fn parse(input: ParseStream<'_>) -> syn::Result<Call> {
        if !(input.peek(Ident) && input.peek2(token::Paren)) {
            return Err(input.error("expected a call, such as `fma(8, 8)`"));
        }
        Ok(Call { name: input.parse()?, arguments: Piece::group(input)? })
    }
}
