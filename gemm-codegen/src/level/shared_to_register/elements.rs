//! Fragments an element at a time.

use super::SharedToRegister;
use crate::hardware::WARP;
use crate::layout::bank_passes;
use crate::level::mma::{AtomMatrix, BAND, Fragment, LANES_OF_LINE, Owner};
use crate::level::shared_tile::SharedTile;

/// The passes of each load: an element of each lane's register, for each place of a register in
/// the tile.
pub(super) fn passes(tile: &SharedTile) -> impl Iterator<Item = u32> {
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
            let mut addresses = [0; WARP as usize];
            for (lane, address) in (0..).zip(&mut addresses) {
                let at = register.position(Owner { lane, register: 0, element });
                let [mn, k] = at.unwrap_or_default();
                *address = tile.address(mn0 + mn, k0 + k);
            }
            bank_passes(&addresses, tile.element_bytes)
        })
    })
}

/// The registers of an atom run along m (or n) first.
pub(super) fn cuda_members(load: &SharedToRegister, cols: u32) -> String {
    format!(
        "    static constexpr int ATOM_REGISTERS = {}, BANDS = {};  // 8 rows of m (or n) each\n    \
         static constexpr int COLUMN_BITS = {:#x};  // set in no column's number beyond these\n",
        load.fragment.registers(),
        load.fragment.bands(),
        cols.next_power_of_two() - 1,
    )
}

/// The device function `shared_to_register`, and what it calls.
pub(super) fn cuda(load: &SharedToRegister) -> [&'static str; 2] {
    match load.fragment.packed() {
        1 => [include_str!("../../ptx/load_shared_u32.cuh"), include_str!("elements_32.cuh")],
        _ => [include_str!("../../ptx/load_shared_u8.cuh"), include_str!("elements_8.cuh")],
    }
}
