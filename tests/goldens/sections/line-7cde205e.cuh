    // The line of a lane's scale i, from the first of the warp on.
    static __device__ __forceinline__ int line(int i) { return i / 2 * 8 + threadIdx.x % 4 * 2 + i %
        2; }
};
typedef ScalesWithOffsets<Scales<ScaledLinesB, TileScalesB>, Scales<OffsetLinesB, TileOffsetsB>>
    ScalesB;
