    // Ends the part of the output that begins at (row0, col0).
    __device__ __forceinline__ void finish(
        void* shared, int row0, int col0, int rows, int cols) const {
        ::finish(of_rows.of, shared, row0, (cols - 1) / RowReductions::ACROSS + 1);
        ::finish(of_columns.of, shared, col0, (rows - 1) / ColumnReductions::ACROSS + 1);
    }
};
