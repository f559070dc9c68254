static_assert(TileA::COLS * sizeof(e4m3) % TileA::COPY_BYTES == 0,
              "copies tile a row of A");
