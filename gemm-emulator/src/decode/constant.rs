//! Operands that stand for a constant: immediates, special registers and addresses.

use super::Class;
use super::site::Site;
use crate::program::{Constant, Special};
use crate::ptx::ast::Operand;
use crate::ptx::{Problem, Type};

impl Site<'_, '_> {
    /// The constant an operand stands for, if it is not a register.
    pub(super) fn constant_of(
        &mut self,
        operand: &Operand,
        ty: Type,
    ) -> Result<Option<Constant>, Problem> {
        Ok(Some(match operand {
            Operand::Integer(value) => Constant::Bits(self.integer_bits(*value, ty)),
            Operand::Single(bits) if ty == Type::F64 => {
                Constant::Bits(f64::from(f32::from_bits(*bits)).to_bits())
            }
            Operand::Single(bits) => Constant::Bits(u64::from(*bits)),
            Operand::Double(bits) if Class::of(ty) == Class::Long => Constant::Bits(*bits),
            Operand::Double(bits) => {
                Constant::Bits(u64::from((f64::from_bits(*bits) as f32).to_bits()))
            }
            Operand::Special(name) => Constant::Special(self.special(name)?),
            Operand::Variable { index, offset } => shifted(self.frame.variables[*index], *offset),
            Operand::Name { name, offset, .. } => shifted(self.symbol(name)?, *offset),
            _ => return Ok(None),
        }))
    }

    fn integer_bits(&self, value: u64, ty: Type) -> u64 {
        match (ty, ty.bytes()) {
            (Type::Pred, _) => u64::from(value != 0),
            // An integer literal where a float is wanted is that number.
            (Type::F64, _) => (value as i64 as f64).to_bits(),
            (Type::F32, _) => u64::from((value as i64 as f32).to_bits()),
            (_, 8) => value,
            (_, bytes) => value & ((1 << (8 * bytes.max(2))) - 1),
        }
    }

    /// The address a name stands for: a parameter, or a variable of the module.
    fn symbol(&mut self, name: &str) -> Result<Constant, Problem> {
        if let Some(place) = self.frame.parameters.get(name) {
            return Ok(*place);
        }
        let known = self.decoder.names.variables.get_key_value(name);
        let Some((name, variable)) = known.map(|(name, variable)| (*name, *variable)) else {
            return Err(self.problem(format!("unknown name {name}")));
        };
        let index = match self.decoder.placed.get(name) {
            Some(index) => *index,
            None => self.decoder.place_variable(variable)?,
        };
        self.decoder.placed.insert(name, index);
        Ok(Constant::Address(index, 0))
    }

    fn special(&self, name: &str) -> Result<Special, Problem> {
        let (base, letter) = name.split_once('.').unwrap_or((name, ""));
        let axis = ["x", "y", "z"].iter().position(|axis| *axis == letter).map(|axis| axis as u8);
        let found = match (base, axis) {
            ("%tid", Some(axis)) => Special::Tid(axis),
            ("%ntid", Some(axis)) => Special::Ntid(axis),
            ("%ctaid", Some(axis)) => Special::Ctaid(axis),
            ("%nctaid", Some(axis)) => Special::Nctaid(axis),
            ("%laneid", None) => Special::Laneid,
            ("%warpid", None) => Special::Warpid,
            ("%nwarpid", None) => Special::Nwarpid,
            ("%lanemask_eq", None) => Special::LanemaskEq,
            ("%lanemask_le", None) => Special::LanemaskLe,
            ("%lanemask_lt", None) => Special::LanemaskLt,
            ("%lanemask_ge", None) => Special::LanemaskGe,
            ("%lanemask_gt", None) => Special::LanemaskGt,
            ("%dynamic_smem_size", None) => Special::DynamicSharedBytes,
            ("%total_smem_size", None) => Special::TotalSharedBytes,
            ("%cluster_ctaid", Some(axis)) => Special::ClusterCtaid(axis),
            ("%cluster_nctaid", Some(axis)) => Special::ClusterNctaid(axis),
            ("%cluster_ctarank", None) => Special::ClusterCtarank,
            ("%cluster_nctarank", None) => Special::ClusterNctarank,
            ("%clusterid", Some(axis)) => Special::Clusterid(axis),
            ("%nclusterid", Some(axis)) => Special::Nclusterid(axis),
            ("%is_explicit_cluster", None) => Special::IsExplicitCluster,
            ("%smid", None) => Special::Smid,
            ("%gridid", None) => Special::Gridid,
            _ => return Err(self.problem(format!("unknown special register {name}"))),
        };
        Ok(found)
    }
}

fn shifted(constant: Constant, by: i64) -> Constant {
    match constant {
        Constant::Address(variable, offset) => Constant::Address(variable, offset.wrapping_add(by)),
        Constant::Offset(space, offset) => Constant::Offset(space, offset.wrapping_add_signed(by)),
        other => other,
    }
}
