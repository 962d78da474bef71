"""The league: seeded games between levels, engines and outside programs, and what they prove.

``sides`` names who can play, ``match`` plays one game, ``meetings`` says which games two sides
play, ``farm`` plays them on several cores, ``book`` keeps the results so that no game is played
twice, ``scoring`` counts, ``page`` writes the tables and ``plan`` reads what is to be played. By
hand: ``python -m ops.dev.league --help``; everything: ``make league``.
"""
