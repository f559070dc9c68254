use gemm_codegen::{
    Allow, Axis, CacheOperator, CachePolicy, CopyAtom, KOrder, Mma, Precision, Promotion, Raster,
    Schedule, Side, Swizzle, Target, WgmmaShape,
};
use quote::quote;

use super::*;

/// The schedule and the first line of each error.
fn read(arguments: TokenStream) -> (Schedule, Vec<String>) {
    let (mut spans, mut errors) = (Spans::default(), Errors::default());
    let Attribute { schedule, .. } = parse(arguments, Vec::new(), &mut spans, &mut errors);
    let first_line = |text: String| text.lines().next().unwrap_or_default().to_owned();
    (schedule, errors.texts().into_iter().map(first_line).collect())
}

fn schedule(arguments: TokenStream) -> Schedule {
    let (schedule, errors) = read(arguments);
    assert_eq!(errors, [] as [&str; 0]);
    schedule
}

fn errors(arguments: TokenStream) -> Vec<String> {
    read(arguments).1
}

#[track_caller]
fn wrong(arguments: &str, error: &str) {
    assert_eq!(errors(arguments.parse().unwrap()), [error], "{arguments}");
}

fn extent(value: u16) -> NonZeroU16 {
    NonZeroU16::new(value).unwrap()
}

#[test]
fn nothing_is_the_default() {
    assert_eq!(schedule(quote!()), Schedule::default());
}

#[test]
fn every_key() {
    let schedule = schedule(quote! {
        tile = [128, 256, 32], warps = [2, 4], mma = m16n8k16, precision = tf32, copy = cp_async(16, cg),
        swizzle = [2, 3, 3], stages = 4, raster = along_n(8), pdl = [w, r#type], targets = [sm_80, sm_90],
        allow(bank_conflicts),
    });
    let copy = CopyAtom::CpAsync { bytes: extent(16), cache: CacheOperator::Cg, policy: None };
    let swizzle = Swizzle { b: 2, m: 3, s: 3 };
    assert_eq!(schedule.tile, Some([extent(128), extent(256), extent(32)]));
    assert_eq!(schedule.warps, Some([extent(2), extent(4), extent(1)]));
    assert_eq!(schedule.mma, Some(Mma::M16n8k16));
    assert_eq!(schedule.precision, Some(Precision::Tf32));
    assert_eq!((schedule.copy.a, schedule.copy.b), (Some(copy), Some(copy)));
    assert_eq!((schedule.swizzle.a, schedule.swizzle.b), (Some(swizzle), Some(swizzle)));
    assert_eq!(schedule.stages, Some(extent(4)));
    assert_eq!(schedule.raster, Some(Raster::AlongN(extent(8))));
    assert_eq!(schedule.pdl, Some(vec!["w".to_owned(), "type".to_owned()]));
    assert_eq!(schedule.targets, Some(vec![Target::Sm80, Target::Sm90]));
    assert_eq!(schedule.allow, [Allow::BankConflicts]);
}

#[test]
fn keys_that_differ_by_operand() {
    let schedule = schedule(quote! {
        copy(b = cp_async(8, ca, evict_last)), swizzle(a = [1, 3, 3], b = [0, 3, 3]), raster = along_m(1)
    });
    let policy = Some(CachePolicy::EvictLast);
    let copy = CopyAtom::CpAsync { bytes: extent(8), cache: CacheOperator::Ca, policy };
    assert_eq!((schedule.copy.a, schedule.copy.b), (None, Some(copy)));
    assert_eq!(schedule.swizzle.a, Some(Swizzle { b: 1, m: 3, s: 3 }));
    assert_eq!(schedule.swizzle.b, Some(Swizzle { b: 0, m: 3, s: 3 }));
    assert_eq!(schedule.raster, Some(Raster::AlongM(extent(1))));
}

#[test]
fn a_value_for_both_operands_has_one_span() {
    let (mut spans, mut errors) = (Spans::default(), Errors::default());
    parse(
        quote!(swizzle = [2, 3, 3], copy(b = cp_async(16, cg))),
        Vec::new(),
        &mut spans,
        &mut errors,
    );
    let bits = |side| spans.written(Field::SwizzleBits(side, 1));
    assert_eq!(bits(Side::A), Some(Field::SwizzleBits(Side::A, 1)));
    assert_eq!(bits(Side::B), bits(Side::A));
    assert_eq!(spans.written(Field::CopyBytes(Side::A)), None);
    assert_eq!(spans.written(Field::CopyBytes(Side::B)), Some(Field::CopyBytes(Side::B)));
}

#[test]
fn extents_at_both_ends() {
    let tile = schedule(quote!(tile = [1, 65535, 0x10])).tile;
    assert_eq!(tile, Some([extent(1), extent(65535), extent(16)]));
    assert_eq!(
        errors(quote!(tile = [0, 65536, 99999999999999999999999])),
        [
            "tile = 0 is out of range: it must be 1 to 65535",
            "tile = 65536 is out of range: it must be 1 to 65535",
            "tile = 99999999999999999999999 is out of range: it must be 1 to 65535"
        ]
    );
    wrong("stages = 0", "stages = 0 is out of range: it must be 1 to 65535");
    wrong("swizzle = [32, 3, 3]", "swizzle B = 32 is out of range: it must be 0 to 31");
}

#[test]
fn extents_must_be_plain_numbers() {
    assert_eq!(
        errors(quote!(tile = [BLK_M, -1, 32u16])),
        [
            "expected a literal number: a macro cannot evaluate a constant",
            "expected a positive number",
            "expected a number without the suffix `u16`",
        ]
    );
    assert_eq!(
        errors(quote!(tile = [1 + 1, "2", ,])),
        [
            "expected a literal number: a macro computes none",
            "expected a whole number",
            "expected a whole number",
        ]
    );
    wrong("tile = [1, 2]", "`tile` takes 3 numbers, got 2");
    wrong("tile = 128", "expected 3 numbers in brackets");
    wrong("tile =", "expected 3 numbers in brackets");
    wrong("stages =", "expected a whole number");
}

#[test]
fn every_error_is_reported() {
    let errors = errors(quote! {
        tiles = [1, 2, 3], tile = [0, 1, 2], mma = m8n8k8, stages = 2, stages = 3,
        targets = [sm_80, sm_42], raster = diagonal(2), allow(spills), copy(c = cp_async(16, cg))
    });
    assert_eq!(
        errors,
        [
            "unknown key `tiles`",
            "tile = 0 is out of range: it must be 1 to 65535",
            "unknown MMA atom `m8n8k8`",
            "`stages` is given twice",
            "unknown target `sm_42`",
            "unknown raster `diagonal`",
            "unknown permission `spills`",
            "unknown operand `c`",
        ]
    );
}

#[test]
fn register_tiles_right_and_wrong() {
    let (mut spans, mut all) = (Spans::default(), Errors::default());
    let Attribute { schedule, .. } =
        parse(quote!(mma = fma(8, 4), copy = ld_global(16)), Vec::new(), &mut spans, &mut all);
    assert_eq!(all.texts(), [] as [String; 0]);
    assert_eq!(schedule.mma, Some(Mma::Fma { m: extent(8), n: extent(4) }));
    let copy = Some(CopyAtom::LdGlobal { bytes: extent(16) });
    assert_eq!([schedule.copy.a, schedule.copy.b], [copy; 2]);
    assert_eq!(spans.written(Field::FmaExtent(Axis::N)), Some(Field::FmaExtent(Axis::N)));

    wrong("mma = fma", "unknown MMA atom `fma`");
    wrong("mma = fma(8)", "`fma` takes the rows and columns of a thread's register tile");
    wrong("mma = 8", "expected the name of one MMA atom");
    assert_eq!(errors(quote!(mma = fma(0, x))).len(), 2);
    assert_eq!(errors(quote!(mma = imma(8, 8))).len(), 1);
}

#[test]
fn tensor_copies_take_a_cache_policy_or_no_parentheses() {
    let copy = |arguments| {
        let (mut spans, mut all) = (Spans::default(), Errors::default());
        let Attribute { schedule, .. } = parse(arguments, Vec::new(), &mut spans, &mut all);
        assert_eq!(all.texts(), [] as [String; 0]);
        let places = Side::BOTH.map(|side| spans.written(Field::Copy(side)));
        ([schedule.copy.a, schedule.copy.b], places)
    };
    let (tma, [a, b]) = (Some(CopyAtom::TMA), Side::BOTH.map(|side| Some(Field::Copy(side))));
    assert_eq!(copy(quote!(copy = tma)), ([tma; 2], [a, a]));
    assert_eq!(copy(quote!(copy(a = tma, b = tma))), ([tma; 2], [a, b]));
    assert_eq!(copy(quote!(copy(b = tma))), ([None, tma], [None, b]));
    let cp_async = CopyAtom::CpAsync { bytes: extent(16), cache: CacheOperator::Cg, policy: None };
    assert_eq!(copy(quote!(copy(a = tma, b = cp_async(16, cg)))).0, [tma, Some(cp_async)]);

    let first = Some(CopyAtom::Tma { policy: Some(CachePolicy::EvictFirst) });
    assert_eq!(copy(quote!(copy = tma(evict_first))), ([first; 2], [a, a]));
    assert_eq!(copy(quote!(copy(a = tma(evict_first), b = tma))), ([first, tma], [a, b]));

    for arguments in ["copy = tma()", "copy(a = tma, b = tma(evict_first, 16))"] {
        wrong(arguments, "`tma` takes one cache policy, or no parentheses");
    }
    wrong("copy = tma(16)", "expected a cache policy");
    wrong("copy = tma(evict)", "unknown cache policy `evict`");
    assert_eq!(errors(quote!(copy = tma 16)).len(), 1);
    wrong("copy = \"tma\"", "expected a copy atom, such as `cp_async(16, cg)`");
}

#[test]
fn copy_atoms_that_do_not_exist() {
    let cp_async =
        "`cp_async` takes the bytes of a copy, a cache operator and optionally a cache policy";
    for (copy, error) in [
        ("ldg(16)", "unknown copy atom `ldg`"),
        ("16", "expected a copy atom, such as `cp_async(16, cg)`"),
        ("ld_global", "`ld_global` takes the bytes of a copy"),
        ("ld_global(16, cg)", "`ld_global` takes the bytes of a copy"),
        ("ld_global(0)", "the bytes of a copy = 0 is out of range: it must be 1 to 65535"),
        (
            "ld_global(16, evict_first)",
            "`ld_global` takes only the bytes of a copy: plain loads have no cache policy",
        ),
        ("cp_async", cp_async),
        ("cp_async(16)", cp_async),
        ("cp_async(16, cg, evict_first, evict_last)", cp_async),
        ("cp_async(16, cs)", "unknown cache operator `cs`"),
        ("cp_async(0, cg)", "the bytes of a copy = 0 is out of range: it must be 1 to 65535"),
        ("cp_async(16, cg, evict)", "unknown cache policy `evict`"),
        ("cp_async(16, cg, 1)", "expected a cache policy"),
    ] {
        assert_eq!(errors(format!("copy = {copy}").parse().unwrap())[0], error, "{copy}");
    }
    wrong("copy(a = cp_async(16, cg), a = cp_async(8, ca))", "`a` is given twice");
}

#[test]
fn operands_of_pdl() {
    assert_eq!(schedule(quote!(stages = 2)).pdl, None);
    assert_eq!(schedule(quote!(pdl = [])).pdl, Some(Vec::new()));
    wrong("pdl = w", "expected operands in brackets");
    wrong("pdl = [w, 1]", "expected the name of an operand");
    wrong("pdl", "`pdl` has the wrong form");
}

#[test]
fn keys_in_another_form() {
    for arguments in [quote!(stages), quote!(stages(4)), quote!(allow = bank_conflicts)] {
        let text = &errors(arguments)[0];
        assert!(text.ends_with("has the wrong form"), "{text}");
    }
    wrong("stages: 4", "expected `=` after `stages`");
    wrong("tile = [1, 2, 3] stages = 4", "expected `,` before this");
    wrong("stages = 4 tile = [1, 2, 3]", "expected `,` before this");
    wrong("4", "expected a key, such as `tile = [128, 128, 32]`");
    wrong(", stages = 4", "expected a key, such as `tile = [128, 128, 32]`");
}

#[test]
fn an_instruction_of_warpgroups_has_its_shape_or_none() {
    let shape = WgmmaShape { n: extent(256), k: extent(16) };
    assert_eq!(schedule(quote!(mma = wgmma)).mma, Some(Mma::Wgmma(None)));
    assert_eq!(schedule(quote!(mma = m64n256k16)).mma, Some(Mma::Wgmma(Some(shape))));
    wrong("mma = m64n256", "unknown MMA atom `m64n256`");
}

#[test]
fn sums_are_promoted_after_some_of_k_or_never() {
    let every = |k| Some(Promotion::Every(extent(k)));
    assert_eq!(schedule(quote!(promote = 128)).promote, every(128));
    assert_eq!(schedule(quote!(promote = never)).promote, Some(Promotion::Never));
    wrong("promote = often", "unknown promotion `often`");
    wrong("promote = 0", "promote = 0 is out of range: it must be 1 to 65535");
    wrong("promote(128)", "`promote` has the wrong form");
}

#[test]
fn k_tiles_have_an_order() {
    assert_eq!(schedule(quote!(k_order = serpentine)).k_order, Some(KOrder::Serpentine));
    assert_eq!(schedule(quote!(k_order = ascending)).k_order, Some(KOrder::Ascending));
    wrong("k_order = zigzag", "unknown order `zigzag`");
    wrong("k_order(serpentine)", "`k_order` has the wrong form");
    wrong("auto, k_order = serpentine", "`auto` chooses `k_order`, but it is also given");
}

#[test]
fn auto_excludes_the_keys_that_fix_a_schedule() {
    let read = |arguments| {
        let (mut spans, mut errors) = (Spans::default(), Errors::default());
        parse(arguments, Vec::new(), &mut spans, &mut errors).auto
    };
    assert!(read(quote!(auto)) && read(quote!(auto, targets = [sm_80], acc = f16)));
    assert!(read(quote!()) && read(quote!(mma = m16n8k16)));
    assert!(!read(quote!(stages = 3)) && !read(quote!(derived)));
    assert!(!read(quote!(derived, targets = [sm_80])));
    assert_eq!(errors(quote!(auto, raster = along_n(4), copy = cp_async(8, ca))), [] as [&str; 0]);
    assert_eq!(
        errors(quote!(stages = 4, auto, tile = [64, 64, 32], split_k = 2)),
        ["`auto` chooses `stages`, `tile` and `split_k`, but they are also given"]
    );
    wrong("auto = true", "`auto` has the wrong form");
    wrong("derived, auto", "`auto` means several schedules and `derived` one");
    wrong("derived, warps = [2, 2]", "`derived` derives `warps`, but it is also given");
}
