"""The face for programs: HTTP under ``/v1``. Begin with ``app.py`` and ``messages.py``."""
