"""``python -m ops``: the program, for a process that starts another one of itself."""

from ops.cli import main

main()
