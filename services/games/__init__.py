"""The games: pure rules, texts in and out; no clock, no chance of their own, no I/O."""
