"""Every code block in the README and the documentation runs, compiles or parses, depending on its language.

The commands in blocks of the language `console` are run in the order of the page, and their output is compared with what
the page shows; test_shown_output.py does that.
"""

import ast
import json
import re
import shutil
import subprocess
import sys
import tomllib

import pytest
from conftest import BIN, ROOT, run
from snippets import material, place

__all__ = ["material", "place"]
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "Python/README.md", "Web/Program/README.md")]
PAGES += sorted((ROOT / "docs").rglob("*.md"))
#: Checked by other tests (proxies.py, service.py, test_shown_output.py), or not code.
OTHERS = {"nginx", "apache", "caddy", "ini", "text", "console", "pycon", "css", "svelte", "yaml"}
#: Parts that were copied from tested files: examples that test_site.py runs, and articles of the libraries.
COPIED = re.compile(r"^<!-- generated: (?:file|article) .*?^<!-- end -->$", re.DOTALL | re.MULTILINE)
#: Commands of `cropkit` that run until they are stopped.
ENDLESS = ("serve", "open")
SWIFT = shutil.which("swiftc")
SCREENS = """
struct PhotoView: View { var body: some View { EmptyView() } }
final class Screen: UIViewController {
  func show(_ photo: UIImage) async {
    %s
    _ = result
  }
}
struct Page: View {
  @State var photo: UIImage
  @State var toCrop: UIImage?
  var body: some View {
    %s
  }
}
"""


def blocks(page):
    """The languages and texts of a page's code blocks, without indentation."""
    text = COPIED.sub("", page.read_text())
    found = re.findall(r"^( *)```(\w*)\n(.*?)^ *```$", text, re.DOTALL | re.MULTILINE)
    return [(language, re.sub(f"^{indent}", "", text, flags=re.MULTILINE)) for indent, language, text in found]


def of(language):
    """All blocks in a language, named by page and number."""
    return [pytest.param(text, id=f"{page.relative_to(ROOT)}-{number}") for page in PAGES
            for number, (tag, text) in enumerate(blocks(page), 1) if tag == language]


def commands(text):
    """The lines of a shell script, joined with their continuation lines."""
    return [line for line in re.sub(r"\\\n\s*", " ", text).splitlines() if line and not line.startswith("#")]


def test_every_block_names_its_language():
    known = {"sh", "python", "js", "swift", "html", "json", "toml"} | OTHERS
    for page in PAGES:
        assert {language for language, _ in blocks(page)} <= known, page
        prose = re.sub(r"^ *```.*?^ *```$", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
        assert not re.search(r"\n\n {4,}\S", prose), f"{page}: an indented block; use ``` and a language"


@pytest.mark.parametrize("script", of("sh"))
def test_commands_run(script, place):
    assert subprocess.run(["bash", "-n", "-c", script], capture_output=True).returncode == 0
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for command in commands(script):
        words = command.split()
        if words[0] == "make":
            assert words[1] in targets, command
        if words[0] != "cropkit":
            continue
        if words[1] in ENDLESS:
            said = run(words[1], "--help")
            assert all(option in said for option in re.findall(r"--[a-z-]+", command)), command
            continue
        done = subprocess.run(["bash", "-c", command], cwd=place, capture_output=True, text=True)
        assert done.returncode == 0, f"{command}: {done.stderr}"
        # The next line may write the same file.
        for result in place.glob("part.*"):
            result.unlink()


@pytest.mark.parametrize("program", of("python"))
def test_programs_compile(program):
    ast.parse(program)


@pytest.mark.parametrize("page", ["docs/python/quick-start.md", "docs/python/pool.md"])
def test_programs_run_in_the_order_of_the_page(page, place, monkeypatch):
    """Those about object stores are run by the tests of the Python package, with a server."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "Python/src"))
    monkeypatch.setenv("CROPKIT_PROGRAM", str((BIN / "cropkit").resolve()))
    found = blocks(ROOT / page)
    programs = [text for language, text in found if language == "python"]
    assert programs
    (place / "program.py").write_text("\n".join(programs))
    done = subprocess.run([sys.executable, "program.py"], cwd=place, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    shown = [text for (before, _), (language, text) in zip(found, found[1:], strict=False)
             if (before, language) == ("python", "text")]
    assert done.stdout.replace(f"{place}/", "") == "".join(shown)


@pytest.mark.parametrize("script", of("js"))
def test_scripts_run(script, place):
    """With the package's sources; not those with sharp, or a file that only bundlers and Workers import."""
    package = place / "node_modules/cropkit"
    package.mkdir(parents=True)
    (package / "package.json").write_text('{"name": "cropkit", "type": "module", "exports": "./index.js"}')
    (package / "index.js").write_text(f"export * from {json.dumps(str(ROOT / 'Web/Program/index.js'))};")
    (place / "script.mjs").write_text(script)
    # Bundlers and Workers import modules; a server runs until it is stopped; sharp isn't installed.
    words = ["node", "--check"] if re.search(r"\.wasm'|createServer|'sharp'", script) else ["node"]
    done = subprocess.run([*words, "script.mjs"], cwd=place, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def compiler(package, *modules):
    """The compiler with the folders and module maps with which these modules were built."""
    plan = ROOT / package / ".build/debug.yaml"
    if not SWIFT or not plan.exists():
        pytest.skip(f"{package} is not built")
    kept = {}
    for name in modules:
        found = re.search(rf'"C\.{name}-[^"]*\.module":\n(?: .*\n)*?    args: (\[.*\])\n', plan.read_text())
        words = iter(json.loads(found[1]))
        for word in words:
            pair = (word, next(words, "")) if word in ("-I", "-Xcc") else (word,)
            if word.startswith("-I") or pair[-1].startswith("-fmodule-map-file="):
                kept[pair] = True
    return [SWIFT, "-typecheck", "-swift-version", "6", "-warnings-as-errors", *(word for pair in kept for word in pair)]


@pytest.mark.parametrize("source", of("swift"))
def test_swift_compiles(source, tmp_path):
    imports = "".join(re.findall(r"^import .*\n", source, re.MULTILINE))
    if "CropUIKit" in imports:
        [screen, sheet] = [re.findall(rf"^(.*)  // {kind}$", source, re.MULTILINE)[0] for kind in ("UIKit", "SwiftUI")]
        # The name of the module in the package with stand-ins for Apple's frameworks.
        source = (imports.replace("CropUIKit", "CheckedCropUIKit") + "import SwiftUI\nimport UIKit\n"
                  + SCREENS % (screen, sheet))
        modules = ("Checks/UIKitStub", "CropDemo")
    else:
        modules = ("Tools", "CropServer", "CropPixels")
    (tmp_path / "main.swift").write_text(source)
    done = subprocess.run([*compiler(*modules), tmp_path / "main.swift"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", of("html"))
def test_pages_use_attributes_that_the_element_has(page):
    description = json.loads((ROOT / "Web/Package/custom-elements.json").read_text())
    declarations = [one for module in description["modules"] for one in module["declarations"]]
    [element] = [one for one in declarations if one.get("tagName") == "crop-view"]
    known = {one["name"] for one in element["attributes"]} | {"id", "style"}
    tags = re.findall(r"<crop-view ([^>]+)>", page)
    assert tags or "<crop-view" not in page
    for tag in tags:
        assert set(re.findall(r'([\w-]+)="', tag)) <= known
    for script in re.findall(r"<script>(.*?)</script>", page, re.DOTALL):
        assert subprocess.run(["node", "--check", "-"], input=script, text=True).returncode == 0, script


@pytest.mark.parametrize("value", of("json"))
def test_json_parses(value):
    json.loads(value)


@pytest.mark.parametrize("settings", of("toml"))
def test_settings_are_those_of_the_server(settings):
    said = run("serve", "--help")
    for name, value in tomllib.loads(settings).items():
        for option in [f"{name}-{key}" for key in value] if isinstance(value, dict) else [name]:
            assert re.search(rf"--{option}\s", said), option
