//! Rows of products that are `invariant`, beside other rows: on the emulator small ones, on a GPU large ones.

use gemm_runtime::launch::Choice;
use gemm_runtime::prelude::*;
use gemm_runtime::{Argument, AsBatched, AsBatchedMut, AsMatrix, AsMatrixMut, AsVector};
use gemm_runtime::{ChosenBy, Element, Kernel, Prepared, Tuning, launch};

use super::invariant::{Function, bytes, cancelling, poison};

/// The blocks that share the K of a tile.
fn shared_by(kernel: &Kernel) -> u32 {
    let launch = &kernel.launch;
    launch.split_k.map_or(launch.cluster[2], |split_k| split_k.splits)
}

/// A matrix with `left` elements before each row and none after it.
fn placed<X: Element>(device: &Device, host: &[X], columns: usize, left: usize) -> Matrix<X> {
    let (rows, pitch) = (host.len() / columns, left + columns);
    let mut all = vec![poison::<X>(); rows * pitch];
    for (row, elements) in all.chunks_mut(pitch).zip(host.chunks(columns)) {
        row[left..].copy_from_slice(elements);
    }
    device.matrix(rows, pitch, &all).expect("it fits")
}

/// A product of many rows, to which those of fewer are compared.
pub(crate) struct Rows<X: Element, Y: Element> {
    device: Device,
    function: Function<X, Y>,
    /// M, N and K of the product of all rows.
    shape: [usize; 3],
    host: Vec<X>,
    weights: Vec<X>,
    x: Matrix<X>,
    w: Matrix<X>,
    bias: DeviceVector<X>,
    all: Vec<u8>,
    /// The blocks that share the K of each tile.
    pub(crate) shared_by: u32,
}

impl<X: Element, Y: Element> Rows<X, Y> {
    pub(crate) fn new(device: &Device, function: Function<X, Y>, shape: [usize; 3]) -> Rows<X, Y> {
        let [most, n, k] = shape;
        let numbers = |count, seed| cancelling(function.rounded, count, seed);
        let (host, weights) = (numbers(most * k, 1), numbers(n * k, 2));
        let x = device.matrix(most, k, &host).expect("x");
        let w = device.matrix(n, k, &weights).expect("w");
        let bias = device.vector(&numbers(n, 3)).expect("bias");
        let (device, all) = (device.clone(), Vec::new());
        let mut rows =
            Rows { device, function, shape, host, weights, x, w, bias, all, shared_by: 0 };
        rows.shared_by = shared_by(rows.chosen(&rows.device, most));
        rows.all = rows.run(&rows.device, rows.x.view(), rows.w.view());
        let poison = bytes(&[poison::<Y>()]);
        assert!(rows.all.chunks(poison.len()).all(|element| element != poison), "all is written");
        rows
    }

    /// The last rows of x: they begin at another address for each number of them.
    fn last(&self, m: usize) -> MatrixRef<'_, X> {
        let [most, _, k] = self.shape;
        self.x.submatrix(most - m..most, 0..k).expect("they are there")
    }

    fn operands<'a>(&'a self, x: Argument<'a>, w: MatrixRef<'a, X>) -> Vec<Argument<'a>> {
        let bias = self.function.has_bias.then(|| AsVector::argument(&self.bias));
        [x, w.argument()].into_iter().chain(bias).collect()
    }

    /// The kernel that a device chooses for the last rows.
    fn chosen(&self, device: &Device, m: usize) -> &'static Kernel {
        let operands = self.operands(self.last(m).argument(), self.w.view());
        launch::choose(device, self.function.kernels, &operands)
    }

    /// The bits of a product whose output was poisoned.
    fn run(&self, device: &Device, x: MatrixRef<'_, X>, w: MatrixRef<'_, X>) -> Vec<u8> {
        let m = x.rows();
        let mut y = self.poisoned(m);
        let mut arguments = self.operands(x.argument(), w);
        arguments.push(AsMatrixMut::argument(&mut y));
        let kernel = launch::choose(device, self.function.kernels, &arguments);
        assert_eq!(shared_by(kernel), self.shared_by, "{m} rows");
        launch::into(device, kernel, arguments).expect("it runs");
        bytes(&y.to_vec().expect("y"))
    }

    /// The same rows of the product of all.
    fn part(&self, first: usize, m: usize) -> &[u8] {
        let row = self.shape[1] * size_of::<Y>();
        &self.all[first * row..][..m * row]
    }

    #[track_caller]
    fn assert_last(&self, y: &[u8], m: usize, how: &str) {
        let [most, n, k] = self.shape;
        assert!(y == self.part(most - m, m), "{m} of {most} rows, N {n}, K {k}: {how}");
    }

    /// All that may vary: the number of rows and their order, their addresses, batches, and how it is launched.
    pub(crate) fn assert_keep_their_bits(&self, counts: &[usize]) {
        for &m in counts {
            self.assert_last(&self.run(&self.device, self.last(m), self.w.view()), m, "fewer");
        }
        self.assert_order_does_not_matter(100);
        self.assert_addresses_do_not_matter(&[7, 200]);
        self.assert_a_batch_has_them(33);
        self.assert_a_prepared_launch_has_them(17);
        for m in [16, 128] {
            self.assert_a_record_does_not_matter(m);
        }
    }

    fn assert_order_does_not_matter(&self, m: usize) {
        let [most, _, k] = self.shape;
        let order: Vec<usize> = (0..m).map(|i| (i * 37 + 5) % most).collect();
        let host: Vec<X> =
            order.iter().flat_map(|row| &self.host[row * k..][..k]).copied().collect();
        let x = self.device.matrix(m, k, &host).expect("x");
        let y = self.run(&self.device, x.view(), self.w.view());
        assert!(order.iter().flat_map(|&row| self.part(row, 1)).eq(&y), "{:?}", self.shape);
    }

    /// Rows that begin at a multiple of 2 bytes, or within a sector.
    fn assert_addresses_do_not_matter(&self, counts: &[usize]) {
        let ([most, n, k], device) = (self.shape, &self.device);
        for left in [1, 8] {
            let x = placed(device, &self.host, k, left);
            let w = placed(device, &self.weights, k, left);
            for &m in counts {
                let of_x = x.submatrix(most - m..most, left..left + k).expect("x");
                let y = self.run(device, of_x, self.w.view());
                self.assert_last(&y, m, &format!("x, a leading dimension of K + {left}"));
            }
            let of_w = w.submatrix(0..n, left..left + k).expect("w");
            let y = self.run(device, self.last(counts[0]), of_w);
            self.assert_last(&y, counts[0], &format!("w, a leading dimension of K + {left}"));
        }
    }

    /// Three matrices of this number of rows, one by one and as a batch.
    fn assert_a_batch_has_them(&self, m: usize) {
        let ([most, n, k], device) = (self.shape, &self.device);
        for (count, first) in [(3, most - 3 * m), (1, most - 3 * m), (1, most - m)] {
            let x = device.batched(count, m, k, &self.host[first * k..][..count * m * k]);
            let x = x.expect("x");
            let poisoned = vec![poison::<Y>(); count * m * n];
            let mut y = device.batched(count, m, n, &poisoned).expect("y");
            let mut arguments = self.operands(AsBatched::argument(&x), self.w.view());
            arguments.push(AsBatchedMut::argument(&mut y));
            let kernel = launch::choose(device, self.function.of_a_batch, &arguments);
            launch::into(device, kernel, arguments).expect("it runs");
            let y = bytes(&y.to_vec().expect("y"));
            assert!(y == self.part(first, count * m), "a batch of {count}, {:?}", self.shape);
        }
    }

    fn poisoned(&self, m: usize) -> Matrix<Y> {
        let n = self.shape[1];
        self.device.matrix(m, n, &vec![poison::<Y>(); m * n]).expect("y")
    }

    /// A launch for the last rows.
    fn prepared<'a>(&'a self, device: &Device, m: usize, y: &'a mut Matrix<Y>) -> Prepared<'a> {
        let mut arguments = self.operands(self.last(m).argument(), self.w.view());
        arguments.push(AsMatrixMut::argument(y));
        let kernels = self.function.kernels;
        launch::prepare_chosen(device, kernels, arguments).expect("it is legal")
    }

    fn assert_a_prepared_launch_has_them(&self, m: usize) {
        let mut y = self.poisoned(m);
        let mut prepared = self.prepared(&self.device, m, &mut y);
        (0..2).for_each(|_| prepared.launch().expect("it runs"));
        let report = prepared.report();
        if let Some(split_k) = report.split_k {
            assert!(report.to_string().contains(&format!(", {} for each tile", split_k.splits)));
        }
        let stated = report.split_k.map_or(report.cluster[2], |split_k| split_k.splits);
        assert_eq!(stated, self.shared_by);
        drop(prepared);
        self.assert_last(&bytes(&y.to_vec().expect("y")), m, "prepared");
    }

    /// Other kernels, which a record names as the fastest of this number of rows.
    fn assert_a_record_does_not_matter(&self, m: usize) {
        let estimated = self.chosen(&self.device, m);
        let followed = |choice: &Choice<'_>| {
            let tuning = Tuning::load(&self.record(m, choice.id())).expect("it is whole");
            let device = self.device.clone().with_tuning(tuning.only_loaded());
            (self.chosen(&device, m) == choice.kernel()).then_some(device)
        };
        // Whose record is not followed is of another class, or cannot run here.
        let all: Vec<Device> = self.function.kernels.choices().filter_map(followed).collect();
        let mut y = self.poisoned(m);
        let by = |device| self.prepared(device, m, &mut y).report().chosen;
        assert!(all.first().map(by) != Some(ChosenBy::Estimate), "the record is read");
        let others = all.iter().filter(|device| self.chosen(device, m) != estimated);
        let others: Vec<&Device> = others.collect();
        for device in others.iter().step_by(others.len().div_ceil(2).max(1)) {
            let y = self.run(device, self.last(m), self.w.view());
            self.assert_last(&y, m, "another kernel");
        }
    }

    /// A record in which this choice is the fastest of these rows, all at multiples of 16 bytes.
    fn record(&self, m: usize, fastest: &str) -> String {
        // As `Tuning` rounds N and K.
        let rounded =
            |extent: usize| extent.next_multiple_of(1 << extent.ilog2().saturating_sub(3));
        let [n, k] = [self.shape[1], self.shape[2]].map(rounded);
        let (machine, kernels) = (self.device.machine(), self.function.kernels);
        let name = self.device.to_string();
        let name = name.strip_prefix("GPU 0: ").and_then(|name| name.split_once(" ("));
        let name = name.map_or("emulator", |(name, _)| name);
        let (target, processors) = (machine.target.name(), machine.processors);
        let parameters = kernels.first().parameters.iter();
        let alignment = vec![16; parameters.filter(|one| one.align_constant.is_some()).count()];
        format!(
            "[[measured]]\ndevice = \"{name}, {target}, {processors} multiprocessors\"\n\
             function = \"{}\"\nkernels = \"{}\"\nalignment = {alignment:?}\nm = {m}\nn = {n}\n\
             k = {k}\nbatch = 1\nfastest = \"{fastest}\"\n",
            kernels.first().name,
            kernels.fingerprint(),
        )
    }
}
