//! [`needs`]: what a rule is judged with.

use gemm_codegen::Rule;
use gemm_codegen::Rule::*;

const BODY: &[Rule] = &[Matmul, SharedFactor, BodyNames, BodyFunctions, BodyTypes, ScaledFactor];
const ROLES: &[Rule] = &[OperandNames, ContractionIndices, OperandIndices, AddedTerm];
const ATOM: &[Rule] = &[ConvertedFactor, ElementsMatchAtom, AtomOnTarget, AccumulatorOfAtom];
const TILING: &[Rule] = &[WarpsTileBlock, AtomsTileWarp, AtomsTileK];
const WARPGROUPS: &[Rule] = &[WarpgroupsOfBlock, PingpongWarpgroups];
const COLUMNS: &[Rule] = &[WarpgroupColumns, WgmmaShape, SplitColumns];
/// What a stage is made of, and where.
const STAGE: &[Rule] = &[RegisterTileFits, SharedMemoryFits, TargetsNamed, ProductsOfTile];

/// Rules with those that each of them needs, itself left out.
const NEEDS: &[(&[Rule], &[&[Rule]])] = &[
    (&[OperandNames, TargetsNamed, ElementsOnTarget, OutputCount, Invariant], &[]),
    // An output whose two indices are one is compared with no other. Products whose term is wrong may be meant to be in
    // turn, whose outputs differ.
    (&[OutputsAlike], &[&[ContractionIndices, AddedTerm]]),
    (&[CopySize, CopyOnTarget, CopiesAlike, PipelineDepth, SplitsOfTile, RegisterTileFits], &[]),
    (&[WarpsTileBlock, AtomsTileWarp, WarpsOfAtom], &[]),
    (&[AtomsTileK], &[&[PlanesOfTile]]),
    (&[ThreadsFitBlock], &[&[WarpsTileBlock]]),
    (&[WarpgroupsOfBlock], &[&[WarpsTileBlock]]),
    (&[WarpgroupCopies, WarpgroupSplits, PingpongWarpgroups], &[]),
    (&[WalkOfWarpgroups, KOrderOfWalk, ClusterOfWarpgroups, ClusterSize, SplitsAlone], &[]),
    (&[ContractionIndices, BatchIndices], &[BODY]),
    (&[OperandIndices], &[BODY, &[ContractionIndices, AddedTerm]]),
    (&[AddedTerm], &[BODY, ROLES, ATOM, &[OutputsOfBody, PrecisionByName]]),
    // An operand that shares its name with another is the first of that name.
    (&[PdlOperands, PrecisionByName, PlanesOfTile], &[BODY, &[OperandNames]]),
    // Warps that do not tile the block have no lines of packed elements. Of warps that are left out the lines or what
    // they take may be said.
    (
        &[ConvertedFactor],
        &[BODY, ROLES, TILING, &[RegisterTileFits, RegistersFit, SharedMemoryFits]],
    ),
    (&[ScaledFactor], &[BODY, ROLES, ATOM, &[RegisterTileFits, PlanesOfTile, TargetsNamed]]),
    (&[ElementsMatchAtom], &[BODY, ROLES, &[RegisterTileFits, ConvertedFactor]]),
    (
        &[AtomOnTarget, AccumulatorOfAtom],
        &[BODY, ROLES, &[RegisterTileFits, ConvertedFactor, ElementsMatchAtom]],
    ),
    (
        &[SwizzleOfRows, SwizzleKeepsChunks, SwizzleInvertsItself, SwizzleSpanDividesTile],
        &[BODY, ROLES, ATOM, STAGE, &[CopySize, WarpgroupColumns]],
    ),
    (
        &[TensorCopy],
        &[
            BODY,
            ROLES,
            ATOM,
            STAGE,
            &[CopiesAlike, WarpgroupColumns],
            // Of values at the same place.
            &[AtomsTileWarp, AtomsTileK, SwizzleSpanDividesTile, BankConflictFree, SplitColumns],
            &[PlanesOfTile],
        ],
    ),
    (
        &[TensorFragments],
        &[BODY, ROLES, ATOM, STAGE, TILING, &[ThreadsFitBlock, CopiesAlike, RegistersFit]],
    ),
    (
        &[WarpgroupColumns, WgmmaShape],
        &[
            BODY,
            ROLES,
            ATOM,
            TILING,
            WARPGROUPS,
            COLUMNS,
            &[TensorCopy, SharedMemoryFits, RegistersFit, TargetsNamed, ProductsOfTile],
        ],
    ),
    (
        &[RegistersFit],
        &[
            ATOM,
            TILING,
            WARPGROUPS,
            COLUMNS,
            &[ThreadsFitBlock, SharedMemoryFits, CopySize, RegisterTileFits, TensorFragments],
            // The usual tile has columns of all products.
            &[SharedFactor, ProductsOfTile],
            // What is scaled says what is held.
            &[ScaledFactor],
        ],
    ),
];

/// The rules without which another cannot be judged: while they hold, its violation is reported
/// beside all others. `None` where that is not claimed.
pub fn needs(rule: Rule) -> Option<Vec<Rule>> {
    let (_, needs) = NEEDS.iter().find(|(rules, _)| rules.contains(&rule))?;
    Some(needs.concat().into_iter().filter(|need| *need != rule).collect())
}
