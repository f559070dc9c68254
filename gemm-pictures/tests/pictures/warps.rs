//! The parts of the warps of a block.

use gemm_pictures::warps;

use crate::GOLDENS;
use crate::parse::{area, document, having, numbers};

#[test]
fn the_parts_of_the_warps_cover_the_block_tile_once() {
    for (golden, plan) in GOLDENS.iter() {
        let picture = warps::picture(plan);
        let document = document(&picture);
        let [m, n, _] = plan.warps().block;
        let mut covered = vec![0; (m * n) as usize];
        let mut drawn = Vec::new();
        let name = if plan.warps().warps == 1 { "warps" } else { "groups" };
        for part in having(document.root_element(), name) {
            let (at, extents) = area(part);
            for number in numbers(part, name) {
                drawn.push(number);
                let count = plan.warps().grid.iter().product::<u32>();
                let [row, column, _] = plan.warps().part(number % count);
                assert_eq!(at, [row, column], "{golden}: {name} {number}");
            }
            for row in at[0]..at[0] + extents[0] {
                for column in at[1]..at[1] + extents[1] {
                    covered[(row * n + column) as usize] += 1;
                }
            }
        }
        assert!(covered.iter().all(|times| *times == 1), "{golden}");
        drawn.sort_unstable();
        // All that multiply: those of a block but the producer.
        let groups = plan.roles().map(|roles| roles.consumers);
        let all = groups.unwrap_or(plan.threads() / 32);
        assert!(drawn.into_iter().eq(0..all), "{golden}: {all}");
    }
}
