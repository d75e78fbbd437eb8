"""Policies: built-in ones by name, and those that users write."""
