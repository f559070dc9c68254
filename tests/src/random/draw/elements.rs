//! [`Elements`]: of what the operands and outputs of a spec are.

use fastrand::Rng;
use gemm_codegen::{Element, ScalarType};

use super::body::{Product, Twin};
use super::pick::pick;
use super::{Form, converted};

/// The elements of a product of one kind, those of operands that its body reads and those that its
/// value is stored as.
pub(super) struct Elements {
    pub(super) factors: [Element; 2],
    pub(super) values: &'static [Element],
    pub(super) outputs: &'static [Element],
}

/// Draws the elements of a spec.
pub(super) fn elements(rng: &mut Rng, form: Form, product: Product, twin: &Twin) -> Elements {
    use Element::{Bf16, E4m3, E5m2, F16, F32, F64, I8, I32, U8};
    let factors = match product {
        Product::Own(ScalarType::F64) | Product::Cast(ScalarType::F32) => [F64; 2],
        Product::Own(_) | Product::Cast(_) => match pick(rng, &[F16, F16, Bf16, F32, E4m3]) {
            E4m3 => [(); 2].map(|()| pick(rng, &[E4m3, E5m2])),
            float => [float; 2],
        },
        Product::Converted => converted::factors(rng, form == Form::Warpgroups),
        Product::Scaled(_) | Product::Integer => [(); 2].map(|()| pick(rng, &[I8, U8])),
    };
    let (values, outputs): (&[Element], &[Element]) = match twin {
        Twin::Float(_) if factors.iter().all(|factor| factor.bytes() == 1) => {
            (&[F16, F32, E4m3, E5m2], &[F16, Bf16, F32, I8, E4m3, E5m2])
        }
        Twin::Float(_) => (&[F16, Bf16, F32], &[F16, F16, Bf16, Bf16, F32, I8, U8]),
        Twin::Double(_) => (&[F64], &[F64]),
        Twin::Integer(_) => (&[I8, U8, I32], &[I8, U8, I32, I32]),
    };
    Elements { factors, values, outputs }
}
