//! [`draw`]: a spec whose keys, operands and body are random; legal about every other time.

mod batched;
mod body;
mod converted;
mod elements;
mod factors;
mod flaw;
mod in_place;
mod in_turn;
mod orders;
mod pdl;
mod pick;
mod planes;
mod products;
mod reduced;
mod scaled;
mod schedule;
mod tensors;
mod terms;
mod tuple;
mod warpgroups;

use fastrand::Rng;
use gemm_codegen::{
    Availability, Element, Operand, OperandKind, Output, OutputIndices, Schedule, Spec,
};

use body::{Along, BodyDraw, Value};
pub use body::{SCALE, Twin};
use elements::{Elements, elements};
use factors::Factors;
pub use in_turn::in_turn;
pub use orders::Orders;
use pick::pick;
pub use reduced::{Stored, reduced};
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
    /// Whether the value is that of the twin with the other sign in matrices of odd numbers.
    pub alternates: bool,
    /// What the sum of the added term is multiplied by, if there is one.
    pub weight: Option<i8>,
}

/// Who multiplies in the kernels that are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Warps, by `mma.sync`, or lanes without tensor cores.
    Warps,
    /// Warpgroups, by `wgmma`.
    Warpgroups,
}

/// Names of the function, of the indices and of operands: ordinary ones, long ones, and ones that
/// the emitted text has another use for.
const FUNCTIONS: [&str; 6] = ["linear", "f", "kernel", "r#match", "größe", "BLK_M"];
const INDICES: [[&str; 3]; 4] =
    [["M", "N", "K"], ["Rows", "Cols", "Inner"], ["I", "J", "L"], ["N", "M", "T"]];
const NAMES: [&str; 26] = [
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
    "scales_b",
    "product",
    "COUNT",
    "sums",
    "first",
    "z",
];

/// Draws a spec of this form whose matrices are stored in these orders; of warpgroups, whose factors
/// may be others.
pub fn draw(rng: &mut Rng, form: Form, orders: Orders) -> Drawn {
    let mut names = NAMES;
    rng.shuffle(&mut names);
    let indices = pick(rng, &INDICES);
    let groups = form == Form::Warpgroups;
    let further = products::further(rng);
    let others = products::names(&names, further);
    // From numbers of its own: specs without a term are the same with and without terms.
    let of_term = &mut rng.clone().fork();
    let term = terms::draw(of_term, &names, further);
    let mut body = body::draw(rng, &names, &others, term);
    while groups && warpgroups::is_other(rng, &body) {
        body = body::draw(rng, &names, &others, term);
    }
    let derived = match rng.u8(0..4) {
        0 => tuple::of(rng, &mut body.body, &body.twin),
        _ => vec![Derived::Same],
    };
    let elements = elements(rng, form, body.product, &body.twin);
    let scaled = body.scales.iter().any(Option::is_some);
    let factors = Factors { stored: elements.factors, scaled };
    let orders = orders_of(rng, (form, orders), factors, further);
    let operands = operands(rng, (&names, &others, indices), &body, &elements, orders);
    let (operands, values) = operands;
    let of_output = order(orders.n_contiguous, [indices[0], indices[1]]);
    let outputs = outputs(rng, (&derived, &body.twin), elements.outputs, &of_output);
    let mut schedule = schedule_on(rng, form, (orders, factors), &needed(&operands, &outputs));
    products::divide(rng, &mut schedule, further);
    let name = pick(rng, &FUNCTIONS).to_owned();
    let spec = Spec { name, operands, outputs, body: body.body, schedule };
    let (twin, weight) = (body.twin, body.term.map(|term| term.weight));
    let drawn = Drawn { spec, twin, derived, values, takes_old: false, alternates: false, weight };
    let [a, b, old] = [0, 1, 2 + body.values.len()].map(|number| names[number]);
    let second: Vec<&str> = std::iter::once(b).chain(others.iter().copied()).collect();
    let mut drawn = vary(rng, drawn, (a, &second), old);
    let added = body.term.map(|term| term.suited(of_term, &mut drawn.spec, [a, b], indices[2]));
    while rng.f32() < if groups { 0.2 } else { 0.4 } {
        flaw::inflict(rng, &mut drawn.spec, indices);
    }
    terms::insert(of_term, &mut drawn, added.flatten(), indices);
    drawn
}

/// The orders in which most specs of such factors store their matrices.
fn orders_of(
    rng: &mut Rng,
    (form, orders): (Form, Orders),
    factors: Factors,
    further: usize,
) -> Orders {
    let mut orders = match form {
        Form::Warpgroups => warpgroups::orders(rng, orders, factors),
        Form::Warps if factors.are_converted() => converted::orders(rng, orders),
        Form::Warps => orders,
    };
    // Several products are stored along N.
    orders.n_contiguous |= further > 0 && rng.u8(0..8) > 0;
    orders
}

/// What the elements of a spec need.
fn needed(operands: &[Operand], outputs: &[Output]) -> Vec<Availability> {
    let read = operands.iter().filter_map(|operand| operand.kind.element()).map(Element::read_on);
    read.chain(outputs.iter().map(|output| output.element.stored_on())).collect()
}

/// Draws a schedule of this form for a product of this element, mostly a legal one.
pub fn schedule(rng: &mut Rng, form: Form, orders: Orders, element: Element) -> Schedule {
    schedule_on(rng, form, (orders, Factors { stored: [element; 2], scaled: false }), &[])
}

/// The same on targets that have what is needed.
fn schedule_on(
    rng: &mut Rng,
    form: Form,
    (orders, factors): (Orders, Factors),
    needed: &[Availability],
) -> Schedule {
    let mut schedule = schedule::draw(rng, orders, factors, needed);
    let factor = factors.multiplied();
    match form {
        // No unit of the SM brings what is converted or scaled.
        Form::Warps if factors.are_of_warps() && rng.u8(0..10) > 0 => {}
        Form::Warps => tensors::of(rng, &mut schedule, orders, factor),
        Form::Warpgroups => warpgroups::of(rng, &mut schedule, orders, factors),
    }
    schedule
}

/// Draws the operands of a spec: its factors and those with the values that its body reads, whose
/// numbers follow.
fn operands(
    rng: &mut Rng,
    (names, others, [m, n, k]): (&[&str], &[&str], [&str; 3]),
    body: &BodyDraw<'_>,
    elements: &Elements,
    orders: Orders,
) -> (Vec<Operand>, Vec<usize>) {
    let [a, b] = elements.factors;
    let matrix = |element, indices| OperandKind::Matrix { element, indices };
    let factors = [
        matrix(a, order(orders.a_k_contiguous, [m, k])),
        matrix(b, order(orders.b_k_contiguous, [n, k])),
    ];
    let mut scales = scaled::operands(rng, body.scales, factors.each_ref(), k);
    scales.extend(scaled::operands_of_others(rng, &body.of_others, body.scales[1], &scales));
    let [a, b] = factors;
    let mut operands = vec![operand(names[0], a), operand(names[1], b)];
    let further = products::operands(rng, others, &operands[1]);
    operands.extend(further);
    let read = body.values.iter().zip(&names[2..]);
    operands
        .extend(read.map(|(value, name)| operand(name, kind(rng, value, elements.values, [m, n]))));
    let mut first = 2 + others.len();
    if rng.bool() {
        // The values first: the arguments of `matmul` need not be the first parameters.
        operands.rotate_left(first);
        first = 0;
    }
    operands.extend(scales);
    (operands, (first..first + body.values.len()).collect())
}

/// Changes a spec now and then: to one in place, of batches, or with early operands. The names are those of its factors
/// and of a further operand.
fn vary(rng: &mut Rng, mut drawn: Drawn, (a, second): (&str, &[&str]), old: &str) -> Drawn {
    if rng.u8(0..4) == 0 && drawn.spec.outputs.len() == 1 {
        drawn = in_place::of(rng, drawn, old);
    }
    if rng.u8(0..4) == 0 {
        batched::inflict(rng, &mut drawn.spec, &drawn.values);
        drawn.alternates = rng.bool();
        if drawn.alternates {
            batched::alternate(&mut drawn.spec.body);
        }
    }
    if rng.u8(0..6) == 0 {
        pdl::inflict(rng, &mut drawn.spec, a, second);
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

/// The outputs with these values of a body, each of one of these elements.
fn outputs(
    rng: &mut Rng,
    (derived, twin): (&[Derived], &Twin),
    elements: &[Element],
    indices: &[String; 2],
) -> Vec<Output> {
    let output = |derived: &Derived| {
        let element = derived.element(rng, twin, elements);
        let indices = OutputIndices::Matrix(indices.clone());
        Output { in_place: None, batch: Vec::new(), element, indices }
    };
    derived.iter().map(output).collect()
}

fn operand(name: &str, kind: OperandKind) -> Operand {
    Operand { name: name.to_owned(), batch: Vec::new(), kind }
}
