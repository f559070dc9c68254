//! [`Peers`]: the ways in which cuBLASLt computes products that share a factor.

use std::slice;

use anyhow::{Context as _, Result};
use cudarc::driver::CudaSlice;
use half::bf16;

use super::check::Check;
use super::operands::{Set, fetch};
use super::{Products, Stored};
use crate::algorithms::Algorithms;
use crate::arena::Arena;
use crate::cublas::{Gate, Multiplication, Sums};
use crate::operands::Operands;
use crate::timing::Batch;

/// How cuBLASLt computes the sums.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// One product with the weights one after the other.
    Joined,
    /// A product for each matrix of weights.
    Separate,
}

/// Every form by each algorithm, captured.
pub(super) struct Peers<'a> {
    arena: &'a Arena,
    products: Products,
    forms: Vec<(Form, Multiplication<'a, bf16, bf16>, Algorithms)>,
    /// The pass after the products, and it alone, captured.
    pass: Option<(Gate, Batch)>,
}

/// Where the work of the peers is among the batches that are measured.
pub(super) struct Places {
    /// Of each form the first algorithm and the fastest one.
    pub(super) forms: Vec<[usize; 2]>,
    pub(super) pass: Option<usize>,
}

impl Form {
    fn name(self, count: usize) -> String {
        match self {
            Form::Joined => "cuBLASLt, 1 product".to_owned(),
            Form::Separate => format!("cuBLASLt, {count} products"),
        }
    }

    /// Enqueues the products, and the pass if there is one.
    fn enqueue(
        self,
        multiplication: &Multiplication<'_, bf16, bf16>,
        algorithm: usize,
        pass: Option<&Gate>,
        set: &mut Set,
    ) -> Result<()> {
        let Set { x, weights, joined, joined_sums, sums, .. } = set;
        let (weights, sums) = match self {
            Form::Joined => (slice::from_ref(&*joined), slice::from_mut(joined_sums)),
            Form::Separate => (&weights[..], &mut sums[..]),
        };
        for (weights, sums) in weights.iter().zip(sums) {
            // Neither a bias nor a residual is read.
            let (a, b, out) = (&*x, weights, sums);
            let mut operands = Operands { a, b, bias: b, residual: b, out };
            multiplication.enqueue(algorithm, &mut operands)?;
        }
        pass.map_or(Ok(()), |pass| self.gate(pass, set))
    }

    /// Enqueues the pass over the sums, wherever the products have stored them.
    fn gate(self, pass: &Gate, set: &mut Set) -> Result<()> {
        let Set { joined_sums, sums, gated, .. } = set;
        let of = |buffer, first| Sums { buffer, first };
        match self {
            Form::Joined => {
                let n = pass.columns();
                let halves = [of(&*joined_sums, 0), of(&*joined_sums, n)];
                pass.enqueue(halves, 2 * n, gated)
            }
            Form::Separate => {
                let [gates, ups] = &sums[..] else { anyhow::bail!("a gate takes two products") };
                pass.enqueue([of(gates, 0), of(ups, 0)], pass.columns(), gated)
            }
        }
    }
}

impl<'a> Peers<'a> {
    /// Captures every form by each of its algorithms, a run on each set.
    pub(super) fn capture(
        arena: &'a Arena,
        products: &Products,
        sets: &mut [Set],
    ) -> Result<Peers<'a>> {
        let [m, n, _] = products.shape;
        let gated = products.stored == Stored::Gated;
        let gate = gated.then(|| Gate::new(&arena.stream, [m, n])).transpose()?;
        let mut forms = Vec::new();
        for (form, task) in [(Form::Joined, products.joined()), (Form::Separate, products.one())] {
            let multiplication = arena.cublas.plan::<bf16, bf16>(&task)?;
            let count = multiplication.algorithms();
            let algorithms = Algorithms::capture(arena, count, sets.len(), |algorithm, turn| {
                form.enqueue(&multiplication, algorithm, gate.as_ref(), &mut sets[turn])
            });
            let algorithms = algorithms.with_context(|| form.name(products.count))?;
            forms.push((form, multiplication, algorithms));
        }
        let alone = |gate: Gate| {
            let batch = Batch::capture(&arena.stream, sets.len(), |turn| {
                Form::Joined.gate(&gate, &mut sets[turn])
            });
            anyhow::Ok((gate, batch?))
        };
        Ok(Peers { arena, products: *products, forms, pass: gate.map(alone).transpose()? })
    }

    /// Judges what each form stores by the algorithms that are measured.
    pub(super) fn check(&self, check: &mut Check, set: &mut Set) -> Result<()> {
        let Peers { arena, products, forms, pass } = self;
        let [_, n, _] = products.shape;
        let pass = pass.as_ref().map(|(gate, _)| gate);
        for (form, multiplication, algorithms) in forms {
            for number in algorithms.numbers().into_iter().flatten() {
                set.poison(&arena.stream, products)?;
                form.enqueue(multiplication, number, pass, set)?;
                let (outputs, width) = match (pass, form) {
                    (Some(_), _) => (slice::from_ref(&set.gated), n),
                    (None, Form::Joined) => (slice::from_ref(&set.joined_sums), products.count * n),
                    (None, Form::Separate) => (&set.sums[..], n),
                };
                let outputs: &[CudaSlice<bf16>] = outputs;
                let judged = check.judge(fetch(&arena.stream, outputs, width)?);
                judged.with_context(|| form.name(products.count))?;
            }
        }
        Ok(())
    }

    /// Adds all to `batches`.
    pub(super) fn enter<'b>(&'b self, batches: &mut Vec<&'b Batch>) -> Places {
        let forms = self.forms.iter();
        let forms = forms.filter_map(|(_, _, algorithms)| algorithms.enter(batches)).collect();
        let pass = self.pass.as_ref().map(|(_, batch)| {
            batches.push(batch);
            batches.len() - 1
        });
        Places { forms, pass }
    }

    /// Bytes that the pass reads and writes.
    pub(super) fn bytes_of_pass(&self) -> Option<usize> {
        self.pass.as_ref().map(|(gate, _)| gate.bytes())
    }
}

impl Places {
    /// The name and the place of each form and algorithm.
    pub(super) fn named(&self, peers: &Peers<'_>) -> Vec<(String, usize)> {
        let names = peers.forms.iter().map(|(form, ..)| form.name(peers.products.count));
        let named = |(name, [first, best]): (String, &[usize; 2])| {
            let fastest = (best != first).then(|| (format!("{name}, best"), *best));
            [Some((name, *first)), fastest].into_iter().flatten()
        };
        names.zip(&self.forms).flat_map(named).collect()
    }
}
