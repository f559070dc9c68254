//! Forms of `wgmma.mma_async` as kernels in PTX.
//!
//! Uses the standard library alone, so that a program that runs the same texts on a GPU can include this file with
//! `#[path]`. A kernel is called `warpgroup` and has 128 threads; it reads an image of shared memory from its first
//! argument, after it the accumulators of each thread, and writes the accumulators to its second.

/// Bytes of the image: the first part for A, the rest for B.
pub(crate) const IMAGE: usize = 40960;
/// Where B's part begins.
pub(crate) const PART_B: usize = 8192;

/// How a matrix lies in shared memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    /// Neighbours along M or N are contiguous.
    pub(crate) transposed: bool,
    /// Bytes that the swizzle spans; 0 without.
    pub(crate) swizzle: usize,
    pub(crate) leading: usize,
    pub(crate) stride: usize,
    /// Of its first byte in its part of the image.
    pub(crate) offset: usize,
}

impl Layout {
    /// The descriptor of a matrix whose part of the image begins at `part`, less the address of the image.
    pub(crate) fn descriptor(&self, part: usize) -> u64 {
        let mode = match self.swizzle {
            0 => 0,
            128 => 1,
            64 => 2,
            _ => 3,
        };
        let field = |bytes: usize, at: u32| (bytes as u64 >> 4) << at;
        let start = field(part + self.offset, 0);
        start | field(self.leading, 16) | field(self.stride, 32) | mode << 62
    }

    /// Where an element lies in its part of the image. (PTX ISA, "wgmma", "Canonical Layouts")
    pub(crate) fn place(&self, element: usize, mn: usize, k: usize) -> usize {
        let Layout { transposed, swizzle, leading, stride, offset } = *self;
        // Elements in 16 bytes, and in a row of the swizzle.
        let (t, row) = (16 / element, swizzle / element);
        let place = match (transposed, swizzle) {
            (false, 0) => mn % 8 * 16 + mn / 8 * stride + k % t * element + k / t * leading,
            (false, _) => mn % 8 * swizzle + mn / 8 * stride + k * element,
            (true, 0) => mn % t * element + mn / t * stride + k % 8 * 16 + k / 8 * leading,
            (true, _) => mn % row * element + mn / row * leading + k % 8 * swizzle + k / 8 * stride,
        };
        let place = place + offset;
        let flipped = if swizzle == 0 { 0 } else { (place >> 7 & (swizzle / 16 - 1)) << 4 };
        place ^ flipped
    }
}

/// One instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Form {
    pub(crate) columns: usize,
    pub(crate) a: &'static str,
    pub(crate) b: &'static str,
    /// Type of d.
    pub(crate) accumulator: &'static str,
    /// `.satfinite`, or nothing.
    pub(crate) clamp: &'static str,
    pub(crate) layouts: [Layout; 2],
    pub(crate) negated: [bool; 2],
    /// Whether d is added.
    pub(crate) adds: bool,
}

/// Size of an element in bytes.
pub(crate) fn bytes(ty: &str) -> usize {
    match ty {
        "f16" | "bf16" => 2,
        "tf32" | "f32" | "s32" => 4,
        _ => 1,
    }
}

impl Form {
    /// Extent of the contraction.
    pub(crate) fn k(&self) -> usize {
        32 / bytes(self.a)
    }

    /// Registers of the accumulators of a thread.
    pub(crate) fn registers(&self) -> usize {
        self.columns / 2 * bytes(self.accumulator) / 4
    }

    /// The instruction, with descriptors in `%a` and `%b`.
    pub(crate) fn instruction(&self) -> String {
        self.instruction_of("%a")
    }

    /// The instruction with A in the registers `%f0` to `%f3`.
    pub(crate) fn instruction_of_registers(&self) -> String {
        self.instruction_of("{%f0, %f1, %f2, %f3}")
    }

    fn instruction_of(&self, left: &str) -> String {
        let Form { columns, a, b, accumulator, clamp, .. } = self;
        let k = self.k();
        let names: Vec<String> = (0..self.registers()).map(|at| format!("%s{at}")).collect();
        let scale = |negated: bool| if negated { -1 } else { 1 };
        let mut modifiers = String::new();
        if *accumulator != "s32" {
            let [a, b] = self.negated.map(scale);
            modifiers += &format!(", {a}, {b}");
        }
        if bytes(a) == 2 {
            let [a, b] = self.layouts.map(|layout| u32::from(layout.transposed));
            modifiers += &if left == "%a" { format!(", {a}, {b}") } else { format!(", {b}") };
        }
        format!(
            "wgmma.mma_async.sync.aligned.m64n{columns}k{k}{clamp}.{accumulator}.{a}.{b} {{{}}}, {left}, %b, %adds{modifiers};",
            names.join(", ")
        )
    }

    /// The kernel, with these instructions in place of a fence, the multiplication and a wait.
    pub(crate) fn text_with(&self, body: &str) -> String {
        let count = self.registers();
        let ty = if self.accumulator == "f32" { "f32" } else { "b32" };
        let each = |line: &dyn Fn(usize) -> String| (0..count).map(line).collect::<String>();
        let loads = each(&|at| format!("    ld.global.b32 %s{at}, [%at+{}];\n", IMAGE + 4 * at));
        let stores = each(&|at| format!("    st.global.b32 [%to+{}], %s{at};\n", 4 * at));
        let [a, b] = [self.layouts[0].descriptor(0), self.layouts[1].descriptor(PART_B)];
        let skips = u32::from(!self.adds);
        let start = start(&format!(".reg .{ty} %s<{count}>;"));
        format!(
            "{start}
    mad.wide.u32 %at, %thread, {}, %from;
    mad.wide.u32 %to, %thread, {}, %to;
{loads}    shr.u32 %r2, %r1, 4;
    cvt.u64.u32 %at, %r2;
    add.u64 %a, %at, {a:#x};
    add.u64 %b, %at, {b:#x};
    setp.eq.u32 %adds, {skips}, 0;
{body}
{stores}    ret;
}}
",
            4 * count,
            4 * count,
        )
    }

    /// Loads of A to the registers `%f0` to `%f3` of each thread, from where it lies in shared memory with contiguous K:
    /// four bytes of the thread's row and of the one 8 below, then those 16 bytes further along K.
    pub(crate) fn loads(&self) -> String {
        let stride = self.layouts[0].stride;
        let mut text = format!(
            "shr.u32 %r8, %thread, 5;\nmul.lo.u32 %r8, %r8, {};\nand.b32 %r9, %thread, 31;\nshr.u32 %r9, %r9, 2;\n\
             mul.lo.u32 %r11, %r9, {};\nadd.u32 %r8, %r8, %r11;\nand.b32 %r10, %thread, 3;\nshl.b32 %r10, %r10, 2;\n",
            2 * stride,
            self.layouts[0].swizzle
        );
        for register in 0..4 {
            let (below, along) = (register % 2 * stride, register / 2 * 16);
            text += &format!(
                "shl.b32 %r12, %r9, 4;\nadd.u32 %r13, %r10, {along};\nxor.b32 %r13, %r13, %r12;\n\
                 add.u32 %r13, %r13, %r8;\nadd.u32 %r13, %r13, %r1;\nld.shared.b32 %f{register}, [%r13+{below}];\n"
            );
        }
        text
    }

    /// The kernel.
    pub(crate) fn text(&self) -> String {
        self.text_with(&format!("wgmma.fence.sync.aligned;\n{}\n{WAIT}", self.instruction()))
    }
}

/// Waits for what was issued.
pub(crate) const WAIT: &str =
    "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n";

/// The start of the kernel: it fills the image.
fn start(registers: &str) -> String {
    format!(
        ".version 8.4
.target sm_90a
.address_size 64
.visible .entry warpgroup(.param .u64 from, .param .u64 to)
{{
    .reg .pred %p<4>, %adds;
    .reg .b32 %r<16>, %f<4>, %thread;
    {registers}
    .reg .b64 %from, %to, %at, %a, %b;
    .shared .align 1024 .b8 image[{IMAGE}];
    ld.param.u64 %from, [from];
    ld.param.u64 %to, [to];
    mov.u32 %thread, %tid.x;
    mov.u32 %r1, image;
    shl.b32 %r2, %thread, 4;
FILL:
    cvt.u64.u32 %at, %r2;
    add.u64 %at, %from, %at;
    ld.global.v4.b32 {{%r4, %r5, %r6, %r7}}, [%at];
    add.u32 %r3, %r1, %r2;
    st.shared.v4.b32 [%r3], {{%r4, %r5, %r6, %r7}};
    add.u32 %r2, %r2, 2048;
    setp.lt.u32 %p0, %r2, {IMAGE};
    @%p0 bra FILL;
    fence.proxy.async;
    bar.sync 0;"
    )
}
