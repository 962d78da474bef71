"""Games as files: read as a stranger's claim, judged by the rules, written for others to read."""
