//! The keys of the attribute, and what is said of others.

use quote::ToTokens;

use super::Reader;
use super::entry::Entry;
use crate::errors::{Errors, Unknown, list};

/// The keys that fix a schedule; without any of them a launch chooses among candidates.
pub(super) const CHOSEN: [&str; 9] = [
    "tile",
    "warps",
    "warpgroups",
    "schedule",
    "k_order",
    "cluster",
    "swizzle",
    "stages",
    "split_k",
];

/// Reads the value of a key.
pub(super) type Read = fn(&mut Reader<'_>, &Entry);

/// Every key with an example of it, and what reads it.
pub(crate) const KEYS: [(&str, &str, Read); 22] = [
    ("auto", "auto", |reader, entry| reader.auto = reader.alone(entry)),
    ("derived", "derived", |reader, entry| reader.derived = reader.alone(entry)),
    ("invariant", "invariant", |reader, entry| {
        reader.schedule.invariant = reader.alone(entry);
    }),
    ("tile", "tile = [128, 128, 32]", |reader, entry| reader.tile(entry)),
    ("warps", "warps = [2, 2]", |reader, entry| reader.warps(entry)),
    ("warpgroups", "warpgroups = [2, 1]", |reader, entry| reader.warpgroups(entry)),
    ("schedule", "schedule = cooperative", |reader, entry| reader.schedule(entry)),
    ("k_order", "k_order = serpentine", |reader, entry| reader.k_order(entry)),
    ("cluster", "cluster = [2, 1]", |reader, entry| reader.cluster(entry)),
    ("mma", "mma = m16n8k16", |reader, entry| reader.mma(entry)),
    ("precision", "precision = tf32", |reader, entry| reader.precision(entry)),
    ("acc", "acc = f16", |reader, entry| reader.acc(entry)),
    ("promote", "promote = 128", |reader, entry| reader.promote(entry)),
    ("copy", "copy = cp_async(16, cg)", |reader, entry| reader.copy(entry)),
    ("swizzle", "swizzle = [2, 3, 3]", |reader, entry| reader.swizzle(entry)),
    ("stages", "stages = 4", |reader, entry| reader.stages(entry)),
    ("raster", "raster = along_m(8)", |reader, entry| reader.raster(entry)),
    ("split_k", "split_k = 4", |reader, entry| reader.split_k(entry)),
    ("pdl", "pdl = [w]", |reader, entry| reader.pdl(entry)),
    ("targets", "targets = [sm_80, sm_90]", |reader, entry| reader.targets(entry)),
    ("allow", "allow(bank_conflicts)", |reader, entry| reader.allow(entry)),
    ("crate", "crate = gemm", |reader, entry| reader.runtime(entry)),
];

/// Names that others have for these keys.
const SYNONYMS: [(&str, &[&str]); 7] = [
    ("precision", &["allow_tf32", "tf32", "use_tf32"]),
    (
        "tile",
        &[
            "bk",
            "blk",
            "block",
            "block_k",
            "block_m",
            "block_n",
            "block_size",
            "bm",
            "bn",
            "block_tile",
            "cta_tile",
            "tile_shape",
            "tile_size",
        ],
    ),
    ("warps", &["num_warps"]),
    ("mma", &["atom", "instruction", "tensor_cores"]),
    ("acc", &["accumulate", "accumulator"]),
    ("stages", &["buffers", "depth", "num_stages", "pipeline"]),
    ("targets", &["arch", "architecture", "sm", "target"]),
];

/// Names that are not keys: other keys determine them, or there is nothing to choose.
const FOLLOWING: [(&[&str], &str); 10] = [
    (
        &["block_dim", "num_threads", "threads"],
        "the threads of a block follow from `warps = [2, 2]`, 32 for each warp",
    ),
    (
        &["shared", "shared_memory", "smem"],
        "the shared memory of a block follows from `tile` and `stages`",
    ),
    (
        &["maxrregcount", "registers", "regs"],
        "the registers of a thread follow from `tile` and `warps`",
    ),
    (
        &["sparse", "sparsity"],
        "structured sparsity is not supported: factors are dense, and their zeros are multiplied",
    ),
    (&["blocks", "grid"], "the blocks of a launch follow from its shape, `tile` and `split_k`"),
    (
        &["dtype", "element", "type", "types"],
        "the operands have element types, `x: Mat<f16, M, K>`; `T = [f16, bf16]` lists those of `fn name<T>(..)`",
    ),
    (
        &["group", "group_size", "scales"],
        "the type of the scales says for how much of K each is: `s: Tiled<f16, N, K, 1, 128>`, `matmul(x, w * s)`",
    ),
    (
        &["batch", "batched", "heads"],
        "a batch is an index of the operands: `x: Batched<f16, B, M, K>`",
    ),
    (
        &["layout", "trans_a", "trans_b", "transpose"],
        "the order of an operand's indices says how it is stored: `w: Mat<f16, K, N>` or `w: Mat<f16, N, K>`",
    ),
    (
        &["activation", "bias", "epilogue"],
        "the body says what is computed of a product: `gelu(matmul(x, w) + bias)`",
    ),
];

/// Reports an entry whose key does not exist.
pub(super) fn unknown(entry: &Entry, errors: &mut Errors) {
    let key = entry.key.to_string();
    let message = format!("unknown key `{key}`");
    if let Some(help) = instead(&key.to_lowercase()) {
        return errors.push(&entry.key, message, help);
    }
    if key.starts_with(|first: char| first.is_ascii_uppercase()) {
        let message = format!("{message}: the function has no type parameter of this name");
        let help = format!("declare it, `fn name<{key}>(..)`, and write it for an element type");
        return errors.push(&entry.key, message, help);
    }
    let keys = KEYS.map(|(key, ..)| key);
    let all = format!("the keys are {}, and the function's type parameters", list(keys));
    errors.push_unknown(Unknown {
        message,
        written: key,
        candidates: keys.map(str::to_owned).to_vec(),
        all: Some(all),
        tokens: entry.key.to_token_stream(),
        is_element: false,
    });
}

/// What to write in place of a key by another name, or of what is not a key.
fn instead(key: &str) -> Option<String> {
    let following = FOLLOWING.iter().find(|(names, _)| names.contains(&key));
    if let Some((_, help)) = following {
        return Some((*help).to_owned());
    }
    let (meant, _) = SYNONYMS.iter().find(|(_, names)| names.contains(&key))?;
    let (_, example, _) = KEYS.iter().find(|(known, ..)| known == meant)?;
    Some(format!("the key is `{meant}`, for example `{example}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_synonym_is_of_a_key_and_is_not_one() {
        let is_key = |name: &str| KEYS.iter().any(|(key, ..)| *key == name);
        let following = FOLLOWING.iter().flat_map(|(names, _)| *names);
        let synonyms = SYNONYMS.iter().flat_map(|(_, names)| *names);
        assert!(SYNONYMS.iter().all(|(key, _)| is_key(key)));
        for name in following.chain(synonyms) {
            assert!(!is_key(name) && instead(name).is_some(), "{name}");
        }
    }
}
