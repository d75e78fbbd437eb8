"""Exact optimal play, with proved bounds."""
