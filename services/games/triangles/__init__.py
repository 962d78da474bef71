"""Triangles: triangular dominoes with hidden hands, a market to draw from, and several rounds."""
