"""Red7: the rules, the canvas, the table in words, and policies."""
