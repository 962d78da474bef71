"""Who people are: accounts, tokens, invitations. Personal data lives here and can be erased."""
