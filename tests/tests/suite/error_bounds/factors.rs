//! Factors, the exact sums of their products, and how far those of a kernel are from them.

use fastrand::Rng;
use gemm_runtime::Element;
use gemm_runtime::prelude::*;

use super::two;

/// Two matrices whose rows run along K.
pub(super) struct Factors<A, B> {
    pub(super) shape: Shape,
    pub(super) a: Vec<A>,
    pub(super) b: Vec<B>,
}

/// An exact sum, and what its bound is stated in.
pub(super) struct Terms {
    pub(super) sum: f64,
    /// The number of products.
    pub(super) k: f64,
    /// Σ abs(a·b).
    pub(super) size: f64,
    /// Σ (max a · abs(b) + abs(a) · max b).
    pub(super) by_largest: f64,
}

impl Terms {
    /// Products are exact in f64 for elements of at most 24 bits, and its sums err by less than
    /// K · 2^-53 of their size, which no bound below comes near.
    fn new<A: Element, B: Element>(a: &[A], b: &[B]) -> Terms {
        let largest =
            |side: &mut dyn Iterator<Item = f64>| side.fold(0.0, |l: f64, x| l.max(x.abs()));
        let of_a = largest(&mut a.iter().map(|x| x.to_f64()));
        let of_b = largest(&mut b.iter().map(|x| x.to_f64()));
        let mut terms = Terms { sum: 0.0, k: a.len() as f64, size: 0.0, by_largest: 0.0 };
        for (a, b) in a.iter().map(|a| a.to_f64()).zip(b.iter().map(|b| b.to_f64())) {
            terms.sum += a * b;
            terms.size += (a * b).abs();
            terms.by_largest += of_a * b.abs() + a.abs() * of_b;
        }
        terms
    }
}

impl<A: Element, B: Element> Factors<A, B> {
    /// Factors of the elements nearest to these, each of a row and a place along K.
    pub(super) fn new(
        [m, n, k]: [usize; 3],
        mut of_a: impl FnMut(usize, usize) -> f64,
        mut of_b: impl FnMut(usize, usize) -> f64,
    ) -> Factors<A, B> {
        let a = (0..m * k).map(|at| A::from_f64(of_a(at / k, at % k))).collect();
        let b = (0..n * k).map(|at| B::from_f64(of_b(at / k, at % k))).collect();
        Factors { shape: Shape { m, n, k }, a, b }
    }

    /// Random numbers over some binary orders of magnitude, whose products cancel in pairs but for what
    /// the numbers of B differ by.
    pub(super) fn cancelling(rng: &mut Rng, sizes: [usize; 3], orders: i32) -> Factors<A, B> {
        let mut draw = |sign: f64| {
            let (mut last, mut rng) = (0.0, rng.fork());
            move |_: usize, k: usize| {
                let fresh = (rng.f64() + 1.0) * two(rng.i32(-orders / 2..orders / 2 + 1));
                let fresh = if rng.bool() { fresh } else { -fresh };
                last = if k % 2 == 1 { sign * last * (1.0 + rng.f64() / 64.0) } else { fresh };
                last
            }
        };
        Factors::new(sizes, draw(1.0), draw(-1.0))
    }

    /// Rows that begin with a large product, a power of two that differs from row to row, and have
    /// a small one at each multiple of `every`; all others are zero.
    pub(super) fn absorbed(
        sizes: [usize; 3],
        every: usize,
        [large, small]: [[f64; 2]; 2],
    ) -> Factors<A, B> {
        let row = |large: f64, small: f64| {
            move |row: usize, k: usize| {
                let of_row = [1.0, -2.0, 4.0][row % 3];
                let is_small = f64::from(u8::from(k.is_multiple_of(every)));
                of_row * if k == 0 { large } else { small * is_small }
            }
        };
        Factors::new(sizes, row(large[0], small[0]), row(large[1], small[1]))
    }

    /// Both factors on a device.
    pub(super) fn on(&self, device: &Device) -> (Matrix<A>, Matrix<B>) {
        let Shape { m, n, k } = self.shape;
        let a = device.matrix(m, k, &self.a).expect("it fits the memory");
        (a, device.matrix(n, k, &self.b).expect("it fits the memory"))
    }

    /// The exact sums, row by row.
    pub(super) fn terms(&self) -> impl Iterator<Item = Terms> {
        let k = self.shape.k;
        let columns = move |a| self.b.chunks(k).map(move |b| Terms::new(a, b));
        self.a.chunks(k).flat_map(columns)
    }

    /// Sums, row by row, by another rule than that of [`terms`](Self::terms).
    pub(super) fn sums_by(&self, sum: impl Fn(&[f64], &[f64]) -> f64) -> Vec<f64> {
        let a: Vec<f64> = self.a.iter().map(|x| x.to_f64()).collect();
        let b: Vec<f64> = self.b.iter().map(|x| x.to_f64()).collect();
        let (sum, k) = (&sum, self.shape.k);
        a.chunks(k).flat_map(|a| b.chunks(k).map(move |b| sum(a, b))).collect()
    }

    /// The largest error over its bound.
    pub(super) fn share(
        &self,
        got: impl IntoIterator<Item = f64>,
        bound: impl Fn(&Terms) -> f64,
    ) -> f64 {
        let share = |(terms, got): (Terms, f64)| match (got - terms.sum).abs() {
            0.0 => 0.0,
            error if error.is_nan() => f64::INFINITY,
            error => error / bound(&terms),
        };
        self.terms().zip(got).map(share).fold(0.0, f64::max)
    }

    /// Checks what a kernel makes of the factors. The largest error is this share of its bound at
    /// least.
    #[track_caller]
    pub(super) fn check<T: Element>(
        &self,
        device: &Device,
        kernel: impl FnOnce(&Matrix<A>, &Matrix<B>) -> Result<Matrix<T>, Error>,
        least: f64,
        bound: impl Fn(&Terms) -> f64,
    ) {
        let (a, b) = self.on(device);
        let got = kernel(&a, &b).expect("a launch").to_vec().expect("a copy");
        let share = self.share(got.into_iter().map(Element::to_f64), bound);
        assert!(share <= 1.0, "{share} times the bound, of {:?}", self.shape);
        assert!(share >= least, "only {share} of the bound, not {least}, of {:?}", self.shape);
    }
}
