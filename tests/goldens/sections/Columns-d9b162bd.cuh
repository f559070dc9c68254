// Reduces each column of what is stored to a value of each output: a thread reduces the elements
// that it has of OUT_VECTOR columns. Of one output after the other all threads leave these values
// in shared memory, where one thread reduces a column of them.
template <class Of>
struct Columns {
    Of of;
    Reducible own[Of::COUNT][OUT_VECTOR];

