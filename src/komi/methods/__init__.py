"""Solution methods, one for each class of games."""
