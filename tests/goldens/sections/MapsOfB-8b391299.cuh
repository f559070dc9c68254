// The factors of B, as the copy unit reads them.
struct MapsOfB { const TensorMap* of[SEGMENTS]; };
