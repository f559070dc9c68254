static_assert(TileB::COLS * sizeof(u8) % TileB::COPY_BYTES == 0,
              "copies tile a row of B");
