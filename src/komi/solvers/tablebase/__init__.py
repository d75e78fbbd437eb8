"""Two-player games without chance, solved by retrograde analysis: win, draw or loss."""
