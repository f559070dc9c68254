// Puts body(acc) into epilogue tiles, in PASSES passes, over what the body reads; a thread of the
// producer's warpgroup has them stored. Rows and columns are the output's own.
__device__ __forceinline__ void epilogue(
    const Accumulators& acc, const EpilogueRing& ring, EpilogueState& state, const Values& values,
    const Outputs& outputs, int row0, int col0, int rows, int cols) {
    const bool copied = are_copied(cols);
#pragma unroll
    for (int pass = 0; pass < PASSES; ++pass, state.advance()) {
        const EpilogueTile tile = epilogue_tile(pass, row0, col0);
        Staged* const stage_of_pass = ring.stages + state.stage * EPILOGUE_STAGE;
        if (copied) {
            mbarrier_wait(ring.loaded_barrier(state.stage), state.phase);
        } else {
            fill(stage_of_pass, values, tile, rows, cols);
            warpgroup_sync();
        }
        stage(stage_of_pass, acc, pass, PutResults{values, stage_of_pass, tile, rows, cols});
        if (copied) {
            fence_proxy_async();
            __syncwarp();
            if (threadIdx.x % 32 == 0) mbarrier_arrive(ring.written_barrier(state.stage));
        } else {
            warpgroup_sync();
            shared_to_global(outputs, stage_of_pass, tile, rows, cols);
        }
    }
}
