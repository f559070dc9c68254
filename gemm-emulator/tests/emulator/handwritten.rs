//! Building small kernels in PTX by hand: one instruction under test, inputs and outputs in arrays.

use gemm_emulator::{Fault, Launch, Memory, Module, Violation};

use crate::device::{Value, download, upload};

/// A kernel around `body`: in it, `%idx` is the thread's number in the grid and `%in`, `%out` the addresses of the
/// arrays; registers `%p %h %r %d` (pred, b16, b32, b64) are free.
pub(crate) fn kernel(body: &str) -> String {
    format!(
        ".version 8.0
.target sm_80
.address_size 64
.visible .entry test(.param .u64 from, .param .u64 to, .param .u32 count)
{{
    .reg .pred %p<8>, %past;
    .reg .b16 %h<16>;
    .reg .b32 %r<32>, %idx, %count;
    .reg .b64 %d<16>, %in, %out;
    .reg .b32 %block, %size, %thread;
    ld.param.u64 %in, [from];
    ld.param.u64 %out, [to];
    ld.param.u32 %count, [count];
    mov.u32 %block, %ctaid.x;
    mov.u32 %size, %ntid.x;
    mov.u32 %thread, %tid.x;
    mad.lo.u32 %idx, %block, %size, %thread;
{body}
    ret;
}}"
    )
}

/// Loads of `count` inputs of `type` into `%{register}0..` and a store of `%{register}15` to the output.
pub(crate) fn elementwise(ty: &str, register: char, inputs: usize, body: &str) -> String {
    let bytes = ty[1..].parse::<usize>().expect("a type such as b32") / 8;
    let mut text = format!("    mul.wide.u32 %d10, %idx, {};\n", bytes * inputs);
    text += "    add.u64 %d11, %in, %d10;\n";
    for at in 0..inputs {
        text += &format!("    ld.global.{ty} %{register}{at}, [%d11+{}];\n", at * bytes);
    }
    text += body;
    text += &format!("\n    mul.wide.u32 %d12, %idx, {bytes};\n    add.u64 %d13, %out, %d12;\n");
    text += &format!("    st.global.{ty} [%d13], %{register}15;\n");
    kernel(&text)
}

/// Runs a kernel made by [`kernel`] on enough threads for `count` outputs, a multiple of 32.
pub(crate) fn run<I: Value, O: Value>(
    text: &str,
    inputs: &[I],
    count: usize,
) -> Result<Vec<O>, Fault> {
    let module = Module::parse(text).unwrap_or_else(|error| panic!("{error}"));
    let memory = Memory::new();
    let from = upload(&memory, inputs);
    let to = memory.allocate((count * size_of::<O>()) as u64).expect("allocates");
    let block = count.min(256) as u32;
    assert!(count.is_multiple_of(block as usize), "outputs fill the blocks");
    let arguments = [from.bytes(), to.bytes(), (count as u32).bytes()];
    let launch = Launch {
        arguments: &arguments,
        ..Launch::new("test", [count as u32 / block, 1, 1], [block, 1, 1])
    };
    module.launch(&memory, &launch)?;
    Ok(download(&memory, to, count))
}

/// As [`run`], for kernels that must stop at a violation.
pub(crate) fn violation(text: &str, count: usize) -> Violation {
    let fault = run::<u32, u32>(text, &[0], count).expect_err(text);
    fault.violation().expect("a violation").clone()
}

/// As [`run`], for kernels that must not fault.
pub(crate) fn results<I: Value, O: Value>(text: &str, inputs: &[I], count: usize) -> Vec<O> {
    run(text, inputs, count).unwrap_or_else(|fault| panic!("{fault}\n{text}"))
}

/// Checks that each instruction of a table is refused, with its line and its text. A row is `INSTRUCTION -> PROBLEM`.
pub(crate) fn refuses(table: &str) {
    for row in table.lines().map(str::trim).filter(|row| !row.is_empty()) {
        let (instruction, what) = row.split_once(" -> ").expect("an instruction and a problem");
        let error = Module::parse(&kernel(instruction)).expect_err(instruction);
        assert_eq!((error.what.as_str(), error.line), (what, 18), "{instruction}");
        assert_eq!(error.text, instruction);
    }
}
