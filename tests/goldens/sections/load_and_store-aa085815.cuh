// One thread for a warpgroup, for its part of the output from (row0, col0) on: has what the
// warpgroup has put into a stage stored, and what the body reads EPILOGUE_STAGES passes later
// brought there.
__device__ __forceinline__ void load_and_store(
    const EpilogueRing& ring, EpilogueState& state, const Maps& maps, int matrix,
    int row0, int col0) {
#pragma unroll 1
    for (int pass = -EPILOGUE_STAGES; pass < PASSES; ++pass, state.advance()) {
        if (pass >= 0) {
            const EpilogueTile tile = epilogue_tile(pass, row0, col0);
            const Staged* const written = ring.stages + state.stage * EPILOGUE_STAGE;
            mbarrier_wait(ring.written_barrier(state.stage), state.phase);
            shared_to_global(maps.out, written, matrix, tile.row, tile.col);
            await_reads<0>();
        }
        const int next = pass + EPILOGUE_STAGES;
        if (next >= PASSES) continue;
        load_stage(ring, state.stage, maps, matrix, epilogue_tile(next, row0, col0));
    }
    state.phase ^= 1;  // it went round the stages once more than the passes do
}
