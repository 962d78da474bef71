"""The pages of the API: one module a subject, each a list of small handlers."""
