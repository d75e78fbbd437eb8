"""Pictures of what komi finds; they need matplotlib, and plotly for pages."""
