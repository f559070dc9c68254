//! Bytes in a GPU's memory: cudarc's slices and views with their element type erased.
//!
//! cudarc's own `f16` support is a feature with many dependencies, so the slices are of `u8`; the views
//! keep cudarc's events, and so its ordering between streams.

use std::mem;
use std::ops::Range;
use std::sync::Arc;

use cudarc::driver::sys::CUresult;
use cudarc::driver::{
    CudaContext, CudaSlice, CudaStream, CudaView, CudaViewMut, DevicePtr, DevicePtrMut,
    DeviceSlice, DriverError,
};

use crate::element::Element;
use crate::error::Error;
use crate::place::Place;

/// The handle of the default stream of whichever thread uses it (CUDA driver API).
const CU_STREAM_PER_THREAD: usize = 2;

/// Whether a handle is that of a different stream on each thread.
pub(crate) fn is_per_thread(stream: &CudaStream) -> bool {
    stream.cu_stream() as usize == CU_STREAM_PER_THREAD
}

/// Bytes that are not set, at least one.
pub(crate) fn allocate(stream: &Arc<CudaStream>, bytes: usize) -> Result<CudaSlice<u8>, Error> {
    // SAFETY: every bit pattern is a valid u8 and a valid element.
    unsafe { stream.alloc::<u8>(bytes) }.map_err(|error| match error {
        DriverError(CUresult::CUDA_ERROR_OUT_OF_MEMORY) => {
            Error::OutOfMemory { kernel: None, bytes, limit: None }
        }
        other => other.into(),
    })
}

/// Owned bytes.
#[derive(Debug)]
pub(crate) struct GpuBuffer {
    slice: CudaSlice<u8>,
    base: u64,
    /// Without the padding of an empty buffer.
    bytes: usize,
}

impl GpuBuffer {
    pub(crate) fn new(stream: &Arc<CudaStream>, bytes: usize) -> Result<GpuBuffer, Error> {
        // The driver refuses to allocate nothing.
        let padded = bytes.max(1);
        let slice = allocate(stream, padded)?;
        let base = address_of(&slice.as_view())?;
        Ok(GpuBuffer { slice, base, bytes })
    }

    pub(crate) fn view(&self) -> GpuView<'_> {
        GpuBytes { view: self.slice.as_view(), base: self.base, range: 0..self.bytes }
    }

    /// Copies from the host over the bytes from `start` on, which may have views, and waits for the
    /// copy.
    ///
    /// The copy follows the work that was enqueued on the buffer's stream, and precedes all work that
    /// is enqueued later on any stream.
    pub(crate) fn write(&self, start: usize, bytes: &[u8]) -> Result<(), Error> {
        let fits = start.checked_add(bytes.len()).is_some_and(|end| end <= self.bytes);
        assert!(fits, "more bytes are written than there are");
        let to = self.base + start as u64;
        let stream = self.slice.stream();
        stream.context().bind_to_thread()?;
        // A stream in capture refuses, before a copy from `bytes` is in the graph.
        stream.synchronize()?;
        // SAFETY: the bytes are within the allocation, which lives as long as `self`; no reference
        // leads into device memory, so that all a view can see of it is another value. `bytes` is
        // borrowed until the copy is done, or was staged by the driver.
        unsafe { cudarc::driver::result::memcpy_htod_async(to, bytes, stream.cu_stream()) }?;
        Ok(stream.synchronize()?)
    }

    /// The stream that it was allocated on.
    pub(crate) fn stream(&self) -> &Arc<CudaStream> {
        self.slice.stream()
    }

    /// Makes its stream wait for the work of other streams on it.
    pub(crate) fn settle(&mut self) -> Result<(), Error> {
        let stream = self.stream().clone();
        if is_per_thread(&stream) {
            return Err(Error::PerThreadStream);
        }
        self.view_mut().wait_on(&stream)?;
        Ok(stream.context().check_err()?)
    }

    pub(crate) fn view_mut(&mut self) -> GpuViewMut<'_> {
        GpuBytes { view: self.slice.as_view_mut(), base: self.base, range: 0..self.bytes }
    }
}

/// Borrowed bytes: `V` is cudarc's view of them.
#[derive(Debug)]
pub(crate) struct GpuBytes<V> {
    view: V,
    /// The address of `view`.
    base: u64,
    /// The part of `view` that is borrowed.
    range: Range<usize>,
}

/// Bytes that are read.
pub(crate) type GpuView<'a> = GpuBytes<CudaView<'a, u8>>;

/// Bytes that are written.
pub(crate) type GpuViewMut<'a> = GpuBytes<CudaViewMut<'a, u8>>;

impl<V: DeviceSlice<u8>> GpuBytes<V> {
    pub(crate) fn bytes(&self) -> usize {
        self.range.len()
    }

    pub(crate) fn address(&self) -> u64 {
        self.base + self.range.start as u64
    }

    pub(crate) fn place(&self) -> Place {
        Place::of(self.view.stream().context())
    }

    /// Whether it came with another `CudaContext`, though it may be the same context of the driver's.
    pub(crate) fn is_foreign_to(&self, context: &Arc<CudaContext>) -> bool {
        !Arc::ptr_eq(self.view.stream().context(), context)
    }

    pub(crate) fn slice(mut self, range: Range<usize>) -> Self {
        self.range = self.range.start + range.start..self.range.start + range.end;
        self
    }
}

impl Clone for GpuView<'_> {
    fn clone(&self) -> Self {
        GpuBytes { view: self.view.slice(..), base: self.base, range: self.range.clone() }
    }
}

impl<'a> GpuView<'a> {
    /// The bytes of a view of cudarc's.
    pub(crate) fn of<T: Element>(view: &CudaView<'a, T>) -> Result<GpuView<'a>, Error> {
        let bytes = view.num_bytes();
        // SAFETY: every element is made of bytes.
        let erased = unsafe { view.transmute::<u8>(bytes) };
        let view = erased.expect("it has this many bytes");
        Ok(GpuBytes { base: address_of(&view)?, view, range: 0..bytes })
    }

    pub(crate) fn download(&self, bytes: &mut [u8]) -> Result<(), Error> {
        let start = self.range.start;
        let view = self.view.slice(start..start + bytes.len());
        let stream = self.view.stream();
        stream.memcpy_dtoh(&view, bytes)?;
        // With pinned host memory the copy continues after the call.
        Ok(stream.synchronize()?)
    }

    /// Makes `stream` wait for the last work that was enqueued to write these bytes.
    pub(crate) fn wait_on(&self, stream: &CudaStream) -> Result<(), Error> {
        join_foreign(stream, self.view.stream())?;
        let (_, record) = self.view.device_ptr(stream);
        // There is no work to record yet.
        mem::forget(record);
        Ok(())
    }

    /// Makes later writers of these bytes wait for the work on `stream` so far.
    pub(crate) fn record_on(&self, stream: &CudaStream) -> Result<(), Error> {
        let (_, record) = self.view.device_ptr(stream);
        drop(record);
        join_foreign(self.view.stream(), stream)
    }
}

impl<'a> GpuViewMut<'a> {
    /// The bytes of a slice of cudarc's.
    pub(crate) fn of_slice<T: Element>(slice: &'a mut CudaSlice<T>) -> Result<Self, Error> {
        let bytes = slice.num_bytes();
        // SAFETY: every element is made of bytes, and any bytes are an element.
        let erased = unsafe { slice.transmute_mut::<u8>(bytes) };
        Self::of_bytes(erased.expect("it has this many bytes"), bytes)
    }

    /// The bytes of a view of cudarc's.
    pub(crate) fn of_view<T: Element>(view: &'a mut CudaViewMut<'_, T>) -> Result<Self, Error> {
        let bytes = view.num_bytes();
        // SAFETY: every element is made of bytes, and any bytes are an element.
        let erased = unsafe { view.transmute_mut::<u8>(bytes) };
        Self::of_bytes(erased.expect("it has this many bytes"), bytes)
    }

    fn of_bytes(view: CudaViewMut<'a, u8>, bytes: usize) -> Result<Self, Error> {
        Ok(GpuBytes { base: address_of(&view.as_view())?, view, range: 0..bytes })
    }

    pub(crate) fn reborrow(&mut self) -> GpuViewMut<'_> {
        let range = self.range.clone();
        GpuBytes { view: self.view.slice_mut(..), base: self.base, range }
    }

    pub(crate) fn as_ref(&self) -> GpuView<'_> {
        GpuBytes { view: self.view.as_view(), base: self.base, range: self.range.clone() }
    }

    pub(crate) fn upload(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let start = self.range.start;
        let stream = self.view.stream().clone();
        stream.memcpy_htod(bytes, &mut self.view.slice_mut(start..start + bytes.len()))?;
        // With pinned host memory the copy continues after the call.
        Ok(stream.synchronize()?)
    }

    pub(crate) fn clear(&mut self) -> Result<(), Error> {
        if self.range.is_empty() {
            return Ok(());
        }
        let stream = self.view.stream().clone();
        Ok(stream.memset_zeros(&mut self.view.slice_mut(self.range.clone()))?)
    }

    /// Makes `stream` wait for the last work that was enqueued to read or write these bytes.
    pub(crate) fn wait_on(&mut self, stream: &CudaStream) -> Result<(), Error> {
        join_foreign(stream, self.view.stream())?;
        let (_, record) = self.view.device_ptr_mut(stream);
        // There is no work to record yet.
        mem::forget(record);
        Ok(())
    }

    /// Makes later users of these bytes wait for the work on `stream` so far.
    pub(crate) fn record_on(&mut self, stream: &CudaStream) -> Result<(), Error> {
        let (_, record) = self.view.device_ptr_mut(stream);
        drop(record);
        join_foreign(self.view.stream(), stream)
    }
}

/// Makes `later` wait for `earlier` where cudarc's events do not: they are used only within one
/// `CudaContext`, and a program can have several for one context of the driver.
fn join_foreign(later: &CudaStream, earlier: &CudaStream) -> Result<(), Error> {
    if Arc::ptr_eq(later.context(), earlier.context()) || later == earlier {
        return Ok(());
    }
    Ok(later.join(earlier)?)
}

/// The address of a view, with no effect on its stream.
///
/// cudarc returns the address only together with a stream that then waits for the view's writers. The
/// view's own stream may be in capture, where waiting is an error, so the thread's default stream
/// waits.
fn address_of(view: &CudaView<'_, u8>) -> Result<u64, Error> {
    let context = view.stream().context();
    // An earlier error must not be mistaken for one of this function.
    context.check_err()?;
    let stream = context.per_thread_stream();
    let (address, record) = view.device_ptr(&stream);
    mem::forget(record);
    // It does not matter whether that stream waits.
    let _ = context.check_err();
    Ok(address)
}
