//! GGUF: the bits of candle's `dequantize`.

use std::borrow::Cow;
use std::io::Cursor;

use candle_core::quantized::{GgmlDType, QStorage, QTensor, gguf_file};
use candle_core::{Device, Result, Tensor};
use gemm_candle::quantized::{Offsets, QuantizedError, Values, Weights};

use crate::{Random, refused, tensor};

const FORMATS: [GgmlDType; 5] =
    [GgmlDType::Q8_0, GgmlDType::Q4_0, GgmlDType::Q4_1, GgmlDType::Q4K, GgmlDType::Q6K];

/// Compares every bit; NaN is NaN.
fn check(tensor: &QTensor) -> Result<()> {
    let expected = tensor.dequantize(&Device::Cpu)?.flatten_all()?.to_vec1::<f32>()?;
    let got = Weights::from_qtensor(tensor)?.dequantize();
    assert_eq!(got.len(), expected.len());
    for (at, (got, expected)) in got.into_iter().zip(expected).enumerate() {
        let same = got.to_bits() == expected.to_bits() || got.is_nan() && expected.is_nan();
        assert!(same, "{:?} {at}: {got} {expected}", tensor.dtype());
    }
    Ok(())
}

#[test]
fn a_quantised_tensor_is_what_candle_dequantises() -> Result<()> {
    let mut random = Random(1);
    for format in FORMATS {
        for (n, blocks) in [(1, 1), (3, 1), (7, 2), (5, 3)] {
            let k = blocks * format.block_size();
            // Rows of other magnitudes: the scales of some are subnormal halves, or zero.
            let rows = (0..n).flat_map(|row| {
                let magnitude = 10f32.powi(3 - 3 * row);
                random.floats(k).into_iter().map(move |of| of * magnitude)
            });
            let weights = tensor(n as usize, k, rows.collect())?;
            check(&QTensor::quantize(&weights, format)?)?;
        }
    }
    Ok(())
}

#[test]
fn every_bit_of_a_block_is_read_as_candle_does() -> Result<()> {
    let mut random = Random(2);
    for format in FORMATS {
        let bytes: Vec<u8> = (0..30 * format.type_size()).map(|_| random.bits() as u8).collect();
        let storage = QStorage::from_data(Cow::Owned(bytes), &Device::Cpu, format)?;
        check(&QTensor::new(storage, (15, 2 * format.block_size()))?)?;
    }
    Ok(())
}

#[test]
fn a_tensor_of_a_file_is_read() -> Result<()> {
    let weights = tensor(3, 64, Random(3).floats(192))?;
    let weights = QTensor::quantize(&weights, GgmlDType::Q4_0)?;
    let mut file = Cursor::new(Vec::new());
    gguf_file::write(&mut file, &[], &[("w", &weights)])?;
    file.set_position(0);
    let read = gguf_file::Content::read(&mut file)?.tensor(&mut file, "w", &Device::Cpu)?;
    assert_eq!(Weights::from_qtensor(&read)?, Weights::from_qtensor(&weights)?);
    check(&read)
}

#[test]
fn each_format_has_its_values_and_offsets() -> Result<()> {
    for format in FORMATS {
        let tensor = Tensor::ones((3, 256), candle_core::DType::F32, &Device::Cpu)?;
        let weights = Weights::from_qtensor(&QTensor::quantize(&tensor, format)?)?;
        assert_eq!([weights.n(), weights.k()], [3, 256]);
        let group = if format == GgmlDType::Q6K { 16 } else { 32 };
        assert_eq!((weights.group(), weights.scales().len()), (group, 3 * 256 / group));
        let as_expected = match format {
            GgmlDType::Q4_0 => {
                matches!((weights.values(), weights.offsets()), (Values::I4(_), Offsets::None))
            }
            GgmlDType::Q4_1 | GgmlDType::Q4K => {
                matches!((weights.values(), weights.offsets()), (Values::U4(_), Offsets::Added(_)))
            }
            _ => matches!((weights.values(), weights.offsets()), (Values::I8(_), Offsets::None)),
        };
        assert!(as_expected, "{format:?}: {weights:?}");
    }
    Ok(())
}

#[test]
fn other_tensors_are_refused() -> Result<()> {
    let tensor = Tensor::ones((2, 3, 256), candle_core::DType::F32, &Device::Cpu)?;
    let cube = QTensor::quantize(&tensor, GgmlDType::Q8_0)?;
    let error = refused(Weights::from_qtensor(&cube));
    assert_eq!(error.to_string(), "weights: expected 2 dimensions, got [2, 3, 256]");
    let other = QTensor::quantize(&tensor.flatten_to(1)?, GgmlDType::Q5K)?;
    let error = refused(Weights::from_qtensor(&other));
    assert_eq!(error, QuantizedError::Format { got: GgmlDType::Q5K });
    assert_eq!(
        error.to_string(),
        "weights: expected Q8_0, Q4_0, Q4_1, Q4K or Q6K, got Q5K\nhelp: read it by candle's `QMatMul`"
    );
    let storage = QStorage::from_data(Cow::Owned(vec![0; 18]), &Device::Cpu, GgmlDType::Q4_0)?;
    let error = refused(Weights::from_qtensor(&QTensor::new(storage, (2, 32))?));
    assert_eq!(error.to_string(), "weights: expected 36 bytes of Q4_0, got 18");
    Ok(())
}

#[test]
fn weights_of_other_lengths_are_refused() {
    let new = |k, group, values, scales: usize| {
        let (values, scales) = (Values::I8(vec![0; values]), vec![1.0; scales]);
        let weights = Weights::new([3, k], group, values, scales, Offsets::Zeros(vec![0; 6]));
        weights.map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(new(8, 4, 24, 6), Ok(()));
    assert_eq!(new(8, 4, 23, 6), Err("values: expected 3 × 8 elements, got 23".into()));
    assert_eq!(new(8, 4, 24, 5), Err("scales: expected 3 × 2 elements, got 5".into()));
    assert_eq!(new(8, 8, 24, 3), Err("offsets: expected 3 × 1 elements, got 6".into()));
    let part = "K = 8 is not a multiple of 3, the neighbours along K with one scale";
    assert_eq!(new(8, 3, 24, 6), Err(part.into()));
    let none = "group: expected how many neighbours along K have one scale, a divisor of K = 8, got 0\n\
                help: pass 8 for one scale a row";
    assert_eq!(new(8, 0, 24, 6), Err(none.into()));
}
