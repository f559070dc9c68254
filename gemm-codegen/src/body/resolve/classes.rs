//! The classes of float literals that have one type, as an inference unites them.

use crate::element::ScalarType;

/// A type as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    Is(ScalarType),
    /// A float, the same one for the whole class of this number.
    Float(usize),
}

/// What is known of a class of literals.
#[derive(Clone, Copy)]
enum Class {
    Open,
    /// It has become a part of another.
    In(usize),
    Is(ScalarType),
}

/// All of them.
pub(super) struct Classes {
    /// The float that the first output is made of.
    own: ScalarType,
    all: Vec<Class>,
}

impl Classes {
    /// None, in a body of this float.
    pub(super) fn of(own: ScalarType) -> Classes {
        Classes { own, all: Vec::new() }
    }

    /// A float about which nothing is known.
    pub(super) fn open(&mut self) -> Type {
        self.all.push(Class::Open);
        Type::Float(self.all.len() - 1)
    }

    /// A type with what has become known of its class.
    pub(super) fn shallow(&self, mut ty: Type) -> Type {
        while let Type::Float(class) = ty {
            ty = match self.all[class] {
                Class::Open => break,
                Class::In(other) => Type::Float(other),
                Class::Is(ty) => Type::Is(ty),
            };
        }
        ty
    }

    /// Two values of one type: that type, if they can be.
    pub(super) fn unify(&mut self, x: Option<Type>, y: Option<Type>) -> Option<Type> {
        let (Some(x), Some(y)) = (x, y) else { return x.or(y) };
        match (self.shallow(x), self.shallow(y)) {
            (x, y) if x == y => Some(x),
            (Type::Float(x), Type::Float(y)) => {
                self.all[x] = Class::In(y);
                Some(Type::Float(y))
            }
            (Type::Float(class), Type::Is(ty)) | (Type::Is(ty), Type::Float(class)) => {
                self.bind(class, ty);
                ty.is_float().then_some(Type::Is(ty))
            }
            // An error; a literal beside it is of the float that was meant.
            (Type::Is(x), Type::Is(y)) => [x, y].into_iter().find(|ty| ty.is_float()).map(Type::Is),
        }
    }

    /// The class has this type; if it is not a float, which is an error, that of the body.
    fn bind(&mut self, class: usize, ty: ScalarType) {
        self.all[class] = Class::Is(if ty.is_float() { ty } else { self.own });
    }
}
