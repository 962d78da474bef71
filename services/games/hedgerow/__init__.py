"""Hedgerow: two players hedge in fields on 7 by 7 squares, then harvest them in chains."""
