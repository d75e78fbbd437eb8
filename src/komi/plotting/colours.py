"""Colours that people with any colour vision can tell apart (viridis; blue and orange)."""

DARK = "#333333"
GREY = "#E4E4E4"
GHOST = "#C8C8C830"
MESH = "#FFFFFF50"
SEQUENTIAL = "viridis"
DIVERGING = ("#003B66", "#0072B2", "#9CC9E4", "#FFFFFF", "#F6CF7F", "#E69F00", "#8A4B00")  # from below zero to above
REGIONS = (GREY, "#C3DDEB", "#FAE6BC", "#0072B2", "#E69F00")  # as `sections.regions` numbers them
EVEN_UP_TO = 2.0  # differences: the colour scale is nearly linear up to here, and logarithmic above
STEPS = (0, 1, 2, 5, 10, 20, 50, 100, 200, 500)  # differences that are labelled on a scale
ACTIONS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#888888")  # Okabe and Ito
