//! [`draw`]: a spec whose keys, operands and body are random; legal about every other time.

mod batched;
mod body;
mod flaw;
mod in_place;
mod pdl;
mod schedule;
mod tensors;
mod tuple;
mod warpgroups;

use fastrand::Rng;
use gemm_codegen::{Availability, Element, Operand, OperandKind, Output, ScalarType, Spec};

use body::{Along, Product, Value};
pub use body::{SCALE, Twin};
pub use tuple::Derived;

/// A random spec and what its body means.
pub struct Drawn {
    /// What was drawn; it may be illegal.
    pub spec: Spec,
    /// What the body computes.
    pub twin: Twin,
    /// What each output is of that.
    pub derived: Vec<Derived>,
    /// The operands whose values the twin takes, by number, in the order in which it takes them.
    pub values: Vec<usize>,
    /// Whether it takes the old element of the output after them.
    pub takes_old: bool,
}

/// Who multiplies in the kernels that are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Warps, by `mma.sync`, or lanes without tensor cores.
    Warps,
    /// Warpgroups, by `wgmma`.
    Warpgroups,
}

/// In which order the matrices of a spec are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Orders {
    /// Whether K is contiguous in A; else M is.
    pub a_k_contiguous: bool,
    /// Whether K is contiguous in B; else N is.
    pub b_k_contiguous: bool,
    /// Whether N is contiguous in the output; else M is.
    pub n_contiguous: bool,
}

impl Orders {
    /// How many there are.
    pub const COUNT: usize = 8;

    /// The orders in turn: `COUNT` numbers that follow each other have all of them.
    pub fn number(number: usize) -> Orders {
        let bit = |at: usize| number >> at & 1 == 0;
        Orders { a_k_contiguous: bit(0), b_k_contiguous: bit(1), n_contiguous: bit(2) }
    }
}

/// Names of the function, of the indices and of operands: ordinary ones, long ones, and ones that
/// the emitted text has another use for.
const FUNCTIONS: [&str; 6] = ["linear", "f", "kernel", "r#match", "größe", "BLK_M"];
const INDICES: [[&str; 3]; 4] =
    [["M", "N", "K"], ["Rows", "Cols", "Inner"], ["I", "J", "L"], ["N", "M", "T"]];
const NAMES: [&str; 20] = [
    "x",
    "w",
    "a",
    "b",
    "c",
    "acc",
    "m",
    "k",
    "out",
    "at",
    "int",
    "ld_x",
    "row",
    "THREADS",
    "r#type",
    "länge",
    "alpha",
    "stage",
    "activations",
    "residual_of_the_previous_layer",
];

/// The elements of a product of one kind, those of operands that its body reads and those that its
/// value is stored as.
struct Elements {
    factors: [Element; 2],
    values: &'static [Element],
    outputs: &'static [Element],
}

/// Draws the elements of a spec.
fn elements(rng: &mut Rng, product: Product, twin: &Twin) -> Elements {
    use Element::{Bf16, E4m3, E5m2, F16, F32, F64, I8, I32, U8};
    let factors = match product {
        Product::Own(ScalarType::F64) | Product::Cast(ScalarType::F32) => [F64; 2],
        Product::Own(_) | Product::Cast(_) => match pick(rng, &[F16, F16, Bf16, F32, E4m3]) {
            E4m3 => [(); 2].map(|()| pick(rng, &[E4m3, E5m2])),
            float => [float; 2],
        },
        Product::Scaled(_) | Product::Integer => [(); 2].map(|()| pick(rng, &[I8, U8])),
    };
    let (values, outputs): (&[Element], &[Element]) = match twin {
        Twin::Float(_) if factors[0].bytes() == 1 => {
            (&[F16, F32, E4m3, E5m2], &[F16, Bf16, F32, I8, E4m3, E5m2])
        }
        Twin::Float(_) => (&[F16, Bf16, F32], &[F16, F16, Bf16, Bf16, F32, I8, U8]),
        Twin::Double(_) => (&[F64], &[F64]),
        Twin::Integer(_) => (&[I8, U8, I32], &[I8, U8, I32, I32]),
    };
    Elements { factors, values, outputs }
}

/// Draws a spec of this form whose matrices are stored in these orders; of warpgroups, whose factors
/// may be others.
pub fn draw(rng: &mut Rng, form: Form, orders: Orders) -> Drawn {
    let mut names = NAMES;
    rng.shuffle(&mut names);
    let indices = pick(rng, &INDICES);
    let [m, n, k] = indices;
    let groups = form == Form::Warpgroups;
    let mut body = body::draw(rng, &names);
    while groups && warpgroups::is_other(rng, body.product) {
        body = body::draw(rng, &names);
    }
    let derived = match rng.u8(0..4) {
        0 => tuple::of(rng, &mut body.body, &body.twin),
        _ => vec![Derived::Same],
    };
    let Elements { factors, values, outputs } = elements(rng, body.product, &body.twin);
    let orders = if groups { warpgroups::orders(rng, orders, factors[0]) } else { orders };
    let [a, b] = factors;
    let matrix = |element, indices| OperandKind::Matrix { element, indices };
    let mut operands = vec![
        operand(names[0], matrix(a, order(orders.a_k_contiguous, [m, k]))),
        operand(names[1], matrix(b, order(orders.b_k_contiguous, [n, k]))),
    ];
    let read = body.values.iter().zip(&names[2..]);
    operands.extend(read.map(|(value, name)| operand(name, kind(rng, value, values, [m, n]))));

    let mut values: Vec<usize> = (2..operands.len()).collect();
    if rng.bool() {
        // The values first: the arguments of `matmul` need not be the first parameters.
        operands.rotate_left(2);
        values.iter_mut().for_each(|value| *value -= 2);
    }
    let all = derived.iter().map(|derived| Output {
        in_place: None,
        batch: Vec::new(),
        element: derived.element(rng, &body.twin, outputs),
        indices: order(orders.n_contiguous, [m, n]),
    });
    let all: Vec<Output> = all.collect();
    let elements = operands.iter().filter_map(|operand| operand.kind.element());
    let elements = elements.map(Element::read_on);
    let stored = all.iter().map(|output| output.element.stored_on());
    let needed: Vec<Availability> = elements.chain(stored).collect();
    let mut schedule = schedule::draw(rng, orders, a, &needed);
    match form {
        Form::Warps => tensors::of(rng, &mut schedule, orders, a),
        Form::Warpgroups => warpgroups::of(rng, &mut schedule, orders, a),
    }
    let spec = Spec {
        name: pick(rng, &FUNCTIONS).to_owned(),
        operands,
        outputs: all,
        body: body.body,
        schedule,
    };
    let drawn = Drawn { spec, twin: body.twin, derived, values, takes_old: false };
    let old = names[2 + body.values.len()];
    vary(rng, drawn, groups, (indices, [names[0], names[1], old]))
}

/// Changes a spec now and then: to one in place, of batches, with early operands, or with flaws.
/// `names` are those of its indices, and of its factors and a further operand.
fn vary(
    rng: &mut Rng,
    mut drawn: Drawn,
    groups: bool,
    (indices, [a, b, old]): ([&str; 3], [&str; 3]),
) -> Drawn {
    if rng.u8(0..4) == 0 && drawn.spec.outputs.len() == 1 {
        drawn = in_place::of(rng, drawn, old);
    }
    if rng.u8(0..4) == 0 {
        batched::inflict(rng, &mut drawn.spec, &drawn.values);
    }
    if rng.u8(0..6) == 0 {
        pdl::inflict(rng, &mut drawn.spec, [a, b]);
    }
    while rng.f32() < if groups { 0.2 } else { 0.4 } {
        flaw::inflict(rng, &mut drawn.spec, indices);
    }
    drawn
}

/// Draws the kind of an operand that the body reads, of one of these elements.
fn kind(rng: &mut Rng, value: &Value, elements: &[Element], [m, n]: [&str; 2]) -> OperandKind {
    let element = pick(rng, elements);
    let along = |axis: Along| if axis == Along::M { m } else { n }.to_owned();
    match value {
        Value::Scalar(ty) if rng.bool() => {
            let of_type = elements.iter().chain([&Element::I32]).filter(|e| e.value() == *ty);
            OperandKind::DeviceScalar(pick(rng, &of_type.copied().collect::<Vec<_>>()))
        }
        Value::Scalar(ty) => OperandKind::Scalar(*ty),
        Value::Vector(axis) => OperandKind::Vector { element, index: along(*axis) },
        Value::Matrix => OperandKind::Matrix { element, indices: order(rng.bool(), [m, n]) },
    }
}

/// The indices of a matrix whose columns are contiguous, or else its rows.
fn order(contiguous: bool, [row, column]: [&str; 2]) -> [String; 2] {
    if contiguous { [row, column] } else { [column, row] }.map(str::to_owned)
}

fn operand(name: &str, kind: OperandKind) -> Operand {
    Operand { name: name.to_owned(), batch: Vec::new(), kind }
}

fn pick<T: Copy>(rng: &mut Rng, from: &[T]) -> T {
    from[rng.usize(0..from.len())]
}
