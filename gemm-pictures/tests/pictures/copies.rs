//! Who copies which part of a tile.

use gemm_codegen::{Copier, Piece, Plan, Side};
use gemm_pictures::copies;

use crate::GOLDENS;
use crate::parse::{area, document, having, number};

#[test]
fn the_areas_of_copies_cover_each_element_of_a_tile_once() {
    for (golden, plan) in GOLDENS.iter() {
        Side::BOTH.into_iter().for_each(|side| check(golden, plan, side));
    }
}

fn check(golden: &str, plan: &Plan, side: Side) {
    let (picture, tile) = (copies::picture(plan, side), plan.shared_tile(side));
    let layout = tile.layout;
    let document = document(&picture);
    let pieces = plan.pieces(side);
    let mut covered = vec![0; layout.size() as usize];
    for node in having(document.root_element(), "rows") {
        let (at, extents) = area(node);
        for row in at[0]..at[0] + extents[0] {
            for column in at[1]..at[1] + extents[1] {
                covered[(row * layout.cols + column) as usize] += 1;
            }
        }
        // Copies of this order fill the area.
        let order = number(node, "order");
        let block = node.attribute("data-block").map(|_| number(node, "block"));
        let part = node.attribute("data-part").map(|_| number(node, "part"));
        let line = usize::from(!tile.k_contiguous);
        let is_there =
            |piece: &&Piece| part.is_none_or(|part| tile.parts.of_line(piece.at[line]) == part);
        let of_area = pieces.iter().filter(is_there).filter(|piece| match piece.by {
            Copier::Thread(_) => piece.order == order,
            Copier::Block(by) => Some(by) == block && piece.order == order,
        });
        let elements = of_area.map(|piece| {
            let inside = [0, 1].into_iter().all(|axis| {
                at[axis] <= piece.at[axis]
                    && piece.at[axis] + piece.extents[axis] <= at[axis] + extents[axis]
            });
            assert!(inside, "{golden}: {piece:?} is not in {at:?} {extents:?}");
            piece.extents[0] * piece.extents[1]
        });
        assert_eq!(elements.sum::<u32>(), extents[0] * extents[1], "{golden}");
    }
    assert!(covered.iter().all(|times| *times == 1), "{golden} {side:?}");
}

#[test]
fn the_thread_of_a_cell_starts_its_copy() {
    let mut cells = 0;
    for ((golden, plan), side) in
        GOLDENS.iter().flat_map(|golden| Side::BOTH.map(|side| (golden, side)))
    {
        let picture = copies::picture(plan, side);
        let document = document(&picture);
        let pieces = plan.pieces(side);
        let is_cell = |node: &roxmltree::Node<'_, '_>| !node.has_attribute("data-rows");
        for cell in having(document.root_element(), "thread").filter(is_cell) {
            let by = Copier::Thread(number(cell, "thread"));
            let at = [number(cell, "row"), number(cell, "column")];
            let is_it = pieces.iter().any(|piece| (piece.by, piece.order, piece.at) == (by, 0, at));
            assert!(is_it, "{golden}: {by:?} at {at:?}");
            cells += 1;
        }
    }
    assert!(cells > 1000, "only {cells} cells");
}

#[test]
fn boxes_bring_the_bytes_that_the_barriers_of_a_stage_count() {
    let mut counted = 0;
    for (golden, plan) in GOLDENS.iter() {
        let Some(counts) = plan.stage_counts() else { continue };
        let bytes = Side::BOTH.map(|side| {
            let elements = |piece: &Piece| piece.extents[0] * piece.extents[1];
            let of_side: u32 = plan.pieces(side).iter().map(elements).sum();
            of_side * plan.shared_tile(side).element_bytes
        });
        assert_eq!(bytes.iter().sum::<u32>(), counts.bytes(), "{golden}");
        counted += 1;
    }
    assert!(counted > 10, "only {counted} goldens with tensor copies");
}

#[test]
fn the_elements_of_a_box_lie_in_its_bytes() {
    let mut boxes = 0;
    for ((golden, plan), side) in
        GOLDENS.iter().flat_map(|golden| Side::BOTH.map(|side| (golden, side)))
    {
        let (picture, tile) = (copies::picture(plan, side), plan.shared_tile(side));
        let document = document(&picture);
        let bytes = having(document.root_element(), "byte");
        let bytes: Vec<[u32; 2]> =
            bytes.map(|node| [number(node, "byte"), number(node, "bytes")]).collect();
        let pieces = plan.pieces(side);
        let is_box = |piece: &&Piece| matches!(piece.by, Copier::Block(_));
        assert_eq!(pieces.iter().filter(is_box).count(), bytes.len(), "{golden}");
        for (piece, [first, bytes]) in pieces.iter().zip(bytes) {
            let [row, column] = piece.at;
            let [rows, columns] = piece.extents;
            for (row, column) in (row..row + rows)
                .flat_map(|row| (column..column + columns).map(move |column| (row, column)))
            {
                let at = tile.layout.offset(row, column) * tile.element_bytes;
                let inside = (first..first + bytes).contains(&at);
                assert!(inside, "{golden} {side:?}: {row}, {column} at {at}");
            }
            assert_eq!(bytes, rows * columns * tile.element_bytes, "{golden}");
            boxes += 1;
        }
    }
    assert!(boxes > 50, "only {boxes} boxes");
}
