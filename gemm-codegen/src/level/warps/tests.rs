use super::*;

fn rules(block: [u32; 3], grid: [u32; 2]) -> Vec<Rule> {
    rules_along_k(block, [grid[0], grid[1], 1])
}

fn rules_along_k(block: [u32; 3], grid: [u32; 3]) -> Vec<Rule> {
    match plan(block, grid, Mma::M16n8k16, [16, 8, 16]) {
        Ok(_) => Vec::new(),
        Err(broken) => broken.into_iter().map(|d| d.rule).collect(),
    }
}

#[test]
fn each_rule_at_its_boundary() {
    assert_eq!(rules([128, 128, 32], [2, 2]), []);
    assert_eq!(rules([128, 128, 32], [3, 2]), [Rule::WarpsTileBlock]);
    assert_eq!(rules([112, 128, 32], [2, 2]), [Rule::AtomsTileWarp]);
    assert_eq!(rules([96, 128, 32], [2, 2]), []);
    assert_eq!(rules([128, 120, 32], [2, 2]), [Rule::AtomsTileWarp]);
    assert_eq!(rules([128, 112, 32], [2, 2]), []);
    assert_eq!(rules([128, 128, 8], [2, 2]), [Rule::AtomsTileK]);
    assert_eq!(rules([128, 128, 16], [2, 2]), []);
    assert_eq!(rules([128, 256, 32], [8, 4]), []);
    assert_eq!(rules([144, 256, 32], [9, 4]), [Rule::ThreadsFitBlock]);
}

#[test]
fn warps_along_k_have_whole_k_steps() {
    assert_eq!(rules_along_k([16, 64, 128], [1, 1, 8]), []);
    assert_eq!(rules_along_k([16, 64, 128], [1, 1, 3]), [Rule::WarpsTileBlock]);
    assert_eq!(rules_along_k([16, 64, 120], [1, 1, 8]), [Rule::AtomsTileK]);
    assert_eq!(rules_along_k([16, 64, 512], [1, 1, 32]), []);
    assert_eq!(rules_along_k([16, 64, 528], [1, 1, 33]), [Rule::ThreadsFitBlock]);
    assert_eq!(rules_along_k([16, 64, 100], [1, 1, 3]), [Rule::AtomsTileK]);
}

#[test]
fn independent_violations_come_together() {
    assert_eq!(
        rules([100, 128, 33], [3, 3]),
        [Rule::AtomsTileWarp, Rule::WarpsTileBlock, Rule::AtomsTileK]
    );
}

#[test]
fn the_evidence_counts_atoms() {
    let of = |grid| plan([96, 80, 48], grid, Mma::M16n8k16, [16, 8, 16]).unwrap();
    let warps = of([2, 5, 1]);
    assert_eq!((warps.tile, warps.atoms, warps.threads), ([48, 16, 48], [3, 2, 3], 320));
    let warps = of([2, 5, 3]);
    assert_eq!((warps.tile, warps.atoms, warps.threads), ([48, 16, 16], [3, 2, 1], 960));
}
