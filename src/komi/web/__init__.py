"""The web server: it plays and referees games in the browser, stores them, and serves the page."""
