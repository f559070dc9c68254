//! Cache policies.

use super::site::Site;
use crate::program::MoveOp;
use crate::ptx::ast::Operand;
use crate::ptx::{Problem, Type};

impl Site<'_, '_> {
    /// Cache policies steer the cache only; the register gets a value that nothing interprets. All lines have the
    /// primary priority, or a fraction of them has it and the others have the secondary one (PTX ISA, "createpolicy").
    pub(super) fn create_policy(&mut self) -> Result<(), Problem> {
        if !self.take("fractional") {
            return Err(self.problem("only fractional cache policies are supported"));
        }
        let (first, same) = (("L2::evict_first", ()), ("L2::evict_unchanged", ()));
        let primary = [first, same, ("L2::evict_last", ()), ("L2::evict_normal", ())];
        self.required(&primary, "priority of a cache policy is missing")?;
        let _second = self.take_named(&[first, same]);
        self.ty_of(&[Type::B64])?;
        let d = match self.operands {
            [d] => d,
            [d, fraction] => {
                self.check_fraction(fraction)?;
                d
            }
            _ => return Err(self.problem("expected a policy and a fraction or none")),
        };
        let at = self.slots_of([d, &Operand::Integer(0)], [Type::B64; 2])?;
        self.emit(MoveOp::MoveLong { at })
    }

    /// The fraction of a policy: a number above 0 and up to 1, or a register of one.
    fn check_fraction(&mut self, fraction: &Operand) -> Result<(), Problem> {
        let value = match fraction {
            Operand::Single(bits) => f64::from(f32::from_bits(*bits)),
            Operand::Double(bits) => f64::from_bits(*bits),
            _ => return self.source(fraction, Type::F32).map(|_| ()),
        };
        if value > 0.0 && value <= 1.0 {
            return Ok(());
        }
        Err(self.problem(format!("{value} is not a fraction of the lines")))
    }
}
