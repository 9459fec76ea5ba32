"""Training and evaluation of menu detection."""
