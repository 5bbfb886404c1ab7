"""The package's options and formats are exactly those of `Schema/`."""

from __future__ import annotations

import json
import re
from pathlib import Path

from cropkit._options import FORMATS, OPTIONS, WHAT

SCHEMA = Path(__file__).parents[2] / "Schema"


def test_options_are_those_of_the_table() -> None:
    table = json.loads((SCHEMA / "options.json").read_text())
    # Sizes of a result are under what to crop.
    listed = [option for part in ("what", "how") for option in table[part] if not option.get("isBesideRecipe")]
    assert list((WHAT | OPTIONS).values()) == [option["name"] for option in listed]
    own = {option["name"]: option.get("pythonName") for option in listed}
    for name, key in (WHAT | OPTIONS).items():
        assert name == (own[key] or re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", key))


def test_formats_are_those_of_the_table() -> None:
    table = json.loads((SCHEMA / "formats.json").read_text())["formats"]
    assert set(FORMATS.values()) == {entry["name"] for entry in table}
    for entry in table:
        assert {FORMATS[ending] for ending in entry["extensions"]} == {entry["name"]}
