//! Fragments an element at a time.

use super::{Request, SharedToRegister};
use crate::hardware::WARP;
use crate::level::mma::{AtomMatrix, BAND, Fragment, LANES_OF_LINE, Owner};
use crate::level::shared_tile::SharedTile;
use crate::part::Part;
use crate::text::Sections;

/// Each load: an element of each lane's register, for each place of a register in the tile.
pub(super) fn requests(tile: &SharedTile) -> impl Iterator<Item = Request> {
    // What one register covers over a warp: one band, and as much along k.
    let k_of_register = LANES_OF_LINE * (4 / tile.element_bytes).max(1);
    let shape = [BAND, BAND, k_of_register];
    let register = Fragment::new(shape, AtomMatrix::A, 8 * tile.element_bytes)
        .expect("one register of each lane fits the rule");
    let (mn, k) = if tile.k_contiguous {
        (tile.layout.rows, tile.layout.cols)
    } else {
        (tile.layout.cols, tile.layout.rows)
    };
    let places = (0..k)
        .step_by(k_of_register as usize)
        .flat_map(move |k| (0..mn).step_by(BAND as usize).map(move |mn| (mn, k)));
    places.flat_map(move |(mn0, k0)| {
        (0..register.packed()).map(move |element| {
            let address = |lane| {
                let at = register.position(Owner { lane, register: 0, element });
                let [mn, k] = at.unwrap_or_default();
                tile.address(mn0 + mn, k0 + k)
            };
            Request::new(WARP, tile.element_bytes, address)
        })
    })
}

/// The registers of an atom run along m (or n) first.
pub(super) fn cuda_members(load: &SharedToRegister, tile: &SharedTile) -> String {
    let (registers, bands) = (load.fragment.words(), load.fragment.bands());
    let mask = tile.layout.cols.next_power_of_two() - 1;
    // Only where rows run along m (or n): along k elements are loaded by `ldmatrix`, or lie below.
    let mask = match (load.fragment.bits(), tile.k_contiguous) {
        (64, true) => String::new(),
        _ => format!(
            "    static constexpr int COLUMN_BITS = {mask:#x};  // set in no column's number beyond these\n"
        ),
    };
    format!(
        "    static constexpr int ATOM_REGISTERS = {registers}, BANDS = {bands};  // 8 rows of m (or n) each\n\
         {mask}"
    )
}

/// The device function `shared_to_register`, and what it calls.
pub(super) fn write(text: &mut Sections, load: &SharedToRegister) {
    let [wrapper, loop_of_elements] = match load.fragment.bits() {
        64 => [include_str!("../../ptx/load_shared_u64.cuh"), include_str!("elements_64.cuh")],
        32 => [include_str!("../../ptx/load_shared_u32.cuh"), include_str!("elements_32.cuh")],
        _ => [include_str!("../../ptx/load_shared_u8.cuh"), include_str!("elements_8.cuh")],
    };
    text.add(wrapper);
    text.of(Part::Loads).add(loop_of_elements);
}
