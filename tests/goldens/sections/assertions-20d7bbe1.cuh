static_assert(TileA::COLS * sizeof(f32) % TileA::COPY_BYTES == 0,
              "copies tile a row of A");
