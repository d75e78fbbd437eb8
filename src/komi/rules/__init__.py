"""The rules of a game: loading, checks and the interpreter."""
