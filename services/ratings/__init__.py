"""How well people and levels play: skill, and the opponents that follow a player's results."""
