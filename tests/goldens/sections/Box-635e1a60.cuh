// The first element of a box.
struct Box { int col, row; };
struct BatchBox { int col, row, matrix; };
