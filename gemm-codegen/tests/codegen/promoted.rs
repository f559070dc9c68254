//! How warpgroups hold the sums that they promote.

use std::num::NonZeroU16;

use gemm_codegen::{Element, Promotion, Schedule, Spec, emit};

use super::shared::{TN, plan, product, with};
use super::warpgroups::groups_of;

#[test]
fn sums_are_promoted_while_others_are_multiplied_where_registers_hold_them() {
    let of = |spec: Spec, columns: u16| {
        let plan = plan(&spec);
        let text = emit(&plan).text;
        let [in_turn, by_halves] = ["const auto turn = ", "right_half"].map(|of| text.contains(of));
        let of_instruction = if by_halves { columns / 2 } else { columns };
        assert!(text.contains(&format!("wgmma.mma_async.sync.aligned.m64n{of_instruction}k")));
        assert_eq!(in_turn, plan.registers().promoted_sets == 2);
        [in_turn, by_halves]
    };
    let of_bytes =
        |tile: [u16; 3]| of(groups_of(product(Element::E4m3, TN), tile, [2, 1]), tile[1]);
    assert_eq!(of_bytes([128, 128, 128]), [true, false], "3 sets of 64 sums and 40 others of 240");
    assert_eq!(of_bytes([128, 144, 128]), [false, true], "3 sets of 72, and halves of 72 columns");
    assert_eq!(of_bytes([128, 136, 128]), [false, false], "halves of 68 columns");
    assert_eq!(of_bytes([256, 64, 128]), [false, false], "a warpgroup has two atoms");
    let [a, [n, k], out] = TN;
    let every_64 = |of: &mut Schedule| of.promote = NonZeroU16::new(64).map(Promotion::Every);
    for (b, by_halves) in [([n, k], true), ([k, n], false)] {
        let spec = groups_of(product(Element::F16, [a, b, out]), [128, 192, 64], [2, 1]);
        assert_eq!(of(with(spec, every_64), 192), [false, by_halves], "rows of B along {b:?}");
    }
}
