// The tiles of a block, each as one of its product.
struct TilesOfSegments : Tiles {
    Segments segments;
    __device__ __forceinline__ TilesOfSegments(const Tiles& tiles, const Segments& segments)
        : Tiles(tiles), segments(segments) {}
    __device__ __forceinline__ Block first() const { return segments.place(Tiles::first()); }
    __device__ __forceinline__ bool next(Block& block) {
        if (!Tiles::next(block)) return false;
        block = segments.place(block);
        return true;
    }
};
