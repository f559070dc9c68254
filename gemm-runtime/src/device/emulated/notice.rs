//! What the emulator says once where it was compiled without optimisation.

use std::io::{self, IsTerminal as _};
use std::sync::Once;

const TEXT: &str = "gemm-emulator is compiled without optimisation: a launch takes 25 to 60 times as \
                    long as with these lines in Cargo.toml:\n\n\
                    [profile.dev.package]\n\
                    gemm-emulator.opt-level = 3\n";

/// Says so before the first launch of the process: as a `tracing` event, and to the person who
/// waits where nothing listens to those.
pub(super) fn say_if_unoptimised() {
    static SAID: Once = Once::new();
    if gemm_emulator::IS_OPTIMISED {
        return;
    }
    SAID.call_once(|| {
        tracing::warn!("{TEXT}");
        if !tracing::enabled!(tracing::Level::WARN) && io::stderr().is_terminal() {
            eprintln!("warning: {TEXT}");
        }
    });
}
