struct Stage { unsigned char a[TileA::BYTES], b[TileB::BYTES]; };
constexpr unsigned STAGE_BYTES = sizeof(Stage);
