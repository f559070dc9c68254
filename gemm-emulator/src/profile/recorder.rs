//! Counting while a kernel runs.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Class, Count, InstructionProfile, Profile, global, shared};
use crate::fault::Direction;
use crate::fault::SourceLine;
use crate::lanes::{LANES, lanes_of};
use crate::memory::resolve;
use crate::program::{AsyncCopy, Program};
use crate::ptx::Space;

/// The counts of the blocks that one worker runs: one for each instruction.
#[derive(Clone, Debug)]
pub(crate) struct Recorder {
    counts: Vec<Count>,
}

impl Recorder {
    /// Size of what is kept of one instruction.
    pub(crate) const BYTES: usize = size_of::<Count>();

    pub(crate) fn new(program: &Program) -> Recorder {
        Recorder { counts: vec![Count::default(); program.code.len()] }
    }

    /// A warp has come to an instruction, which the lanes in `active` execute.
    #[inline]
    pub(crate) fn executed(&mut self, pc: u32, active: u32) {
        let count = &mut self.counts[pc as usize];
        count.executed += 1;
        count.threads += u64::from(active.count_ones());
    }

    /// Lanes have accessed `bytes` bytes each at an aligned address.
    pub(crate) fn accessed(
        &mut self,
        pc: u32,
        space: Space,
        addresses: &[u64; LANES],
        active: u32,
        bytes: u32,
        direction: Direction,
    ) {
        match space {
            Space::Shared => self.shared(pc, addresses, active, bytes, direction),
            Space::Global | Space::Constant => self.global(pc, addresses, active, bytes),
            // What the memory of another block costs is not counted.
            Space::Local | Space::Parameter | Space::Cluster => {}
            Space::Generic => {
                let places = addresses.map(resolve);
                let within = |space| {
                    let lanes = lanes_of(active).filter(move |lane| places[*lane].0 == space);
                    lanes.fold(0, |mask, lane| mask | 1 << lane)
                };
                let addresses = places.map(|(_, address)| address);
                let masks = [Space::Shared, Space::Global].map(within);
                self.shared(pc, &addresses, masks[0], bytes, direction);
                self.global(pc, &addresses, masks[1], bytes);
            }
        }
    }

    fn shared(
        &mut self,
        pc: u32,
        addresses: &[u64; LANES],
        active: u32,
        bytes: u32,
        direction: Direction,
    ) {
        self.counts[pc as usize].shared += shared::request(addresses, active, bytes, direction);
    }

    fn global(&mut self, pc: u32, addresses: &[u64; LANES], active: u32, bytes: u32) {
        let traffic = global::request(addresses, active, |_| bytes, |_| 0);
        self.counts[pc as usize].global += traffic;
    }

    /// Lanes have started copies that read `bytes(lane)` bytes each.
    pub(crate) fn copied(
        &mut self,
        pc: u32,
        [from, to]: [&[u64; LANES]; 2],
        active: u32,
        copy: &AsyncCopy,
        bytes: impl Fn(usize) -> u32,
    ) {
        self.shared(pc, to, active, copy.bytes.into(), Direction::Write);
        let traffic = global::copy(from, to, active, bytes, copy.past_l1);
        self.counts[pc as usize].global += traffic;
    }

    /// A thread has started a tensor copy that reads `rows` (address and bytes, ascending) and writes `bytes` bytes.
    pub(crate) fn tensor_copied(&mut self, pc: u32, rows: &[(u64, u64)], bytes: u64) {
        let count = &mut self.counts[pc as usize];
        count.shared += shared::tensor(bytes);
        count.global += global::rows(rows);
    }

    /// A warp has moved matrices whose rows of 16 bytes begin at these addresses.
    pub(crate) fn matrices(&mut self, pc: u32, rows: &[u64]) {
        self.counts[pc as usize].shared += shared::rows(rows);
    }

    /// Takes over what another worker counted.
    pub(crate) fn add(&mut self, other: &Recorder) {
        self.counts.iter_mut().zip(&other.counts).for_each(|(sum, count)| *sum += *count);
    }

    pub(crate) fn finish(self, program: &Program) -> Profile {
        // Many instructions come from one line, and the calls around it may be many.
        let mut sources: HashMap<Option<u32>, Arc<[SourceLine]>> = HashMap::new();
        let mut source = |frame| {
            let lines = sources.entry(frame).or_insert_with(|| program.source.lines(frame).into());
            lines.clone()
        };
        let instructions = program.code.iter().zip(&program.origins).zip(self.counts);
        let instructions = instructions.map(|((instruction, origin), count)| InstructionProfile {
            opcode: program.opcodes.get(origin.opcode as usize).cloned().unwrap_or_default(),
            class: Class::of(&instruction.op),
            ptx_line: origin.ptx_line,
            source: source(origin.frame),
            count,
        });
        Profile { instructions: instructions.collect() }
    }
}
