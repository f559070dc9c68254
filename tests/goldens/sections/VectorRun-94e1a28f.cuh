// A vector along the output's rows, of values of type V. Each element is compared with the end, so
// that nothing branches, and what is read and computed of many elements is in flight at a time.
template <class T, class V>
struct VectorRun {
    const T* from;
