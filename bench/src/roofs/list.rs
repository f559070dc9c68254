//! The roofs that are measured.

use super::Unit;
use super::kernel::{Amount, Filling, Kernel, Size};
use crate::report::Work;

/// An instruction of a tensor core.
struct Atom {
    unit: Unit,
    /// The struct of `atoms.cu`.
    name: &'static str,
    /// m, n, k.
    shape: [u32; 3],
    filling: Filling,
    /// Atoms of a warp tile, along m and n, of up to 8 warps and of 16.
    tiles: [[u32; 2]; 2],
}

/// As in our GEMMs: a warp tile of 64×64, and half of it where 16 warps share the registers.
const TILES: [[u32; 2]; 2] = [[4, 8], [2, 8]];

const ATOMS: [Atom; 7] = [
    atom(Unit::F16, "f16_f32", 16, Filling::F16),
    atom(Unit::Bf16, "bf16_f32", 16, Filling::Bf16),
    atom(Unit::F16InF16, "f16_f16", 16, Filling::F16),
    atom(Unit::Tf32, "tf32_f32", 8, Filling::F32),
    atom(Unit::S8, "s8_s32", 32, Filling::I8),
    // Halves are made of it on sm_90, which takes registers.
    Atom { tiles: [[2, 8], [1, 8]], ..atom(Unit::E4m3, "e4m3_f32", 32, Filling::E4m3) },
    // Registers of twice the width.
    Atom { tiles: [[2, 4], [1, 4]], ..atom(Unit::F64, "f64_f64", 16, Filling::F64) },
];

const fn atom(unit: Unit, name: &'static str, k: u32, filling: Filling) -> Atom {
    Atom { unit, name, shape: [16, 8, k], filling, tiles: TILES }
}

/// Every roof by every number of warps.
pub(super) fn all() -> Vec<Kernel> {
    let atoms = ATOMS.iter().flat_map(|atom| [4, 8, 16].map(|warps| of_atom(atom, warps)));
    let lanes = [8, 16, 32].map(chains).into_iter().chain([4, 8, 16].map(outer_product));
    let shared = [8, 16, 32].map(ldmatrix);
    let dram = reads().into_iter().chain(DRAM.map(|[blocks, warps]| dram(true, blocks, warps)));
    let l2 = [1, 2, 8].into_iter().flat_map(|sharers| [8, 16].map(|warps| l2(sharers, warps)));
    atoms.chain([feed()]).chain(lanes).chain(shared).chain(dram).chain(l2).collect()
}

/// Blocks of an SM and their warps.
const DRAM: [[u32; 2]; 3] = [[2, 16], [4, 8], [8, 8]];

/// The kernels that only read.
pub(super) fn reads() -> [Kernel; 3] {
    DRAM.map(|[blocks, warps]| dram(false, blocks, warps))
}

/// An atom whose factors stay in registers.
fn of_atom(atom: &Atom, warps: u32) -> Kernel {
    let [rows, columns] = atom.tiles[usize::from(warps > 8)];
    let [m, n, k] = atom.shape;
    Kernel {
        how: format!("{warps} warps of {}×{}", rows * m, columns * n),
        parts: &[include_str!("atoms.cu"), include_str!("mma.cu")],
        defines: vec![
            format!("ATOM={}", atom.name),
            format!("ROWS={rows}"),
            format!("COLUMNS={columns}"),
        ],
        amount: steps(2000, Work::Operations(f64::from(4 * warps * rows * columns * m * n * k))),
        ..in_registers(atom.unit, warps, atom.filling)
    }
}

/// f16 → f32 with fragments from shared memory.
fn feed() -> Kernel {
    Kernel {
        how: "8 warps of 64×64, ldmatrix".to_owned(),
        parts: &[include_str!("atoms.cu"), include_str!("feed.cu")],
        shared_bytes: 192 << 10,
        amount: steps(1000, Work::Operations(2.0 * 128.0 * 256.0 * 64.0)),
        ..in_registers(Unit::F16, 8, Filling::F16)
    }
}

fn chains(warps: u32) -> Kernel {
    const CHAINS: u32 = 16;
    Kernel {
        how: format!("{warps} warps of {CHAINS} chains"),
        parts: &[include_str!("lanes.cu")],
        defines: vec![format!("CHAINS={CHAINS}")],
        amount: steps(2000, Work::Operations(f64::from(2 * 32 * warps * 32 * CHAINS))),
        ..in_registers(Unit::Fma, warps, Filling::F32)
    }
}

fn outer_product(warps: u32) -> Kernel {
    Kernel {
        how: format!("{warps} warps, 8×8 of a lane"),
        parts: &[include_str!("lanes.cu")],
        amount: steps(2000, Work::Operations(f64::from(2 * 32 * warps * 8 * 64))),
        ..in_registers(Unit::Fma, warps, Filling::F32)
    }
}

fn ldmatrix(warps: u32) -> Kernel {
    Kernel {
        how: format!("{warps} warps"),
        parts: &[include_str!("shared.cu")],
        shared_bytes: 16 << 10,
        amount: steps(10_000, Work::Bytes(f64::from(warps * 16 * 512))),
        ..in_registers(Unit::Ldmatrix, warps, Filling::F16)
    }
}

/// A warp has 4 KiB on their way.
fn dram(copy: bool, blocks: u32, warps: u32) -> Kernel {
    let (unit, moves) = if copy { (Unit::DramCopy, 2) } else { (Unit::DramRead, 1) };
    Kernel {
        how: format!("{blocks} blocks of {warps} warps"),
        parts: &[include_str!("dram.cu")],
        defines: if copy { vec!["COPY".to_owned()] } else { Vec::new() },
        blocks,
        size: Size::Dram,
        amount: Amount::Pieces { bytes: u64::from(8 * 16 * 32 * warps), moves },
        ..in_registers(unit, warps, Filling::F16)
    }
}

fn l2(sharers: u32, warps: u32) -> Kernel {
    const STAGE_BYTES: u32 = 48 << 10;
    Kernel {
        how: match sharers {
            1 => format!("{warps} warps, a tile each"),
            _ => format!("{warps} warps, {sharers} blocks of a tile"),
        },
        parts: &[include_str!("l2.cu")],
        defines: vec![format!("SHARERS={sharers}")],
        shared_bytes: 4 * STAGE_BYTES,
        size: Size::L2,
        amount: steps(4000, Work::Bytes(f64::from(STAGE_BYTES))),
        ..in_registers(Unit::L2, warps, Filling::F16)
    }
}

/// One block on each SM, and nothing but registers.
fn in_registers(unit: Unit, warps: u32, filling: Filling) -> Kernel {
    Kernel {
        unit,
        how: String::new(),
        parts: &[],
        defines: Vec::new(),
        warps,
        blocks: 1,
        shared_bytes: 0,
        filling,
        size: Size::Small,
        amount: steps(0, Work::Bytes(0.0)),
    }
}

const fn steps(steps: u64, of_block: Work) -> Amount {
    Amount::Steps { steps, of_block }
}
