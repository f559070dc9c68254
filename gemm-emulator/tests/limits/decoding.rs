//! Texts that stand for more than their length: calls, and what several kernels use.

use crate::parsing::repeated;
use crate::{at_the_limit, kernel, parse, text};

/// The most instructions of all kernels.
const INSTRUCTIONS: usize = 1 << 20;
/// The most text that is decoded.
const TEXT: usize = 1 << 25;
const TOO_LONG: &str = "kernels are too long once calls are expanded";

/// A kernel that calls a function `f` with this body.
fn calling(body: &str, calls: usize, more: &str) -> String {
    text(&format!(".func f() {{{body}}} .entry test() {{{}{more}}}", "call f;".repeat(calls)))
}

#[test]
fn calls_that_call_twice_are_refused() {
    for inner in ["membar.gl;", "", "L:", ".reg .b64 %r<1000>;", ".shared .b8 a;", ".local .b8 a;"]
    {
        let double = |at: usize| format!(".func f{}() {{ call f{at}; call f{at}; }}\n", at + 1);
        let functions = format!(".func f0() {{ {inner} }}\n{}", repeated(30, double));
        let error = parse(text(&format!("{functions} .entry test() {{ call f30; }}")));
        assert!(error.is_err(), "{inner}");
    }
}

#[test]
fn a_chain_of_calls_has_an_end() {
    let chain = |length: usize| {
        let next = |at: usize| format!(".func f{}() {{ call f{at}; }}\n", at + 1);
        let functions = format!(".func f0() {{ }}\n{}", repeated(length, next));
        text(&format!("{functions} .entry test() {{ call f{length}; }}"))
    };
    at_the_limit(chain(30), chain(31), "calls are nested too deeply or recursive");
}

#[test]
fn instructions_count_once_for_each_call() {
    // Each call ends with an instruction of its own, and each kernel with an exit.
    let body = "membar.gl;".repeat(1000);
    let calls = INSTRUCTIONS / 1001;
    let rest = INSTRUCTIONS - 1 - 1001 * calls;
    let more = |count: usize| calling(&body, calls, &"membar.gl;".repeat(count));
    at_the_limit(more(rest), more(rest + 1), TOO_LONG);
    // Of all kernels together.
    let two = |last: &str| more(rest - 2) + &format!(".entry other() {{ {last} }}");
    at_the_limit(two("membar.gl;"), two("membar.gl; membar.gl;"), TOO_LONG);
}

#[test]
fn text_counts_once_for_each_call() {
    // Nothing but labels, whose making takes time, though no instruction comes of them.
    let body = repeated(10_000, |at| format!("L{at:05}:"));
    let (calls, length) = (TEXT / (body.len() + 4) - 1, body.len() + 3);
    let blanks = TEXT - calls * length - ("call f;".len() * calls + 3);
    let more = |count: usize| calling(&body, calls, &" ".repeat(count));
    at_the_limit(more(blanks), more(blanks + 1), TOO_LONG);
}

#[test]
fn slots_of_a_kernel() {
    let what = "kernel has too many registers";
    let declared = ".reg .b32 %r<65536>; .reg .b64 %d<65536>; .reg .pred %p<65536>;";
    // A constant needs one more.
    at_the_limit(
        kernel(&format!("{declared} mov.u32 %r1, %r2; mov.u64 %d1, %d2;")),
        kernel(&format!("{declared} mov.u32 %r1, 7;")),
        what,
    );
    let other = ".reg .b32 %a; mov.u32 %r1, %r2;";
    at_the_limit(kernel(".reg .b32 %r<65535>, %a;"), kernel(&format!("{declared} {other}")), what);
}

#[test]
fn memory_of_a_thread_and_of_a_launch() {
    // Behind each variable 16 bytes are left.
    let local = |bytes: usize| kernel(&format!(".local .b8 a[{bytes}];"));
    let most = (512 << 10) - 16;
    at_the_limit(local(most), local(most + 1), "kernel needs too much local memory");
    let parameter = |bytes: usize| text(&format!(".entry test(.param .b8 a[{bytes}]) {{ }}"));
    let most = (32 << 10) - 16;
    let what = "kernel has too many bytes of parameters";
    at_the_limit(parameter(most), parameter(most + 1), what);
}

#[test]
fn variables_that_a_kernel_uses() {
    let what = "kernel has too many or too large variables";
    let using = |count: usize, bytes: usize| {
        let declared = repeated(count, |at| format!(".global .b8 a{at}[{bytes}];"));
        let used = repeated(count, |at| format!("mov.u64 %d, a{at};"));
        text(&format!("{declared} .entry test() {{ .reg .b64 %d; {used} }}"))
    };
    at_the_limit(using(4096, 1), using(4097, 1), what);
    at_the_limit(using(4, 1 << 24), using(4, (1 << 24) + 1), what);
    let shared = |count: usize| kernel(&repeated(count, |at| format!(".shared .b8 a{at};")));
    at_the_limit(shared(4096), shared(4097), what);
}

#[test]
fn what_many_kernels_use_is_kept_once() {
    let values = vec!["1"; 250_000].join(",");
    let using = |at: usize| format!(".entry f{at}() {{ .reg .b64 %d; mov.u64 %d, a; }}\n");
    let variable = format!(".global .b64 a[250000] = {{{values}}};");
    parse(text(&format!("{variable}\n{}", repeated(5000, using)))).expect("one variable");
    let files = repeated(20_000, |at| format!(".file {at} \"{at:0100}\"\n"));
    parse(text(&(files + &repeated(5000, |at| format!(".entry f{at}() {{ }}\n"))))).expect("files");
}

#[test]
fn lists_of_branch_targets_are_kept_once() {
    let list = vec!["L"; 20_000].join(",");
    let branches = "brx.idx %r, T;".repeat(20_000);
    let body = format!(".reg .b32 %r; L: T: .branchtargets {list}; {branches}");
    parse(kernel(&body)).expect("one list");
}

#[test]
fn lines_of_the_source() {
    let lines = |count: usize| kernel(&repeated(count, |at| format!(".loc 1 {} 1\n", at + 1)));
    let what = "kernel has too many lines of source";
    at_the_limit(lines(1 << 16), lines((1 << 16) + 1), what);
}

#[test]
fn names_of_functions_that_take_long_to_read() {
    let doubled =
        ["S0_", "S2_", "S4_", "S6_", "S8_", "SA_", "SC_", "SE_", "SG_", "SI_", "SK_", "SM_"];
    let doubled: String = doubled.map(|part| format!("1PI{part}{part}E")).concat();
    for name in [
        format!("_Z1fI1A{}Evv", doubled.repeat(3)),
        format!("_Z1fIT_Dt{}", "nw".repeat(200)),
        format!("_Z1fI1A1PIIDt{}", "dl".repeat(200)),
        format!("_Z1fIXgs{}", "na".repeat(200)),
        format!("_Z1f{}", "da".repeat(200)),
        format!("_Z1f{}", "P".repeat(500)),
        "_Z".repeat(100_000),
    ] {
        let bytes: Vec<String> = name.bytes().map(|byte| byte.to_string()).collect();
        let strings = format!(".section .debug_str {{ NAME: .b8 {}, 0 }}", bytes.join(","));
        let called = ".loc 1 2 3, function_name NAME, inlined_at 1 1 1\nmembar.gl;";
        parse(kernel(called) + "\n" + &strings).expect("it is not read");
    }
}
