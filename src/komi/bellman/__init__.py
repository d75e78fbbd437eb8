"""Bellman equations of a component: fixed points, policy iteration, certificates and expected lengths."""
