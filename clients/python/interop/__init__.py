"""Held against the real frameworks, with a model that is a stub: `just interop frameworks`."""
