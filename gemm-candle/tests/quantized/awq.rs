//! AWQ: a loop over its definition.

use candle_core::{DType, Result, Tensor};
use gemm_candle::quantized::{Offsets, Values, Weights};

use crate::linear::check_against;
use crate::{Random, refused, tensor};

/// The column that each place of a word has, from the low bits on.
const ORDER: [usize; 8] = [0, 2, 4, 6, 1, 3, 5, 7];

/// Rows of `n` numbers, in words along N.
fn packed(n: usize, numbers: &[u8]) -> Result<Tensor> {
    let mut words = Vec::new();
    for row in numbers.chunks(n) {
        for eight in row.chunks(8) {
            let places = ORDER.into_iter().enumerate();
            let word = places.map(|(place, column)| u32::from(eight[column]) << (4 * place));
            words.push(word.sum::<u32>());
        }
    }
    tensor(numbers.len() / n, n / 8, words)
}

/// `(q - zero) · scale`, N × K.
fn expected(n: usize, group: usize, q: &[u8], zeros: &[u8], scales: &Tensor) -> Result<Vec<f64>> {
    let scales = scales.to_dtype(DType::F64)?.to_vec2::<f64>()?;
    let mut weights = Vec::new();
    for column in 0..n {
        for row in 0..q.len() / n {
            let zero = f64::from(zeros[row / group * n + column]);
            let q = f64::from(q[row * n + column]);
            weights.push((q - zero) * scales[row / group][column]);
        }
    }
    Ok(weights)
}

fn dequantized(weights: &Weights) -> Vec<f64> {
    weights.dequantize().into_iter().map(f64::from).collect()
}

#[test]
fn weights_are_those_of_the_definition() -> Result<()> {
    let mut random = Random(3);
    for (k, n, group) in [(1, 8, 1), (9, 16, 3), (64, 24, 32), (35, 8, 35), (256, 40, 128)] {
        let (q, zeros) = (random.nibbles(k * n), random.nibbles(k / group * n));
        let scales = tensor(k / group, n, random.floats(k / group * n))?.to_dtype(DType::F16)?;
        let weights = Weights::from_awq(&packed(n, &q)?, &packed(n, &zeros)?, &scales)?;
        assert_eq!([weights.n(), weights.k(), weights.group()], [n, k, group]);
        assert!(matches!(weights.values(), Values::U4(_)), "{weights:?}");
        assert_eq!(dequantized(&weights), expected(n, group, &q, &zeros, &scales)?, "{k} {n}");
    }
    Ok(())
}

#[test]
fn zeros_of_8_are_signed_values_without_offsets() -> Result<()> {
    let mut random = Random(4);
    // An odd K: the last pair of a row has half.
    let (q, zeros) = (random.nibbles(33 * 8), vec![8; 3 * 8]);
    let scales = tensor(3, 8, random.floats(24))?.to_dtype(DType::BF16)?;
    let weights = Weights::from_awq(&packed(8, &q)?, &packed(8, &zeros)?, &scales)?;
    assert!(matches!(weights.values(), Values::I4(pairs) if pairs.len() == 8 * 17), "{weights:?}");
    assert_eq!(*weights.offsets(), Offsets::None);
    assert_eq!(dequantized(&weights), expected(8, 11, &q, &zeros, &scales)?);
    Ok(())
}

#[test]
fn a_layer_is_a_product_with_the_weights_of_the_definition() -> Result<()> {
    let mut random = Random(5);
    for (k, n, group) in [(64, 24, 32), (128, 16, 64), (256, 40, 128)] {
        let q = random.nibbles(k * n);
        for zeros in [random.nibbles(k / group * n), vec![8; k / group * n]] {
            let scales =
                tensor(k / group, n, random.floats(k / group * n))?.to_dtype(DType::F16)?;
            let weights = Weights::from_awq(&packed(n, &q)?, &packed(n, &zeros)?, &scales)?;
            let w = tensor(n, k, expected(n, group, &q, &zeros, &scales)?)?;
            check_against(&w, &weights, None)?;
        }
    }
    Ok(())
}

#[test]
fn tensors_that_do_not_fit_are_refused() -> Result<()> {
    let (q, zeros) = (packed(16, &[3; 64 * 16])?, packed(16, &[3; 2 * 16])?);
    let scales = tensor(2, 16, vec![1f32; 32])?;
    assert_eq!(
        refused(Weights::from_awq(&q, &zeros, &scales.narrow(1, 0, 8)?)).to_string(),
        "scales: expected the dimensions [2, 16] (by those of qweight), got [2, 8]"
    );
    assert_eq!(
        refused(Weights::from_awq(&q, &zeros.narrow(0, 0, 1)?, &scales)).to_string(),
        "qzeros: expected the dimensions [2, 2] (by those of qweight and scales), got [1, 2]"
    );
    Ok(())
}
