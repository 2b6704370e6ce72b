"""The programs of the pages."""

from __future__ import annotations

import re
from pathlib import Path


def block(page: Path, language: str) -> str:
    """Returns the first block in a language."""
    found = re.search(rf"^```{language}\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)
    assert found is not None, f"{page} has no {language}"
    return found[1]
