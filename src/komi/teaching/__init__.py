"""Strategies that a person can remember: found by search, measured exactly against optimal play."""
