"""The output that the documentation shows is that of the commands above it.

In a block of the language `console`, a line with `$` is a command, lines with `>` continue it, and the others are its
output, on both streams. `…` in an output stands for any text. Sizes in bytes, times, ids and paths are not compared.
All commands of a page run in one shell, in the order of the page, in a folder with the files of snippets.py; a page
that names 127.0.0.1:8080 has a server there. A script (`js`) that starts with `// name.mjs` is a file of this name.

RECORD=1 writes the output into the pages, and fails.
"""

import doctest
import json
import os
import re
import shutil
import subprocess
import sys

import pytest
from conftest import BIN, ROOT
from snippets import install_node_package, material, place
from test_snippets import PAGES, blocks

__all__ = ["material", "place"]
ADDRESS = "127.0.0.1:8080"
MARK = "\x1e"
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
MASKS = [
    (r"\d[\d,]* bytes", "N bytes"), (r'("(?:bytes|byteCount)": ?)\d+', r"\g<1>0"),
    (r'("seconds": ?)[\d.e-]+', r"\g<1>0"),
    (r"\d+ (KB|MB|KiB|MiB)\b", r"N \1"), (r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)?", "DATE"),
    (r'("(?:id|version|tag|after|device)": ?)"[^"]*"', r'\1"N"'), (r" +(\d+)$", r" \1"),
]


def examples(block):
    """The commands of a block, with the lines that the page shows for each."""
    found = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append(([line[2:]], []))
        elif line.startswith("> "):
            found[-1][0].append(line[2:])
        else:
            found[-1][1].append(line)
    return [("\n".join(command), "\n".join(output)) for command, output in found]


def masked(text):
    for pattern, replacement in MASKS:
        text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
    return text.strip()


def has(real, shown):
    """Whether a value has all that is shown; the order of keys is not compared."""
    if isinstance(shown, dict) and isinstance(real, dict):
        return all(key in real and has(real[key], value) for key, value in shown.items())
    if isinstance(shown, list) and isinstance(real, list):
        return len(shown) == len(real) and all(map(has, real, shown))
    return shown == real


def matches_json(shown, real):
    """Whether a line of JSON has the shown values; without `…`, no others."""
    try:
        parts = re.sub(r",…(?=[,}\]])|(?<=[{\[])…,?", "", shown)
        shown_value, value = json.loads(parts), json.loads(real)
    except ValueError:
        return False
    return has(value, shown_value) and ("…" in shown or value == shown_value)


def matches(shown, real):
    """Whether a text is the shown one, with any text for each `…`."""
    shown, real = masked(shown), masked(real)
    lines, others = shown.splitlines(), real.splitlines()
    if len(lines) == len(others) and all(map(matches_line, lines, others)):
        return True
    return matches_text(shown, real)


def matches_text(shown, real):
    return re.fullmatch(".*?".join(map(re.escape, shown.split("…"))), real, re.DOTALL) is not None


def matches_line(shown, real):
    return matches_json(shown, real) if shown.startswith("{") else matches_text(shown, real)


@pytest.fixture
def server(place):
    """A server of one photo on a free port, with the token in the file `token`."""
    (place / "library").mkdir()
    shutil.copy(place / "photo.jpg", place / "library")
    folders = {f"XDG_{kind}_HOME": str(place / kind.lower()) for kind in ("DATA", "CACHE", "CONFIG")}
    with subprocess.Popen(
            [BIN / "cropkit-server", "--port", "0", "--token-file", "token", "--library", "library",
             "--log", "warning"],
            stdout=subprocess.PIPE, text=True, env={**os.environ, **folders}) as process:
        yield re.search(r"127\.0\.0\.1:\d+", process.stdout.readline())[0]
        process.terminate()


def run_page(page, place, address):
    """The output of each command of a page."""
    for language, text in blocks(page):
        if language == "js" and (name := re.match(r"// ([\w-]+\.mjs)\n", text)):
            (place / name[1]).write_text(text)
    commands = [command for block in BLOCK.findall(page.read_text()) for command, _ in examples(block)]
    script = "\n".join(f"printf '{MARK}'\n{command}" for command in commands).replace(ADDRESS, address)
    done = subprocess.run(["bash", "-c", f"exec 2>&1\n{script}"], cwd=place, stdout=subprocess.PIPE, text=True)
    assert done.stdout.count(MARK) == len(commands), done.stdout
    outputs = [text.replace(address, ADDRESS).replace(f"{place}/", "") for text in done.stdout.split(MARK)[1:]]
    return list(zip(commands, outputs, strict=True))


def record(page, outputs):
    """Writes the outputs into the page, where what it shows is not true."""
    rest = iter(outputs)

    def block(match):
        lines = []
        for command, shown in examples(match[1]):
            first, *others = command.splitlines()
            _, real = next(rest)
            output = shown if shown and matches(shown, real) else real.strip("\n")
            lines += [f"$ {first}", *(f"> {line}" for line in others), *([output] if output else [])]
        return "```console\n" + "\n".join(lines) + "\n```"

    page.write_text(BLOCK.sub(block, page.read_text()))


@pytest.mark.parametrize("page", [pytest.param(page, id=str(page.relative_to(ROOT))) for page in PAGES
                                  if BLOCK.search(page.read_text())])
def test_shown_output_is_that_of_the_command(page, place, request, monkeypatch):
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    install_node_package(place)
    address = request.getfixturevalue("server") if ADDRESS in page.read_text() else ADDRESS
    outputs = run_page(page, place, address)
    if os.environ.get("RECORD"):
        record(page, outputs)
        pytest.fail("recorded")
    shown = [output for block in BLOCK.findall(page.read_text()) for _, output in examples(block)]
    wrong = [f"$ {command}\n{real}" for (command, real), output in zip(outputs, shown, strict=True)
             if not matches(output, real)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("page", [pytest.param(page, id=str(page.relative_to(ROOT))) for page in PAGES
                                  if "```pycon" in page.read_text()])
def test_shown_python_sessions_are_real(page, place, monkeypatch):
    session = "\n".join(text for language, text in blocks(page) if language == "pycon")
    assert len(doctest.DocTestParser().get_examples(session)) > 3
    (place / "session.txt").write_text(session)
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "Python/src"))
    monkeypatch.setenv("CROPKIT_PROGRAM", str((BIN / "cropkit").resolve()))
    done = subprocess.run([sys.executable, "-m", "doctest", "-o", "ELLIPSIS", "session.txt"], cwd=place,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_generated_parts_are_those_of_the_programs():
    """The manual pages in docs/reference/cli, and all other parts that Scripts/reference.mjs generates."""
    command = ["node", ROOT / "Scripts/reference.mjs", "--check", BIN.resolve()]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_difference_is_found():
    """The comparison does not accept everything."""
    assert matches("a.jpg: lossless, 8 × 8, 10 bytes", "a.jpg: lossless, 8 × 8, 12 bytes\n")
    assert matches('{"ok":true,…,"width":8}', '{"ok":true,"id":"x","width":8}')
    assert matches('{"ok":true,"width":8}', '{"width":8,"ok":true}')
    assert not matches('{"ok":true,"width":8}', '{"width":8,"ok":true,"height":8}')
    assert not matches('{"ok":true,…}', '{"width":8,"ok":false}')
    assert not matches("a.jpg: lossless, 8 × 8", "a.jpg: re-encoded, 8 × 8")
    assert not matches("", "a.jpg: no such file")
