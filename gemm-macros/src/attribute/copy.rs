//! `copy` and `swizzle`: how a tile gets to shared memory and how it lies there.

use gemm_codegen::{CacheOperator, CopyAtom, Field, PerSide, Side, Swizzle};
use syn::parse::{Parse, ParseStream};
use syn::{Ident, token};

use super::Reader;
use super::entry::{Entry, Form, Piece};
use super::extents;
use crate::errors::list;
use crate::spans::Place;

/// The highest bit of an offset a swizzle can name: offsets have 32 bits.
const MAX_SWIZZLE_BIT: u64 = 31;

impl Reader<'_> {
    pub(super) fn copy(&mut self, entry: &Entry) {
        for (side, (atom, places)) in self.sides(entry, Reader::copy_atom) {
            let fields = [Field::Copy, Field::CopyBytes, Field::CopyCache];
            for (field, place) in fields.into_iter().zip(places) {
                self.spans.set(field(side), place);
            }
            set(&mut self.schedule.copy, side, atom);
        }
        if let (Form::Equals(_), Some(atom)) = (&entry.form, self.schedule.copy.a) {
            for field in [Field::Copy, Field::CopyBytes, Field::CopyCache] {
                self.spans.share(field(Side::B), field(Side::A));
            }
            self.schedule.copy.b = Some(atom);
        }
    }

    pub(super) fn swizzle(&mut self, entry: &Entry) {
        for (side, (swizzle, whole, bits)) in self.sides(entry, Reader::swizzle_bits) {
            self.spans.set(Field::Swizzle(side), whole);
            for (i, place) in bits.into_iter().enumerate() {
                self.spans.set(Field::SwizzleBits(side, i), place);
            }
            set(&mut self.schedule.swizzle, side, swizzle);
        }
        if let (Form::Equals(_), Some(swizzle)) = (&entry.form, self.schedule.swizzle.a) {
            self.spans.share(Field::Swizzle(Side::B), Field::Swizzle(Side::A));
            for i in 0..3 {
                self.spans.share(Field::SwizzleBits(Side::B, i), Field::SwizzleBits(Side::A, i));
            }
            self.schedule.swizzle.b = Some(swizzle);
        }
    }

    /// Reads `cp_async(16, cg)` or `ld_global(16)`; the places are those of the atom and of what is
    /// in its parentheses.
    fn copy_atom(&mut self, value: &Piece) -> Option<(CopyAtom, Vec<Place>)> {
        let call = match value.parse::<CopyCall>() {
            Ok(call) => call,
            Err(error) => {
                self.errors.push_syn(error);
                return None;
            }
        };
        let arguments = call.arguments.split();
        let places = [value].into_iter().chain(&arguments).map(Place::of).collect();
        let atom = match call.name.to_string().as_str() {
            "cp_async" => self.cp_async(value, arguments),
            "ld_global" => self.ld_global(value, arguments),
            other => {
                let message = format!("unknown copy atom `{other}`");
                let help = "the copy atoms are `cp_async(bytes, cache)`, such as `cp_async(16, cg)`, \
                            and `ld_global(bytes)`, such as `ld_global(16)`";
                self.errors.push(&call.name, message, help);
                None
            }
        };
        Some((atom?, places))
    }

    /// Reads what is in the parentheses of `cp_async(16, cg)`.
    fn cp_async(&mut self, value: &Piece, arguments: Vec<Piece>) -> Option<CopyAtom> {
        let Ok([bytes, cache]) = <[Piece; 2]>::try_from(arguments) else {
            let message = "`cp_async` takes the bytes of a copy and a cache operator";
            self.errors.push(value, message, "write it like `cp_async(16, cg)`");
            return None;
        };
        let bytes = extents::one(&bytes, "the bytes of a copy", self.errors);
        let cache = self.cache(&cache);
        Some(CopyAtom::CpAsync { bytes: bytes?, cache: cache? })
    }

    /// Reads what is in the parentheses of `ld_global(16)`.
    fn ld_global(&mut self, value: &Piece, arguments: Vec<Piece>) -> Option<CopyAtom> {
        let Ok([bytes]) = <[Piece; 1]>::try_from(arguments) else {
            let message = "`ld_global` takes the bytes of a copy";
            self.errors.push(value, message, "write it like `ld_global(16)`");
            return None;
        };
        let bytes = extents::one(&bytes, "the bytes of a copy", self.errors)?;
        Some(CopyAtom::LdGlobal { bytes })
    }

    /// Reads a cache operator.
    fn cache(&mut self, piece: &Piece) -> Option<CacheOperator> {
        let possible =
            || format!("the cache operators are {}", list(CacheOperator::ALL.map(|c| c.name())));
        let Ok(name) = piece.parse::<Ident>() else {
            self.errors.push(piece, "expected a cache operator", possible());
            return None;
        };
        let cache = CacheOperator::ALL.into_iter().find(|cache| name == cache.name());
        if cache.is_none() {
            self.errors.push(&name, format!("unknown cache operator `{name}`"), possible());
        }
        cache
    }

    /// Reads `[2, 3, 3]`.
    fn swizzle_bits(&mut self, value: &Piece) -> Option<(Swizzle, Place, [Place; 3])> {
        let names = ["B bits are xored", "2^M elements stay together", "from S bits above"];
        let pieces = extents::pieces(value, "swizzle", names, self.errors)?;
        let mut letters = ["B", "M", "S"].into_iter();
        let bits = pieces.each_ref().map(|piece| {
            let what = format!("{} of a swizzle", letters.next().unwrap_or_default());
            let number = extents::number(piece, &what, 0..=MAX_SWIZZLE_BIT, self.errors)?;
            u8::try_from(number).ok()
        });
        let [b, m, s] = extents::all(bits)?;
        Some((Swizzle { b, m, s }, Place::of(value), pieces.each_ref().map(Place::of)))
    }
}

/// `cp_async(16, cg)`, nothing of it looked at yet.
struct CopyCall {
    name: Ident,
    arguments: Piece,
}

impl Parse for CopyCall {
    fn parse(input: ParseStream<'_>) -> syn::Result<CopyCall> {
        if !(input.peek(Ident) && input.peek2(token::Paren)) {
            return Err(input.error("expected a copy atom, such as `cp_async(16, cg)`"));
        }
        Ok(CopyCall { name: input.parse()?, arguments: Piece::group(input)? })
    }
}

/// Puts a value at its side.
fn set<T>(sides: &mut PerSide<Option<T>>, side: Side, value: T) {
    match side {
        Side::A => sides.a = Some(value),
        Side::B => sides.b = Some(value),
    }
}
