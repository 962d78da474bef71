"""Caltrop: stones with spikes on 4 by 4 squares (``seeds/caltrop/RULES.md``), duel and run."""
