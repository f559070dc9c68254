use std::collections::HashSet;

use super::*;

fn layout(count: usize, rows: usize, columns: usize, ld: usize, stride: usize) -> BatchedLayout {
    BatchedLayout::new(
        Batch::from_iter([Steps { count, stride }]),
        MatrixLayout::new(rows, columns, ld).unwrap(),
    )
    .unwrap()
}

#[test]
fn matrices_are_apart_where_no_element_is_counted_twice() {
    let mut overlaps = 0;
    for (count, rows, columns) in
        (0..5).flat_map(|b| (0..4).flat_map(move |r| (0..4).map(move |c| (b, r, c))))
    {
        for (ld, stride) in (columns..8).flat_map(|ld| (0..30).map(move |stride| (ld, stride))) {
            let elements = (0..count).flat_map(|b| {
                let row = move |r| (0..columns).map(move |c| b * stride + r * ld + c);
                (0..rows).flat_map(row)
            });
            let mut seen = HashSet::new();
            let twice = elements.into_iter().any(|element| !seen.insert(element));
            let layout = layout(count, rows, columns, ld, stride);
            assert_eq!(layout.apart().is_err(), twice, "{layout:?}");
            overlaps += u32::from(twice);
        }
    }
    assert!(overlaps > 300, "{overlaps}");
}

#[test]
fn matrices_of_any_rank_are_apart_where_no_element_is_counted_twice() {
    let (mut rng, mut overlaps) = (fastrand::Rng::with_seed(5), 0);
    for _ in 0..20_000 {
        let [rows, columns] = [(); 2].map(|()| rng.usize(1..4));
        let matrix = MatrixLayout::new(rows, columns, columns + rng.usize(0..12)).unwrap();
        let rank = rng.usize(0..5);
        let steps = (0..rank).map(|_| Steps { count: rng.usize(1..4), stride: rng.usize(0..60) });
        let layout = BatchedLayout::new(steps.collect(), matrix).unwrap();
        let mut seen = HashSet::new();
        let starts = (0..layout.batch.total()).map(|number| layout.batch.offset(number));
        let rows =
            starts.flat_map(|start| (0..rows).map(move |r| start + r * matrix.leading_dimension));
        let mut elements = rows.flat_map(|row| (0..columns).map(move |c| row + c));
        let twice = elements.any(|element| !seen.insert(element));
        let apart = layout.apart();
        assert_eq!(apart.is_err(), twice, "{layout:?}");
        if let Err(Error::Batch(BatchError::Overlap { first, second, stride, dense, .. })) = apart {
            let steps = layout.batch.steps().iter().zip(dense);
            let steps = steps.map(|(along, stride)| Steps { stride, ..*along }).collect();
            assert!(BatchedLayout::new(steps, matrix).unwrap().apart().is_ok(), "{layout:?}");
            let [first, second] = [first, second].map(|number| layout.batch.offset(number));
            assert_eq!(second.abs_diff(first), stride, "{layout:?}");
        }
        overlaps += u32::from(twice);
    }
    assert!((2_000..18_000).contains(&overlaps), "{overlaps}");
}

#[test]
fn a_batch_ends_with_its_last_matrix() {
    assert_eq!(layout(3, 2, 3, 4, 10).elements(), 27);
    assert_eq!(layout(1, 2, 3, 4, 10).elements(), 7);
    assert_eq!(layout(0, 2, 3, 4, 10).elements(), 0);
    assert_eq!(layout(3, 2, 3, 4, 0).elements(), 7);
    assert_eq!(layout(3, 0, 3, 4, 10).elements(), 0);
    let error = layout(3, 2, 3, 4, 10).fits(26).unwrap_err().to_string();
    assert_eq!(
        error,
        "3 2×3 matrices with leading dimension 4, 10 elements apart, need 27 elements, the \
         buffer has 26"
    );
    assert!(layout(3, 2, 3, 4, 10).fits(27).is_ok());
    let steps = [Steps { count: 2, stride: 100 }, Steps { count: 2, stride: 32 }];
    let matrix = MatrixLayout::new(4, 8, 8).unwrap();
    let error =
        BatchedLayout::new(steps.into_iter().collect(), matrix).unwrap().fits(150).unwrap_err();
    assert_eq!(
        error.to_string(),
        "2 times 2 4×8 matrices with leading dimension 8, 100 and 32 elements apart, need 164 \
         elements, the buffer has 150"
    );
}

#[test]
fn layouts_that_overflow_are_refused() {
    let matrix = MatrixLayout::new(2, 3, 4).unwrap();
    for (count, stride) in [(usize::MAX, 2), (2, usize::MAX), (1 << 40, 1 << 40)] {
        let error =
            BatchedLayout::new(Batch::from_iter([Steps { count, stride }]), matrix).unwrap_err();
        assert!(matches!(error, Error::Batch(BatchError::SizeOverflow { .. })), "{error}");
    }
    let most = isize::MAX as usize;
    assert!(matches!(BatchedLayout::dense(&[2], [most, 1]), Err(Error::SizeOverflow { .. })));
    assert!(BatchedLayout::dense(&[usize::MAX], [2, 2]).is_err());
}

#[test]
fn strides_of_other_libraries() {
    let strided = BatchedLayout::strided([3, 2, 4], [8, 4, 1]).unwrap();
    assert_eq!(strided, BatchedLayout::dense(&[3], [2, 4]).unwrap());
    // The stride of a batch of one is ignored, and so is that of one row.
    assert_eq!(BatchedLayout::strided([1, 2, 4], [-5, 4, 1]).unwrap().batch.strides(), [8]);
    let error = BatchedLayout::strided([2, 2, 4], [-8, 4, 1]).unwrap_err();
    let expected = BatchError::Stride { batch: 2, stride: -8 };
    assert!(matches!(&error, Error::Batch(found) if *found == expected), "{error}");
    assert!(matches!(BatchedLayout::strided([2, 2, 4], [8, 1, 2]), Err(Error::Strides { .. })));
}
