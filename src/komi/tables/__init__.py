"""Policies as tables that people can read."""
