"""One module a command; each may import what is heavy, because only its own call loads it."""
