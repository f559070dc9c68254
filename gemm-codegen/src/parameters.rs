//! The parameters of a kernel, the operands, then the outputs, with their names in the text.

mod alignments;
mod in_turn;

use std::collections::BTreeMap;
use std::ops::Range;

pub(crate) use in_turn::list_of_extents;

use crate::abi::{Abi, Declared};
use crate::batch_text;
use crate::body::cuda;
use crate::body::guard::{self, Guard, Read};
use crate::body::name::cuda_name;
use crate::level::epilogue::{self, BodyOperand};
use crate::parameter::Parameter;
use crate::plan::Plan;
use crate::problem::{Batching, ParameterKind};
use crate::spec::OperandKind;

/// Name of an output in the emitted text.
const OUT: &str = "out";

/// The parameters with their names in the text.
pub(crate) struct Parameters {
    /// What the text has: the operands of the kernel, then the outputs; then those of further products in turn.
    pub(crate) list: Vec<Parameter>,
    /// What a caller passes, by their numbers in the list: all but exponents, which a launch makes.
    passed: Vec<usize>,
    /// For each of the kernel's own, the numbers of those that it is in each of several products in turn; empty for one
    /// that all have.
    chosen: Vec<Vec<usize>>,
    /// The numbers of the exponents of each.
    exponents: Vec<Option<usize>>,
    pub(crate) abi: Abi,
    /// By the number of the parameter.
    names: Vec<String>,
    /// How many of the kernel's own are operands; the others are outputs.
    operands: usize,
    /// How many are the kernel's own; the others are those of further products in turn.
    own: usize,
    /// When the body reads a parameter that not every launch reads, by its number.
    guards: BTreeMap<usize, Guard>,
}

impl Parameters {
    pub(crate) fn new(plan: &Plan) -> Parameters {
        let operands = plan.spec.operands.iter().map(|operand| cuda_name(&operand.name));
        let outputs = plan.spec.outputs.len();
        let of_output = |number: usize| match plan.spec().outputs.len() {
            1 => OUT.to_owned(),
            _ => format!("{OUT}{number}"),
        };
        let mut names: Vec<String> = operands.chain((0..outputs).map(of_output)).collect();
        let operands = plan.spec.operands.len();
        let mut list: Vec<Parameter> =
            (0..operands).map(|number| operand(plan, number, &names[number])).collect();
        list.extend(outputs_of(plan, &names[operands..]));
        let own = list.len();
        let passed: Vec<usize> = match plan.segments.is_empty() {
            true => (0..plan.spec().operands.len()).chain(operands..own).collect(),
            false => in_turn::add(plan, &mut list, &mut names, of_output),
        };
        let chosen = in_turn::chosen(plan, &passed);
        let exponents = passed.iter().map(|number| plan.exponents(*number)).collect();
        let declared: Vec<Parameter> = passed.iter().map(|number| list[*number].clone()).collect();
        let columns = plan.problem().columns_in_turn();
        let abi =
            Abi::new(&declared, (plan.batch().len(), columns), plan.scheduler, &plan.partials());
        let guards = guards(plan);
        Parameters { list, passed, chosen, exponents, abi, names, operands, own, guards }
    }

    /// What a caller passes: the operands as they were asked for, then the outputs.
    pub(crate) fn declared(&self, plan: &Plan) -> Vec<Parameter> {
        let kinds = plan.problem().parameters();
        let declared =
            |(number, kind): (&usize, _)| Parameter { kind, ..self.list[*number].clone() };
        self.passed.iter().zip(kinds).map(declared).collect()
    }

    /// The name of a parameter in the text.
    pub(crate) fn name(&self, number: usize) -> &str {
        &self.names[number]
    }

    /// What the text calls the pointer of a parameter, of a batch that to the matrix of the block's
    /// tile. A block with one tile has stepped there; one that walks finds it for each tile.
    pub(crate) fn pointer(&self, number: usize, plan: &Plan) -> String {
        self.of_segment(number, |number| {
            let (name, batch) = (self.name(number), &self.list[number].batch);
            match plan.scheduler.walk() {
                Some(_) if batch.is_batched() => format!("{name} + {}", step(name, batch)),
                Some(_) | None => name.to_owned(),
            }
        })
    }

    /// What the text calls the leading dimension of a parameter.
    pub(crate) fn leading(&self, number: usize) -> String {
        self.of_segment(number, |number| format!("ld_{}", self.name(number)))
    }

    /// The numbers of the outputs.
    pub(crate) fn output_numbers(&self) -> Range<usize> {
        self.operands..self.own
    }

    /// Name in the text and kind of each output.
    pub(crate) fn outputs(&self) -> Vec<(&str, ParameterKind)> {
        self.output_numbers().map(|number| (self.name(number), self.list[number].kind)).collect()
    }

    /// What the body reads beside the accumulator, in the order of its parameters. The old elements of
    /// the output are read as a matrix of its order.
    pub(crate) fn reads(&self, plan: &Plan) -> Vec<BodyOperand> {
        let read = |number: usize| BodyOperand {
            name: self.names[number].clone(),
            kind: self.list[number].kind,
            batched: self.list[number].batch.is_batched(),
            guard: self.guard(number, |scalar| self.names[scalar].clone()),
        };
        self.read_numbers(plan).map(read).collect()
    }

    /// The names of what the copy unit moves between memory and epilogue tiles: what the body reads, and the
    /// output.
    pub(crate) fn moved(&self, plan: &Plan) -> Vec<String> {
        let reads = self.reads(plan);
        epilogue::moved_names(&self.outputs(), &reads).into_iter().map(str::to_owned).collect()
    }

    /// The call that says whether a launch reads a parameter, unless every launch does. `scalar` is the
    /// text of a scalar.
    pub(crate) fn guard(&self, number: usize, scalar: impl Fn(usize) -> String) -> Option<String> {
        let scalars: Vec<String> =
            self.guards.get(&number)?.scalars.iter().map(|number| scalar(*number)).collect();
        Some(format!("reads_{}({})", self.name(number), scalars.join(", ")))
    }

    /// The text of a scalar in the entry point; one that a launch does not read is 0.
    pub(crate) fn scalar(&self, number: usize) -> String {
        let kind = self.list[number].kind;
        let name = self.of_segment(number, |number| self.name(number).to_owned());
        let ParameterKind::DeviceScalar(_) = kind else { return name };
        let loaded = format!("to_value(*{name})");
        match self.guard(number, |scalar| self.name(scalar).to_owned()) {
            None => loaded,
            Some(guard) => format!("{guard} ? {loaded} : {}(0)", kind.value().cuda()),
        }
    }

    /// The functions that these calls call.
    pub(crate) fn cuda_guards(&self, plan: &Plan) -> Vec<String> {
        let function =
            |(number, guard): (&usize, &Guard)| cuda::guard(self.name(*number), guard, &plan.spec);
        self.guards.iter().map(function).collect()
    }

    /// The numbers of what the body reads.
    pub(crate) fn read_numbers<'a>(&self, plan: &'a Plan) -> impl Iterator<Item = usize> + use<'a> {
        let old = plan.problem.body.old.as_ref().map(|_| self.operands);
        plan.problem.body.values.iter().copied().chain(old)
    }

    /// Whether a parameter is an output.
    fn is_written(&self, number: usize) -> bool {
        self.output_numbers().contains(&self.own_of(number))
    }

    /// The declarations of the entry point.
    pub(crate) fn signature(&self) -> String {
        self.abi.signature(&self.words())
    }

    /// The names of what describes matrices to the copy unit.
    pub(crate) fn maps(&self) -> Vec<String> {
        self.abi.maps(&self.words())
    }

    /// What the text has of each that a caller passes.
    fn words(&self) -> Vec<Declared<'_>> {
        let declared = |(number, exponents): (&usize, &Option<usize>)| {
            let (kind, name) = (self.list[*number].kind, self.name(*number));
            let constant = if self.is_written(*number) { "" } else { "const " };
            let ty = match kind.element() {
                Some(element) => format!("{constant}{element}*"),
                None => kind.value().cuda().to_owned(),
            };
            Declared { name, ty, exponents: exponents.map(|number| self.name(number)) }
        };
        self.passed.iter().zip(&self.exponents).map(declared).collect()
    }

    /// Statements that step from the first matrix of each batch that is used to the block's. Tensor
    /// copies have its number as a coordinate.
    pub(crate) fn steps_to_matrices(&self, plan: &Plan) -> String {
        if plan.scheduler.walk().is_some() {
            return String::new();
        }
        let used = |number: usize| {
            let number = self.own_of(number);
            let multiplied = plan.problem.axes.side(number).is_some()
                || matches!(self.list[number].kind, ParameterKind::Tiled { .. });
            self.is_written(number) || multiplied || plan.problem.body.values.contains(&number)
        };
        let steps: String = (0..self.list.len())
            .filter(|number| self.list[*number].batch.is_batched())
            .filter(|number| self.list[*number].tensor.is_none())
            .filter(|number| used(*number))
            .map(|number| (self.name(number), &self.list[number].batch))
            .map(|(name, batch)| format!("{name} += {};\n", step(name, batch)))
            .collect();
        match steps.is_empty() {
            true => steps,
            false => format!(
                "// To the block's matrix of each batch; unbatched operands are broadcast.\n{steps}"
            ),
        }
    }
}

/// When the body reads a parameter, by its number, where not every launch does.
fn guards(plan: &Plan) -> BTreeMap<usize, Guard> {
    let kind = |number: usize| plan.spec.operands.get(number).map(|operand| &operand.kind);
    let is_scalar = |number| kind(number).is_some_and(OperandKind::is_scalar);
    // What is loaded to tell whether something is read is read itself.
    let is_loaded = |number: &usize| matches!(kind(*number), Some(OperandKind::DeviceScalar(_)));
    let guards =
        guard::guards(&plan.problem.body, is_scalar).into_iter().map(|(read, guard)| match read {
            Read::Operand(number) => (number, guard),
            Read::Old => (plan.spec.operands.len(), guard),
        });
    let of_loads = |(number, guard): &(usize, Guard)| match kind(*number) {
        Some(OperandKind::Scalar(_)) => false,
        Some(OperandKind::DeviceScalar(_)) => !guard.scalars.iter().any(is_loaded),
        _ => true,
    };
    guards.filter(of_loads).collect()
}

/// Elements from the first matrix of a batch to the block's.
fn step(name: &str, batch: &Batching) -> String {
    batch_text::offset(name, "block.batch", batch.rank())
}

/// The parameters of the outputs, whose names in the text are these.
fn outputs_of(plan: &Plan, names: &[String]) -> Vec<Parameter> {
    let outputs = plan.spec.outputs.iter().zip(plan.problem.stores()).zip(names);
    outputs
        .map(|((output, store), name)| {
            let is_matrix = store.reduced_along().is_none();
            Parameter {
                name: output.in_place.clone().unwrap_or_else(|| name.clone()).into(),
                kind: store.kind(),
                batch: plan.output_batching(),
                // A reduced output is stored element by element.
                align_constant: is_matrix.then(|| format!("ALIGN_{name}").into()),
                tensor: None,
                planes: None,
                epilogue_box: plan.epilogue.stored_box().filter(|_| is_matrix),
            }
        })
        .collect()
}

/// The parameter of an operand, whose name in the text is `name`.
fn operand(plan: &Plan, number: usize, name: &str) -> Parameter {
    let (operand, axes) = (&plan.spec.operands[number], &plan.problem.axes);
    let multiplied = axes.side(number).is_some();
    let value = plan.problem.body.values.contains(&number);
    let (tensor, kind) = (plan.tensor_box(number), axes.operands[number]);
    // Planes begin at multiples of 16 bytes.
    let words = multiplied && tensor.is_none() && plan.planes.is_none()
        || plan.has_staged(number)
        || (value && plan.epilogue.reads_words(axes, number));
    Parameter {
        name: operand.name.clone().into(),
        kind,
        batch: plan.own_batching(number),
        align_constant: words.then(|| format!("ALIGN_{name}").into()),
        tensor,
        planes: plan.planes.filter(|_| multiplied),
        epilogue_box: if value && BodyOperand::is_of_matrix(kind) {
            plan.epilogue.fetched_box()
        } else {
            None
        },
    }
}
