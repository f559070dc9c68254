use super::*;
use crate::level::mma::{ATOMS, Atom, Multiply};
use crate::level::shared_tile::SharedTile;
use crate::level::shared_to_register::{self, LoadPath};
use crate::spec::Mma;
use crate::{Element, Side, Swizzle, TileOrder};

/// Shape, and bits of an element of A and B, and of C: every kind of `mma.sync` that the rule is
/// for, and some that no atom is of yet.
const FORMS: [([u32; 3], u32, u32); 15] = [
    ([16, 8, 8], 16, 32),
    ([16, 8, 16], 16, 32),
    ([16, 8, 16], 16, 16),
    ([16, 8, 4], 32, 32),
    ([16, 8, 8], 32, 32),
    ([8, 8, 16], 8, 32),
    ([16, 8, 16], 8, 32),
    ([16, 8, 32], 8, 32),
    ([8, 8, 32], 4, 32),
    ([16, 8, 64], 4, 32),
    ([16, 8, 256], 1, 32),
    ([8, 8, 4], 64, 64),
    ([16, 8, 4], 64, 64),
    ([16, 8, 8], 64, 64),
    ([16, 8, 16], 64, 64),
];

fn fragments() -> impl Iterator<Item = Fragment> {
    FORMS.into_iter().flat_map(|(shape, bits, sum_bits)| {
        AtomMatrix::ALL.map(|matrix| {
            let bits = if matrix == AtomMatrix::C { sum_bits } else { bits };
            Fragment::new(shape, matrix, bits).expect("it fits the rule")
        })
    })
}

#[test]
fn every_element_has_one_owner_and_every_owner_one_element() {
    for fragment in fragments() {
        let mut seen = vec![0; (fragment.rows() * fragment.columns()) as usize];
        for (owner, [row, column]) in fragment.iter() {
            assert_eq!(fragment.owner(row, column), Some(owner), "{fragment:?}");
            seen[(row * fragment.columns() + column) as usize] += 1;
        }
        assert!(seen.iter().all(|times| *times == 1), "{fragment:?}");
        let beyond = Owner { lane: 0, register: fragment.registers(), element: 0 };
        assert_eq!(fragment.position(beyond), None);
        assert_eq!(fragment.owner(fragment.rows(), 0), None);
        assert_eq!(fragment.owner(0, fragment.columns()), None);
    }
}

/// The formulas of the PTX ISA, which number the elements of a lane and tell the cases apart.
#[test]
fn the_rule_says_what_the_ptx_isa_says() {
    type Formula = fn(group: u32, thread: u32, i: u32) -> [u32; 2];
    let agrees = |shape, matrix, bits, formula: Formula| {
        let fragment = Fragment::new(shape, matrix, bits).expect("it fits the rule");
        for (Owner { lane, register, element }, at) in fragment.iter() {
            let i = register * fragment.packed() + element;
            assert_eq!(at, formula(lane / 4, lane % 4, i), "{fragment:?} lane {lane}, {i}");
        }
    };
    // m16n8k8 and m16n8k16 of 16-bit elements.
    agrees([16, 8, 8], AtomMatrix::A, 16, |g, t, i| [if i < 2 { g } else { g + 8 }, 2 * t + i % 2]);
    agrees([16, 8, 8], AtomMatrix::B, 16, |g, t, i| [2 * t + i, g]);
    agrees([16, 8, 16], AtomMatrix::A, 16, |g, t, i| {
        let row = if i < 2 || (4..6).contains(&i) { g } else { g + 8 };
        [row, if i < 4 { 2 * t + i % 2 } else { 2 * t + i % 2 + 8 }]
    });
    agrees([16, 8, 16], AtomMatrix::B, 16, |g, t, i| {
        [if i < 2 { 2 * t + i % 2 } else { 2 * t + i % 2 + 8 }, g]
    });
    agrees([16, 8, 16], AtomMatrix::C, 32, |g, t, i| {
        [if i < 2 { g } else { g + 8 }, 2 * t + i % 2]
    });
    // m16n8k8 of tf32.
    agrees([16, 8, 8], AtomMatrix::A, 32, |g, t, i| {
        [if i % 2 == 0 { g } else { g + 8 }, if i < 2 { t } else { t + 4 }]
    });
    agrees([16, 8, 8], AtomMatrix::B, 32, |g, t, i| [if i == 0 { t } else { t + 4 }, g]);
    // m16n8k32 of 8-bit elements.
    agrees([16, 8, 32], AtomMatrix::A, 8, |g, t, i| {
        let row = if i < 4 || (8..12).contains(&i) { g } else { g + 8 };
        [row, if i < 8 { 4 * t + i % 4 } else { 4 * t + i % 4 + 16 }]
    });
    agrees([16, 8, 32], AtomMatrix::B, 8, |g, t, i| {
        [if i < 4 { 4 * t + i % 4 } else { 4 * t + i % 4 + 16 }, g]
    });
    // m8n8k4 of f64.
    agrees([8, 8, 4], AtomMatrix::A, 64, |g, t, _| [g, t]);
    agrees([8, 8, 4], AtomMatrix::B, 64, |g, t, _| [t, g]);
    agrees([8, 8, 4], AtomMatrix::C, 64, |g, t, i| [g, 2 * t + i]);
}

#[test]
fn registers_of_64_bits_are_two_words() {
    let words = |shape, matrix, bits| Fragment::new(shape, matrix, bits).map(|map| map.words());
    assert_eq!(words([8, 8, 4], AtomMatrix::A, 64), Some(2));
    assert_eq!(words([8, 8, 4], AtomMatrix::C, 64), Some(4));
    assert_eq!(words([16, 8, 16], AtomMatrix::A, 16), Some(4));
    assert_eq!(words([16, 8, 16], AtomMatrix::C, 16), Some(2));
}

#[test]
fn every_atom_of_the_table_has_maps() {
    for atom in ATOMS {
        for matrix in AtomMatrix::ALL {
            let map = atom.fragment(matrix);
            assert_eq!(map.iter().count() as u32, map.rows() * map.columns(), "{atom:?}");
        }
    }
}

#[test]
fn what_does_not_fit_the_rule_has_no_map() {
    for (shape, bits) in [([12, 8, 16], 16), ([16, 8, 4], 16), ([16, 8, 0], 16), ([16, 8, 16], 12)]
    {
        assert_eq!(Fragment::new(shape, AtomMatrix::A, bits), None, "{shape:?} {bits}");
    }
    assert_eq!(Fragment::new([u32::MAX - 7, 8, 8], AtomMatrix::A, 16), None);
}

#[test]
fn the_table_names_the_lane_of_each_element() {
    let c = halves(Mma::M16n8k16).fragment(AtomMatrix::C);
    let text = c.to_string();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 17);
    assert_eq!(lines[0], "C(16x8)   0   1   2   3   4   5   6   7");
    assert_eq!(lines[1], "      0 T00 T00 T01 T01 T02 T02 T03 T03");
    assert_eq!(lines[2], "      1 T04 T04 T05 T05 T06 T06 T07 T07");
    assert_eq!(lines[9], "      8 T00 T00 T01 T01 T02 T02 T03 T03");
    assert_eq!(lines[16], "     15 T28 T28 T29 T29 T30 T30 T31 T31");

    let text = format!("{:#}", halves(Mma::M16n8k8).fragment(AtomMatrix::B));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[1], "     0 T00:0 T04:0 T08:0 T12:0 T16:0 T20:0 T24:0 T28:0");
    assert_eq!(lines[8], "     7 T03:0 T07:0 T11:0 T15:0 T19:0 T23:0 T27:0 T31:0");
}

/// `ldmatrix` gives lane l the 4 bytes l mod 4 of row l / 4 of each matrix (PTX ISA, "ldmatrix"): as
/// many elements as a register has, along k. The text says where in the tile matrix 0..4 begins.
#[test]
fn the_matrices_of_an_x4_load_are_the_registers_of_the_map() {
    let by_ldmatrix = |atom: &&Atom| atom.elements[0].bytes() <= 4 && atom.shape.warps() == 1;
    for atom in ATOMS.iter().filter(by_ldmatrix) {
        for side in Side::BOTH {
            let map = atom.fragment(AtomMatrix::of(side));
            let [mn0, k0] = starts_of_x4(atom, side);
            for (Owner { lane, register, element }, at) in map.iter() {
                // The next atoms along m or n follow in the same load.
                for number in (register..4).step_by(map.registers() as usize) {
                    let [mn, k] = if side == Side::A { at } else { [at[1], at[0]] };
                    let atom_mn = number / map.registers() * map.lines();
                    assert_eq!(mn0[number as usize] + lane / 4, atom_mn + mn);
                    assert_eq!(k0[number as usize] + lane % 4 * map.packed() + element, k);
                }
            }
        }
    }
}

/// The atom of this shape that multiplies f16.
fn halves(shape: Mma) -> &'static Atom {
    Atom::find(shape, Element::F16, Element::F16).expect("halves have it")
}

/// What the text's `matrix_mn` and `matrix_k` return for matrix 0..4, by the constants of the tile.
fn starts_of_x4(atom: &'static Atom, side: Side) -> [[u32; 4]; 2] {
    let element = atom.elements[0];
    let swizzle = Swizzle { b: 0, m: 4, s: 4 };
    let tile = SharedTile::new(side, [32, 32, 32], true, element, TileOrder::Rows(swizzle));
    let path = LoadPath::Ldmatrix { transposed: false };
    let text = shared_to_register::plan(&tile, path, &Multiply::of(atom), 2).cuda_members(&tile);
    let constant = |name: &str| {
        let value = text.split(&format!("{name} = ")).nth(1).expect("the constant");
        value.split([',', ';']).next().expect("its value").to_owned()
    };
    let number = |name: &str| constant(name).parse::<u32>().expect("a number");
    let (matrices_k, matrix_k) = (number("MATRICES_K"), number("MATRIX_K"));
    let [mn, k]: [fn(u32) -> u32; 2] = match (matrices_k, &*constant("K_FIRST")) {
        (1, _) => [|matrix| matrix, |_| 0],
        (_, "true") => [|matrix| matrix / 2, |matrix| matrix % 2],
        (_, _) => [|matrix| matrix % 2, |matrix| matrix / 2],
    };
    [[0, 1, 2, 3].map(|matrix| mn(matrix) * 8), [0, 1, 2, 3].map(|matrix| k(matrix) * matrix_k)]
}
