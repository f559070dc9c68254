static_assert(TileA::COLS % TileA::PANEL_COLS == 0 && TileA::ROWS <= 256,
              "panels of A are boxes");
