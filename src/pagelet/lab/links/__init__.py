"""Training and evaluation of the roles of link groups."""
