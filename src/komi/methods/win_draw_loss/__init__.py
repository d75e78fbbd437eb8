"""Two seats, no chance: win, draw or loss."""
