"""Policies written for one game: each module is named as the game, each public function is a policy."""
