"""Reproduction of published numbers, each beside the result of komi."""
