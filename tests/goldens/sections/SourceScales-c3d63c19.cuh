// Where the scales are copied from.
struct SourceScales {
    Source<TileScalesB> scales_b;
    Source<TileOffsetsB> offsets_b;
};
