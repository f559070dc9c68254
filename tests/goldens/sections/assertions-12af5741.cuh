static_assert(TileB::COLS * sizeof(f32) % TileB::COPY_BYTES == 0,
              "copies tile a row of B");
