"""The rules of a game: loading, checks, the interpreter, packed states and compiled functions."""
