"""How well people play: what finished games, kept with the consent of those who played them, say of their choices."""
