"""Compact policies: small networks, how they are trained, and exactly what they give away."""
