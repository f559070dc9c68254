//! Measured choices of kernels of warpgroups.

use gemm_codegen::Target;

use super::*;

/// The rows of its factors are multiples of 16 bytes apart, as tensor copies need it.
const SHAPE: [usize; 3] = [70, 90, 256];

#[test]
fn a_kernel_of_warpgroups_is_measured_and_found_in_the_record() {
    let hopper = || Device::emulator_with(EmulatorOptions::default().target(Target::Sm90));
    let plain = hopper();
    let [x, w] = operands(&plain, SHAPE);
    let arguments = [x.argument(), w.argument()];
    let query = LaunchQuery::new(&plain, &linear::KERNELS, &arguments).expect("they fit");
    let best = candidates(&query, None).into_iter().find(|one| one.choice.id().contains("-wg"));
    let best = best.expect("one is of warpgroups");
    let (id, preferred) = (best.choice.id(), linear::KERNELS.numbered(best.number));
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
