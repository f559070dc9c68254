// The block's place in the output. Blocks walk strips of RASTER blocks along n, so that those that
// run together read the same panels from L2.
__device__ __forceinline__ Block grid(int m, int n) {
    const int blocks_m = (m - 1) / BLK_M + 1, blocks_n = (n - 1) / BLK_N + 1;
    const int strip_blocks = min(RASTER, blocks_n) * blocks_m;
    const int strip = int(blockIdx.x) / strip_blocks, within = int(blockIdx.x) % strip_blocks;
    const int width = min(RASTER, blocks_n - strip * RASTER);
    Block block;
    block.n = (strip * RASTER + within % width) * BLK_N;
    block.m = within / width * BLK_M;
    return block;
}
