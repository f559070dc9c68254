//! Who holds what: the registers of a warp ↔ the elements of an MMA atom's matrices.

use crate::axis::Side;
use crate::hardware::WARP;
use crate::level::mma::RegisterTile;

/// Lanes that hold a line of a matrix together.
pub(crate) const LANES_OF_LINE: u32 = 4;

/// Lines of a matrix that a warp holds with one register of each lane.
pub(crate) const BAND: u32 = WARP / LANES_OF_LINE;

/// More than any `mma.sync` has along m, n or k.
const MAX_EXTENT: u32 = 1024;

/// One of the matrices of an MMA atom, `C(m×n) += A(m×k) · B(k×n)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AtomMatrix {
    /// The first factor, m×k.
    A,
    /// The second factor, k×n.
    B,
    /// The accumulator, m×n.
    C,
}

impl AtomMatrix {
    /// A, B, C in that order.
    pub const ALL: [AtomMatrix; 3] = [AtomMatrix::A, AtomMatrix::B, AtomMatrix::C];

    /// The matrix that one of the two factors is.
    pub const fn of(side: Side) -> AtomMatrix {
        match side {
            Side::A => AtomMatrix::A,
            Side::B => AtomMatrix::B,
        }
    }

    /// The upper-case letter.
    pub const fn letter(self) -> &'static str {
        match self {
            AtomMatrix::A => "A",
            AtomMatrix::B => "B",
            AtomMatrix::C => "C",
        }
    }
}

/// Where an element is: in which lane of the warp, in which of its registers, and where there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Owner {
    /// Lane of the warp.
    pub lane: u32,
    /// Register of the lane, in the order of the instruction's operand.
    pub register: u32,
    /// Element of the register, from its low bits on; 0 where a register is one element.
    pub element: u32,
}

/// The ownership map of one matrix of an MMA atom: (lane, register, element) ↔ (row, column).
///
/// [`Atom::fragment`](crate::Atom::fragment) has those of the tensor cores' atoms. Their rule is one
/// for all types and shapes that give a lane of `4·g + t` a part of line `g` of eight; a line is a
/// row of A or C, a column of B. Elements lie in a lane's registers in runs of neighbours on a line,
/// as many as a 32-bit register of A or B holds, and two of C. Element `e` of run `r` lies on line
///
/// ```text
/// g + 8·(r mod bands)                              bands = lines / 8
/// ```
///
/// and there at
///
/// ```text
/// 4·run·(r div bands) + run·t + e
/// ```
///
/// PTX ISA, "Matrix Fragments for mma.m16n8k16 with floating point type" and the sections beside
/// it. What lanes multiply without tensor cores has the rule of [`RegisterTile`]. `Display` writes a
/// map as a table of the matrix whose cells name the lane; the alternate form, `{:#}`, also the
/// register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fragment {
    matrix: AtomMatrix,
    rows: u32,
    columns: u32,
    /// Elements of a register.
    packed: u32,
    /// Bits of an element.
    bits: u32,
    owners: Owners,
}

/// How the elements are dealt to the lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owners {
    /// By lines, in runs of this many neighbours.
    Lines { run: u32 },
    /// As they are packed: two neighbours for each register that is multiplied.
    Packed,
    /// By register tiles.
    Tile(RegisterTile),
}

impl Fragment {
    /// The map of `matrix` in `mma.sync` of this shape (m, n, k), for elements of `bits` bits.
    ///
    /// None where the rule does not fit: a matrix that is not a whole number of bands of eight lines,
    /// lines that are no whole number of runs of four lanes, or extents that no instruction has.
    pub const fn new(shape: [u32; 3], matrix: AtomMatrix, bits: u32) -> Option<Fragment> {
        let [m, n, k] = shape;
        let (lines, length) = match matrix {
            AtomMatrix::A => (m, k),
            AtomMatrix::B => (n, k),
            AtomMatrix::C => (m, n),
        };
        let (least, most) = if lines < length { (lines, length) } else { (length, lines) };
        if bits > 64 || !bits.is_power_of_two() || least == 0 || most > MAX_EXTENT {
            return None;
        }
        // A register is of 32 bits, and of 64 for elements that need them.
        let packed = if bits < 32 { 32 / bits } else { 1 };
        let run = if matches!(matrix, AtomMatrix::C) { 2 } else { packed };
        let fits = lines.is_multiple_of(BAND)
            && length.is_multiple_of(LANES_OF_LINE * run)
            && (lines / BAND * (length / LANES_OF_LINE)).is_multiple_of(packed);
        let (rows, columns) =
            if matches!(matrix, AtomMatrix::B) { (length, lines) } else { (lines, length) };
        let owners = Owners::Lines { run };
        if fits { Some(Fragment { matrix, rows, columns, packed, bits, owners }) } else { None }
    }

    /// The map of a factor whose lanes have `run` neighbours of each line, for `mma.sync` of a k-step of four such
    /// runs.
    pub(crate) const fn of_runs(
        [m, n, k]: [u32; 3],
        matrix: AtomMatrix,
        bits: u32,
        run: u32,
    ) -> Fragment {
        let [rows, columns] = match matrix {
            AtomMatrix::A => [m, k],
            AtomMatrix::B => [k, n],
            AtomMatrix::C => [m, n],
        };
        Fragment { matrix, rows, columns, packed: 32 / bits, bits, owners: Owners::Lines { run } }
    }

    /// The map of packed elements of a factor, of 16 of its lines: for a k-step of whole instructions.
    pub(crate) const fn of_packed([m, _, k]: [u32; 3], matrix: AtomMatrix, bits: u32) -> Fragment {
        let [rows, columns] = if matches!(matrix, AtomMatrix::B) { [k, m] } else { [m, k] };
        Fragment { matrix, rows, columns, packed: 32 / bits, bits, owners: Owners::Packed }
    }

    /// The map of `matrix` of register tiles whose registers hold `packed` elements of `bits` bits.
    pub(crate) fn of_tile(
        tile: RegisterTile,
        matrix: AtomMatrix,
        bits: u32,
        packed: u32,
    ) -> Fragment {
        let [m, n, k] = tile.shape();
        let [rows, columns] = match matrix {
            AtomMatrix::A => [m, k],
            AtomMatrix::B => [k, n],
            AtomMatrix::C => [m, n],
        };
        Fragment { matrix, rows, columns, packed, bits, owners: Owners::Tile(tile) }
    }

    /// Which matrix it is of.
    pub const fn matrix(&self) -> AtomMatrix {
        self.matrix
    }

    /// Rows of the matrix.
    pub const fn rows(&self) -> u32 {
        self.rows
    }

    /// Columns of the matrix.
    pub const fn columns(&self) -> u32 {
        self.columns
    }

    /// Registers of a lane: of 64 bits for elements that need them, else of 32.
    pub fn registers(&self) -> u32 {
        let held = match self.owners {
            Owners::Lines { .. } | Owners::Packed => self.rows * self.columns / WARP,
            Owners::Tile(tile) => tile.held(self.matrix),
        };
        held / self.packed
    }

    /// The same in registers of 32 bits.
    pub fn words(&self) -> u32 {
        self.registers() * self.bits.div_ceil(32)
    }

    /// Groups of eight lines.
    pub const fn bands(&self) -> u32 {
        self.lines() / BAND
    }

    /// Bits of an element.
    pub const fn bits(&self) -> u32 {
        self.bits
    }

    /// Elements of a register.
    pub const fn packed(&self) -> u32 {
        self.packed
    }

    /// Row and column of an element that a lane holds; None for a lane, register or element out of range.
    pub fn position(&self, owner: Owner) -> Option<[u32; 2]> {
        let Owner { lane, register, element } = owner;
        if lane >= WARP || register >= self.registers() || element >= self.packed {
            return None;
        }
        let held = register * self.packed + element;
        Some(match self.owners {
            Owners::Lines { run } => self.position_on_line(lane, held, run),
            Owners::Packed => {
                let of_pairs =
                    2 * (held / self.packed * self.packed / 2 + held % (self.packed / 2));
                let second = held % self.packed / (self.packed / 2);
                self.position_on_line(lane, of_pairs + second, 2)
            }
            Owners::Tile(tile) => tile.position(self.matrix, lane, held),
        })
    }

    /// Who holds the element at this row and column, the first where several do; None outside the
    /// matrix.
    pub fn owner(&self, row: u32, column: u32) -> Option<Owner> {
        if row >= self.rows || column >= self.columns {
            return None;
        }
        let (lane, held) = match self.owners {
            Owners::Lines { run } => self.owner_on_line(row, column, run),
            Owners::Packed => {
                let (lane, held) = self.owner_on_line(row, column, 2);
                let (pair, second) = (held / 2, held % 2);
                let of_word = self.packed / 2;
                (lane, pair / of_word * self.packed + pair % of_word + second * of_word)
            }
            Owners::Tile(tile) => tile.owner(self.matrix, row, column),
        };
        Some(Owner { lane, register: held / self.packed, element: held % self.packed })
    }

    const fn position_on_line(&self, lane: u32, held: u32, length: u32) -> [u32; 2] {
        let bands = self.bands();
        let (run, within) = (held / length, held % length);
        let line = lane / LANES_OF_LINE + BAND * (run % bands);
        let at = length * (LANES_OF_LINE * (run / bands) + lane % LANES_OF_LINE) + within;
        if self.lines_are_columns() { [at, line] } else { [line, at] }
    }

    const fn owner_on_line(&self, row: u32, column: u32, length: u32) -> (u32, u32) {
        let (line, at) = if self.lines_are_columns() { (column, row) } else { (row, column) };
        let (runs, within) = (at / length, at % length);
        let run = runs / LANES_OF_LINE * self.bands() + line / BAND;
        (line % BAND * LANES_OF_LINE + runs % LANES_OF_LINE, run * length + within)
    }

    /// Every element with its row and column, lane by lane and register by register.
    pub fn iter(&self) -> impl Iterator<Item = (Owner, [u32; 2])> {
        let (fragment, packed) = (*self, self.packed);
        let held = self.registers() * packed;
        let owners = (0..WARP).flat_map(move |lane| {
            (0..held).map(move |i| Owner { lane, register: i / packed, element: i % packed })
        });
        owners.filter_map(move |owner| fragment.position(owner).map(|at| (owner, at)))
    }

    const fn lines(&self) -> u32 {
        if self.lines_are_columns() { self.columns } else { self.rows }
    }

    const fn lines_are_columns(&self) -> bool {
        matches!(self.matrix, AtomMatrix::B)
    }
}

#[cfg(test)]
mod tests;
