//! Which product a kernel sums first, which ones lie next to it, and which one is added to it.

use gemm_codegen::body::{BinaryOp, Node, NodeId, UnaryOp};
use gemm_codegen::{OperandKind, Rule};

use super::plain;
use super::types::Type;
use super::walk::{Scope, Walk};

/// The most products next to each other.
const MOST: usize = 4;

/// The products of a body, in the order of their calls.
#[derive(Clone, Debug, Default)]
pub(super) struct Placed {
    /// The first product, whose first factor the others share.
    pub(super) first: Option<[usize; 2]>,
    /// The second factors of these.
    pub(super) others: Vec<usize>,
    /// A product of other factors.
    apart: Option<[usize; 2]>,
    /// Whether that is multiplied by something, once it is added.
    is_scaled: Option<bool>,
    /// How often the first product is called.
    calls: usize,
    /// Whether each call has its place.
    pub(super) is_clear: bool,
}

/// A product, as parts of sums name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Called {
    First,
    Other,
    Apart,
}

/// A part of a sum that is a multiple of a product by one value for all elements.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    of: Called,
    /// Whether it is that product and not a multiple, and is not subtracted.
    is_bare: bool,
}

/// A value, as far as its sum is looked at.
#[derive(Clone, Debug)]
pub(super) enum Form {
    /// Nothing, since there is a mistake in it.
    Wrong,
    /// One value for all elements, made of numbers and scalars.
    Uniform,
    /// A multiple of a product by such a value.
    Multiple(Part),
    /// A sum or a difference of two or more values, in which these multiples are.
    Sum(Vec<Part>),
    /// Anything else.
    Other,
}

impl Placed {
    pub(super) fn new() -> Placed {
        Placed { is_clear: true, ..Placed::default() }
    }

    /// The factors of the product that is added, and whether it is multiplied by something.
    pub(super) fn term(&self) -> Option<([usize; 2], bool)> {
        self.apart.zip(self.is_scaled)
    }

    /// Whether a product of other factors is added to nothing.
    pub(super) fn is_left_over(&self) -> bool {
        self.apart.is_some() && self.is_scaled.is_none()
    }

    /// Whether the first product has a term in one place and none in another.
    pub(super) fn is_added_in_part(&self) -> bool {
        self.term().is_some() && self.calls > 1
    }

    /// The product of a call, or the rule that it breaks.
    fn place(&mut self, product @ [a, b]: [usize; 2]) -> Result<Called, Rule> {
        let Some([shared, first]) = self.first else {
            (self.first, self.calls) = (Some(product), 1);
            return Ok(Called::First);
        };
        if shared != a {
            if self.apart.is_some() || !self.others.is_empty() || first == b {
                return Err(Rule::SharedFactor);
            }
            self.apart = Some(product);
            return Ok(Called::Apart);
        }
        if first == b {
            self.calls += 1;
            return Ok(Called::First);
        }
        if self.others.contains(&b) {
            return Ok(Called::Other);
        }
        if self.apart.is_some() {
            return Err(Rule::AddedTerm);
        }
        if self.others.len() + 1 == MOST {
            return Err(Rule::SharedFactor);
        }
        self.others.push(b);
        Ok(Called::Other)
    }

    /// The parts of a sum that are left when the product apart is added to the first one, if it is among them.
    fn summed(&mut self, mut parts: Vec<Part>) -> Vec<Part> {
        let find = |of: Called| parts.iter().position(|part| part.of == of);
        let is_bare = |of: Called| parts.iter().any(|part| part.of == of && part.is_bare);
        if let (Some(term), true) = (find(Called::Apart), is_bare(Called::First)) {
            self.is_scaled = Some(!parts[term].is_bare);
            parts.remove(term);
        } else if let (Some(term), true) = (find(Called::First), is_bare(Called::Apart))
            && self.calls == 1
        {
            self.is_scaled = Some(!parts[term].is_bare);
            std::mem::swap(&mut self.first, &mut self.apart);
            parts.remove(term);
            parts.iter_mut().filter(|part| part.of == Called::Apart).for_each(|part| {
                part.of = Called::First;
            });
        }
        parts
    }
}

impl Walk<'_> {
    /// Keeps where a call of two matrices has its product.
    pub(super) fn placed(&mut self, product: Option<[usize; 2]>) -> Form {
        let placed = product.map(|product| self.placed.place(product));
        match placed {
            Some(Ok(of)) if !self.are_scaled_otherwise => {
                Form::Multiple(Part { of, is_bare: true })
            }
            Some(Err(rule)) => {
                self.broken.push(rule);
                self.placed.is_clear = false;
                Form::Wrong
            }
            _ => {
                self.placed.is_clear = false;
                Form::Wrong
            }
        }
    }

    /// The form of a node whose parts have theirs; `is_right` if nothing in it is wrong.
    pub(super) fn form(&mut self, id: NodeId, is_right: bool, scope: &Scope) -> Form {
        let of = |walk: &Self, part: &NodeId| {
            let known = walk.forms.get(&part.0);
            known.map_or((None, Form::Wrong), |(ty, form)| (*ty, form.clone()))
        };
        match &self.spec.body.nodes[id.0] {
            Node::Typed(x, _) if is_right => of(self, x).1,
            Node::Unary(UnaryOp::Neg, x) if is_right => match of(self, x).1 {
                Form::Multiple(part) => Form::Multiple(Part { is_bare: false, ..part }),
                Form::Sum(_) => Form::Other,
                form => form,
            },
            Node::Binary(op, x, y) => {
                let ((left, x), (right, y)) = (of(self, x), of(self, y));
                self.operated(*op, [x, y], (left, right))
            }
            _ if !is_right => Form::Wrong,
            Node::Float(_) | Node::Int(_) => Form::Uniform,
            Node::Name(name) => self.named(name, scope),
            Node::Unary(_, x) | Node::Cast(x, _) => uniform([of(self, x).1]),
            Node::Call { function, arguments } if function != "batch" => {
                uniform(arguments.iter().map(|argument| of(self, argument).1))
            }
            Node::Method { receiver, arguments, .. } => {
                uniform([receiver].into_iter().chain(arguments).map(|part| of(self, part).1))
            }
            _ => Form::Other,
        }
    }

    /// That of a name, which is the same for all elements if it is a scalar's.
    fn named(&self, name: &str, scope: &Scope) -> Form {
        let local = scope.iter().any(|(local, _)| plain(local) == plain(name));
        let operand = self.operand(plain(name)).filter(|_| !local);
        match operand.map(|operand| &self.spec.operands[operand].kind) {
            Some(OperandKind::Scalar(_) | OperandKind::DeviceScalar(_)) => Form::Uniform,
            _ => Form::Other,
        }
    }

    /// That of an operator and two values of these types.
    fn operated(
        &mut self,
        op: BinaryOp,
        [x, y]: [Form; 2],
        (left, right): (Option<Type>, Option<Type>),
    ) -> Form {
        let is_bool = |ty: Option<Type>| ty == Some(Type::Is(gemm_codegen::ScalarType::Bool));
        let meets = left.zip(right).is_some_and(|(left, right)| left.meets(right));
        let is_sum = matches!(op, BinaryOp::Add | BinaryOp::Sub);
        match (x, y) {
            (Form::Wrong, _) | (_, Form::Wrong) => Form::Wrong,
            _ if !meets || is_sum && is_bool(left) => Form::Wrong,
            (Form::Uniform, Form::Uniform) => Form::Uniform,
            (Form::Multiple(part), Form::Uniform) | (Form::Uniform, Form::Multiple(part))
                if op == BinaryOp::Mul =>
            {
                Form::Multiple(Part { is_bare: false, ..part })
            }
            (x, y) if is_sum => {
                let is_added = op == BinaryOp::Add;
                let subtracted = |part: Part| Part { is_bare: part.is_bare && is_added, ..part };
                let right = y.parts().into_iter().map(subtracted);
                let parts = x.parts().into_iter().chain(right).collect();
                Form::Sum(self.placed.summed(parts))
            }
            _ => Form::Other,
        }
    }
}

impl Form {
    /// Its multiples of products, in their order.
    fn parts(self) -> Vec<Part> {
        match self {
            Form::Multiple(part) => vec![part],
            Form::Sum(parts) => parts,
            Form::Wrong | Form::Uniform | Form::Other => Vec::new(),
        }
    }
}

/// The form of what is computed of these values.
fn uniform(of: impl IntoIterator<Item = Form>) -> Form {
    match of.into_iter().all(|form| matches!(form, Form::Uniform)) {
        true => Form::Uniform,
        false => Form::Other,
    }
}
