"""The quick half of the engines: one compiled file a game, and what they share."""
