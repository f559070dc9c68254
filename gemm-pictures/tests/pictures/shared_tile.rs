//! Banks and lanes of a tile.

use std::collections::HashMap;

use gemm_codegen::{Feed, Plan, Side, TileOrder};
use gemm_pictures::shared_tile;

use crate::GOLDENS;
use crate::parse::{document, having, number, numbers, only};

/// The bank of an element, by the address that the plan has for it.
fn bank(plan: &Plan, side: Side, [row, column]: [u32; 2]) -> u32 {
    let tile = plan.shared_tile(side);
    tile.layout.offset(row, column) * tile.element_bytes / 4 % 32
}

#[test]
fn the_bank_of_a_cell_is_that_of_its_address() {
    for ((golden, plan), side) in all() {
        let (picture, tile) = (shared_tile::picture(plan, side), plan.shared_tile(side));
        let document = document(&picture);
        let frame = only(document.root_element(), "period");
        let [drawn, units] = numbers(frame, "period")[..] else { panic!("{golden}") };
        let is_rows = !matches!(tile.layout.order, TileOrder::Columns { .. });
        let length = if is_rows { tile.layout.cols } else { tile.layout.rows };
        let elements = length / number(frame, "units");
        let mut banks = HashMap::new();
        for cell in having(frame, "address") {
            let at = [number(cell, "row"), number(cell, "column")];
            let (address, of_cell) = (number(cell, "address"), number(cell, "bank"));
            assert_eq!(address, tile.layout.offset(at[0], at[1]) * tile.element_bytes, "{golden}");
            assert_eq!(of_cell, bank(plan, side, at), "{golden} {at:?}");
            assert_eq!(cell.attribute("class"), Some(&*format!("c{}", of_cell / 4)), "{golden}");
            let line = if is_rows { at[0] } else { at[1] };
            let unit = if is_rows { at[1] } else { at[0] } / elements;
            assert!(banks.insert([line, unit], of_cell).is_none(), "{golden}: {at:?} twice");
        }
        let all = (0..drawn).flat_map(|line| (0..units).map(move |unit| [line, unit]));
        assert!(all.clone().all(|place| banks.contains_key(&place)), "{golden}");
        assert_eq!(banks.len() as u32, drawn * units, "{golden}");
        if !picture.svg.contains("; the banks repeat") {
            continue;
        }
        // The rest of the tile looks the same.
        for (line, unit) in (0..number(frame, "lines"))
            .flat_map(|line| (0..number(frame, "units")).map(move |unit| (line, unit)))
        {
            let at = if is_rows { [line, unit * elements] } else { [unit * elements, line] };
            let shown = banks[&[line % drawn, unit % units]];
            assert_eq!(bank(plan, side, at), shown, "{golden}: {at:?}");
        }
    }
}

#[test]
fn the_words_of_a_load_take_the_passes_that_the_plan_states() {
    let mut conflicts = 0;
    for ((golden, plan), side) in all() {
        let picture = shared_tile::picture(plan, side);
        let document = document(&picture);
        let stack = only(document.root_element(), "passes");
        let passes = number(stack, "passes");
        let levels = having(stack, "pass").map(|word| number(word, "pass") + 1).max();
        assert_eq!(levels, Some(passes), "{golden}");
        match plan.feed(side) {
            Feed::Registers(loads) => assert_eq!(passes, loads.bank_passes, "{golden}"),
            Feed::Descriptor(_) => assert_eq!(passes, 1, "{golden}: a core matrix"),
        }
        conflicts += u32::from(passes > 1);
        for word in having(stack, "pass") {
            assert!(!numbers(word, "lanes").is_empty(), "{golden}");
        }
    }
    assert!(conflicts > 0, "goldens that are made to conflict do");
}

fn all() -> impl Iterator<Item = (&'static (String, Plan), Side)> {
    GOLDENS.iter().flat_map(|golden| Side::BOTH.map(|side| (golden, side)))
}
