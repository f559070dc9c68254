//! `cvt`.

use super::Class;
use super::site::Site;
use crate::program::{ByteFloat, Conversion, FloatOp, MoveOp, PairFloat, Rounding, Style};
use crate::ptx::ast::Operand;
use crate::ptx::{Problem, Type};

/// A type of `cvt`: besides those of registers, the formats that only it makes and reads.
#[derive(Clone, Copy, PartialEq)]
enum Format {
    Plain(Type),
    /// `f16x2` or `bf16x2`.
    Pair(PairFloat),
    Tf32,
    /// Two floats of 8 bits.
    Bytes(ByteFloat),
}

fn format(name: &str) -> Option<Format> {
    Some(match name {
        "f16x2" => Format::Pair(PairFloat::F16),
        "bf16x2" => Format::Pair(PairFloat::Bf16),
        "tf32" => Format::Tf32,
        _ => match name.strip_suffix("x2").and_then(ByteFloat::named) {
            Some(float) => Format::Bytes(float),
            None => Format::Plain(Type::parse(name)?),
        },
    })
}

/// Roundings to an integer.
const TO_INTEGER: &[(&str, Rounding)] = &[
    ("rni", Rounding::Nearest),
    ("rzi", Rounding::Zero),
    ("rmi", Rounding::Down),
    ("rpi", Rounding::Up),
];

/// The modifiers besides the types.
struct Request {
    style: Style,
    /// Whether a rounding was written.
    rounds: bool,
    to_integer: Option<Rounding>,
}

impl Site<'_, '_> {
    pub(super) fn convert(&mut self) -> Result<(), Problem> {
        let to_integer = self.take_named(TO_INTEGER);
        let (rounds, style) = (self.has_rounding(), self.style());
        let style = Style { finite: self.take("satfinite"), ..style };
        let request = Request { style, rounds, to_integer };
        let formats = (self.take_map(format), self.take_map(format));
        match formats {
            (Some(Format::Plain(to)), Some(Format::Plain(from))) => {
                self.convert_scalar(to, from, &request)
            }
            (Some(to), Some(from)) => {
                self.check_packed(to, from, &request)?;
                self.convert_packed(to, from, style)
            }
            _ => Err(self.problem("type is missing")),
        }
    }

    /// Fails unless `cvt` to or from a format that only it knows has these modifiers.
    fn check_packed(&self, to: Format, from: Format, request: &Request) -> Result<(), Problem> {
        let &Request { style, rounds, to_integer } = request;
        let modes: &[Rounding] = match to {
            Format::Pair(_) if from == Format::Plain(Type::F32) => {
                &[Rounding::Nearest, Rounding::Zero]
            }
            Format::Tf32 => &[Rounding::Nearest, Rounding::Zero, Rounding::NearestAway],
            _ => &[Rounding::Nearest],
        };
        if !rounds {
            return Err(self.problem("this conversion needs a rounding modifier"));
        }
        let away = style.rounding == Rounding::NearestAway;
        if !modes.contains(&style.rounding) || (away && style.relu) || to_integer.is_some() {
            return Err(self.problem("this conversion has no such rounding"));
        }
        if style.flush || style.saturate {
            return Err(self.problem("this conversion takes neither .ftz nor .sat"));
        }
        match (to, style.finite) {
            (Format::Bytes(_), false) => Err(self.problem("this conversion needs .satfinite")),
            (Format::Pair(_), true) if from != Format::Plain(Type::F32) => {
                Err(self.problem("unknown modifier .satfinite"))
            }
            _ => Ok(()),
        }
    }

    fn convert_packed(&mut self, to: Format, from: Format, style: Style) -> Result<(), Problem> {
        const SINGLE: Format = Format::Plain(Type::F32);
        let op = match (to, from) {
            (Format::Tf32, SINGLE) => {
                FloatOp::ConvertTf32 { style, at: self.slots([Type::B32, Type::F32])? }
            }
            (Format::Pair(to), SINGLE) => {
                let at = self.slots([Type::B32, Type::F32, Type::F32])?;
                FloatOp::ConvertPair { to, style, at }
            }
            (Format::Bytes(to), SINGLE) => {
                let at = self.slots([Type::B16, Type::F32, Type::F32])?;
                FloatOp::ConvertToBytes { to, style, at }
            }
            (Format::Bytes(to), Format::Pair(from)) => {
                let at = self.slots([Type::B16, Type::B32])?;
                FloatOp::ConvertPairToBytes { from, to, style, at }
            }
            (Format::Pair(to), Format::Bytes(from)) => {
                let at = self.slots([Type::B32, Type::B16])?;
                FloatOp::ConvertFromBytes { from, to, style, at }
            }
            _ => return Err(self.problem("unsupported pair of types of cvt")),
        };
        self.emit(op)
    }

    fn convert_scalar(&mut self, to: Type, from: Type, request: &Request) -> Result<(), Problem> {
        let [d, a] = self.exactly()?;
        let (to_scalar, from_scalar) = (self.scalar(to)?, self.scalar(from)?);
        self.check_rounding(to, from, request)?;
        let &Request { style, to_integer, .. } = request;
        if (style.finite || style.relu) && !(to.bytes() == 2 && from == Type::F32) {
            return Err(self.problem("this conversion takes neither .satfinite nor .relu"));
        }
        // Source and destination registers may be wider than their types.
        let a = self.wide_source(a, from)?;
        let how = Conversion { from: from_scalar, to: to_scalar, style, to_integer };
        let Some(wide) = self.wide_destination(d, to) else {
            let d = self.destination(d, to)?;
            return self.emit(FloatOp::Convert { how, at: [d, a] });
        };
        // Extended to the register's width by a second conversion.
        let narrow = self.scratch(to)?;
        self.emit(FloatOp::Convert { how, at: [narrow, a] })?;
        let (from, to) = (to_scalar, self.scalar(wide)?);
        let how = Conversion { from, to, style: Style::default(), to_integer: None };
        let d = self.destination(d, wide)?;
        self.emit(FloatOp::Convert { how, at: [d, narrow] })
    }

    fn check_rounding(&self, to: Type, from: Type, request: &Request) -> Result<(), Problem> {
        let &Request { style, rounds, to_integer } = request;
        let narrows = match (from.is_float(), to.is_float()) {
            (true, true) => from.bytes() > to.bytes(),
            (false, true) => true,
            _ => false,
        };
        if narrows && !rounds {
            return Err(self.problem("this conversion needs a rounding modifier"));
        }
        if from.is_float() && !to.is_float() && to_integer.is_none() {
            return Err(self.problem("this conversion needs an integer rounding modifier"));
        }
        let to_integer_fits =
            to_integer.is_none() || (from.is_float() && (!to.is_float() || from == to));
        let fits = to.is_float() || !rounds;
        if !fits || !to_integer_fits || style.rounding == Rounding::NearestAway {
            return Err(self.problem("this conversion has no such rounding"));
        }
        Ok(())
    }

    fn wide_source(&mut self, a: &Operand, from: Type) -> Result<u32, Problem> {
        let class = self.class_of(a, from);
        if class == Class::of(from) {
            return self.source(a, from);
        }
        if class != Class::Long {
            return Err(self.problem("operand has the wrong size"));
        }
        let long = self.source(a, Type::B64)?;
        let (lo, hi) = (self.scratch(Type::B32)?, self.sink(Type::B32)?);
        self.emit(MoveOp::SplitLong { parts: [lo, hi], a: long })?;
        Ok(lo)
    }

    /// The type that an integer result is extended to if its register is wider than its type.
    fn wide_destination(&self, d: &Operand, to: Type) -> Option<Type> {
        let declared = self.declared(d)?;
        if to.is_float() || to == Type::Pred || declared.bytes() <= to.bytes() {
            return None;
        }
        match (declared.bytes(), to.is_signed()) {
            (2, true) => Some(Type::S16),
            (2, false) => Some(Type::U16),
            (4, true) => Some(Type::S32),
            (4, false) => Some(Type::U32),
            (_, true) => Some(Type::S64),
            (_, false) => Some(Type::U64),
        }
    }
}
