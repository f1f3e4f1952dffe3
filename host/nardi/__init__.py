"""Nardi: a companion for a real backgammon or nardi board."""
