//! A progress bar for long launches on the emulator.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use gemm_runtime::Device;
use indicatif::{ProgressBar, ProgressStyle};

/// How long a launch runs before a bar is shown.
const PATIENCE: Duration = Duration::from_secs(1);

/// The device with a bar for the progress of long launches, on stderr and only if that is a
/// terminal.
pub fn with_bar(device: Device) -> Device {
    let shown: Mutex<Option<ProgressBar>> = Mutex::new(None);
    device.with_progress(move |progress| {
        let mut shown = shown.lock().unwrap_or_else(PoisonError::into_inner);
        if progress.finished == progress.blocks {
            if let Some(bar) = shown.take() {
                bar.finish_and_clear();
            }
        } else if progress.elapsed >= PATIENCE {
            let bar = shown.get_or_insert_with(|| new_bar(progress.kernel));
            bar.set_length(progress.blocks);
            bar.set_position(progress.finished);
        }
    })
}

fn new_bar(kernel: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {bar:40} {pos}/{len} blocks ({eta} left)");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(0).with_style(style).with_message(kernel.to_owned())
}
