"""How a command says no."""


class Refused(Exception):
    """It was not done; the message is the sentence for the person who asked."""
