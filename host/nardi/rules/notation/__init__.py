"""Notations of others, at the border only: plays as text, position and match ids, match files."""
