"""Conformance files, one module a format; ``ops.check_vectors`` finds the right one."""
