//! One product on the same factors by different schedules.

use fastrand::Rng;
use gemm_codegen::body::Body;
use gemm_codegen::hardware::Machine;
use gemm_codegen::{
    Element, Operand, OperandKind, Output, OutputIndices, Plan, Schedule, Spec, Target, emit,
};
use gemm_runtime::prelude::*;
use gemm_runtime::{
    AsMatrix as _, AsMatrixMut as _, Element as HostElement, EmulatorOptions, launch, with_element,
};
use gemm_tests::cases::SLOW;

/// Factors, row by row, whose rows run along K.
pub(super) struct Factors {
    pub(super) element: Element,
    pub(super) shape: [usize; 3],
    pub(super) a: Vec<f64>,
    pub(super) b: Vec<f64>,
}

impl Factors {
    /// Random numbers over some binary orders of magnitude, of 8-bit floats over all that they have, since sums of
    /// others would be exact.
    pub(super) fn random(rng: &mut Rng, element: Element, shape: [usize; 3]) -> Factors {
        let orders = if element == Element::E4m3 { -6..8 } else { -4..4 };
        let mut number = || match element {
            Element::I8 => f64::from(rng.i8(..)),
            Element::U8 => f64::from(rng.u8(..)),
            _ => {
                let size = (1.0 + rng.f64()) * f64::exp2(f64::from(rng.i32(orders.clone())));
                if rng.bool() { size } else { -size }
            }
        };
        let [m, n, k] = shape;
        let a = (0..m * k).map(|_| number()).collect();
        let b = (0..n * k).map(|_| number()).collect();
        Factors { element, shape, a, b }
    }

    /// The plan of their product by this schedule, if it is legal.
    pub(super) fn plan(&self, schedule: Schedule) -> Option<Plan> {
        Plan::new(&spec(self.element, schedule)).ok()
    }

    /// The bits of their product, by the kernel of a plan.
    pub(super) fn bits(&self, device: &Device, plan: &Plan) -> Result<Vec<u64>, Error> {
        with_element!(self.element, T => match stored(self.element) {
            Element::F64 => self.product::<T, f64>(device, plan, f64::to_bits),
            Element::I32 => self.product::<T, i32>(device, plan, |x| x as u32 as u64),
            _ => self.product::<T, f32>(device, plan, |x| x.to_bits().into()),
        })
    }

    fn product<T: HostElement, Out: HostElement + Default>(
        &self,
        device: &Device,
        plan: &Plan,
        bits: impl Fn(Out) -> u64,
    ) -> Result<Vec<u64>, Error> {
        let [m, n, k] = self.shape;
        let on_device = |rows, numbers: &[f64]| {
            let elements: Vec<T> = numbers.iter().map(|x| T::from_f64(*x)).collect();
            device.matrix(rows, k, &elements)
        };
        let (a, b) = (on_device(m, &self.a)?, on_device(n, &self.b)?);
        let mut out = device.matrix(m, n, &vec![Out::default(); m * n])?;
        launch::into(device, &emit(plan), [a.argument(), b.argument(), (&mut out).argument()])?;
        Ok(out.to_vec()?.into_iter().map(bits).collect())
    }
}

/// An emulated device of three processors, so that a few tiles of the output are more than one wave.
pub(super) fn device(target: Target) -> Device {
    let machine = Machine { target, ..SLOW };
    Device::emulator_with(EmulatorOptions::default().machine(machine).target(target))
}

/// What products of an element are stored as, without a rounding.
fn stored(element: Element) -> Element {
    match element {
        Element::F64 => Element::F64,
        Element::I8 | Element::U8 => Element::I32,
        _ => Element::F32,
    }
}

/// `fn product(a: Mat<_, M, K>, b: Mat<_, N, K>) -> Mat<_, M, N> { matmul(a, b) }`.
fn spec(element: Element, schedule: Schedule) -> Spec {
    let factor = |name: &str, row: &str| Operand {
        name: name.to_owned(),
        batch: Vec::new(),
        kind: OperandKind::Matrix { element, indices: [row, "K"].map(str::to_owned) },
    };
    let output = Output {
        in_place: None,
        batch: Vec::new(),
        element: stored(element),
        indices: OutputIndices::Matrix(["M", "N"].map(str::to_owned)),
    };
    Spec {
        name: "product".to_owned(),
        operands: vec![factor("a", "M"), factor("b", "N")],
        outputs: vec![output],
        body: Body::matmul("a", "b"),
        schedule,
    }
}
