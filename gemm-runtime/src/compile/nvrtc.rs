//! The functions of NVRTC, called directly in the library that was found.
//!
//! `cudarc::nvrtc` cannot keep three promises of this crate, so its bindings are not used:
//!
//! - *The library that is found is the one that is called.* cudarc opens an unversioned
//!   `libnvrtc.so` of the loader's path before any other, a build with an nvcc of CUDA 12 never
//!   looks for `libnvrtc.so.13`, and under its feature `dynamic-linking` it calls the one that the
//!   program was linked with.
//! - *A library that does not fit is a typed error.* cudarc panics if a function is missing.
//! - *Any status code is reported.* cudarc holds it in a Rust `enum`, for which a code that a newer
//!   NVRTC added is undefined behaviour.
//!
//! Its types convert from and to this crate's: see [`cudarc`](super::cudarc).

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr;
use std::sync::{Mutex, OnceLock, PoisonError};

use libloading::Library;

use crate::error::Error;
use crate::library::{Found, Search};
use crate::version::Version;

type Handle = *mut c_void;
type Status = c_int;

/// `NVRTC_SUCCESS`.
const SUCCESS: Status = 0;

macro_rules! functions {
    ($($field:ident = $symbol:literal : fn($($argument:ty),*) -> $result:ty;)+) => {
        /// The functions that are called (NVRTC documentation, "User interface").
        struct Functions { $($field: unsafe extern "C" fn($($argument),*) -> $result,)+ }

        impl Functions {
            fn of(library: &'static Library, name: &str) -> Result<Functions, Error> {
                // SAFETY: the types are those of nvrtc.h, unchanged from CUDA 12.0 to 13.5; the
                // library is never closed, so the pointers stay valid.
                unsafe {
                    Ok(Functions { $($field: *library.get($symbol.to_bytes_with_nul()).map_err(
                        |_| Error::FunctionNotFound {
                            library: name.to_owned(),
                            function: $symbol.to_str().unwrap_or_default(),
                        },
                    )?,)+ })
                }
            }
        }
    };
}

functions! {
    version = c"nvrtcVersion": fn(*mut c_int, *mut c_int) -> Status;
    error_string = c"nvrtcGetErrorString": fn(Status) -> *const c_char;
    architecture_count = c"nvrtcGetNumSupportedArchs": fn(*mut c_int) -> Status;
    architectures = c"nvrtcGetSupportedArchs": fn(*mut c_int) -> Status;
    create = c"nvrtcCreateProgram": fn(
        *mut Handle, *const c_char, *const c_char, c_int, *const *const c_char,
        *const *const c_char) -> Status;
    destroy = c"nvrtcDestroyProgram": fn(*mut Handle) -> Status;
    compile = c"nvrtcCompileProgram": fn(Handle, c_int, *const *const c_char) -> Status;
    ptx_size = c"nvrtcGetPTXSize": fn(Handle, *mut usize) -> Status;
    ptx = c"nvrtcGetPTX": fn(Handle, *mut c_char) -> Status;
    cubin_size = c"nvrtcGetCUBINSize": fn(Handle, *mut usize) -> Status;
    cubin = c"nvrtcGetCUBIN": fn(Handle, *mut c_char) -> Status;
    log_size = c"nvrtcGetProgramLogSize": fn(Handle, *mut usize) -> Status;
    log = c"nvrtcGetProgramLog": fn(Handle, *mut c_char) -> Status;
}

/// An open NVRTC.
pub(super) struct Nvrtc {
    functions: Functions,
    pub(super) version: Version,
    /// Compute capabilities that it compiles for, times ten, ascending.
    pub(super) architectures: Vec<u32>,
}

/// A status other than success, under NVRTC's name for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    pub(super) name: String,
    pub(super) log: String,
}

/// The format of a compiled program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Machine code for one architecture.
    Cubin,
    /// The text of the virtual instruction set.
    Ptx,
}

/// The image and the log of a compiled program.
pub(super) struct Output {
    pub(super) image: Vec<u8>,
    pub(super) log: String,
}

impl Nvrtc {
    /// NVRTC, opened by the first call that finds it.
    pub(super) fn get() -> Result<&'static Nvrtc, Error> {
        static OPENED: OnceLock<Nvrtc> = OnceLock::new();
        static OPENING: Mutex<()> = Mutex::new(());
        if let Some(nvrtc) = OPENED.get() {
            return Ok(nvrtc);
        }
        let _opening = OPENING.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(nvrtc) = OPENED.get() {
            return Ok(nvrtc);
        }
        let nvrtc = Nvrtc::open(Search::for_nvrtc().find_nvrtc()?)?;
        Ok(OPENED.get_or_init(|| nvrtc))
    }

    fn open(found: Found) -> Result<Nvrtc, Error> {
        let name = found.name();
        let functions = Functions::of(found.open()?, &name)?;
        let version = functions.version();
        tracing::debug!(%version, library = name, "opened NVRTC");
        Ok(Nvrtc { version, architectures: functions.architectures(), functions })
    }

    /// Compiles `text`, which messages call `name`.
    ///
    /// Threads compile in parallel: NVRTC is thread-safe, and each call has its own program.
    pub(super) fn compile(
        &self,
        name: &CStr,
        text: &CStr,
        options: &[CString],
        format: Format,
    ) -> Result<Output, Failure> {
        let program = Program::new(&self.functions, name, text)?;
        let pointers: Vec<*const c_char> = options.iter().map(|option| option.as_ptr()).collect();
        // No option list is that long; NVRTC would refuse the truncated one.
        let count = c_int::try_from(pointers.len()).unwrap_or(c_int::MAX);
        // SAFETY: the program lives; `pointers` holds `count` strings that outlive the call.
        let status = unsafe { (self.functions.compile)(program.handle, count, pointers.as_ptr()) };
        let log = program.log();
        self.functions.check(status).map_err(|failure| Failure { log: log.clone(), ..failure })?;
        let image =
            program.image(format).map_err(|failure| Failure { log: log.clone(), ..failure })?;
        Ok(Output { image, log })
    }
}

impl Functions {
    fn check(&self, status: Status) -> Result<(), Failure> {
        if status == SUCCESS {
            return Ok(());
        }
        // SAFETY: any number may be passed; the result is a string with static lifetime.
        let name = unsafe { CStr::from_ptr((self.error_string)(status)) };
        Err(Failure { name: name.to_string_lossy().into_owned(), log: String::new() })
    }

    fn version(&self) -> Version {
        let (mut major, mut minor) = (0, 0);
        // SAFETY: both point to an int.
        unsafe { (self.version)(&mut major, &mut minor) };
        Version { major: major.unsigned_abs(), minor: minor.unsigned_abs() }
    }

    fn architectures(&self) -> Vec<u32> {
        let mut count: c_int = 0;
        // SAFETY: points to an int.
        unsafe { (self.architecture_count)(&mut count) };
        let mut architectures: Vec<c_int> = vec![0; usize::try_from(count).unwrap_or(0)];
        // SAFETY: NVRTC writes the number of ints that it has just returned.
        unsafe { (self.architectures)(architectures.as_mut_ptr()) };
        let mut architectures: Vec<u32> =
            architectures.into_iter().map(c_int::unsigned_abs).collect();
        architectures.sort_unstable();
        architectures
    }
}

/// A program of NVRTC, destroyed when dropped.
struct Program<'a> {
    functions: &'a Functions,
    handle: Handle,
    /// NVRTC may keep pointers to the name and the text.
    _strings: (&'a CStr, &'a CStr),
}

impl<'a> Program<'a> {
    fn new(functions: &'a Functions, name: &'a CStr, text: &'a CStr) -> Result<Self, Failure> {
        let mut handle = ptr::null_mut();
        // SAFETY: `handle` is written; the strings outlive the program by its lifetime; there are
        // no headers, so the two arrays may be null.
        let status = unsafe {
            (functions.create)(
                &mut handle,
                text.as_ptr(),
                name.as_ptr(),
                0,
                ptr::null(),
                ptr::null(),
            )
        };
        functions.check(status)?;
        Ok(Program { functions, handle, _strings: (name, text) })
    }

    fn log(&self) -> String {
        let log = self.read(self.functions.log_size, self.functions.log).unwrap_or_default();
        String::from_utf8_lossy(&log).trim_end_matches(['\0', '\n', ' ']).to_owned()
    }

    fn image(&self, format: Format) -> Result<Vec<u8>, Failure> {
        match format {
            Format::Cubin => self.read(self.functions.cubin_size, self.functions.cubin),
            Format::Ptx => {
                let mut text = self.read(self.functions.ptx_size, self.functions.ptx)?;
                while text.last() == Some(&0) {
                    text.pop();
                }
                Ok(text)
            }
        }
    }

    /// The bytes that `get` writes; `size` writes their number.
    fn read(
        &self,
        size: unsafe extern "C" fn(Handle, *mut usize) -> Status,
        get: unsafe extern "C" fn(Handle, *mut c_char) -> Status,
    ) -> Result<Vec<u8>, Failure> {
        let mut bytes = 0;
        // SAFETY: the program lives, `bytes` is a size_t.
        self.functions.check(unsafe { size(self.handle, &mut bytes) })?;
        let mut buffer = vec![0u8; bytes];
        // SAFETY: the program lives; `get` writes the number of bytes that `size` has just written.
        self.functions.check(unsafe { get(self.handle, buffer.as_mut_ptr().cast()) })?;
        Ok(buffer)
    }
}

impl Drop for Program<'_> {
    fn drop(&mut self) {
        // SAFETY: the program was created and is destroyed once. A failure would only leak it.
        unsafe { (self.functions.destroy)(&mut self.handle) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;

    #[test]
    fn a_library_without_the_functions_of_nvrtc_is_an_error_that_names_one() {
        // Any library of the system that is not NVRTC.
        let library = library::open_for_good("libc.so.6").expect("the system's C library");
        let error = Functions::of(library, "libc.so.6").err().expect("it is not NVRTC");
        assert!(matches!(&error, Error::FunctionNotFound { library, function: "nvrtcVersion" }
            if library == "libc.so.6"));
    }
}
