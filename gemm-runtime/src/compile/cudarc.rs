//! Conversions from and to the types of `cudarc::nvrtc`, for programs that use them.

use std::ffi::CString;

use ::cudarc::nvrtc::result::NvrtcError;
use ::cudarc::nvrtc::sys::nvrtcResult;
use ::cudarc::nvrtc::{self, CompileOptions, Ptx};

use crate::compile::{Compilation, CompileError, Program};

impl<'a> Program<'a> {
    /// The same with the options, and the name and the architecture if there are any.
    #[must_use]
    pub fn with_options(mut self, from: &'a CompileOptions) -> Program<'a> {
        let switch = |name, value: Option<bool>| value.map(|on| format!("--{name}={on}"));
        let switches = [
            switch("ftz", from.ftz),
            switch("prec-sqrt", from.prec_sqrt),
            switch("prec-div", from.prec_div),
            switch("fmad", from.fmad),
            // cudarc itself passes `--fmad=true` for it.
            switch("use_fast_math", from.use_fast_math.filter(|on| *on)),
            from.maxrregcount.map(|count| format!("--maxrregcount={count}")),
        ];
        self.options.extend(switches.into_iter().flatten());
        self.options.extend(from.include_paths.iter().map(|path| format!("--include-path={path}")));
        self.options.extend(from.options.iter().cloned());
        Program {
            name: from.name.as_deref().unwrap_or(self.name),
            architecture: from.arch.unwrap_or(self.architecture),
            ..self
        }
    }
}

impl From<Compilation> for Ptx {
    /// A module for `CudaContext::load_module`.
    fn from(compilation: Compilation) -> Ptx {
        match compilation.ptx().map(str::to_owned) {
            Some(ptx) => Ptx::from_src(ptx),
            None => Ptx::from_binary(compilation.image),
        }
    }
}

impl From<CompileError> for nvrtc::CompileError {
    /// A status that cudarc does not know becomes `NVRTC_ERROR_INTERNAL_ERROR`.
    fn from(error: CompileError) -> nvrtc::CompileError {
        use nvrtcResult as R;
        let known = [
            R::NVRTC_ERROR_OUT_OF_MEMORY,
            R::NVRTC_ERROR_PROGRAM_CREATION_FAILURE,
            R::NVRTC_ERROR_INVALID_INPUT,
            R::NVRTC_ERROR_INVALID_PROGRAM,
            R::NVRTC_ERROR_INVALID_OPTION,
            R::NVRTC_ERROR_COMPILATION,
            R::NVRTC_ERROR_BUILTIN_OPERATION_FAILURE,
        ];
        let status = known.into_iter().find(|known| format!("{known:?}") == error.status);
        nvrtc::CompileError::CompileError {
            nvrtc: NvrtcError(status.unwrap_or(R::NVRTC_ERROR_INTERNAL_ERROR)),
            options: error.options,
            log: CString::new(error.log.replace('\0', "")).unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::{Format, Version};

    #[test]
    fn the_options_of_cudarc_are_those_of_nvrtc() {
        let from = CompileOptions {
            ftz: Some(true),
            fmad: Some(false),
            use_fast_math: Some(true),
            maxrregcount: Some(40),
            include_paths: vec!["a".into()],
            options: vec!["-DX=1".into()],
            arch: Some("sm_90"),
            name: Some("k.cu".into()),
            ..CompileOptions::default()
        };
        let options = vec!["-DY".to_owned()];
        let plain =
            Program { name: "a.cu", text: "", architecture: "sm_80", options, format: Format::Ptx };
        let program = plain.with_options(&from);
        assert_eq!((program.name, program.architecture), ("k.cu", "sm_90"));
        let options = [
            "-DY",
            "--ftz=true",
            "--fmad=false",
            "--use_fast_math=true",
            "--maxrregcount=40",
            "--include-path=a",
            "-DX=1",
        ];
        assert_eq!(program.options, options);
    }

    #[test]
    fn a_refusal_keeps_its_status_its_options_and_its_log() {
        let refusal = |status: &str| CompileError {
            name: "k.cu".into(),
            architecture: "sm_80".into(),
            status: status.into(),
            nvrtc: Version { major: 13, minor: 1 },
            options: vec!["-DX".into()],
            log: "a log".into(),
            excerpts: Vec::new(),
        };
        for (status, expected) in [
            ("NVRTC_ERROR_COMPILATION", nvrtcResult::NVRTC_ERROR_COMPILATION),
            ("NVRTC_ERROR_OF_2030", nvrtcResult::NVRTC_ERROR_INTERNAL_ERROR),
        ] {
            let expected = nvrtc::CompileError::CompileError {
                nvrtc: NvrtcError(expected),
                options: vec!["-DX".into()],
                log: c"a log".into(),
            };
            assert_eq!(nvrtc::CompileError::from(refusal(status)), expected);
        }
    }
}
