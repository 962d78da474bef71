"""The solo game of Caltrop: campaigns, their runs, rewards, and opponents who grow."""
