typedef Source<TileA> SourceA;
typedef Source<TileB> SourceB;
