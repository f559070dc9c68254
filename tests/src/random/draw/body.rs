//! Bodies, each with the host function that it means.
//!
//! What a body decides by is exact on both sides: the accumulator, which is rounded differently,
//! is only compared where both branches agree.

mod float;
mod integer;

use fastrand::Rng;
use gemm_codegen::ScalarType;
use gemm_codegen::body::{BinaryOp, Body, Node, NodeId};
use gemm_runtime::Real;
use num_traits::Float;

use super::scaled::{self, Offset, Scales};

/// A function of the accumulator and the values of the operands.
pub(super) type Function<T> = Box<dyn Fn(T, &[T]) -> T + Send + Sync>;

/// A body on the host: the accumulator and the values of the operands → what is stored.
pub enum Twin {
    /// A body of f32; the sum of integers is multiplied by [`SCALE`] first.
    Float(Function<f32>),
    /// The same of f64.
    Double(Function<f64>),
    /// A body of integers.
    Integer(Function<i32>),
}

/// Makes of the sum of 8-bit products a number near those of floats; a power of two.
pub const SCALE: f32 = 1.0 / 16384.0;

/// The same of products of an 8-bit integer and a float.
const HALF_SCALE: f32 = 1.0 / 128.0;

/// A float that bodies are drawn of.
pub(super) trait Drawable: Real + Float + Send + Sync + 'static {
    const TYPE: ScalarType;

    fn twin(function: Function<Self>) -> Twin;
}

impl Drawable for f32 {
    const TYPE: ScalarType = ScalarType::F32;

    fn twin(function: Function<f32>) -> Twin {
        Twin::Float(function)
    }
}

impl Drawable for f64 {
    const TYPE: ScalarType = ScalarType::F64;

    fn twin(function: Function<f64>) -> Twin {
        Twin::Double(function)
    }
}

/// An output index.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Along {
    M,
    N,
}

/// What a body reads beside the accumulator.
pub(super) enum Value {
    Scalar(ScalarType),
    Vector(Along),
    Matrix,
}

/// A term as it is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Term<'a> {
    /// The names of its factors.
    pub(super) factors: [&'a str; 2],
    /// What its sum is multiplied by: -1 is written as a difference, 1 not at all.
    pub(super) weight: i8,
    /// Whether it precedes the product; never in a difference.
    pub(super) is_first: bool,
    /// Whether the weight precedes the call of `matmul`.
    pub(super) weight_is_first: bool,
    /// Whether it is added to products, and by schedules, that allow none, too.
    pub(super) is_anywhere: bool,
}

/// Writes a body node by node.
pub(super) struct Writer<'a> {
    body: Body,
    names: &'a [&'a str],
    /// The second factors of further products, and their scales.
    others: Vec<(&'a str, Option<Scales<'a>>)>,
    /// The scales of the factors of the first product.
    scales: [Option<Scales<'a>>; 2],
    /// What is added to the first product.
    term: Option<Term<'a>>,
    pub(super) product: Product,
}

/// What is multiplied and what a body computes with its product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Product {
    /// Floats whose product is of this type, the body's own.
    Own(ScalarType),
    /// Other floats, whose product is cast to this type.
    Cast(ScalarType),
    /// 8-bit integers, whose product is cast to this type and multiplied by [`SCALE`].
    Scaled(ScalarType),
    /// A float and an 8-bit integer, whose product is multiplied by [`HALF_SCALE`].
    Converted,
    /// 8-bit integers, in a body of integers.
    Integer,
}

impl Writer<'_> {
    pub(super) fn node(&mut self, node: Node) -> NodeId {
        self.body.push(node)
    }

    pub(super) fn name(&mut self, name: &str) -> NodeId {
        self.node(Node::Name(name.to_owned()))
    }

    /// The operand that is value `number` of the twin.
    fn value(&mut self, number: usize) -> NodeId {
        self.name(self.names[2 + number])
    }

    pub(super) fn float(&mut self, value: f64) -> NodeId {
        self.node(Node::Float(value))
    }

    /// A factor times its scales, with its offset.
    fn factor(&mut self, name: &str, scales: Option<Scales<'_>>) -> NodeId {
        let factor = self.name(name);
        let Some(Scales { name: scales, offset }) = scales else { return factor };
        // In either order.
        let first = name.len().is_multiple_of(2);
        let factor = match offset {
            Some((Offset::Zero, z)) => self.with_tiles(BinaryOp::Sub, factor, z, true),
            Some((Offset::AddedBefore, z)) => self.with_tiles(BinaryOp::Add, factor, z, first),
            Some((Offset::Added, _)) | None => factor,
        };
        let scaled = self.with_tiles(BinaryOp::Mul, factor, scales, first);
        match offset {
            Some((Offset::Added, c)) => self.with_tiles(BinaryOp::Add, scaled, c, first),
            _ => scaled,
        }
    }

    /// An operation on a factor, the first operand or not, and on the tiles of this name.
    fn with_tiles(&mut self, op: BinaryOp, factor: NodeId, tiles: &str, first: bool) -> NodeId {
        let tiles = self.name(tiles);
        let [x, y] = if first { [factor, tiles] } else { [tiles, factor] };
        self.binary(op, x, y)
    }

    fn matmul(&mut self, b: &str, scales: Option<Scales<'_>>) -> NodeId {
        let arguments = vec![self.factor(self.names[0], self.scales[0]), self.factor(b, scales)];
        self.node(Node::Call { function: "matmul".to_owned(), arguments })
    }

    /// The first product with its term, less all others.
    fn product(&mut self) -> NodeId {
        let mut product = self.matmul(self.names[1], self.scales[1]);
        if let Some(term) = self.term {
            product = self.with_term(product, term);
        }
        for (other, scales) in self.others.clone() {
            let other = self.matmul(other, scales);
            product = self.binary(BinaryOp::Sub, product, other);
        }
        let cast = match self.product {
            Product::Own(_) | Product::Integer => return product,
            Product::Cast(to) | Product::Scaled(to) => self.node(Node::Cast(product, to)),
            Product::Converted => product,
        };
        let scale = match self.product {
            Product::Cast(_) => return cast,
            Product::Converted => HALF_SCALE,
            _ => SCALE,
        };
        let scale = self.float(f64::from(scale));
        self.mul(cast, scale)
    }

    pub(super) fn binary(&mut self, op: BinaryOp, x: NodeId, y: NodeId) -> NodeId {
        self.node(Node::Binary(op, x, y))
    }

    pub(super) fn add(&mut self, x: NodeId, y: NodeId) -> NodeId {
        self.binary(BinaryOp::Add, x, y)
    }

    pub(super) fn mul(&mut self, x: NodeId, y: NodeId) -> NodeId {
        self.binary(BinaryOp::Mul, x, y)
    }

    fn call(&mut self, function: &str, arguments: &[NodeId]) -> NodeId {
        self.node(Node::Call { function: function.to_owned(), arguments: arguments.to_vec() })
    }

    fn method(&mut self, receiver: NodeId, method: &str, arguments: &[NodeId]) -> NodeId {
        let (method, arguments) = (method.to_owned(), arguments.to_vec());
        self.node(Node::Method { receiver, method, arguments })
    }

    fn block(&mut self, bindings: &[(&str, NodeId)], value: NodeId) -> NodeId {
        let bindings = bindings.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
        self.node(Node::Block { bindings, value })
    }
}

/// A body, its operands beside the multiplied ones, its twin, and what it takes the product for.
pub(super) struct BodyDraw<'a> {
    pub(super) body: Body,
    pub(super) values: Vec<Value>,
    pub(super) twin: Twin,
    pub(super) product: Product,
    /// The scales of the factors of the first product.
    pub(super) scales: [Option<Scales<'a>>; 2],
    /// The scales of further second factors.
    pub(super) of_others: Vec<Option<Scales<'a>>>,
    /// What is added to the product.
    pub(super) term: Option<Term<'a>>,
}

/// Draws a body over operands of these names, the multiplied ones first, and over further second factors or a term.
pub(super) fn draw<'a>(
    rng: &mut Rng,
    names: &[&'a str],
    others: &[&'a str],
    term: Option<Term<'a>>,
) -> BodyDraw<'a> {
    use Product::{Cast, Converted, Integer, Own, Scaled};
    use ScalarType::{F32, F64};
    let product = match rng.usize(0..24) {
        0..=9 => Own(F32),
        10..=11 => Converted,
        12..=14 => Integer,
        15..=17 => Scaled(F32),
        18..=20 => Own(F64),
        21 => Cast(F64),
        22 => Cast(F32),
        _ => Scaled(F64),
    };
    let body = Body { nodes: Vec::new(), root: NodeId(0), functions: Vec::new() };
    let is_of_floats = matches!(product, Own(F32) | Cast(F64) | Converted);
    let scales = scaled::names(rng, is_of_floats, [10, 11, 12, 13].map(|number| names[number]));
    let of_others = scaled::of_others(rng, scales[1], &names[14..14 + 2 * others.len()]);
    let others = others.iter().copied().zip(of_others.iter().copied()).collect();
    let suits = product != Converted && scales.iter().all(Option::is_none);
    let term = term.filter(|term| suits || term.is_anywhere);
    let mut w = Writer { body, names, others, scales, term, product };
    let (root, values, twin) = match product {
        Integer => {
            let (root, values, function) = integer::draw(&mut w, rng);
            (root, values, Twin::Integer(function))
        }
        Own(F64) | Cast(F64) | Scaled(F64) => float::draw::<f64>(&mut w, rng),
        Own(_) | Cast(_) | Scaled(_) | Converted => float::draw::<f32>(&mut w, rng),
    };
    let twin = match twin {
        Twin::Float(f) if product == Converted => {
            Twin::Float(Box::new(move |sum, values| f(sum * HALF_SCALE, values)))
        }
        twin => twin,
    };
    w.body.root = root;
    BodyDraw { body: w.body, values, twin, product, scales, of_others, term }
}
