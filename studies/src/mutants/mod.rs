//! Mutants: the text of a golden with one edit that a generator could get wrong.
//!
//! A mutant that is wrong has to be caught: by the compiler, by the emulator or by the numbers. One
//! that passes either does no harm, for a reason that is written down in `studies/mutants`, or shows
//! what the judges miss. `cargo xtask mutants` runs all of three goldens.

mod edits;
mod explained;
mod judge;
mod operators;
mod outcome;
mod pool;
mod report;
mod tokens;
mod tree;

use std::collections::HashMap;
use std::ops::Range;

pub use explained::{Explained, Harm, Reason};
pub use judge::Judge;
pub use outcome::{Catcher, Outcome};
pub use pool::{Worker, judge_all, serve};
pub use report::{Report, Row};

/// The goldens of the full run: together they have K contiguous and not, an output stored as it is
/// multiplied and transposed, and all that an epilogue can read.
pub const DEFAULT_GOLDENS: [&str; 3] = ["residual", "km_kn_nm", "wgmma_cluster_both"];

/// How a mutant differs from the original.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A statement is missing.
    Drop,
    /// Two neighbouring statements have changed places.
    Swap,
    /// A barrier, a wait or a commit stands one block of statements further out.
    Move,
    /// Another operator, function or truth value.
    Operator,
    /// A number is one more or one less.
    Number,
    /// A condition has lost a part, or always holds.
    Condition,
}

/// One edit of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// The kind of edit.
    pub kind: Kind,
    /// Where and what, in one line: `grid: const int width = min(RASTER, blocks_m [- -> +] ..`. No
    /// two mutants of a text have the same name.
    pub name: String,
    /// Whether a barrier, a wait or a commit is edited.
    pub is_synchronization: bool,
    /// Bytes of the text and what stands there instead, in order.
    edits: Vec<(Range<usize>, String)>,
}

impl Mutant {
    /// The edited text.
    pub fn apply(&self, text: &str) -> String {
        let (mut edited, mut at) = (String::with_capacity(text.len()), 0);
        for (range, new) in &self.edits {
            edited += &text[at..range.start];
            edited += new;
            at = range.end;
        }
        edited + &text[at..]
    }
}

/// Every mutant of a text, in the order of the text.
///
/// `static_assert`s are left alone: they make no code.
pub fn mutants(text: &str) -> Vec<Mutant> {
    let tokens = tokens::tokens(text);
    let statements = tree::statements(text, &tokens);
    let mut mutants = edits::edits(text, &tokens, &statements);
    let mut seen: HashMap<String, usize> = HashMap::new();
    let entry = entry(text);
    for mutant in &mut mutants {
        if let Some(entry) = entry {
            mutant.name = mutant.name.replace(entry, "kernel");
        }
        let count = seen.entry(mutant.name.clone()).or_default();
        *count += 1;
        if *count > 1 {
            mutant.name += &format!(" ({count})");
        }
    }
    mutants
}

/// The name of the entry point. It has a hash of the text, which the name of a mutant must not have.
fn entry(text: &str) -> Option<&str> {
    // Attributes may be in a line of their own.
    let header = text.lines().skip_while(|line| !line.contains(" __global__ "));
    let name = header.filter_map(|line| line.strip_suffix('(')).next()?;
    name.rsplit(' ').next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gemm_tests::goldens;

    /// Each mutant of a text, and what it makes of it.
    fn all(text: &str) -> Vec<(String, String)> {
        mutants(text).into_iter().map(|mutant| (mutant.name.clone(), mutant.apply(text))).collect()
    }

    fn has(text: &str, name: &str, edited: &str) {
        let all = all(text);
        let found = all.iter().find(|mutant| mutant.0 == name);
        assert_eq!(found.map(|mutant| mutant.1.as_str()), Some(edited), "{name} of {all:#?}");
    }

    #[test]
    fn statements_are_dropped_and_swapped() {
        let text = "void f() {\n    a();\n    // why\n    b(1,\n      x);\n}\n";
        has(text, "f: drop `a();`", "void f() {\n    \n    // why\n    b(1,\n      x);\n}\n");
        has(
            text,
            "f: swap `a();` and `b(1, ..`",
            "void f() {\n    b(1,\n      x);\n    // why\n    a();\n}\n",
        );
    }

    #[test]
    fn barriers_leave_their_block() {
        let text = "void f() {\n    for (;;) {\n        g();\n        __syncthreads();\n    }\n}\n";
        has(
            text,
            "f: move `__syncthreads();` behind `for (;;) { ..`",
            "void f() {\n    for (;;) {\n        g();\n        \n    } __syncthreads();\n}\n",
        );
        let all = mutants(text);
        let of_barriers = all.iter().filter(|mutant| mutant.is_synchronization);
        assert_eq!(of_barriers.count(), 3, "dropped, swapped, moved: {all:#?}");
    }

    #[test]
    fn operators_and_numbers_change() {
        let text = "int f(int x) { return x < 2 && x - 1 ? f<2>(x) : min(x, -1); }\n";
        let line = |edit: &str| text.replacen("x < 2 && x - 1", edit, 1);
        let named = |edit: &str| format!("f: {}", line(edit).trim());
        has(text, &named("x [< -> <=] 2 && x - 1"), &line("x <= 2 && x - 1"));
        has(text, &named("x < [2 -> (2 + 1)] && x - 1"), &line("x < (2 + 1) && x - 1"));
        has(text, &named("x < 2 [&& -> ||] x - 1"), &line("x < 2 || x - 1"));
        has(text, &named("x < 2 [&& x - 1 ->]"), &line("x < 2"));
        has(text, &named("[x < 2 && ->] x - 1"), &line("x - 1"));
        let max = text.replace("min", "max");
        has(text, &format!("f: {}", text.trim().replace("min", "[min -> max]")), &max);
    }

    #[test]
    fn names_have_no_hash_of_the_text() {
        let text = "extern \"C\" __global__ void __launch_bounds__(2, 1) f_0123456789abcdef(\n    int x) {\n}\n";
        let all = mutants(text);
        assert_eq!(all.len(), 4);
        for mutant in all {
            assert!(mutant.name.ends_with(" kernel("), "{}", mutant.name);
        }
    }

    #[test]
    fn conditions_become_true() {
        let text = "void f(int a) {\n    if (a == (1)) continue;\n}\n";
        has(text, "f: if ([a == (1) -> true]) continue;", &text.replace("a == (1)", "true"));
    }

    #[test]
    fn every_golden_has_mutants_with_names_of_their_own() {
        for golden in goldens::ALL.iter() {
            let all = mutants(&golden.kernel.text);
            let names: std::collections::HashSet<&str> =
                all.iter().map(|mutant| mutant.name.as_str()).collect();
            assert_eq!(names.len(), all.len(), "{}", golden.name);
            assert!(all.len() > 500, "{} has {}", golden.name, all.len());
            assert!(
                all.iter().all(|mutant| mutant.apply(&golden.kernel.text) != golden.kernel.text)
            );
        }
    }

    #[test]
    fn each_barrier_of_a_golden_is_dropped_and_swapped_or_moved() {
        for golden in goldens::ALL.iter() {
            let all = mutants(&golden.kernel.text);
            let of_kind = |kind| {
                let sync = all.iter().filter(|mutant| mutant.is_synchronization);
                sync.filter(|mutant| mutant.kind == kind).count()
            };
            // Four barriers, and with asynchronous copies three waits, a commit and the two
            // instructions themselves. Only neighbours are swapped: the two instructions have none.
            // Kernels that wait for mbarriers do so in functions of their own.
            let text = &golden.kernel.text;
            let waits_for_mbarriers = text.contains("mbarrier_wait");
            let copies = text.contains("cp_async_commit") && !waits_for_mbarriers;
            let (drops, swaps, moves) = match copies {
                true => (10, 8, 1),
                false => (4, 4, usize::from(!waits_for_mbarriers)),
            };
            assert!(
                of_kind(Kind::Drop) >= drops,
                "{}: {} dropped",
                golden.name,
                of_kind(Kind::Drop)
            );
            assert!(
                of_kind(Kind::Swap) >= swaps,
                "{}: {} swapped",
                golden.name,
                of_kind(Kind::Swap)
            );
            assert!(of_kind(Kind::Move) >= moves, "{}: {}", golden.name, of_kind(Kind::Move));
        }
    }
}
