"""Pictures of what solving a game says; they need matplotlib."""
