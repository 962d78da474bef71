"""The chance of engines: SplitMix64, small enough to be the same everywhere for ever."""

_MASK = (1 << 64) - 1


class Dice:
    """A stream of numbers that follows from a 64-bit seed alone.

    Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014).

    >>> Dice(1234567).draw64()
    6457827717110365317
    """

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def draw64(self) -> int:
        """The next 64 bits."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        z = self._state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return z ^ (z >> 31)

    def below(self, m: int) -> int:
        """A uniform number 0 <= n < m (1 <= m <= 2**64), by throwing the uneven rest away.

        >>> dice = Dice(1)
        >>> [dice.below(6) for _ in range(5)]
        [5, 1, 0, 5, 3]
        """
        limit = (1 << 64) - (1 << 64) % m
        while (draw := self.draw64()) >= limit:
            pass
        return draw % m

    def permutation(self, n: int) -> tuple[int, ...]:
        """A uniform permutation of 0..n-1.

        >>> Dice(1).permutation(5)
        (0, 4, 2, 1, 3)
        """
        order = list(range(n))
        for place in range(n - 1):
            other = place + self.below(n - place)
            order[place], order[other] = order[other], order[place]
        return tuple(order)
