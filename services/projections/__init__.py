"""What is derived from the log: how matches stand, what is due, who has won how often."""
