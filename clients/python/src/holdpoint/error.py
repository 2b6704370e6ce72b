"""The root of what goes wrong."""


class HoldpointError(Exception):
    """The root of all that this package raises, but for ``ValueError`` and ``TypeError``."""
