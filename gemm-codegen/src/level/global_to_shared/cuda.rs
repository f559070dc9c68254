//! The text of the copies.

use super::{CacheOperator, CachePolicy, CopyAtom, GlobalToShared, tensor};
use crate::body::wrap::wrap_lines;
use crate::element::Element;
use crate::level::shared_tile::CHUNK_BYTES;

/// The members of a tile in a kernel of which one side's tile consists of panels: one whose rows run
/// along K is one panel.
const CUDA_PANELS: &str = "    static constexpr int PANEL_COLS = PITCH / int(sizeof(Element));\n    \
     static constexpr int PANELS = COLS / PANEL_COLS, PANEL_BYTES = ROWS * PITCH;  // boxes\n";

impl GlobalToShared {
    /// The members of the tile's struct that `global_to_shared` reads, for an operand whose
    /// alignment is the macro `align`, in a kernel of these `sides`.
    pub(crate) fn cuda_members(&self, align: &str, sides: [&GlobalToShared; 2]) -> String {
        let bytes = self.atom.bytes();
        let aligned = format!("{align} < {bytes} ? {align} : {bytes}");
        match self.atom {
            CopyAtom::CpAsync { cache, policy, .. } => {
                // No asynchronous copy has less than 4 bytes; below that it is an element at a time.
                let narrow = match self.element_bytes {
                    1 => format!("{align} < 4 ? 1 : "),
                    _ => String::new(),
                };
                let members = wrap_lines(&format!(
                    "    static constexpr int COPY_BYTES = {narrow}{aligned};\n    \
                     static constexpr bool PAST_L1 = {};\n",
                    cache == CacheOperator::Cg
                ));
                let has_policy = !cuda_policies(sides).is_empty();
                let policy = if has_policy { cuda_policy(policy) } else { String::new() };
                let threads = if transposes(sides) { self.cuda_threads() } else { String::new() };
                members + &threads + &policy
            }
            CopyAtom::Tma if has_panels(sides) => CUDA_PANELS.to_owned(),
            CopyAtom::Tma => String::new(),
            CopyAtom::LdGlobal { .. } => wrap_lines(&format!(
                "    static constexpr int COPY_BYTES = {bytes};\n    \
                 static constexpr int LOAD_BYTES = {aligned};\n",
            )),
        }
    }

    /// The member that says how many threads share a row, in a kernel of which one side's copies
    /// transpose.
    fn cuda_threads(&self) -> String {
        let most = self.row_threads.map_or("THREADS".to_owned(), |most| most.to_string());
        format!(
            "    static constexpr int ROW_THREADS = {most};  // at most, for the copies of a row\n"
        )
    }

    /// The lines behind the tile's struct that prove that copies tile a row.
    pub(crate) fn cuda_proof(&self, letter: &str, element: Element) -> String {
        match self.atom {
            CopyAtom::Tma if self.panels.is_some() => format!(
                "static_assert(Tile{letter}::COLS % Tile{letter}::PANEL_COLS == 0 && \
                 Tile{letter}::ROWS <= {},\n              \"panels of {letter} are boxes\");\n",
                tensor::MAX_ROWS
            ),
            CopyAtom::Tma => format!(
                "static_assert(Tile{letter}::PITCH == {} && Tile{letter}::ROWS <= {}, \
                 \"a tile of {letter} is a box\");\n",
                tensor::ROW_BYTES,
                tensor::MAX_ROWS
            ),
            CopyAtom::CpAsync { .. } | CopyAtom::LdGlobal { .. } => format!(
                "static_assert(Tile{letter}::COLS * sizeof({element}) % Tile{letter}::COPY_BYTES == \
                 0,\n              \"copies tile a row of {letter}\");\n"
            ),
        }
    }

    /// What the start of shared memory has to be aligned to, in bytes.
    pub(crate) fn align(&self) -> u32 {
        match self.atom {
            CopyAtom::Tma => tensor::ALIGN,
            CopyAtom::CpAsync { .. } | CopyAtom::LdGlobal { .. } => CHUNK_BYTES,
        }
    }
}

/// The members that say a tile's policy in a kernel of which one side has one.
fn cuda_policy(policy: Option<CachePolicy>) -> String {
    let value = policy.map_or("0".to_owned(), |policy| format!("{}()", policy.name()));
    format!(
        "    static constexpr bool HAS_POLICY = {};  // of L2\n    \
         static __device__ __forceinline__ unsigned long long policy() {{ return {value}; }}\n",
        policy.is_some()
    )
}

/// The device functions that make the policies of both sides. The tiles call them.
pub(crate) fn cuda_policies(sides: [&GlobalToShared; 2]) -> Vec<&'static str> {
    sides.into_iter().filter_map(|side| side.atom.policy()).map(CachePolicy::cuda).collect()
}

/// The device function `global_to_shared`, or `global_to_register` and `register_to_shared`, and
/// what they call. The wrappers of instructions take the tile, as in
/// [`shared_to_register`](crate::level::shared_to_register::cuda).
pub(crate) fn cuda(sides: [&GlobalToShared; 2]) -> Vec<&'static str> {
    let [a, _] = sides;
    match a.atom {
        CopyAtom::CpAsync { .. } if cuda_policies(sides).is_empty() => cuda_cp_async(sides),
        CopyAtom::CpAsync { .. } => cuda_cp_async_policy(sides),
        CopyAtom::Tma => vec![
            include_str!("../../ptx/mbarrier.cuh"),
            match has_panels(sides) {
                true => include_str!("tensor_panels.cuh"),
                false => include_str!("tensor.cuh"),
            },
        ],
        CopyAtom::LdGlobal { .. } => vec![
            include_str!("../word.cuh"),
            include_str!("../../ptx/store_shared_words.cuh"),
            include_str!("source.cuh"),
            include_str!("ld_global.cuh"),
        ],
    }
}

/// Copies whose lines no side has a policy for.
fn cuda_cp_async(sides: [&GlobalToShared; 2]) -> Vec<&'static str> {
    let past_l1 = past_l1(sides);
    let mut fragments = vec![include_str!("../../ptx/cp_async_ca.cuh")];
    if past_l1 {
        fragments.push(include_str!("../../ptx/cp_async_cg.cuh"));
    }
    fragments.push(store_element(sides));
    fragments.push(if past_l1 { include_str!("copy.cuh") } else { include_str!("copy_ca.cuh") });
    fragments.push(include_str!("../../ptx/cp_async_group.cuh"));
    fragments.push(match transposes(sides) {
        true => include_str!("source_transposed.cuh"),
        false => include_str!("source.cuh"),
    });
    fragments.push(include_str!("cp_async.cuh"));
    fragments
}

/// Copies whose lines one side or both have a policy for.
fn cuda_cp_async_policy(sides: [&GlobalToShared; 2]) -> Vec<&'static str> {
    let past_l1 = past_l1(sides);
    let mut fragments = vec![include_str!("../../ptx/cp_async_ca_policy.cuh")];
    if past_l1 {
        fragments.push(include_str!("../../ptx/cp_async_cg_policy.cuh"));
    }
    fragments.push(store_element(sides));
    fragments.push(match past_l1 {
        true => include_str!("copy_policy.cuh"),
        false => include_str!("copy_ca_policy.cuh"),
    });
    fragments.push(include_str!("../../ptx/cp_async_group.cuh"));
    fragments.push(match transposes(sides) {
        true => include_str!("source_transposed_policy.cuh"),
        false => include_str!("source_policy.cuh"),
    });
    fragments.push(include_str!("cp_async_policy.cuh"));
    fragments
}

/// Whether the copies of a side transpose its tile.
fn transposes(sides: [&GlobalToShared; 2]) -> bool {
    sides.iter().any(|side| side.row_threads.is_some())
}

/// Whether the tile of a side consists of panels.
fn has_panels(sides: [&GlobalToShared; 2]) -> bool {
    sides.iter().any(|side| side.panels.is_some())
}

fn past_l1(sides: [&GlobalToShared; 2]) -> bool {
    sides.iter().any(|side| side.atom.cache() == Some(CacheOperator::Cg))
}

/// The store of an element that no asynchronous copy is narrow enough for.
fn store_element(sides: [&GlobalToShared; 2]) -> &'static str {
    match sides[0].element_bytes {
        1 => include_str!("../../ptx/store_shared_u8.cuh"),
        _ => include_str!("../../ptx/store_shared_u16.cuh"),
    }
}

#[cfg(test)]
mod tests {
    /// The lines that are code.
    fn code(text: &str) -> Vec<&str> {
        text.lines().filter(|line| !line.trim_start().starts_with("//")).collect()
    }

    #[test]
    fn threads_of_a_row_are_all_that_copies_that_transpose_have_of_their_own() {
        for (plain, transposed) in [
            (include_str!("source.cuh"), include_str!("source_transposed.cuh")),
            (include_str!("source_policy.cuh"), include_str!("source_transposed_policy.cuh")),
        ] {
            let all = transposed
                .replace("int copies, int most)", "int copies)")
                .replace("copies < most ? copies : most;", "copies < THREADS ? copies : THREADS;")
                .replace("VECTOR, Tile::ROW_THREADS)", "VECTOR)");
            assert_eq!(code(plain), code(&all));
        }
    }

    #[test]
    fn a_policy_is_all_that_copies_with_one_have_more() {
        let without = |text: &str, policy: &str| text.replace(policy, "");
        let copy = ", unsigned long long policy";
        for (plain, policy) in [
            (
                include_str!("source.cuh"),
                without(
                    include_str!("source_policy.cuh"),
                    "    const unsigned long long policy = Tile::policy();  // of L2; made once\n",
                ),
            ),
            (
                include_str!("cp_async.cuh"),
                without(include_str!("cp_async_policy.cuh"), ", source.policy")
                    .replace("    const unsigned begin = (stage + first) ^ (blockDim.y - 1);\n", "")
                    .replace("begin + (to - first)", "stage + to"),
            ),
            (
                include_str!("copy.cuh"),
                without(&without(include_str!("copy_policy.cuh"), copy), ", policy"),
            ),
            (
                include_str!("copy_ca.cuh"),
                without(&without(include_str!("copy_ca_policy.cuh"), copy), ", policy"),
            ),
        ] {
            assert_eq!(code(plain), code(&policy));
        }
    }
}
