// The tiles of a block, each as one of its product.
struct TilesOfSegments : Tiles {
    Segments segments;
