//! [`Gpu`]: what of a GPU a kernel of the bench's own depends on.

use anyhow::Result;
use cudarc::driver::CudaContext;
use cudarc::driver::sys::CUdevice_attribute as Attribute;

/// What of a GPU a kernel of the bench's own depends on.
pub(crate) struct Gpu {
    /// As NVRTC calls it.
    pub(crate) architecture: String,
    pub(crate) sms: u32,
}

impl Gpu {
    pub(crate) fn of(context: &CudaContext) -> Result<Gpu> {
        let major = context.attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?;
        let minor = context.attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
        let sms = context.attribute(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?;
        Ok(Gpu { architecture: format!("sm_{major}{minor}"), sms: u32::try_from(sms)? })
    }
}
