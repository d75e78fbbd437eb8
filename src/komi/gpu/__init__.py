"""Rules and policies on a graphics processor, compiled by numba-cuda from the same functions as for the processor."""
