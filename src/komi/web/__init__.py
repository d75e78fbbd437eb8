"""Play in the browser: the server that is the referee, its records, and the page."""
