"""Policies as readable tables."""
