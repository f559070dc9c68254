static_assert(TileA::COLS * sizeof(i8) % TileA::COPY_BYTES == 0,
              "copies tile a row of A");
