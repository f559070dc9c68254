//! A kernel of this program's own text, launched without any of gemm-runtime's checks.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use cudarc::driver::sys::CUfunction_attribute;
use cudarc::driver::{CudaFunction, CudaSlice, CudaStream, DevicePtr as _, result};
use cudarc::nvrtc::Ptx;
use gemm_runtime::compile::{Program, compile};

/// A value of a kernel's parameter: the first bytes of it are what the kernel reads.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Word<'a> {
    value: u64,
    buffer: PhantomData<&'a ()>,
}

impl<'a> Word<'a> {
    pub(crate) fn number(value: u64) -> Word<'a> {
        Word { value, buffer: PhantomData }
    }

    /// The address of a buffer. Whoever hands it to a kernel that writes there reads it no more by
    /// the borrow that this was made from.
    pub(crate) fn address<T>(buffer: &'a CudaSlice<T>, stream: &Arc<CudaStream>) -> Word<'a> {
        Word::number(buffer.device_ptr(stream).0)
    }

    /// The address this many bytes later, in the same buffer.
    pub(crate) fn after(self, bytes: usize) -> Word<'a> {
        Word { value: self.value + bytes as u64, ..self }
    }
}

/// The grid of a launch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    pub(crate) blocks: u32,
    pub(crate) threads: u32,
    /// Dynamic shared memory of a block.
    pub(crate) shared_bytes: u32,
}

/// A kernel that is loaded, and the grid it is launched as.
#[derive(Clone)]
pub(crate) struct Loaded {
    stream: Arc<CudaStream>,
    function: CudaFunction,
    grid: Grid,
}

/// A loaded kernel with its arguments.
pub(crate) struct Bare<'a> {
    loaded: Loaded,
    /// The targets of `pointers`; neither is accessed after `new`.
    _words: Box<[Word<'a>]>,
    pointers: Box<[*mut c_void]>,
}

impl Loaded {
    /// Compiles a program to machine code for the stream's GPU and loads its `entry`.
    pub(crate) fn new(
        stream: &Arc<CudaStream>,
        program: &Program<'_>,
        entry: &str,
        grid: Grid,
    ) -> Result<Loaded> {
        let image = compile(program)?.image;
        let module = stream.context().load_module(Ptx::from_binary(image))?;
        let function = module.load_function(entry).with_context(|| format!("loading `{entry}`"))?;
        let attribute = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        function.set_attribute(attribute, i32::try_from(grid.shared_bytes)?)?;
        Ok(Loaded { stream: stream.clone(), function, grid })
    }

    /// With a word for each parameter.
    ///
    /// The text is trusted as that of a [`Kernel`](gemm_runtime::Kernel) is: that it
    /// takes these words, and stays within the buffers among them.
    pub(crate) fn with<'a>(&self, words: &[Word<'a>]) -> Bare<'a> {
        let mut words: Box<[Word<'a>]> = words.into();
        let pointers = words.iter_mut().map(|word| ptr::from_mut(word).cast()).collect();
        Bare { loaded: self.clone(), _words: words, pointers }
    }
}

impl Bare<'_> {
    /// Enqueues it.
    pub(crate) fn launch(&mut self) -> Result<()> {
        let Loaded { stream, function, grid: Grid { blocks, threads, shared_bytes } } =
            &self.loaded;
        // SAFETY: the function is loaded in the stream's context, which is current on the one
        // thread of this program. The pointers lead to a word for each parameter, as `with`
        // was told, and the buffers among them are borrowed for as long as `self`.
        Ok(unsafe {
            result::launch_kernel(
                function.cu_function(),
                (*blocks, 1, 1),
                (*threads, 1, 1),
                *shared_bytes,
                stream.cu_stream(),
                &mut self.pointers,
            )
        }?)
    }
}
