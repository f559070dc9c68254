//! The keys whose values are names: `mma`, `acc`, `targets`, `allow`.

use gemm_codegen::{Accumulator, Allow, Field, Mma, Target};
use syn::Ident;

use super::Reader;
use super::entry::{Entry, Form, Piece};
use crate::errors::{error, list};
use crate::spans::Place;

impl Reader<'_> {
    pub(super) fn mma(&mut self, entry: &Entry) {
        let Some(value) = self.value(entry) else { return };
        self.spans.set(Field::Mma, Place::of(value));
        self.schedule.mma = self.named(value, "MMA atom", &Mma::ALL, Mma::name);
    }

    pub(super) fn acc(&mut self, entry: &Entry) {
        let Some(value) = self.value(entry) else { return };
        self.spans.set(Field::Accumulator, Place::of(value));
        self.schedule.acc = self.named(value, "accumulator", &Accumulator::ALL, Accumulator::name);
    }

    pub(super) fn targets(&mut self, entry: &Entry) {
        let Some(value) = self.value(entry) else { return };
        let help = "write it like `targets = [sm_80, sm_90]`";
        let pieces = match value.list(error(value, "expected targets in brackets", help)) {
            Ok(pieces) => pieces,
            Err(error) => return self.errors.push_syn(error),
        };
        // What is said of the first target is said of an empty list too.
        self.spans.set(Field::Target(0), Place::of(value));
        let mut targets = Vec::new();
        for piece in &pieces {
            if let Some(target) = self.named(piece, "target", &Target::ALL, Target::name) {
                self.spans.set(Field::Target(targets.len()), Place::of(piece));
                targets.push(target);
            }
        }
        self.schedule.targets = Some(targets);
    }

    pub(super) fn allow(&mut self, entry: &Entry) {
        let Form::List(list) = &entry.form else { return self.wrong_form(entry) };
        if list.is_empty() {
            return self.wrong_form(entry);
        }
        for piece in list.split() {
            let allow = self.named(&piece, "thing to allow", &Allow::ALL, Allow::name);
            self.schedule.allow.extend(allow);
        }
    }

    /// The one of `all` that `piece` names; an error lists them.
    fn named<T: Copy>(
        &mut self,
        piece: &Piece,
        what: &str,
        all: &[T],
        name: impl Fn(T) -> &'static str,
    ) -> Option<T> {
        let help = || format!("possible here: {}", list(all.iter().map(|t| name(*t))));
        let Ok(ident) = piece.parse::<Ident>() else {
            self.errors.push(piece, format!("expected the name of one {what}"), help());
            return None;
        };
        let found = all.iter().copied().find(|t| ident == name(*t));
        if found.is_none() {
            self.errors.push(&ident, format!("unknown {what} `{ident}`"), help());
        }
        found
    }
}
