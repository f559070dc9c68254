//! The tests of the library that the other tests are written with.

use gemm_brute_force::limits;
use gemm_codegen::Target;
use gemm_tests::self_tests;

use crate::Test;

pub(crate) fn tests() -> Vec<Test> {
    let test = |(name, run): (&str, fn())| {
        Test::new(name, move || {
            run();
            Ok(())
        })
    };
    let mut all = tests![the_generator_has_the_limits_of_the_table];
    all.extend(self_tests().into_iter().map(test));
    all
}

fn the_generator_has_the_limits_of_the_table() {
    for target in Target::ALL {
        let limit = target.limits().shared_bytes_per_block;
        assert_eq!(u64::from(limit), limits::shared_bytes(target), "{target}");
    }
}
