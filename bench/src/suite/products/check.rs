//! [`Check`]: outputs against sums in f64 of some elements, and against each other.

use std::sync::Arc;

use anyhow::{Context as _, Result};
use cudarc::driver::CudaStream;
use half::bf16;

use super::operands::{Outputs, Set, place};
use super::{Products, Stored};
use crate::operands::close;
use crate::task::Compute;

/// Elements whose sums the host computes.
const SAMPLED: usize = 256;

/// Compares outputs of one set of operands.
pub(super) struct Check {
    /// Rows of an output, and columns of all outputs.
    extents: [usize; 2],
    sampled: Vec<Sampled>,
    /// The first outputs that were right.
    first: Option<Outputs>,
}

/// An element and what it should be.
struct Sampled {
    row: usize,
    column: usize,
    value: f64,
}

impl Check {
    /// Computes some elements: the last of all, and random ones.
    pub(super) fn new(stream: &Arc<CudaStream>, products: &Products, set: &Set) -> Result<Check> {
        let [rows, columns] = [products.m, products.outputs().iter().sum()];
        let mut places = vec![[rows - 1, columns - 1]];
        places.resize_with(SAMPLED, || [fastrand::usize(..rows), fastrand::usize(..columns)]);
        let sampled = places.into_iter().map(|[row, column]| {
            let value = element(stream, products, set, row, column)?;
            Ok(Sampled { row, column, value })
        });
        let sampled = sampled.collect::<Result<_>>()?;
        Ok(Check { extents: [rows, columns], sampled, first: None })
    }

    /// Outputs that were poisoned before.
    pub(super) fn judge(&mut self, outputs: Outputs) -> Result<()> {
        let Check { extents: [rows, columns], sampled, first } = self;
        let pairs = sampled.iter().map(|of| (outputs.at(of.row, of.column), of.value));
        close::<bf16>(pairs, Compute::F32).context("compared with sums in f64")?;
        let Some(first) = first else {
            *first = Some(outputs);
            return Ok(());
        };
        let places = (0..*rows).flat_map(|row| (0..*columns).map(move |column| (row, column)));
        let pairs = places.map(|(row, at)| (outputs.at(row, at), first.at(row, at)));
        close::<bf16>(pairs, Compute::F32)
    }
}

/// An element by its row and its place in the columns of all outputs, by sums in f64.
fn element(
    stream: &Arc<CudaStream>,
    products: &Products,
    set: &Set,
    row: usize,
    column: usize,
) -> Result<f64> {
    let k = products.k;
    let x = stream.clone_dtoh(&set.x.slice(row * k..(row + 1) * k))?;
    let sum = |product: usize, column: usize| -> Result<f64> {
        let weights = set.weights[product].slice(column * k..(column + 1) * k);
        let weights = stream.clone_dtoh(&weights)?;
        Ok(x.iter().zip(&weights).map(|(x, w)| x.to_f64() * w.to_f64()).sum())
    };
    match products.stored {
        Stored::Sums => {
            let (product, column) = place(products.columns, column);
            sum(product, column)
        }
        Stored::Gated => {
            let (gate, up) = (sum(0, column)?, sum(1, column)?);
            Ok(gate / (1.0 + (-gate).exp()) * up)
        }
    }
}
