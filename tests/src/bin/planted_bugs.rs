//! Prints the planted bugs as Markdown, as `docs/emulator.md` has them.

use std::process::ExitCode;

fn main() -> ExitCode {
    match gemm_tests::planted::table() {
        Ok(table) => {
            print!("{table}");
            ExitCode::SUCCESS
        }
        Err(what) => {
            eprintln!("{what}");
            ExitCode::FAILURE
        }
    }
}
