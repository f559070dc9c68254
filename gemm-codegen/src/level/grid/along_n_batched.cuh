// The block's place in the output. The matrices of the batch follow each other; within one, blocks
// walk strips of RASTER blocks along n, so that those that run together read the same panels from
// L2.
__device__ __forceinline__ Block grid(int m, int n) {
    const int blocks_m = (m - 1) / BLK_M + 1, blocks_n = (n - 1) / BLK_N + 1;
    const int blocks = blocks_m * blocks_n;  // of one matrix
    const int number = int(blockIdx.x) % blocks;
    const int strip_blocks = min(RASTER, blocks_n) * blocks_m;
    const int strip = number / strip_blocks, within = number % strip_blocks;
    const int width = min(RASTER, blocks_n - strip * RASTER);
    Block block;
    block.batch = int(blockIdx.x) / blocks;
    block.n = (strip * RASTER + within % width) * BLK_N;
    block.m = within / width * BLK_M;
    return block;
}
