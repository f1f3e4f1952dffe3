"""Where frames come from: a URL names the kind of source; its scheme is the module."""

from nardi_vision.sources.source import Clock, Source, monotonic_ms, open_source

__all__ = ["Clock", "Source", "monotonic_ms", "open_source"]
