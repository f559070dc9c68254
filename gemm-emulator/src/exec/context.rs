//! State that all blocks of a launch share.

use super::layout::Layout;
use super::warp::Warp;
use crate::fault::LaunchError;
use crate::launch::Launch;
use crate::memory::{Fixed, GlobalView, LocalLayout, Memory, Order, Shared, Team};
use crate::profile::Recorder;
use crate::program::{OrderMeans, Program};

/// The most shared memory a block has on any device.
const SHARED_LIMIT: u64 = 232_448;
/// The most threads of a block.
const THREAD_LIMIT: u64 = 1024;
/// The most host memory of one block in bytes: far above what a kernel that fits a device comes to.
const BLOCK_MEMORY_LIMIT: u64 = 128 << 20;
/// The most host memory of all blocks that run at the same time.
const MEMORY_LIMIT: u64 = 384 << 20;

/// Which races between blocks a launch looks for.
pub(crate) enum BlockRaces {
    /// None: not asked for, or the kernel orders its blocks by means that are not modelled.
    Ignored,
    /// Two stores to a byte, which nothing can order.
    OfStores,
    /// A store and another store or a load that fences and atomics do not order.
    Unordered(Order),
}

impl BlockRaces {
    fn of(program: &Program, launch: &Launch<'_>) -> BlockRaces {
        match program.means {
            _ if !launch.find_races => BlockRaces::Ignored,
            OrderMeans { fences: false, atomics: false, .. } => BlockRaces::OfStores,
            OrderMeans { fences: true, atomics: true, strong_accesses: false } => {
                BlockRaces::Unordered(Order::default())
            }
            _ => BlockRaces::Ignored,
        }
    }
}

pub(crate) struct Context<'l> {
    pub(crate) program: &'l Program,
    pub(crate) launch: &'l Launch<'l>,
    pub(crate) global: GlobalView,
    /// Which races between blocks to look for.
    pub(crate) block_races: BlockRaces,
    pub(crate) parameters: Fixed,
    pub(crate) locals: LocalLayout,
    /// Start and length of each variable in shared memory.
    pub(crate) shared_variables: Vec<(u32, u32)>,
    pub(crate) shared_bytes: u32,
    /// The address of each of the program's variables, within its space.
    pub(crate) addresses: Vec<u64>,
    /// Threads of a block.
    pub(crate) threads: u32,
    /// Blocks of a cluster along each axis.
    pub(crate) cluster: [u32; 3],
    /// The threads of a cluster.
    pub(crate) team: Team,
    /// Host memory of a block in bytes.
    block_memory: u64,
}

impl<'l> Context<'l> {
    pub(crate) fn new(
        program: &'l Program,
        memory: &Memory,
        launch: &'l Launch<'l>,
    ) -> Result<Context<'l>, LaunchError> {
        check_arguments(program, launch)?;
        let threads = check_extents(program, launch)?;
        let cluster = cluster_of(program, launch)?;
        let team = match cluster.iter().product() {
            1 => Team::alone(threads),
            blocks => Team { blocks, threads: threads.next_multiple_of(32) },
        };
        let mut layout = Layout::default();
        let dynamic = u64::from(launch.shared_bytes);
        let addresses =
            program.variables.iter().map(|variable| layout.place(variable, dynamic)).collect();
        let used = layout.shared_used + dynamic;
        if used > SHARED_LIMIT {
            let (entry, limit) = (program.name.clone(), SHARED_LIMIT);
            return Err(LaunchError::SharedMemory { entry, bytes: used, limit });
        }
        let block_memory = block_memory(program, launch, (threads, team), layout.shared_end);
        if block_memory > BLOCK_MEMORY_LIMIT {
            let (entry, bytes) = (program.name.clone(), block_memory);
            return Err(LaunchError::BlockMemory { entry, bytes, limit: BLOCK_MEMORY_LIMIT });
        }
        Ok(Context {
            program,
            launch,
            global: memory.view(layout.regions, launch.operands)?,
            block_races: BlockRaces::of(program, launch),
            parameters: Fixed::new(program.parameter_bytes, &program.parameters, launch.arguments),
            locals: LocalLayout::new(program.local_bytes, &program.locals),
            shared_variables: layout.shared_variables,
            shared_bytes: layout.shared_end as u32,
            addresses,
            threads,
            cluster,
            team,
            block_memory,
        })
    }

    /// How many clusters may run at the same time.
    pub(crate) fn workers(&self) -> u64 {
        let memory = self.block_memory.max(1) * u64::from(self.team.blocks);
        let fit = (MEMORY_LIMIT / memory).max(1);
        self.clusters().min(rayon::current_num_threads() as u64).min(fit)
    }

    pub(crate) fn clusters(&self) -> u64 {
        self.cluster_grid().iter().map(|extent| u64::from(*extent)).product()
    }

    /// Clusters of the grid along each axis.
    pub(crate) fn cluster_grid(&self) -> [u32; 3] {
        std::array::from_fn(|axis| self.launch.grid[axis] / self.cluster[axis])
    }

    /// The index of a block's cluster.
    pub(crate) fn cluster_index(&self, block: [u32; 3]) -> [u32; 3] {
        std::array::from_fn(|axis| block[axis] / self.cluster[axis])
    }

    /// The index of a block in its cluster.
    pub(crate) fn in_cluster(&self, block: [u32; 3]) -> [u32; 3] {
        std::array::from_fn(|axis| block[axis] % self.cluster[axis])
    }

    /// The number in the grid of the block of a rank in a cluster.
    pub(crate) fn block_of_cluster(&self, cluster: u64, rank: u32) -> u64 {
        let (of_cluster, of_block) =
            (index(cluster, self.cluster_grid()), index(rank.into(), self.cluster));
        let [x, y, z] = std::array::from_fn(|axis| {
            u64::from(of_cluster[axis]) * u64::from(self.cluster[axis]) + u64::from(of_block[axis])
        });
        let grid = self.launch.grid.map(u64::from);
        x + grid[0] * (y + grid[1] * z)
    }

    /// Whether the kernel or the launch names a cluster.
    pub(crate) fn explicit_cluster(&self) -> bool {
        self.program.explicit_cluster || self.launch.cluster.is_some()
    }

    /// Whether the order of single threads is kept.
    pub(crate) fn has_clocks(&self) -> bool {
        self.program.clocks || self.team.blocks > 1
    }

    pub(crate) fn warps(&self) -> u32 {
        self.threads.div_ceil(32)
    }

    /// The index of a thread from its number in the block.
    pub(crate) fn thread_index(&self, thread: u32) -> [u32; 3] {
        let [x, y, _] = self.launch.block;
        [thread % x, thread / x % y, thread / x / y]
    }

    /// The index of a block from its number in the grid.
    pub(crate) fn block_index(&self, block: u64) -> [u32; 3] {
        index(block, self.launch.grid)
    }
}

/// The index of what has a number in a grid.
fn index(number: u64, grid: [u32; 3]) -> [u32; 3] {
    let [x, y, _] = grid.map(u64::from);
    [(number % x) as u32, (number / x % y) as u32, (number / x / y) as u32]
}

fn check_arguments(program: &Program, launch: &Launch<'_>) -> Result<(), LaunchError> {
    let entry = || program.name.clone();
    let (expected, found) = (program.parameters.len(), launch.arguments.len());
    if expected != found {
        return Err(LaunchError::ArgumentCount { entry: entry(), expected, found });
    }
    for (index, (extent, argument)) in program.parameters.iter().zip(launch.arguments).enumerate() {
        if extent.bytes != argument.len() as u64 {
            let (expected, found) = (extent.bytes, argument.len());
            return Err(LaunchError::ArgumentSize { entry: entry(), index, expected, found });
        }
    }
    Ok(())
}

fn check_extents(program: &Program, launch: &Launch<'_>) -> Result<u32, LaunchError> {
    let [x, y, z] = launch.block;
    let threads = [x, y, z].iter().fold(1u64, |all, extent| all.saturating_mul((*extent).into()));
    let limit = program.max_threads.unwrap_or(THREAD_LIMIT).min(THREAD_LIMIT);
    if threads == 0 || threads > limit {
        return Err(LaunchError::BlockSize { entry: program.name.clone(), x, y, z, limit });
    }
    let [x, y, z] = launch.grid;
    if x > i32::MAX as u32 || y > 65535 || z > 65535 {
        return Err(LaunchError::GridSize { x, y, z });
    }
    Ok(threads as u32)
}

/// The blocks of a cluster along each axis.
fn cluster_of(program: &Program, launch: &Launch<'_>) -> Result<[u32; 3], LaunchError> {
    if let (Some(expected), Some(given)) = (program.cluster, launch.cluster)
        && expected != given
    {
        let entry = program.name.clone();
        return Err(LaunchError::ClusterShape { entry, given, expected });
    }
    let cluster = launch.cluster.or(program.cluster).unwrap_or([1; 3]);
    let blocks = cluster.iter().fold(1u64, |all, extent| all.saturating_mul((*extent).into()));
    let divides = |axis: usize| launch.grid[axis].is_multiple_of(cluster[axis]);
    let limit = Launch::MAX_CLUSTER;
    if blocks == 0 || blocks > limit.into() || !(0..3).all(divides) {
        let [x, y, z] = cluster;
        return Err(LaunchError::ClusterSize { x, y, z, limit });
    }
    Ok(cluster)
}

/// Host memory of a block in bytes, for the most part.
fn block_memory(
    program: &Program,
    launch: &Launch<'_>,
    (threads, team): (u32, Team),
    shared_bytes: u64,
) -> u64 {
    let warps = u64::from(threads.div_ceil(32));
    let team = (program.clocks || team.blocks > 1).then_some(team);
    let hint = size_of::<u32>();
    let per_instruction = if launch.profile { hint + Recorder::BYTES } else { hint };
    warps * Warp::memory(program)
        + Shared::memory(shared_bytes, launch.find_races, team)
        + (program.code.len() * per_instruction) as u64
}
