// A vector along the output's rows, of values of type V.
template <class T, class V, int ALIGN>
struct VectorRun {
    const T* from;
