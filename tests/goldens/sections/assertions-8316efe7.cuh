static_assert(TileA::COLS * sizeof(f16) % TileA::COPY_BYTES == 0,
              "copies tile a row of A");
