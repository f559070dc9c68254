use super::*;

fn matrix() -> TensorMap {
    TensorMap {
        address: 0x1000,
        element_bytes: 2,
        dims: vec![200, 300],
        strides: vec![416],
        box_dims: vec![64, 128],
        swizzle: Swizzle::Bytes128,
        rounds_to_tf32: false,
    }
}

#[test]
fn a_map_comes_back_from_its_bytes() {
    let five = TensorMap {
        dims: vec![1 << 32, 2, 3, 4, 5],
        strides: vec![(1 << 40) - 16, 0, 16, 32],
        box_dims: vec![256, 1, 2, 3, 256],
        swizzle: Swizzle::None,
        ..matrix()
    };
    let line = TensorMap {
        dims: vec![8],
        strides: vec![],
        box_dims: vec![16],
        swizzle: Swizzle::Bytes32,
        ..matrix()
    };
    let rounded =
        TensorMap { element_bytes: 4, box_dims: vec![32, 128], rounds_to_tf32: true, ..matrix() };
    for map in [matrix(), five, line, rounded] {
        assert_eq!(TensorMap::decode(&map.encode().expect("is legal")), Some(map));
    }
    assert_eq!(TensorMap::decode(&[0; 128]), None);
    let mut damaged = matrix().encode().expect("is legal");
    damaged[17] = 3;
    assert_eq!(TensorMap::decode(&damaged), None, "elements of 3 B");
}

#[test]
fn each_limit_holds() {
    type Case = (fn(&mut TensorMap), TensorMapError);
    let cases: [Case; 15] = [
        (|map| map.dims.clear(), TensorMapError::Rank { dims: 0, strides: 1, box_dims: 2 }),
        (|map| map.strides.clear(), TensorMapError::Rank { dims: 2, strides: 0, box_dims: 2 }),
        (|map| map.box_dims.push(1), TensorMapError::Rank { dims: 2, strides: 1, box_dims: 3 }),
        (|map| map.element_bytes = 16, TensorMapError::Element { bytes: 16 }),
        (|map| map.rounds_to_tf32 = true, TensorMapError::Rounded { bytes: 2 }),
        (|map| map.address = 0x1008, TensorMapError::Address { address: 0x1008 }),
        (|map| map.dims[1] = 0, TensorMapError::Extent { dimension: 1, extent: 0 }),
        (
            |map| map.dims[0] = (1 << 32) + 1,
            TensorMapError::Extent { dimension: 0, extent: (1 << 32) + 1 },
        ),
        (|map| map.strides[0] = 408, TensorMapError::Stride { dimension: 1, stride: 408 }),
        (|map| map.strides[0] = 1 << 40, TensorMapError::Stride { dimension: 1, stride: 1 << 40 }),
        (|map| map.box_dims[1] = 257, TensorMapError::Box { dimension: 1, extent: 257 }),
        (|map| map.box_dims[0] = 0, TensorMapError::Box { dimension: 0, extent: 0 }),
        (|map| map.box_dims[0] = 60, TensorMapError::BoxRow { bytes: 120 }),
        (|map| map.box_dims[0] = 72, TensorMapError::SwizzleSpan { bytes: 144, span: 128 }),
        (|map| map.box_dims[0] = 32, TensorMapError::SwizzleSpan { bytes: 64, span: 128 }),
    ];
    for (edit, error) in cases {
        let mut map = matrix();
        edit(&mut map);
        assert_eq!(map.check(), Err(error.clone()));
        assert_eq!(map.encode(), Err(error));
    }
    assert_eq!(matrix().check(), Ok(()));
    assert_eq!(matrix().box_bytes(), 64 * 128 * 2);
}

#[test]
fn swizzles_flip_bits_of_the_chunk_by_those_of_the_row() {
    let rows = |swizzle: Swizzle, pitch: u64| {
        (0..8).map(move |row| swizzle.apply(row * pitch) % pitch / 16)
    };
    assert!(rows(Swizzle::Bytes128, 128).eq(0..8));
    assert!(rows(Swizzle::Bytes64, 64).eq([0, 0, 1, 1, 2, 2, 3, 3]));
    assert!(rows(Swizzle::Bytes32, 32).eq([0, 0, 0, 0, 1, 1, 1, 1]));
    assert!(rows(Swizzle::None, 128).eq([0; 8]));
    assert_eq!(Swizzle::Bytes128.apply(0x3f5), 0x3f5 ^ 0x70);
}
