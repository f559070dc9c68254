// The place of a tile by its number. Tiles follow each other in strips of RASTER tiles along
// m, so that blocks running together read the same panels from L2.
struct TileIndex { int m, n; };
__device__ __forceinline__ TileIndex in_strips(int number, int tiles_m, int tiles_n) {
    const int strip_tiles = min(RASTER, tiles_m) * tiles_n;
    const int strip = number / strip_tiles, within = number % strip_tiles;
    const int width = min(RASTER, tiles_m - strip * RASTER);
    return TileIndex{strip * RASTER + within % width, within / width};
}
