"""Printable parts as code. `shapes` need build123d; `mesh`, `catalogue` and `picture` do not."""
