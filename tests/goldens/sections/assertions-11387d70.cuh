static_assert(TileB::COLS % TileB::PANEL_COLS == 0 && TileB::ROWS <= 256,
              "panels of B are boxes");
