"""The compilation of a game: packed states, the functions that engine code calls, and what errors in them mean."""
