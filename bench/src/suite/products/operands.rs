//! [`Set`]: operands in device memory, for ours and for each form of cuBLASLt's.

use std::sync::Arc;

use anyhow::Result;
use cudarc::driver::{CudaSlice, CudaStream};
use gemm_runtime::{Argument, AsMatrix as _, AsMatrixMut as _, MatrixMut, MatrixRef};
use half::bf16;

use super::{Products, Stored};
use crate::operands::{Sample as _, poison, random, sets_to_rotate};

/// One set of operands, and the outputs of all that compute on them.
pub(super) struct Set {
    pub(super) x: CudaSlice<bf16>,
    /// A matrix for each product.
    pub(super) weights: Vec<CudaSlice<bf16>>,
    /// The same, one after the other.
    pub(super) joined: CudaSlice<bf16>,
    /// The outputs of each kernel of ours, which are captured together.
    pub(super) ours: Vec<Vec<CudaSlice<bf16>>>,
    /// cuBLASLt's sums of the joined weights: a row has those of all products.
    pub(super) joined_sums: CudaSlice<bf16>,
    /// Its sums of each product.
    pub(super) sums: Vec<CudaSlice<bf16>>,
    /// The output of the pass after its products; of one element where there is none.
    pub(super) gated: CudaSlice<bf16>,
}

/// Outputs on the host, as matrices of one product each or as one matrix of all.
pub(super) struct Outputs {
    /// Each row by row.
    pub(super) buffers: Vec<Vec<bf16>>,
    /// Columns of each.
    pub(super) widths: Vec<usize>,
}

/// The matrix in which a column of all lies, whose columns follow each other, and its place there.
pub(super) fn place(widths: &[usize], mut column: usize) -> (usize, usize) {
    let mut matrix = 0;
    while column >= widths[matrix] {
        column -= widths[matrix];
        matrix += 1;
    }
    (matrix, column)
}

impl Outputs {
    /// An element, by its row and its place in the columns of all outputs.
    pub(super) fn at(&self, row: usize, column: usize) -> f64 {
        let (matrix, column) = place(&self.widths, column);
        self.buffers[matrix][row * self.widths[matrix] + column].to_f64()
    }
}

impl Set {
    /// The arguments of a launch of each kernel of ours.
    pub(super) fn arguments(&mut self, products: &Products) -> Result<Vec<Vec<Argument<'_>>>> {
        let Set { x, weights, ours, .. } = self;
        let (x, weights) = (&*x, &weights[..]);
        ours.iter_mut().map(|outs| arguments(products, x, weights, outs)).collect()
    }

    /// Poisons all outputs and all sums.
    pub(super) fn poison(&mut self, stream: &Arc<CudaStream>, products: &Products) -> Result<()> {
        let poison = poison::<bf16>(products.joined().elements()[2]);
        let Set { ours, joined_sums, sums, gated, .. } = self;
        let peers = sums.iter_mut().chain([joined_sums, gated]);
        for out in ours.iter_mut().flatten().chain(peers) {
            stream.memcpy_htod(&poison[..out.len()], out)?;
        }
        Ok(())
    }

    /// The first outputs of ours.
    pub(super) fn first_of_ours(
        &self,
        stream: &Arc<CudaStream>,
        products: &Products,
    ) -> Result<Outputs> {
        fetch(stream, self.ours.first().into_iter().flatten(), products.outputs())
    }
}

/// The arguments of one launch.
fn arguments<'a>(
    products: &Products,
    x: &'a CudaSlice<bf16>,
    weights: &'a [CudaSlice<bf16>],
    outs: &'a mut [CudaSlice<bf16>],
) -> Result<Vec<Argument<'a>>> {
    let Products { m, columns, k, .. } = *products;
    let mut arguments = vec![MatrixRef::new(x, m, k)?.argument()];
    for (weights, n) in weights.iter().zip(columns) {
        arguments.push(MatrixRef::new(weights, *n, k)?.argument());
    }
    for (out, n) in outs.iter_mut().zip(columns) {
        arguments.push(MatrixMut::new(out, m, *n)?.argument());
    }
    Ok(arguments)
}

/// Outputs of these columns.
pub(super) fn fetch<'a>(
    stream: &Arc<CudaStream>,
    buffers: impl IntoIterator<Item = &'a CudaSlice<bf16>>,
    widths: &[usize],
) -> Result<Outputs> {
    let buffers = buffers.into_iter().map(|buffer| Ok(stream.clone_dtoh(buffer)?));
    Ok(Outputs { buffers: buffers.collect::<Result<_>>()?, widths: widths.to_vec() })
}

/// Sets of random operands with outputs for this number of kernels of ours, as many as a suite of one
/// product takes for the bytes that the joined product moves.
pub(super) fn sets(
    stream: &Arc<CudaStream>,
    products: &Products,
    kernels: usize,
) -> Result<Vec<Set>> {
    let [of_x, of_joined, of_sums] = products.joined().elements();
    let (m, k) = (products.m, products.k);
    let mut x = random::<bf16>(of_x, bf16::LARGEST);
    let mut joined = random::<bf16>(of_joined, products.largest_weight());
    let of_gated = if products.stored == Stored::Gated { m * products.columns[0] } else { 1 };
    let mut set = |turn: usize| -> Result<Set> {
        // Other sets are the same numbers in another order: the data costs host time.
        let (steps_x, steps) = (turn * 7919 % x.len(), turn * 104_729 % joined.len());
        x.rotate_left(steps_x);
        joined.rotate_left(steps);
        let mut rest = &joined[..];
        let weights = products.columns.iter().map(|n| {
            let (own, others) = rest.split_at(n * k);
            rest = others;
            Ok(stream.clone_htod(own)?)
        });
        let weights = weights.collect::<Result<Vec<_>>>()?;
        let outs = |columns: &[usize]| -> Result<Vec<_>> {
            columns.iter().map(|n| Ok(stream.alloc_zeros(m * n)?)).collect()
        };
        Ok(Set {
            x: stream.clone_htod(&x)?,
            weights,
            joined: stream.clone_htod(&joined)?,
            ours: (0..kernels).map(|_| outs(products.outputs())).collect::<Result<_>>()?,
            joined_sums: stream.alloc_zeros(of_sums)?,
            sums: outs(products.columns)?,
            gated: stream.alloc_zeros(of_gated)?,
        })
    };
    let bytes = (of_x + of_joined + of_sums) * size_of::<bf16>();
    (0..sets_to_rotate(bytes)).map(&mut set).collect()
}
