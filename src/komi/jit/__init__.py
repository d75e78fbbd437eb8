"""Compilation with numba: specialization, link-time optimization, SIMD lanes and caching. Knows no game."""
