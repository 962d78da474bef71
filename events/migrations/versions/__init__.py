"""The revisions, one a file; a released one is never changed."""
