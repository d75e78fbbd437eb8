"""Strategies that a person can remember: found by search, and evaluated exactly against optimal play."""
