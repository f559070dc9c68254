use super::*;
use Axis::{K, M, N};

const SHAPE: Shape = Shape { m: 2, n: 3, k: 11 };

/// Element (i, k) of a side, in the order of its axes.
fn side(outer: usize, transposed: bool) -> Vec<f32> {
    let value = |i: usize, k: usize| (i * 31 + k * 7 % 13) as f32 - 9.0;
    match transposed {
        false => (0..outer * SHAPE.k).map(|e| value(e / SHAPE.k, e % SHAPE.k)).collect(),
        true => (0..outer * SHAPE.k).map(|e| value(e % outer, e / outer)).collect(),
    }
}

#[test]
fn all_orders_of_operands_and_output_agree() {
    let mut results = Vec::new();
    for (a_axes, b_axes) in [([M, K], [N, K]), ([K, M], [N, K]), ([M, K], [K, N]), ([K, M], [K, N])]
    {
        let a = side(SHAPE.m, a_axes[0] == K);
        let b = side(SHAPE.n, b_axes[0] == K);
        let a = HostMatrix::new("a", &a, a_axes, SHAPE).expect("the length is right");
        let b = HostMatrix::new("b", &b, b_axes, SHAPE).expect("the length is right");
        let body = |acc: &[f32], m: usize, n: usize| acc[0] + (10 * m + n) as f32;
        let c = reference(SHAPE, a, &[b], [M, N], body).expect("it is small");
        let t = reference(SHAPE, a, &[b], [N, M], body).expect("it is small");
        for (m, n) in (0..SHAPE.m).flat_map(|m| (0..SHAPE.n).map(move |n| (m, n))) {
            assert_eq!(c[m * SHAPE.n + n], t[n * SHAPE.m + m]);
        }
        results.push(c);
    }
    assert!(results.windows(2).all(|pair| pair[0] == pair[1]));
    let expected: f32 =
        side(2, false)[..11].iter().zip(&side(3, false)[..11]).map(|(x, y)| x * y).sum();
    assert_eq!(results[0][0], expected);
}

#[test]
fn k_of_zero_applies_the_body_to_zero() {
    let shape = Shape { m: 2, n: 2, k: 0 };
    let empty: [f32; 0] = [];
    let a = HostMatrix::new("a", &empty, [M, K], shape).expect("the length is right");
    let c =
        reference(shape, a, &[a], [M, N], |acc: &[f32], _, _| acc[0] + 1.0).expect("it is small");
    assert_eq!(c, [1.0; 4]);
}

#[test]
fn a_batch_is_its_matrices_in_order() {
    let shape = Shape { m: 2, n: 1, k: 1 };
    let a =
        HostMatrix::batched("a", &[1.0f32, 2.0, 3.0, 4.0], (2, &[true]), [M, K], shape).unwrap();
    let b = HostMatrix::new("b", &[10.0f32], [N, K], shape).unwrap();
    let bias = HostVector::batched("bias", &[0.5f32, 0.25], (2, &[true]), N, shape).unwrap();
    let all = batched(2, |number| {
        let body = |acc: &[f32], m, n| acc[0] + bias.at(number).at(m, n);
        reference(shape, a.at(number), &[b], [M, N], body)
    });
    assert_eq!(all.unwrap(), [10.5, 20.5, 30.25, 40.25]);
    assert_eq!(batched(0, |_| Ok(vec![1])).unwrap(), [0; 0]);
    assert_eq!(batched([2, 1, 3], |number| Ok(vec![number])).unwrap(), [0, 1, 2, 3, 4, 5]);
    let part = HostVector::batched("bias", &[0.5f32, 0.25], ([3, 2], &[false, true]), N, shape);
    let part = part.expect("two vectors, for each of three values");
    assert_eq!([0, 1, 2, 5].map(|number| part.at(number).at(0, 0)), [0.5, 0.25, 0.5, 0.25]);

    let error = HostMatrix::batched("a", &[1.0f32; 3], (2, &[true]), [M, K], shape).unwrap_err();
    assert_eq!(error.to_string(), "a: expected 4 elements (2 × 2), got 3");
    let error =
        HostVector::batched("bias", &[1.0f32], (usize::MAX, &[true]), M, shape).unwrap_err();
    assert!(matches!(error, Error::Batch(BatchError::SizeOverflow { .. })), "{error}");
}

#[test]
fn a_slice_of_the_wrong_length_is_named() {
    let error = HostVector::new("bias", &[0.0f32; 2], N, SHAPE).expect_err("N is 3");
    assert_eq!(error.to_string(), "bias: expected 3 elements, got 2");
}
