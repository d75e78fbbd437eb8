"""States and transitions of a game: which are reachable, in which order they are solved, how they are kept."""
