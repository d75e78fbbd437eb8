"""Compilation of rules and engine code with numba, and the on-disk cache of the result."""
