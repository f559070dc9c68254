//! How the order of a sum reads.

use std::fmt;

use super::{Adder, Begins, Scaled, SplitsOfK, Summation, SumsOfFloats, WarpsAlongK};
use crate::element::pair;
use crate::level::mma::{Factors, LANES_OF_LINE};

impl fmt::Display for Summation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Summation::Integers => f.write_str("i32, exact in any order"),
            Summation::Floats(sums) => sums.fmt(f),
        }
    }
}

impl fmt::Display for SumsOfFloats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let accumulator = self.accumulator.name();
        write!(f, "{} in {accumulator}, {}", pair(self.elements), self.at_once())?;
        f.write_str(match self.factors {
            Factors::Exact => "",
            Factors::Tf32TiesAway => "; factors to tf32, ties away from zero",
            Factors::Tf32TiesEven => "; factors to tf32, ties to even",
            Factors::F16x3 => "; 3 products of f16x3 per 32 of K, least first",
            Factors::Bf16x6 => "; 6 products of bf16x6 per 32 of K, least first",
        })?;
        if let Some(k) = self.promotion {
            write!(f, "; promoted to f32 every {k} of K")?;
        }
        if let Some(scaled) = self.scaled {
            write!(f, "; {scaled}")?;
        }
        f.write_str(match self.begins {
            None => "",
            Some(Begins::Term) => "; each begins with that of the added term",
            Some(Begins::Multiple) => "; each begins with that of the added term, scaled",
        })?;
        if let Some(SplitsOfK { count, block_k }) = self.splits {
            let most = if self.launch.is_some() { "up to " } else { "" };
            write!(f, "; {most}{count} splits by k-tiles of {block_k}, added in {accumulator}")?;
        }
        if let Some(WarpsAlongK { count, k }) = self.warps {
            let sum = self.accumulator.value();
            write!(f, "; {count} warps with {k} of every {} of K, added in {sum}", count * k)?;
        }
        match (&self.launch, self.splits) {
            (None, _) => Ok(()),
            (Some(_), Some(_)) => f.write_str("; the launch decides which tiles are split"),
            (Some(_), None) => f.write_str("; the launch decides which tiles are summed backwards"),
        }
    }
}

impl fmt::Display for Scaled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scaled::Sums(k) => write!(f, "scaled every {k} of K, by an fma to f32"),
            Scaled::TwoSums(k) => {
                write!(f, "in two sums by turns, added and scaled every {k} of K, by an fma to f32")
            }
            Scaled::Factor => {
                f.write_str("scales and scaled factors rounded to what is multiplied")
            }
        }
    }
}

impl SumsOfFloats {
    /// What one instruction adds.
    fn at_once(&self) -> String {
        let by = match self.adder {
            Adder::Fma => return "one fma per k, ascending".to_owned(),
            Adder::TensorCore => "tensor cores",
            Adder::MmaSync => "mma.sync",
            Adder::Wgmma => "wgmma",
        };
        if let Some(run) = self.run {
            let (part, of) = (self.step / LANES_OF_LINE, LANES_OF_LINE * run);
            return format!("{part} of each {run} of {of} of K at once by {by}, ascending");
        }
        format!("{} of K at once by {by}, ascending", self.step)
    }
}
