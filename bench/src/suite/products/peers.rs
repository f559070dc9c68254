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

/// A form with its products, and these by each algorithm.
type Captured<'a> = (Form, Vec<Multiplication<'a, bf16, bf16>>, Algorithms);

/// Every form by each algorithm, captured.
pub(super) struct Peers<'a> {
    arena: &'a Arena,
    products: Products,
    forms: Vec<Captured<'a>>,
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
        multiplications: &[Multiplication<'_, bf16, bf16>],
        algorithm: usize,
        pass: Option<&Gate>,
        set: &mut Set,
    ) -> Result<()> {
        let Set { x, weights, joined, joined_sums, sums, .. } = set;
        let (weights, sums) = match self {
            Form::Joined => (slice::from_ref(&*joined), slice::from_mut(joined_sums)),
            Form::Separate => (&weights[..], &mut sums[..]),
        };
        for ((weights, sums), multiplication) in weights.iter().zip(sums).zip(multiplications) {
            // Neither a bias nor a residual is read.
            let (a, b, out) = (&*x, weights, sums);
            let mut operands = Operands { a, b, bias: b, residual: b, out };
            let last = multiplication.algorithms() - 1;
            multiplication.enqueue(algorithm.min(last), &mut operands)?;
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
        let (m, n) = (products.m, products.columns[0]);
        let gated = products.stored == Stored::Gated;
        let gate = gated.then(|| Gate::new(&arena.stream, [m, n])).transpose()?;
        let mut forms = Vec::new();
        let (joined, separate) = (vec![products.joined()], products.each().collect());
        for (form, tasks) in [(Form::Joined, joined), (Form::Separate, separate)] {
            let plans = tasks.iter().map(|task| arena.cublas.plan::<bf16, bf16>(task));
            let multiplications = plans.collect::<Result<Vec<_>, _>>()?;
            let counts = multiplications.iter().map(Multiplication::algorithms);
            let count = counts.max().unwrap_or(0);
            let algorithms = Algorithms::capture(arena, count, sets.len(), |algorithm, turn| {
                form.enqueue(&multiplications, algorithm, gate.as_ref(), &mut sets[turn])
            });
            let algorithms = algorithms.with_context(|| form.name(products.columns.len()))?;
            forms.push((form, multiplications, algorithms));
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
        let all = [products.columns.iter().sum()];
        let pass = pass.as_ref().map(|(gate, _)| gate);
        for (form, multiplications, algorithms) in forms {
            for number in algorithms.numbers().into_iter().flatten() {
                set.poison(&arena.stream, products)?;
                form.enqueue(multiplications, number, pass, set)?;
                let (outputs, widths) = match (pass, form) {
                    (Some(_), _) => (slice::from_ref(&set.gated), products.outputs()),
                    (None, Form::Joined) => (slice::from_ref(&set.joined_sums), &all[..]),
                    (None, Form::Separate) => (&set.sums[..], products.columns),
                };
                let outputs: &[CudaSlice<bf16>] = outputs;
                let judged = check.judge(fetch(&arena.stream, outputs, widths)?);
                judged.with_context(|| form.name(products.columns.len()))?;
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
        let names = peers.forms.iter().map(|(form, ..)| form.name(peers.products.columns.len()));
        let named = |(name, [first, best]): (String, &[usize; 2])| {
            let fastest = (best != first).then(|| (format!("{name}, best"), *best));
            [Some((name, *first)), fastest].into_iter().flatten()
        };
        names.zip(&self.forms).flat_map(named).collect()
    }
}
