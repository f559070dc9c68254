//! `#[gemm]` functions about which rustc has nothing to say, whatever lints are denied, and what
//! their references compute.

use crate::Test;

pub mod auto;
pub mod bare;
pub mod batched;
pub mod doubles;
pub mod every_key;
pub mod in_place;
pub mod integers;
pub mod names;
pub mod outputs;
pub mod pdl;
pub mod scalars;
pub mod tensor_copies;

/// One for each module.
pub(crate) fn tests() -> Vec<Test> {
    let checks: [(&str, fn()); 12] = [
        ("auto", auto::check),
        ("bare", bare::check),
        ("batched", batched::check),
        ("doubles", doubles::check),
        ("every_key", every_key::check),
        ("in_place", in_place::check),
        ("integers", integers::check),
        ("names", names::check),
        ("outputs", outputs::check),
        ("pdl", pdl::check),
        ("scalars", scalars::check),
        ("tensor_copies", tensor_copies::check),
    ];
    let test = |(name, check): (&str, fn())| {
        Test::new(name, move || {
            check();
            Ok(())
        })
    };
    checks.into_iter().map(test).collect()
}
