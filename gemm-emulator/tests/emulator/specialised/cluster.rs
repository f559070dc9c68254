//! The same GEMM by clusters of two blocks, which copy half of B each for both.

use gemm_emulator::{
    ClusterProblem, Direction, Fault, Launch, MbarrierProblem, Statistics, Violation,
    WarpgroupProblem,
};

use super::{SHAPE, compile, run_blocks};
use crate::device::assert_violation;

fn run(options: &[&str], seed: u64, find_races: bool) -> Result<Statistics, Fault> {
    let options = [&["-DCLUSTER"], options].concat();
    run_blocks(compile(&options), SHAPE, (seed, find_races), (2, 64))
}

#[test]
fn blocks_copy_for_each_other() {
    for arrive in ["-DARRIVE=0", "-DARRIVE=1"] {
        for seed in 0..3 {
            let ran = run(&[arrive], seed, true);
            let statistics = ran.unwrap_or_else(|fault| panic!("{arrive}: {fault}"));
            assert_eq!(statistics.matrix_multiplies, 2 * 6 * (320 / 16));
        }
    }
    run(&["-DARRIVE=1"], 0, false).unwrap_or_else(|fault| panic!("{fault}"));
    let options = ["-DCLUSTER", "-DSTAGES=2", "-DBULK_STORE"];
    let ran = run_blocks(compile(&options), SHAPE, (1, true), (4, 64));
    ran.unwrap_or_else(|fault| panic!("two clusters: {fault}"));
}

/// The violation that each of some seeds finds.
fn planted(options: &[&str]) -> Vec<Violation> {
    let violation = |seed| {
        let fault = run(options, seed, true).expect_err(options[0]);
        fault.violation().expect("a violation").clone()
    };
    (0..4).map(violation).collect()
}

/// Whether a copy goes where a block may still read, or where the copy before is not known to have landed.
fn overwrites(found: &Violation) -> bool {
    matches!(
        found,
        Violation::Warpgroup(WarpgroupProblem::Overwritten { .. })
            | Violation::TensorCopyInFlight { direction: Direction::Write, .. }
    )
}

#[test]
fn stages_are_given_back_to_all_that_fill_them() {
    // The plain arrival is one of the scope of the block.
    for options in [["-DARRIVE=2"], ["-DBUG_WAIT_OF_BLOCK"]] {
        for found in planted(&options) {
            assert!(overwrites(&found), "{options:?}: {found}");
        }
    }
    for found in planted(&["-DBUG_OWN_ONLY"]) {
        // The other block may also be so late that its barrier turns twice.
        let turned = matches!(&found, Violation::TensorCopyInFlight { .. })
            || matches!(&found, Violation::Mbarrier { .. });
        assert!(overwrites(&found) || turned, "{found}");
    }
}

#[test]
fn bytes_of_both_halves_are_expected() {
    for found in planted(&["-DBUG_HALF_EXPECTED"]) {
        assert_violation!(
            found,
            Violation::TensorCopyInFlight { .. }
                | Violation::Uninitialized { .. }
                | Violation::MbarrierDeadlock { .. }
        );
    }
}

#[test]
fn copies_reach_blocks_that_are_there() {
    for found in planted(&["-DBUG_NO_START"]) {
        assert_violation!(
            found,
            Violation::Cluster(ClusterProblem::NotStarted { .. })
                | Violation::Mbarrier { problem: MbarrierProblem::NotInitialized, .. }
        );
    }
    for found in planted(&["-DBUG_NO_END"]) {
        assert_violation!(
            found,
            Violation::Cluster(
                ClusterProblem::Exited { .. }
                    | ClusterProblem::Left { .. }
                    | ClusterProblem::ArrivalLeft { .. }
            )
        );
    }
    let mask = ClusterProblem::Mask { mask: 7, blocks: 2 };
    for found in planted(&["-DBUG_MASK"]) {
        assert_eq!(found, Violation::Cluster(mask.clone()));
    }
    assert_eq!(Launch::MAX_CLUSTER, 8);
}
