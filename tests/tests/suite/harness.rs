//! The tests of the library that the other tests are written with.

use gemm_tests::self_tests;

use crate::Test;

pub(crate) fn tests() -> Vec<Test> {
    let test = |(name, run): (&str, fn())| {
        Test::new(name, move || {
            run();
            Ok(())
        })
    };
    self_tests().into_iter().map(test).collect()
}
