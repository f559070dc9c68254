use super::*;

/// A warp reading eight rows of one 16-byte column of an f16 tile, as `ldmatrix` does.
fn column_read(cols: u32, swizzle: Swizzle) -> u32 {
    let layout = TileLayout { rows: 8, cols, order: TileOrder::Rows(swizzle) };
    let addresses: Vec<u32> = (0..8).map(|row| layout.offset(row, 0) * 2).collect();
    bank_passes(&addresses, 16)
}

#[test]
fn degrees_of_the_known_swizzles() {
    let swizzle = |b, s| Swizzle { b, m: 3, s };
    // Row pitch in f16 elements, swizzle, passes.
    let known = [
        (8, swizzle(0, 0), 1),
        (16, swizzle(0, 0), 2),
        (16, swizzle(1, 3), 1),
        (32, swizzle(0, 0), 4),
        (32, swizzle(2, 3), 1),
        (32, swizzle(1, 3), 2),
        (32, swizzle(2, 5), 4),
        (64, swizzle(0, 0), 8),
        (64, swizzle(3, 3), 1),
        (64, swizzle(2, 3), 2),
        (128, swizzle(3, 4), 1),
        (128, swizzle(3, 3), 2),
        (256, swizzle(3, 5), 1),
        (256, swizzle(3, 3), 4),
    ];
    for (cols, swizzle, passes) in known {
        assert_eq!(column_read(cols, swizzle), passes, "pitch {cols}, {swizzle:?}");
    }
}

#[test]
fn the_source_bits_never_overflow() {
    for (b, m, s) in [(255, 255, 255), (8, 12, 12), (0, 255, 255), (31, 0, 31)] {
        let swizzle = Swizzle { b, m, s };
        assert_eq!(swizzle.apply(12_345), 12_345, "{swizzle:?}");
    }
}

#[test]
fn rows_a_bank_period_below_meet_the_same_banks() {
    for (cols, b, s) in [(100, 0, 0), (64, 3, 3), (24, 0, 0), (48, 1, 3), (128, 3, 4)] {
        for element_bytes in [1, 2, 4, 8] {
            let order = TileOrder::Rows(Swizzle { b, m: 3, s });
            let layout = TileLayout { rows: 512, cols, order };
            let period = layout.bank_period(element_bytes);
            let bank = |row, col| layout.offset(row, col) * element_bytes % CYCLE;
            for (row, col) in (0..64).flat_map(|row| (0..cols).map(move |col| (row, col))) {
                assert_eq!(bank(row + period, col), bank(row, col));
            }
        }
    }
}

#[test]
fn the_swizzle_repeats_after_its_period() {
    for (cols, b, s) in [(32, 2, 3), (32, 3, 3), (64, 3, 3), (48, 1, 3), (128, 3, 4), (24, 0, 0)] {
        let order = TileOrder::Rows(Swizzle { b, m: 3, s });
        let layout = TileLayout { rows: 256, cols, order };
        let period = layout.period();
        for (row, col) in (0..64).flat_map(|row| (0..cols).map(move |col| (row, col))) {
            let below = layout.offset(row + period, col);
            assert_eq!(below, layout.offset(row, col) + period * cols, "{layout:?}");
        }
    }
}

#[test]
fn panels_lie_one_after_the_other_and_are_swizzled_alike() {
    let layout = |cols| TileLayout {
        rows: 64,
        cols,
        order: TileOrder::Panels { cols: 64, swizzle: Swizzle { b: 3, m: 3, s: 3 } },
    };
    let tile = layout(192);
    let mut taken = vec![false; tile.span() as usize];
    for (k, mn) in (0..64).flat_map(|k| (0..192).map(move |mn| (k, mn))) {
        let offset = tile.offset(k, mn);
        assert_eq!(offset, mn / 64 * 4096 + k * 64 + ((mn % 64) ^ (k % 8 * 8)));
        assert_eq!(offset, mn / 64 * 4096 + layout(64).offset(k, mn % 64));
        assert!(!std::mem::replace(&mut taken[offset as usize], true));
    }
    assert_eq!((tile.size(), tile.span(), tile.period()), (64 * 192, 64 * 192, 8));
}

#[test]
fn each_panel_has_the_bytes_of_all_banks() {
    for element_bytes in [1, 2, 4] {
        let cols = CYCLE / element_bytes;
        let swizzle = Swizzle { b: 3, m: (16 / element_bytes).ilog2() as u8, s: 3 };
        let tile =
            TileLayout { rows: 40, cols: 2 * cols, order: TileOrder::Panels { cols, swizzle } };
        let row = TileLayout { cols, order: TileOrder::Rows(swizzle), ..tile };
        for (mn, k) in (0..40).flat_map(|mn| (0..2 * cols).map(move |k| (mn, k))) {
            let panel = k / cols * 40 * cols;
            assert_eq!(tile.offset(mn, k), panel + row.offset(mn, k % cols));
        }
    }
}

#[test]
fn panels_are_free_of_conflicts_for_eight_rows_of_a_chunk() {
    let passes = |b| {
        let order = TileOrder::Panels { cols: 64, swizzle: Swizzle { b, m: 3, s: 3 } };
        let layout = TileLayout { rows: 64, cols: 256, order };
        let chunks = (0..64).step_by(8).flat_map(|k| (0..256).step_by(8).map(move |mn| (k, mn)));
        let of = |(k, mn)| (k..k + 8).map(|k| layout.offset(k, mn) * 2).collect::<Vec<u32>>();
        chunks.map(of).map(|rows| bank_passes(&rows, 16)).max()
    };
    assert_eq!([0, 1, 2, 3].map(passes), [8, 4, 2, 1].map(Some));
}

#[test]
fn loads_that_lanes_share_are_served_together() {
    let passes = |chunk: fn(u32) -> u32| {
        let mut addresses = [0; 32];
        (0..).zip(&mut addresses).for_each(|(lane, at)| *at = chunk(lane) * 16);
        (bank_passes(&addresses, 16), load_bank_passes(&addresses, 16))
    };
    assert_eq!(passes(|lane| lane), (1, 1));
    assert_eq!(passes(|lane| lane / 2), (1, 1));
    // Eight chunks of two groups in four places.
    assert_eq!(passes(|lane| lane / 2 % 4 + lane / 8 * 8), (1, 2));
    assert_eq!(passes(|lane| lane % 2 + lane / 4 % 2 * 2 + lane / 8 * 8), (1, 2));
}

#[test]
fn a_word_touched_by_many_lanes_is_one_pass() {
    assert_eq!(bank_passes(&[64; 32], 4), 1);
    let stride_two: Vec<u32> = (0..32).map(|lane| lane * 8).collect();
    assert_eq!(bank_passes(&stride_two, 4), 2);
}
