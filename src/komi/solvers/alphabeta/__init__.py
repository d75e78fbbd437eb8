"""The value of a start alone, by alpha-beta search with a transposition table."""
