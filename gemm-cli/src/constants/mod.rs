//! The values of scalars that are not drawn: of the constants that a body names, those of the source or of the
//! command line, and of parameters, those of the command line.

mod evaluate;
mod number;
mod scope;

use anyhow::{Result, bail};
use clap::Args;
use gemm_check::Constant;
use gemm_codegen::{OperandKind, ScalarType};
use gemm_language::Declaration;

use crate::functions::Function;
use number::{Number, Type};

pub(crate) use scope::{Module, Scope};

/// Values of the command line.
#[derive(Args)]
pub(crate) struct Given {
    /// The value of a constant that the body names; by default that of its `const` item in the crate.
    /// Once for each
    #[arg(long = "constant", value_name = "NAME=VALUE", value_parser = pair, allow_hyphen_values = true)]
    constants: Vec<(String, String)>,
    /// The value of a parameter that is a scalar; by default a random one. Once for each
    #[arg(long = "scalar", value_name = "NAME=VALUE", value_parser = pair, allow_hyphen_values = true)]
    scalars: Vec<(String, String)>,
}

fn pair(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=').map(|(name, value)| (name.trim(), value.trim()));
    let pair = pair.filter(|(name, value)| !name.is_empty() && !value.is_empty());
    let expected = || "expected NAME=VALUE, such as SCALE=0.5".to_owned();
    pair.map(|(name, value)| (name.to_owned(), value.to_owned())).ok_or_else(expected)
}

/// The type in which the body has a scalar, by value or in device memory.
fn scalar_type(kind: &OperandKind) -> Option<ScalarType> {
    match kind {
        OperandKind::Scalar(scalar) => Some(*scalar),
        OperandKind::DeviceScalar(element) => Some(element.value()),
        _ => None,
    }
}

impl Given {
    /// The value of each scalar of a function that is not drawn: of every constant that the body names, and of
    /// the parameters that are given.
    ///
    /// # Errors
    /// The value of a constant is not known, or one is given that the function does not have, twice, or not of
    /// its type.
    pub(crate) fn fixed(&self, function: &Function, scope: &Scope) -> Result<Vec<Constant>> {
        Ok([self.constants(function, scope)?, self.scalars(function)?].concat())
    }

    /// The value of each parameter that is given.
    fn scalars(&self, function: &Function) -> Result<Vec<Constant>> {
        let Declaration { spec, constants, .. } = &function.declaration;
        let all: Vec<(&str, ScalarType)> = spec
            .operands
            .iter()
            .filter(|operand| !constants.contains(&operand.name))
            .filter_map(|operand| Some((&*operand.name, scalar_type(&operand.kind)?)))
            .collect();
        let scalar = |(number, (name, text)): (usize, &(String, String))| {
            let Some((_, scalar)) = all.iter().find(|(scalar, _)| scalar == name) else {
                let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
                let has = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
                bail!("{} has no scalar `{name}` among its parameters: it has {has}", function.path)
            };
            if self.scalars[..number].iter().any(|(other, _)| other == name) {
                bail!("`--scalar {name}` is given twice");
            }
            let ty = scalar.name();
            let value = Type::of(*scalar).and_then(|ty| Number::parse(text, ty));
            let Some(value) = value else {
                bail!("`--scalar {name}={text}`: `{text}` is not a value of {ty}")
            };
            let from = Constant::PARAMETER.to_owned();
            Ok(Constant { name: name.clone(), ty, value: value.to_f64(), from })
        };
        self.scalars.iter().enumerate().map(scalar).collect()
    }

    /// The value of each constant that the body of a function names.
    fn constants(&self, function: &Function, scope: &Scope) -> Result<Vec<Constant>> {
        let named = &function.declaration.constants;
        for (number, (name, _)) in self.constants.iter().enumerate() {
            if !named.contains(name) {
                let all = match named.is_empty() {
                    true => "it names none".to_owned(),
                    false => format!("it names {}", named.join(", ")),
                };
                bail!("the body of {} names no constant `{name}`: {all}", function.path);
            }
            if self.constants[..number].iter().any(|(other, _)| other == name) {
                bail!("`--constant {name}` is given twice");
            }
        }
        named.iter().map(|name| self.constant(name, function, scope)).collect()
    }

    fn constant(&self, name: &str, function: &Function, scope: &Scope) -> Result<Constant> {
        let operands = &function.declaration.spec.operands;
        let operand = operands.iter().find(|operand| operand.name == name);
        let scalar = operand.and_then(|operand| match operand.kind {
            OperandKind::Scalar(scalar) => Some((scalar, Type::of(scalar)?)),
            _ => None,
        });
        let Some((scalar, ty)) = scalar else { bail!("the constant `{name}` is not a number") };
        let given = self.constants.iter().find(|(given, _)| given == name);
        let (value, from) = match given {
            Some((_, text)) => match Number::parse(text, ty) {
                Some(value) => (value, "--constant".to_owned()),
                None => bail!("`--constant {name}={text}`: `{text}` is not a value of {ty}"),
            },
            None => match evaluate::evaluate(scope, &function.module, name, ty) {
                Ok(found) => found,
                Err(reason) => bail!(
                    "the value of the constant `{name}` of {} is not known: {reason}; pass \
                     `--constant {name}=VALUE`, of type {ty}",
                    function.path
                ),
            },
        };
        Ok(Constant { name: name.to_owned(), ty: scalar.name(), value: value.to_f64(), from })
    }
}
