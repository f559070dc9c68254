struct Stage {
    unsigned char a[TileA::BYTES], b[TileB::BYTES];
    unsigned char scales[SCALES_END - TileA::BYTES - TileB::BYTES];
};
constexpr unsigned STAGE_BYTES = sizeof(Stage);
