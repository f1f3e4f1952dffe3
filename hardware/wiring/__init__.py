"""Wiring as code: nets from node.toml, drawn as SVG. `nets` and `power` need the standard library only."""
