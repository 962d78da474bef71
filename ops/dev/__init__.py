"""Tools for people who build Plybook; nothing that runs in production."""
