"""Rules and engine code, compiled together and kept on disk."""
