"""Policies as single files of Python, C or JavaScript that need nothing else."""
