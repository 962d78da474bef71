"""The numbers of DESIGN §9, measured on this machine beside their anchors in the same run.

A module a subject (``appending``, ``bare_events``, ``replaying``, ``judging``, ``rebuilding``,
``round_trip``, ``playing``), each with one function that gives one ``Section``. ``running`` calls
them in turn, ``page`` writes them down. The sections say themselves what their anchors are.
"""
