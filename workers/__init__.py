"""Time and thought: due work, computer turns, the broker."""
