"""States and transitions of a game: reachability analysis, solving order and storage."""
