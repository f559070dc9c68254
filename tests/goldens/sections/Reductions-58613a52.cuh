// The outputs that are reduced.
struct Reductions {
    Rows<RowReductions> of_rows;
    Columns<ColumnReductions> of_columns;
