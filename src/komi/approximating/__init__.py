"""Approximation of optimal play by compact policies, with exact losses."""
