//! A real kernel, edited at random, is refused, runs to its end or stops at a fault with its place.
#![no_main]

use gemm_emulator_fuzz::Case;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|case: Case| {
    let _ = case.run();
});
