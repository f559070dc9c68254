// A vector along the output's rows.
template <class T, int ALIGN>
struct VectorRun {
    const T* from;
