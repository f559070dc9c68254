// The first element of a box.
struct Box { int col, row; };
