"""The decisions: rules of the games, deciders of matches, and their faces."""
