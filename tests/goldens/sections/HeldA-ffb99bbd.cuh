typedef Held<TileA> HeldA;
typedef Held<TileB> HeldB;
