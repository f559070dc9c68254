//! `copy` and `swizzle`: how a tile is copied to shared memory, and its layout there.

use gemm_codegen::{CacheOperator, CachePolicy, CopyAtom, Field, PerSide, Side, Swizzle};
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{Ident, token};

use super::Reader;
use super::entry::{Entry, Piece, Written};
use super::extents;
use crate::errors::{Unknown, list};
use crate::spans::TokenRange;

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
        if let (Written::Equals(_), Some(atom)) = (&entry.form, self.schedule.copy.a) {
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
        if let (Written::Equals(_), Some(swizzle)) = (&entry.form, self.schedule.swizzle.a) {
            self.spans.share(Field::Swizzle(Side::B), Field::Swizzle(Side::A));
            for i in 0..3 {
                self.spans.share(Field::SwizzleBits(Side::B, i), Field::SwizzleBits(Side::A, i));
            }
            self.schedule.swizzle.b = Some(swizzle);
        }
    }

    /// Reads `cp_async(16, cg)`, `ld_global(16)` or `tma`; the spans are those of the atom and of
    /// the bytes and the cache operator.
    fn copy_atom(&mut self, value: &Piece) -> Option<(CopyAtom, Vec<TokenRange>)> {
        let call = match value.parse::<CopyCall>() {
            Ok(call) => call,
            Err(error) => {
                self.errors.push_syn(error);
                return None;
            }
        };
        if call.name == "tma" {
            return Some((self.tma(value, call.arguments)?, vec![TokenRange::of(value)]));
        }
        let arguments = call.arguments.map(|arguments| arguments.split()).unwrap_or_default();
        let places = [value].into_iter().chain(&arguments).map(TokenRange::of).collect();
        let atom = match call.name.to_string().as_str() {
            "cp_async" => self.cp_async(value, arguments),
            "ld_global" => self.ld_global(value, arguments),
            other => {
                let all = "the copy atoms are `cp_async(bytes, cache)`, such as `cp_async(16, cg)`, \
                           `ld_global(bytes)`, such as `ld_global(16)`, and `tma`";
                let name = &call.name;
                self.errors.push_unknown(Unknown {
                    message: format!("unknown copy atom `{other}`"),
                    written: other.to_owned(),
                    candidates: ["cp_async", "ld_global", "tma"].map(str::to_owned).to_vec(),
                    all: Some(all.to_owned()),
                    tokens: quote!(#name),
                    is_element: false,
                });
                None
            }
        };
        Some((atom?, places))
    }

    /// Reads the arguments of `tma` or `tma(evict_first)`.
    fn tma(&mut self, value: &Piece, arguments: Option<Piece>) -> Option<CopyAtom> {
        let Some(arguments) = arguments else { return Some(CopyAtom::TMA) };
        let [policy] = &arguments.split()[..] else {
            let message = "`tma` takes one cache policy, or no parentheses";
            self.errors.push(value, message, "write `tma`, or for example `tma(evict_first)`");
            return None;
        };
        self.policy(policy).map(|policy| CopyAtom::Tma { policy: Some(policy) })
    }

    /// Reads the arguments of `cp_async(16, cg)` or `cp_async(16, cg, evict_first)`.
    fn cp_async(&mut self, value: &Piece, arguments: Vec<Piece>) -> Option<CopyAtom> {
        let (bytes, cache, policy) = match &arguments[..] {
            [bytes, cache] => (bytes, cache, None),
            [bytes, cache, policy] => (bytes, cache, Some(policy)),
            _ => {
                let message = "`cp_async` takes the bytes of a copy, a cache operator and \
                               optionally a cache policy";
                let help =
                    "write for example `cp_async(16, cg)` or `cp_async(16, cg, evict_first)`";
                self.errors.push(value, message, help);
                return None;
            }
        };
        let bytes = extents::one(bytes, "the bytes of a copy", self.errors);
        let operators = ["cache operator", "cache operators"];
        let cache = self.word(cache, operators, &CacheOperator::ALL, CacheOperator::name);
        let policy = match policy {
            Some(word) => self.policy(word).map(Some),
            None => Some(None),
        };
        Some(CopyAtom::CpAsync { bytes: bytes?, cache: cache?, policy: policy? })
    }

    /// Reads the arguments of `ld_global(16)`.
    fn ld_global(&mut self, value: &Piece, arguments: Vec<Piece>) -> Option<CopyAtom> {
        let bytes = match &arguments[..] {
            [bytes] => extents::one(bytes, "the bytes of a copy", self.errors)?,
            [_, policy] if is_policy(policy) => {
                let message =
                    "`ld_global` takes only the bytes of a copy: plain loads have no cache policy";
                let help =
                    "use `cp_async` for a cache policy, such as `cp_async(16, cg, evict_first)`";
                self.errors.push(policy, message, help);
                return None;
            }
            _ => {
                let message = "`ld_global` takes the bytes of a copy";
                self.errors.push(value, message, "write for example `ld_global(16)`");
                return None;
            }
        };
        Some(CopyAtom::LdGlobal { bytes })
    }

    /// Reads the name of a cache policy.
    fn policy(&mut self, piece: &Piece) -> Option<CachePolicy> {
        let names = ["cache policy", "cache policies"];
        self.word(piece, names, &CachePolicy::ALL, CachePolicy::name)
    }

    /// Reads the name of one of `all`, whose kind is named in the singular and in the plural.
    fn word<T: Copy>(
        &mut self,
        piece: &Piece,
        [one, several]: [&str; 2],
        all: &[T],
        name: fn(T) -> &'static str,
    ) -> Option<T> {
        let names = || all.iter().map(|one| name(*one));
        let possible = || format!("the {several} are {}", list(names()));
        let Ok(word) = piece.parse::<Ident>() else {
            self.errors.push(piece, format!("expected a {one}"), possible());
            return None;
        };
        let known = all.iter().copied().find(|known| word == name(*known));
        if known.is_none() {
            self.errors.push_unknown(Unknown {
                message: format!("unknown {one} `{word}`"),
                written: word.to_string(),
                candidates: names().map(str::to_owned).collect(),
                all: Some(possible()),
                tokens: quote!(#word),
                is_element: false,
            });
        }
        known
    }

    /// Reads `[2, 3, 3]`.
    fn swizzle_bits(&mut self, value: &Piece) -> Option<(Swizzle, TokenRange, [TokenRange; 3])> {
        let names = [
            "B (bits to XOR)",
            "M (2^M elements stay contiguous)",
            "S (distance to the bits that they are XORed with)",
        ];
        let pieces = extents::pieces(value, "swizzle", names, self.errors)?;
        let mut letters = ["B", "M", "S"].into_iter();
        let bits = pieces.each_ref().map(|piece| {
            let what = format!("swizzle {}", letters.next().unwrap_or_default());
            let number = extents::number(piece, &what, 0..=MAX_SWIZZLE_BIT, self.errors)?;
            u8::try_from(number).ok()
        });
        let [b, m, s] = extents::all(bits)?;
        Some((Swizzle { b, m, s }, TokenRange::of(value), pieces.each_ref().map(TokenRange::of)))
    }
}

/// Whether this is the name of a cache policy.
fn is_policy(piece: &Piece) -> bool {
    piece.parse::<Ident>().is_ok_and(|word| CachePolicy::ALL.iter().any(|p| word == p.name()))
}

/// `cp_async(16, cg)`, not interpreted yet.
struct CopyCall {
    name: Ident,
    /// The arguments, if there are parentheses.
    arguments: Option<Piece>,
}

impl Parse for CopyCall {
    fn parse(input: ParseStream<'_>) -> syn::Result<CopyCall> {
        if !input.peek(Ident) {
            return Err(input.error("expected a copy atom, such as `cp_async(16, cg)`"));
        }
        let name = input.parse()?;
        let arguments = if input.peek(token::Paren) { Some(Piece::group(input)?) } else { None };
        Ok(CopyCall { name, arguments })
    }
}

/// Puts a value at its side.
fn set<T>(sides: &mut PerSide<Option<T>>, side: Side, value: T) {
    match side {
        Side::A => sides.a = Some(value),
        Side::B => sides.b = Some(value),
    }
}
