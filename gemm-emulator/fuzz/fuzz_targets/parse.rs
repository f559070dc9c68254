//! Any text is parsed or refused with its place.
#![no_main]

use gemm_emulator_fuzz::check;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = check::parse(text);
});
