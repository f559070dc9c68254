//! The constants of several products.

use crate::form::Form;
use crate::plan::Plan;
use crate::text::wrap::wrap_lines;

/// What the constant is called that counts the factors of B, if there are several.
pub(super) fn several(plan: &Plan) -> Option<&'static str> {
    match plan.problem.products() {
        _ if !plan.segments.is_empty() => Some("SEGMENTS"),
        1 => None,
        _ => Some("PRODUCTS"),
    }
}

/// The constants of several products, whose columns lie next to each other or are computed in turn.
pub(super) fn products(plan: &Plan) -> String {
    if !plan.segments.is_empty() {
        return format!(
            "\nconstexpr int SEGMENTS = {};  // products with columns of their own\n",
            plan.segments.len()
        );
    }
    let count = plan.problem.products();
    let of = if plan.form == Form::Groups { "GROUP_N" } else { "WARP_N" };
    let text = format!(
        "\n// BLK_N has the columns of all products: PART_N of each in turn.\n\
         constexpr int PRODUCTS = {count}, PART_N = {of} / PRODUCTS;\n\
         static_assert(PART_N * PRODUCTS == {of} && PART_N % 8 == 0, \"parts tile a warp's columns\");\n"
    );
    if count > 1 { wrap_lines(&text) } else { String::new() }
}
