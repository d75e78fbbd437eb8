"""Playing: the table, fair chance, opponents, and what can be learnt from a game."""
