"""What is wrong with a file: where, which code, one sentence."""


class FormatError(ValueError):
    """A file that cannot be read or held; the only exception readers raise.

    ``node`` counts from 1 inside its game (0: no node in particular); ``offset`` counts
    characters from the start of the text (-1: none in particular); ``game`` counts from 1
    inside the file (0: the file as a whole).
    """

    def __init__(
        self, code: str, sentence: str, *, game: int = 0, node: int = 0, offset: int = -1
    ) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.game = game
        self.node = node
        self.offset = offset
