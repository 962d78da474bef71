"""A match: commands in, events out; folded, judged, and handed to the log."""
