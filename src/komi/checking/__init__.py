"""Checks of a rule file: what is proved about it, and what is wrong with it."""
