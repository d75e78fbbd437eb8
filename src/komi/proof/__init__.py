"""Certificates: proofs of values that anyone can check, with `verify.py` alone."""
