"""The record: facts, how they are kept, and nothing about any game."""
