// The first element of a box.
struct BatchBox { int col, row, matrix; };
