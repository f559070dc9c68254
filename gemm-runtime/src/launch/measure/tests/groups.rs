//! Measured choices of kernels of warpgroups.

use gemm_codegen::Target;

use super::*;

/// The rows of its factors are multiples of 16 bytes apart, as tensor copies need it.
const SHAPE: [usize; 3] = [70, 90, 256];

#[test]
fn a_kernel_of_warpgroups_is_measured_and_found_in_the_record() {
    let hopper = || Device::emulator_with(EmulatorOptions::default().target(Target::Sm90));
    let id = "128x64x128B-wg2x1-8-swap";
    let mut choices = linear::KERNELS.choices();
    let preferred = choices.find(|choice| choice.id() == id).expect("it is one").kernel();
    let (_folder, cache) = cache();
    let (tuning, timed) = tuning(cache, prefer(&preferred.entry));
    let device = hopper().with_tuning(tuning);
    assert_eq!(chosen(&device, SHAPE), preferred);
    assert!(timed.lock().expect("not poisoned").contains(&preferred.entry.to_string()));

    let text = device.tuning().expect("it has one").record();
    assert!(text.contains(&format!("\"{id}\"")), "{text}");
    let loaded = Arc::new(Tuning::load(&text).expect("it is whole").only_loaded());
    assert_eq!(chosen(&hopper().with_tuning(loaded), SHAPE), preferred);
}
