//! What links the elements of pictures to the source: owners and accesses, as JSON for the page.

use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt::Write as _;

use gemm_codegen::level::shared_to_register::SharedToRegister;
use gemm_codegen::{AtomMatrix, Axis, Owner, Plan, Side};
use gemm_emulator::Trace;
use gemm_emulator::trace::{Access, AccessKind, AccessPart};

use super::access::side_of;
use crate::canvas::ranges;
use crate::grid::Grid;
use crate::shared_tile;

/// Bytes of a sector of global memory.
const SECTOR: u64 = 32;

/// An object with what is known of each side:
///
/// - `unit`: bytes of a cell of the picture of shared memory;
/// - `owners`: by the address of a cell, the lanes and registers that hold its elements;
/// - `accesses`: each with `what`, `warp`, `lines`, the source line and those of the calls around it, and `at`:
///   address of a cell, lane, wavefront, sector of global memory; -1 for what is not known;
/// - `atom`: for each row of the fragments' picture, the addresses of its elements.
pub(super) fn json(plan: &Plan, trace: &Trace) -> String {
    let sides = Side::BOTH.map(|side| {
        let linked = Linked::new(plan, trace, side);
        format!("\"{}\":{}", side.letter(), linked.json(plan, trace))
    });
    format!("{{{}}}", sides.join(","))
}

/// A tile whose cells are linked.
struct Linked<'a> {
    side: Side,
    grid: Grid<'a>,
    /// The addresses of the cells that are drawn.
    drawn: HashSet<u32>,
    /// Where the first stage begins in shared memory, and the operand in global memory.
    base: Option<(u32, Option<u64>)>,
}

impl<'a> Linked<'a> {
    fn new(plan: &'a Plan, trace: &Trace, side: Side) -> Linked<'a> {
        let grid = Grid::new(plan.shared_tile(side));
        let [lines, units] = shared_tile::drawn_of(plan, side);
        let all = (0..lines).flat_map(|line| (0..units).map(move |unit| (line, unit)));
        let drawn = all.map(|(line, unit)| grid.address(line, unit)).collect();
        let mut linked = Linked { side, grid, drawn, base: None };
        linked.base = linked.base_of(trace);
        linked
    }

    /// The first bytes that the copies of the side write and read: those of the first element, since the block
    /// is the first one.
    fn base_of(&self, trace: &Trace) -> Option<(u32, Option<u64>)> {
        let fills = |access: &&Access| {
            matches!(access.kind, AccessKind::Copy | AccessKind::Store) && self.is_of(access)
        };
        let copies = || trace.accesses.iter().filter(|one| one.block == trace.rank).filter(fills);
        let shared = copies().flat_map(|one| &one.parts).filter_map(|part| part.shared).min()?;
        let read = trace.accesses.iter().filter(|one| one.block == trace.rank && self.is_of(one));
        let global = read.flat_map(|one| &one.parts).filter_map(|part| part.global).min();
        Some((shared, global))
    }

    /// Whether an access is one of the device functions of this side.
    fn is_of(&self, access: &Access) -> bool {
        access.source.iter().any(|line| side_of(line) == Some(self.side))
    }

    fn json(&self, plan: &Plan, trace: &Trace) -> String {
        let mut text = format!("{{\"unit\":{},\"owners\":{{", self.grid.bytes);
        for (number, (address, owners)) in self.owners(plan).iter().enumerate() {
            let comma = if number == 0 { "" } else { "," };
            let _ = write!(text, "{comma}\"{address}\":\"{owners}\"");
        }
        let _ = write!(text, "}},\"accesses\":[{}]", self.accesses(trace).join(","));
        let _ = write!(text, ",\"atom\":{}}}", self.atom(plan));
        text
    }

    /// Who holds the elements of each cell, if they are loaded to registers.
    fn owners(&self, plan: &Plan) -> Vec<(u32, String)> {
        let Some(loads) = plan.feed(self.side).loads() else { return Vec::new() };
        let lines = Lines::new(plan, loads);
        let mut owners = Vec::new();
        for line in 0..self.grid.lines {
            for unit in 0..self.grid.units {
                let address = self.grid.address(line, unit);
                if !self.drawn.contains(&address) {
                    continue;
                }
                let [row, column] = self.grid.position(line, unit);
                let along = u32::from(self.grid.tile.is_transposed());
                let elements = (0..self.grid.elements())
                    .filter_map(|at| lines.owners([row + along * at, column + (1 - along) * at]));
                owners.push((address, said(elements.flatten(), loads)));
            }
        }
        owners
    }

    /// The accesses of the first k-tile of the first stage.
    fn accesses(&self, trace: &Trace) -> Vec<String> {
        let mut loaded = Loaded::new(trace, |access| self.is_of(access));
        let mut filled = HashSet::new();
        let mut all = Vec::new();
        for access in trace.accesses.iter().filter(|one| one.block == trace.rank) {
            let is_fill = matches!(access.kind, AccessKind::Copy | AccessKind::Store);
            // Staged results lie in the same bytes.
            let is_linked = access.kind == AccessKind::Multiply || self.is_of(access);
            if !is_linked || access.kind == AccessKind::LoadGlobal {
                continue;
            }
            let mut at = Vec::new();
            for part in &access.parts {
                let is_store = access.kind == AccessKind::Store;
                let load = is_store.then(|| loaded.next(access.warp, part)).flatten();
                let from = part.global.or(load.map(|(global, _)| global));
                // Later copies to the same bytes are of later k-tiles.
                if is_fill && !filled.insert(part.shared) {
                    continue;
                }
                let place = self.place(part, from);
                at.extend(place);
                if let (Some((_, load)), Some([unit, lane, _, sector])) = (load, place) {
                    loaded.loads[load].1.push([unit, lane, -1, sector]);
                }
            }
            all.push((access, at));
        }
        let all = all.into_iter().chain(loaded.loads).filter(|(_, at)| !at.is_empty());
        all.map(|(access, at)| written(access, &at)).collect()
    }

    /// Address of the cell, lane, wavefront and sector of a part of an access, if its cell is drawn.
    fn place(&self, part: &AccessPart, from: Option<u64>) -> Option<[i64; 4]> {
        let (base, operand) = self.base?;
        let place = part.shared?.checked_sub(base)?;
        let unit = place / self.grid.bytes * self.grid.bytes;
        let wavefront = part.wavefront.map_or(-1, i64::from);
        let sector = from
            .zip(operand)
            .and_then(|(at, from)| Some((at / SECTOR).checked_sub(from / SECTOR)? as i64));
        let known = [unit.into(), part.lane.into(), wavefront, sector.unwrap_or(-1)];
        self.drawn.contains(&unit).then_some(known)
    }

    /// The addresses of the elements of the first atom of the first warp, row by row as it is drawn.
    fn atom(&self, plan: &Plan) -> String {
        let Some(loads) = plan.feed(self.side).loads() else { return "[]".to_owned() };
        let map = plan.mma().fragment(AtomMatrix::of(self.side));
        let lines = (0..map.rows()).map(|row| {
            let elements = (0..map.columns()).map(|column| {
                let (mn, k) = if self.side == Side::A { (row, column) } else { (column, row) };
                self.grid.tile.address(loads.path.line(mn), k).to_string()
            });
            format!("[{}]", elements.collect::<Vec<_>>().join(","))
        });
        format!("[{}]", lines.collect::<Vec<_>>().join(","))
    }
}

/// An access of a warp as JSON.
fn written(access: &Access, at: &[[i64; 4]]) -> String {
    let what = match access.kind {
        AccessKind::Load => "loaded",
        AccessKind::Store => "stored",
        AccessKind::Copy => "copied",
        AccessKind::LoadGlobal => "fetched to registers",
        AccessKind::Multiply => "multiplied",
        _ => "accessed",
    };
    let mut lines: Vec<String> = Vec::new();
    for line in access.source.iter().map(|line| line.line.to_string()) {
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    let numbers: Vec<String> = at.iter().flatten().map(i64::to_string).collect();
    format!(
        "{{\"what\":\"{what}\",\"warp\":{},\"lines\":[{}],\"at\":[{}]}}",
        access.warp,
        lines.join(","),
        numbers.join(",")
    )
}

/// The loads from global memory whose values are then stored to shared memory.
struct Loaded<'t> {
    /// Each with the cells to which its values go.
    loads: Vec<(&'t Access, Vec<[i64; 4]>)>,
    /// What is not stored yet, in order, by warp and lane.
    left: HashMap<(u32, u32), VecDeque<Value>>,
}

/// A value in registers.
struct Value {
    global: u64,
    bytes: u32,
    /// The number of its load.
    load: usize,
}

impl<'t> Loaded<'t> {
    fn new(trace: &'t Trace, is_of: impl Fn(&Access) -> bool) -> Loaded<'t> {
        let is_load = |one: &&Access| {
            one.kind == AccessKind::LoadGlobal && one.block == trace.rank && is_of(one)
        };
        let mut loaded = Loaded { loads: Vec::new(), left: HashMap::new() };
        for access in trace.accesses.iter().filter(is_load) {
            for part in &access.parts {
                let of_lane = loaded.left.entry((access.warp, part.lane)).or_default();
                let number = loaded.loads.len();
                let value = |global| Value { global, bytes: part.bytes, load: number };
                of_lane.extend(part.global.map(value));
            }
            loaded.loads.push((access, Vec::new()));
        }
        loaded
    }

    /// Address and load of what a lane stores next, if its loads are as wide.
    fn next(&mut self, warp: u32, part: &AccessPart) -> Option<(u64, usize)> {
        let Value { global, bytes, load } = self.left.get_mut(&(warp, part.lane))?.pop_front()?;
        (bytes == part.bytes).then_some((global, load))
    }
}

/// The lines of a warp's fragments, by the lines of the tile.
struct Lines<'a> {
    plan: &'a Plan,
    loads: &'a SharedToRegister,
    of_fragments: HashMap<u32, u32>,
    axis: Axis,
    /// Who holds each element of an atom: several lanes where these multiply it by different elements.
    owners: HashMap<[u32; 2], Vec<Owner>>,
}

impl<'a> Lines<'a> {
    fn new(plan: &'a Plan, loads: &'a SharedToRegister) -> Lines<'a> {
        let axis = if loads.side == Side::A { Axis::M } else { Axis::N };
        let count = plan.warps().tile[axis as usize];
        let of_fragments = (0..count).map(|line| (loads.path.line(line), line)).collect();
        let mut owners: HashMap<[u32; 2], Vec<Owner>> = HashMap::new();
        for (owner, at) in loads.fragment.iter() {
            owners.entry(at).or_default().push(owner);
        }
        Lines { plan, loads, of_fragments, axis, owners }
    }

    /// Who holds the element of this row and column of the tile, in the warps that have it.
    fn owners(&self, [row, column]: [u32; 2]) -> Option<&Vec<Owner>> {
        let tile = self.plan.shared_tile(self.loads.side);
        let (mn, k) = if tile.k_contiguous { (row, column) } else { (column, row) };
        let warps = self.plan.warps();
        let line = self.of_fragments.get(&(mn % warps.tile[self.axis as usize]))?;
        let shape = self.plan.mma().shape();
        let (line, k) = (line % shape[self.axis as usize], k % shape[2]);
        let at = if self.loads.side == Side::A { [line, k] } else { [k, line] };
        self.owners.get(&at)
    }
}

/// `lanes 0–3, register 0`
fn said<'a>(owners: impl Iterator<Item = &'a Owner>, loads: &SharedToRegister) -> String {
    let (mut lanes, mut registers) = (Vec::new(), Vec::new());
    for Owner { lane, register, .. } in owners {
        lanes.push(*lane);
        registers.push(*register);
    }
    for numbers in [&mut lanes, &mut registers] {
        numbers.sort_unstable();
        numbers.dedup();
    }
    let plural = |numbers: &[u32]| if numbers.len() == 1 { "" } else { "s" };
    format!(
        "lane{} {}, register{} {} of {}",
        plural(&lanes),
        ranges(&lanes),
        plural(&registers),
        ranges(&registers),
        loads.side.letter().to_uppercase()
    )
}
