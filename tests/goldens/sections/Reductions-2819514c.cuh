// The outputs that are reduced.
struct Reductions {
    Rows<RowReductions> of_rows;
