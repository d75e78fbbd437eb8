"""Rules and policies on a GPU, compiled by numba-cuda from the same functions as for the CPU."""
