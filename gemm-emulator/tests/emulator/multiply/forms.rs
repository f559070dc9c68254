//! Every form of `mma.sync` that the emulator runs, as kernels in PTX.
//!
//! Uses the standard library alone, so that a program that runs the same texts on a GPU can include this file with
//! `#[path]`. A kernel is called `multiply` and has one warp; lane after lane it reads the registers of a, b and c from
//! its first argument and writes those of d to its second.

/// One instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Form {
    pub(crate) rows: usize,
    pub(crate) k: usize,
    pub(crate) a: &'static str,
    pub(crate) b: &'static str,
    /// Type of c and d.
    pub(crate) accumulator: &'static str,
    /// `.satfinite`, or nothing.
    pub(crate) clamp: &'static str,
    /// The architecture; of all forms the oldest that has it.
    pub(crate) target: &'static str,
}

/// Size of an element in bits.
pub(crate) fn bits(ty: &str) -> usize {
    match ty {
        "s4" | "u4" => 4,
        "s8" | "u8" | "e4m3" | "e5m2" => 8,
        "f16" | "bf16" => 16,
        "f64" => 64,
        _ => 32,
    }
}

/// All forms of the types and shapes of the PTX ISA, without sparse and block-scaled ones.
pub(crate) fn all() -> Vec<Form> {
    let mut out = Vec::new();
    let mut add = |target, shapes: &[(usize, usize)], types: [&'static str; 3], clamp| {
        let [a, b, accumulator] = types;
        for &(rows, k) in shapes {
            out.push(Form { rows, k, a, b, accumulator, clamp, target });
        }
    };
    for accumulator in ["f16", "f32"] {
        add("sm_80", &[(16, 8), (16, 16)], ["f16", "f16", accumulator], "");
        for [a, b] in pairs(["e4m3", "e5m2"]) {
            add("sm_89", &[(16, 16), (16, 32)], [a, b, accumulator], "");
        }
    }
    add("sm_80", &[(16, 8), (16, 16)], ["bf16", "bf16", "f32"], "");
    add("sm_80", &[(16, 4), (16, 8)], ["tf32", "tf32", "f32"], "");
    add("sm_80", &[(8, 4)], ["f64"; 3], "");
    add("sm_90", &[(16, 4), (16, 8), (16, 16)], ["f64"; 3], "");
    for clamp in ["", ".satfinite"] {
        for [a, b] in pairs(["s8", "u8"]) {
            add("sm_80", &[(8, 16), (16, 16), (16, 32)], [a, b, "s32"], clamp);
        }
        for [a, b] in pairs(["s4", "u4"]) {
            add("sm_80", &[(8, 32), (16, 32), (16, 64)], [a, b, "s32"], clamp);
        }
    }
    out
}

fn pairs([x, y]: [&'static str; 2]) -> [[&'static str; 2]; 4] {
    [[x, x], [x, y], [y, x], [y, y]]
}

impl Form {
    /// The opcode.
    pub(crate) fn opcode(&self) -> String {
        let Form { rows, k, a, b, accumulator: c, clamp, .. } = self;
        format!("mma.sync.aligned.m{rows}n8k{k}.row.col{clamp}.{c}.{a}.{b}.{c}")
    }

    /// Elements of a, b and c that a lane holds.
    pub(crate) fn elements(&self) -> [usize; 3] {
        [self.rows * self.k / 32, self.k * 8 / 32, self.rows * 8 / 32]
    }

    /// Registers of a, b and c that a lane holds.
    pub(crate) fn registers(&self) -> [usize; 3] {
        let types = [self.a, self.b, self.accumulator];
        let [a, b, c] = self.elements();
        let count = |elements: usize, ty| elements * bits(ty).min(32) / 32;
        [count(a, types[0]), count(b, types[1]), count(c, types[2])]
    }

    /// Bytes of a register of the inputs, and of c and d.
    pub(crate) fn register_bytes(&self) -> u64 {
        if self.accumulator == "f64" { 8 } else { 4 }
    }

    /// The kernel.
    pub(crate) fn text(&self) -> String {
        let version = if self.target == "sm_80" || self.target == "sm_90" { "7.8" } else { "8.7" };
        let bytes = self.register_bytes() as usize;
        let size = 8 * bytes;
        let (source, result) = match self.accumulator {
            "f64" => ("f64", "f64"),
            "f32" => ("b32", "f32"),
            _ => ("b32", "b32"),
        };
        let [a, b, c] = self.registers();
        let [of_a, of_b, of_c, of_d] =
            [('a', a), ('b', b), ('c', c), ('d', c)].map(|(name, count)| names(name, count));
        let from = [&of_a[..], &of_b, &of_c].concat();
        let loads =
            accesses(&from, bytes, |name, at| format!("ld.global.b{size} {name}, [%from+{at}]"));
        let stores =
            accesses(&of_d, bytes, |name, at| format!("st.global.b{size} [%to+{at}], {name}"));
        let [of_a, of_b, of_c, of_d] = [of_a, of_b, of_c, of_d].map(|names| names.join(", "));
        let (target, opcode) = (self.target, self.opcode());
        let (read, written) = (bytes * (a + b + c), bytes * c);
        format!(
            ".version {version}
.target {target}
.address_size 64
.visible .entry multiply(.param .u64 from, .param .u64 to)
{{
    .reg .{source} %a<8>, %b<4>;
    .reg .{result} %c<4>, %d<4>;
    .reg .b32 %lane;
    .reg .b64 %from, %to;
    ld.param.u64 %from, [from];
    ld.param.u64 %to, [to];
    mov.u32 %lane, %tid.x;
    mad.wide.u32 %from, %lane, {read}, %from;
    mad.wide.u32 %to, %lane, {written}, %to;
{loads}    {opcode} {{{of_d}}}, {{{of_a}}}, {{{of_b}}}, {{{of_c}}};
{stores}    ret;
}}
"
        )
    }
}

/// The names of registers.
fn names(name: char, count: usize) -> Vec<String> {
    (0..count).map(|at| format!("%{name}{at}")).collect()
}

/// Accesses of registers at places that follow each other.
fn accesses(names: &[String], bytes: usize, access: impl Fn(&str, usize) -> String) -> String {
    let each = names.iter().enumerate();
    each.map(|(at, name)| format!("    {};\n", access(name, at * bytes))).collect()
}
