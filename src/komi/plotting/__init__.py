"""Plots of komi's results; they require matplotlib, and plotly for interactive pages."""
