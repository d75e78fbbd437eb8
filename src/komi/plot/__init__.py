"""Pictures of results: png and svg for paper, html pages that open without a network."""
