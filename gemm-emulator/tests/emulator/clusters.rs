//! Clusters: their numbers, their barrier, and what their blocks do to each other's shared memory.

use gemm_emulator::{
    ClusterProblem, Direction, Launch, LaunchError, MbarrierProblem, Memory, Module, Space,
    Violation,
};

use crate::device::{Value, assert_violation, download, upload, violation};
use crate::nvrtc::module;

const TEXT: &str = include_str!("../kernels/clusters.cu");

fn compile(options: &[&str]) -> &'static Module {
    module(TEXT, "sm_90a", options)
}

/// What a kernel writes to an array of `count` numbers, its only parameter.
fn run<T: Value>(module: &Module, launch: Launch<'_>, count: usize) -> Result<Vec<T>, Violation> {
    let memory = Memory::new();
    let out = memory.allocate((count * size_of::<T>()) as u64).expect("allocates");
    let arguments = [out.bytes()];
    violation(module.launch(&memory, &Launch { arguments: &arguments, ..launch }))?;
    Ok(download(&memory, out, count))
}

#[test]
fn blocks_know_their_place() {
    let launch = Launch::new("ids", [4, 6, 1], [32, 1, 1]);
    let out = run::<u32>(compile(&[]), launch, 24 * 18).expect("runs");
    for (block, found) in out.chunks(18).enumerate() {
        let (x, y) = (block as u32 % 4, block as u32 / 4);
        let rank = x % 2 + 2 * (y % 2);
        let want = [x % 2, y % 2, 0, x / 2, y / 2, 0, 2, 2, 1, 2, 3, 1, rank, 4, 1, rank, 3, 7];
        assert_eq!(found, want, "block {x}, {y}");
    }
}

#[test]
fn a_launch_gives_a_cluster_to_a_kernel_that_names_none() {
    let module = compile(&[]);
    let shape = |cluster| {
        let launch = Launch { cluster, ..Launch::new("shape", [4, 2, 1], [1, 1, 1]) };
        run::<[u32; 3]>(module, launch, 8).expect("runs")
    };
    assert_eq!(shape(None), [[0, 1, 0]; 8]);
    assert_eq!(shape(Some([1, 1, 1])), [[0, 1, 1]; 8]);
    let ranks = [0, 1, 0, 1, 2, 3, 2, 3];
    assert_eq!(shape(Some([2, 2, 1])), ranks.map(|rank| [rank, 4, 1]));
}

#[test]
fn clusters_are_within_limits_and_divide_the_grid() {
    let module = compile(&[]);
    let refused = |entry, grid, cluster| {
        let launch =
            Launch { cluster, arguments: &[vec![0; 8]], ..Launch::new(entry, grid, [32, 1, 1]) };
        match module.launch(&Memory::new(), &launch).expect_err("refused") {
            gemm_emulator::Fault::Launch(error) => error,
            other => panic!("{other}"),
        }
    };
    for cluster in [[3, 1, 1], [9, 1, 1], [0, 1, 1], [u32::MAX; 3], [1, 2, 1]] {
        let error = refused("shape", [4, 9, 9], Some(cluster));
        assert!(matches!(error, LaunchError::ClusterSize { limit: 8, .. }), "{cluster:?}: {error}");
    }
    let error = refused("ids", [4, 4, 1], Some([4, 1, 1]));
    let (given, expected) = ([4, 1, 1], [2, 2, 1]);
    assert_eq!(error, LaunchError::ClusterShape { entry: "ids".into(), given, expected });
    assert!(matches!(refused("ids", [3, 2, 1], None), LaunchError::ClusterSize { .. }));
}

/// Runs two clusters of four blocks that exchange numbers.
fn exchange(options: &[&str], seed: u64) -> Result<Vec<f32>, Violation> {
    let launch = Launch { seed, ..Launch::new("exchange", [8, 1, 1], [128, 1, 1]) };
    run::<f32>(compile(options), launch, 8 * 128)
}

#[test]
fn blocks_reach_the_shared_memory_of_others() {
    for options in [&[][..], &["-DGENERIC"], &["-DFENCED"]] {
        for seed in 0..4 {
            let out = exchange(options, seed).unwrap_or_else(|fault| panic!("{fault}"));
            for (at, got) in out.iter().enumerate() {
                let (cluster, block, thread) = (at / 512, at / 128 % 4, at % 128);
                let sent = |block: usize| (4 * (512 * cluster + 128 * block + thread) + 6) as f32;
                assert_eq!(*got, sent((block + 3) % 4) + sent(block), "element {at}");
            }
        }
    }
}

/// The violation of a planted mistake, which every seed finds.
fn planted(find: impl Fn(u64) -> Result<Vec<f32>, Violation>) -> Vec<Violation> {
    (0..6).map(|seed| find(seed).expect_err("a mistake")).collect()
}

#[test]
fn blocks_wait_for_what_others_store() {
    for option in ["-DBUG_NO_BARRIER", "-DBUG_RELAXED"] {
        for found in planted(|seed| exchange(&[option], seed)) {
            // Who comes first is open: the store, or the load of what nobody has stored.
            assert_violation!(
                found,
                Violation::Race { .. }
                    | Violation::Uninitialized { .. }
                    | Violation::Cluster(ClusterProblem::Left { .. })
            );
        }
    }
    // A block stores where the other one, which may not have started, stores as well.
    for found in planted(|seed| exchange(&["-DBUG_TOUCHED"], seed)) {
        assert_violation!(found, Violation::Race { direction: Direction::Write, .. });
    }
}

#[test]
fn blocks_are_there_while_others_use_their_memory() {
    for found in planted(|seed| exchange(&["-DBUG_NO_FIRST"], seed)) {
        assert_violation!(found, Violation::Cluster(ClusterProblem::NotStarted { .. }));
    }
    let mut kinds = [0; 2];
    for found in planted(|seed| exchange(&["-DBUG_NO_LAST"], seed)) {
        match found {
            Violation::Cluster(ClusterProblem::Exited { .. }) => kinds[0] += 1,
            Violation::Cluster(ClusterProblem::Left { direction: Direction::Read, .. }) => {
                kinds[1] += 1;
            }
            other => panic!("{other}"),
        }
    }
    assert!(kinds[0] + kinds[1] == 6, "{kinds:?}");
}

#[test]
fn an_address_of_another_block_is_not_of_this_one() {
    let found = exchange(&["-DBUG_NOT_SHARED"], 0).expect_err("out of bounds");
    assert_violation!(
        found,
        Violation::OutOfBounds { space: Space::Shared, address: 0x100_0000.., .. }
    );
}

fn hand_over(options: &[&str], seed: u64) -> Result<Vec<u32>, Violation> {
    let launch = Launch { seed, ..Launch::new("hand_over", [2, 1, 1], [32, 1, 1]) };
    run::<u32>(compile(options), launch, 96)
}

fn hands_over(options: &[&str]) {
    let want: Vec<u32> = (0..96).map(|at| at / 32 + at % 32).collect();
    for seed in 0..4 {
        let out = hand_over(options, seed).unwrap_or_else(|fault| panic!("{options:?}: {fault}"));
        assert_eq!(out, want, "{options:?}");
    }
}

#[test]
fn arrivals_of_the_scope_of_the_cluster_order_blocks() {
    for arrive in ["-DARRIVE=0", "-DARRIVE=1", "-DARRIVE=5", "-DARRIVE=6"] {
        hands_over(&[arrive]);
        hands_over(&[arrive, "-DWAIT=relaxed.cluster", "-DFENCE_AFTER_WAIT"]);
        hands_over(&[arrive, "-DINIT_ONLY"]);
    }
    for arrive in ["-DARRIVE=0", "-DARRIVE=6"] {
        hands_over(&["-DSLOT_OF_0", arrive]);
        hands_over(&["-DSLOT_OF_0", arrive, "-DWAIT=relaxed.cluster", "-DFENCE_AFTER_WAIT"]);
    }
}

#[test]
fn arrivals_of_a_smaller_scope_order_nothing() {
    let races = |options: &[&str]| {
        for found in planted(|seed| hand_over(options, seed).map(|_| Vec::new())) {
            assert_violation!(found, Violation::Race { other: Some(_), .. });
        }
    };
    for arrive in ["-DARRIVE=2", "-DARRIVE=3", "-DARRIVE=4"] {
        races(&[arrive]);
        races(&["-DSLOT_OF_0", arrive]);
    }
    races(&["-DWAIT=acquire.cta"]);
    races(&["-DWAIT=relaxed.cluster"]);
    races(&["-DSLOT_OF_0", "-DWAIT=relaxed.cluster"]);
    races(&["-DBUG_NO_WAIT"]);
    // A fence after a wait acquires what is released to the scope of the wait.
    races(&["-DWAIT=relaxed.cta", "-DFENCE_AFTER_WAIT"]);
    races(&["-DARRIVE=3", "-DWAIT=relaxed.cluster", "-DFENCE_AFTER_WAIT"]);
    // The fence releases accesses to the memory of its own block, not the store to that of the other one.
    races(&["-DSLOT_OF_0", "-DARRIVE=1"]);
}

#[test]
fn restricted_fences_order_no_global_memory() {
    let last_adds = |options: &[&str]| {
        let memory = Memory::new();
        let out = upload(&memory, &[0u32; 4]);
        let arguments = [out.bytes()];
        let launch =
            Launch { arguments: &arguments, ..Launch::new("last_adds", [2, 1, 1], [32, 1, 1]) };
        violation(compile(options).launch(&memory, &launch))?;
        Ok::<_, Violation>(download::<u32>(&memory, out, 4))
    };
    assert_eq!(last_adds(&[]), Ok(vec![2, 1, 2, 3]));
    for option in ["-DBUG_RESTRICTED_RELEASE", "-DBUG_RESTRICTED_ACQUIRE"] {
        assert_violation!(
            last_adds(&[option]).expect_err(option),
            Violation::BlockRace { direction: Direction::Read, .. }
        );
    }
}

#[test]
fn mbarriers_are_initialised_for_other_blocks() {
    let options = ["-DINIT_ONLY", "-DBUG_NO_INIT_FENCE"];
    for found in planted(|seed| hand_over(&options, seed).map(|_| Vec::new())) {
        assert_violation!(
            found,
            Violation::Race { .. }
                | Violation::Mbarrier { problem: MbarrierProblem::NotInitialized, .. }
        );
    }
}

fn late_arrival(options: &[&str], seed: u64) -> Result<(), Violation> {
    let launch = Launch { seed, ..Launch::new("late_arrival", [2, 1, 1], [32, 1, 1]) };
    violation(compile(options).launch(&Memory::new(), &launch)).map(drop)
}

#[test]
fn a_block_waits_for_arrivals_at_its_mbarriers() {
    for seed in 0..6 {
        assert_eq!(late_arrival(&["-DWAITED"], seed), Ok(()));
        assert_eq!(late_arrival(&["-DMET"], seed), Ok(()));
        assert_violation!(
            late_arrival(&[], seed).expect_err("arrives late"),
            Violation::Cluster(
                ClusterProblem::ArrivalLeft { thread: 32.., .. }
                    | ClusterProblem::Exited { rank: 0 }
            )
        );
    }
    let found = |options: &[&str]| {
        let kinds = (0..16).map(|seed| late_arrival(options, seed).expect_err("arrives late"));
        kinds
            .filter(|kind| matches!(kind, Violation::Cluster(ClusterProblem::Exited { .. })))
            .count()
    };
    assert!((1..16).contains(&found(&[])), "either block may be the first");
}

fn barriers(option: &str, rank: u32) -> Violation {
    let module = compile(&[option]);
    let memory = Memory::new();
    let out = memory.allocate(4).expect("allocates");
    let arguments = [rank.bytes(), out.bytes()];
    let launch = Launch { arguments: &arguments, ..Launch::new("barriers", [2, 1, 1], [32, 1, 1]) };
    violation(module.launch(&memory, &launch)).expect_err(option)
}

#[test]
fn wrong_uses_of_the_barrier_are_found() {
    let problem = |option: &str| match barriers(option, 0) {
        Violation::Cluster(problem) => problem,
        other => panic!("{option}: {other}"),
    };
    assert_eq!(problem("-DBUG_TWICE"), ClusterProblem::ArrivesTwice);
    assert_eq!(problem("-DBUG_UNARRIVED"), ClusterProblem::WaitsUnarrived);
    let (waiting, expected, missing) = (32, 64, Some(16));
    assert_eq!(
        problem("-DBUG_DIVERGED"),
        ClusterProblem::NotReached { waiting, expected, missing }
    );
    assert_violation!(barriers("-DBUG_APART", 0), Violation::MbarrierDeadlock { .. });
}

#[test]
fn a_block_that_has_exited_is_not_waited_for() {
    // Block 1 returns at once; then block 0 asks for the address in a block that there is not.
    let rank = ClusterProblem::Rank { rank: 2, blocks: 2 };
    assert_eq!(barriers("-DPLAIN", 2), Violation::Cluster(rank));
}
