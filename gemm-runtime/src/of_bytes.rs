//! [`of_bytes`]: what an element made of bytes can be read as and copied to.

/// States that a type of one field of `$bytes`, bytes itself, can be made of any bytes on the host and
/// on the device. `#[derive(Pod)]` states half of it, with a macro that takes a second to build.
macro_rules! of_bytes {
    ($name:ident($bytes:ty)) => {
        const _: () = {
            const fn is_plain<T: bytemuck::Pod>() {}
            is_plain::<$bytes>();
            // It has no other field, and nothing pads it.
            let _: fn($bytes) -> $name = $name;
            assert!(size_of::<$name>() == size_of::<$bytes>());
        };

        // SAFETY: its one field may be zeros.
        unsafe impl bytemuck::Zeroable for $name {}

        // SAFETY: its one field is bytes, each of their values is one of the type, and nothing pads it.
        unsafe impl bytemuck::Pod for $name {}

        // SAFETY: as for `Pod`: the device may store any bytes.
        unsafe impl cudarc::driver::DeviceRepr for $name {}

        // SAFETY: as for `Zeroable`.
        unsafe impl cudarc::driver::ValidAsZeroBits for $name {}
    };
}

pub(crate) use of_bytes;
