"""The machine: settings, wiring, command line, metrics and logs."""
