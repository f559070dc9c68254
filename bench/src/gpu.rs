//! [`Gpu`]: the properties of a GPU on which the bench's kernels depend.

use anyhow::Result;
use cudarc::driver::CudaContext;
use cudarc::driver::sys::CUdevice_attribute as Attribute;

/// The properties of a GPU on which the bench's kernels depend.
pub(crate) struct Gpu {
    /// NVRTC's name of it.
    pub(crate) architecture: String,
    pub(crate) sms: u32,
    /// Threads that all SMs hold at a time.
    pub(crate) threads: u32,
    /// Shared memory of an SM.
    pub(crate) shared_bytes: u32,
    /// The part of it that the system reserves for each block.
    pub(crate) reserved_shared_bytes: u32,
}

impl Gpu {
    pub(crate) fn of(context: &CudaContext) -> Result<Gpu> {
        let get = |attribute| anyhow::Ok(u32::try_from(context.attribute(attribute)?)?);
        let major = get(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?;
        let minor = get(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
        let shared = Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR;
        let reserved = Attribute::CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK;
        let of_sm = get(Attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR)?;
        let sms = get(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?;
        Ok(Gpu {
            architecture: format!("sm_{major}{minor}"),
            sms,
            threads: sms * of_sm,
            shared_bytes: get(shared)?,
            reserved_shared_bytes: get(reserved)?,
        })
    }

    /// Shared memory of a block, in bytes, so that an SM holds at most `blocks`.
    pub(crate) fn shared_bytes_that_keep(&self, blocks: u32) -> u32 {
        let too_few = self.shared_bytes / (blocks + 1);
        (too_few.saturating_sub(self.reserved_shared_bytes) + 1).next_multiple_of(128)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_memory_keeps_blocks_out_and_no_more_of_them() {
        let (shared_bytes, reserved_shared_bytes) = (228 << 10, 1 << 10);
        let (sms, threads) = (132, 132 * 2048);
        let architecture = "sm_90".into();
        let gpu = Gpu { architecture, sms, threads, shared_bytes, reserved_shared_bytes };
        for blocks in 1..=32 {
            let of_block = gpu.shared_bytes_that_keep(blocks) + reserved_shared_bytes;
            assert_eq!(shared_bytes / of_block, blocks, "{of_block} B");
        }
    }
}
