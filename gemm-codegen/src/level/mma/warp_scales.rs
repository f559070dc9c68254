//! The scales of the lines to which the sums of a warp's lanes belong.

use super::lane_scales::OfLane;
use super::scales_in::ScalesIn;
use super::scaling::Scaling;
use crate::axis::Side;
use crate::part::Part;
use crate::text::Sections;
use crate::text::wrap::wrap_lines;

impl Scaling {
    /// The type of the scales of a side, and of its offsets. Lines of one or two bands of its fragments are
    /// interleaved.
    pub(super) fn write_side(&self, text: &mut Sections, side: Side, interleaved: u32) {
        let letter = side.letter().to_uppercase();
        let Some(scale) = self.of(side) else {
            text.of(Part::Multiply).add(format!("typedef Unscaled Scales{letter};\n"));
            return;
        };
        let ty = match scale.offset {
            None => self.of_lines("Scaled", "Scales", &letter),
            Some(_) => format!(
                "ScalesWithOffsets<{}, {}>",
                self.of_lines("Scaled", "Scales", &letter),
                self.of_lines("Offset", "Offsets", &letter)
            ),
        };
        let (who, [atoms, ty]) = match (side, self.products) {
            (Side::A, _) => ("warp", ["ATOMS_M".to_owned(), ty]),
            (Side::B, 1) => ("warp", ["ATOMS_N".to_owned(), ty]),
            (Side::B, _) => {
                text.of(Part::Multiply).add(include_str!("scales_of_products.cuh"));
                let atoms = "ATOMS_N / PRODUCTS".to_owned();
                ("warp's part of a product", [atoms, format!("ScalesOfProducts<{ty}>")])
            }
        };
        let of_lane = OfLane { place: [&atoms, line(side, interleaved)], who };
        let structs = of_lane.structs(side, scale);
        let named = wrap_lines(&format!("typedef {ty} Scales{letter};\n"));
        text.of(Part::Multiply).add(format!("{structs}{named}"));
    }
}

impl Scaling {
    /// The type of what a lane loads of a side, scales or offsets.
    fn of_lines(&self, lines: &str, tile: &str, letter: &str) -> String {
        match self.place {
            ScalesIn::Tile => format!("Scales<{lines}Lines{letter}, Tile{tile}{letter}>"),
            ScalesIn::Registers | ScalesIn::Lines => format!("Scales<{lines}Lines{letter}>"),
        }
    }
}

/// The line of scale i of a lane. Lines of one or two bands of fragments are interleaved.
fn line(side: Side, interleaved: u32) -> &'static str {
    match (side, interleaved) {
        (Side::A, 1) => "i * 8 + threadIdx.x % 32 / 4",
        (Side::A, _) => "i / 2 * 16 + threadIdx.x % 32 / 4 * 2 + i % 2",
        (Side::B, 1) => "i / 2 * 8 + threadIdx.x % 4 * 2 + i % 2",
        (Side::B, _) => "i / 4 * 16 + threadIdx.x % 4 * 4 + i % 2 * 2 + i / 2 % 2",
    }
}
