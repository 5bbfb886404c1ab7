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
from PIL import Image
from snippets import install_node_package, material, place

__all__ = ["material", "place"]
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "Packaging/tarball.md", "Python/README.md",
                                  "Web/Program/README.md")]
PAGES += sorted((ROOT / "docs").rglob("*.md"))
#: Checked by other tests (proxies.py, service.py, test_shown_output.py), or not code.
OTHERS = {"nginx", "apache", "caddy", "ini", "text", "console", "pycon", "yaml"}
#: Parts that were copied from tested files: examples that test_site.py runs, and articles of the libraries.
COPIED = re.compile(r"^<!-- generated: (?:file|article) .*?^<!-- end -->$", re.DOTALL | re.MULTILINE)
#: Commands of `cropkit` that run until they are stopped.
ENDLESS = ("serve", "open")
#: The element, as the package describes it.
DESCRIPTION = json.loads((ROOT / "Web/Package/custom-elements.json").read_text())
[ELEMENT] = [one for module in DESCRIPTION["modules"] for one in module["declarations"] if one.get("tagName") == "crop-view"]
#: A package that decodes `scan.jpg` from a file of its pixels, instead of sharp, which isn't installed.
SHARP = """
import { readFileSync, writeFileSync } from 'node:fs';
export default (input, options) => ({
  rotate() { return this; }, raw() { return this; },
  toBuffer: async () => ({ data: readFileSync('scan.raw'), info: { width: 1000, height: 1400, channels: 3 } }),
  toFile: async (name) => {
    const { width, height, channels } = options.raw;
    if (input.length !== width * height * channels) throw new Error(`${input.length} bytes for ${width} × ${height}`);
    writeFileSync(name, input);
  },
});
"""
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
    known = {"sh", "python", "js", "swift", "html", "css", "svelte", "json", "toml"} | OTHERS
    for page in PAGES:
        assert not re.search(r"^``(?!`)", page.read_text(), re.MULTILINE), f"{page}: a line starts with two backticks"
        assert {language for language, _ in blocks(page)} <= known, page
        prose = re.sub(r"^ *```.*?^ *```$", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
        assert not re.search(r"\n\n {4,}\S", prose), f"{page}: an indented block; use ``` and a language"


@pytest.mark.parametrize("script", of("sh"))
def test_commands_run(script, place):
    assert subprocess.run(["bash", "-n", "-c", script], capture_output=True).returncode == 0
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    extras = tomllib.loads((ROOT / "Python/pyproject.toml").read_text())["project"]["optional-dependencies"]
    install_node_package(place)
    for command in commands(script):
        words = command.split(" #")[0].split()
        if words[0] == "make":
            assert {word for word in words[1:] if "=" not in word} <= targets, command
        for name in re.findall(r"(?:Scripts|Benchmarks|Fuzz|Python)/[\w./-]+", command):
            assert (ROOT / name).exists(), command
        for unit in re.findall(r"\b(cropkit@?)\w*(\.socket)?$", command if "systemctl" in command else ""):
            assert (ROOT / f"Packaging/systemd/{unit[0]}{unit[1] or '.service'}").exists(), command
        for names in re.findall(r"\[([a-z,]+)\]", command if words[0] == "pip" else ""):
            assert set(names.split(",")) <= set(extras), command
        if words[0] not in ("cropkit", "npx"):
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


def options_in_python():
    """The keyword arguments of each function and class, and the names of what to crop and how to write it."""
    known, how = {}, set()
    for path in sorted((ROOT / "Python/src/cropkit").rglob("*.py")):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and node.name.startswith("How"):
                how |= {one.target.id for one in node.body if isinstance(one, ast.AnnAssign)}
            start = next((one for one in getattr(node, "body", []) if getattr(one, "name", "") == "__init__"), node)
            if isinstance(start, ast.FunctionDef):
                given = start.args
                known[node.name] = ({one.arg for one in given.args + given.kwonlyargs}, bool(given.kwarg))
    return known, how


@pytest.mark.parametrize("program", of("python"))
def test_programs_use_arguments_that_the_package_has(program):
    known, how = options_in_python()
    assert "max_side" in how and known["crop_files"][1]
    for call in (node for node in ast.walk(ast.parse(program)) if isinstance(node, ast.Call)):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        owner = call.func.value.id if isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name) else ""
        if owner != "cropkit" and name != "crop_files":
            continue
        names, takes_how = known[name]
        given = {word.arg for word in call.keywords if word.arg}
        assert given <= names | (how if takes_how else set()), name


@pytest.mark.parametrize("page", ["docs/python/quick-start.md", "docs/python/pool.md", "docs/guide/print.md"])
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
    """With the package's sources; not those with a file that only bundlers and Workers import."""
    install_node_package(place)
    sharp = place / "node_modules/sharp"
    sharp.mkdir()
    (sharp / "package.json").write_text('{"name": "sharp", "type": "module", "exports": "./index.js"}')
    (sharp / "index.js").write_text(SHARP)
    with Image.open(place / "scan.jpg") as scan:
        (place / "scan.raw").write_bytes(scan.convert("RGB").tobytes())
    (place / "script.mjs").write_text(script)
    # Bundlers and Workers import modules; a server runs until it is stopped.
    words = ["node", "--check"] if re.search(r"\.wasm'|createServer", script) else ["node"]
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
    known = {one["name"] for one in ELEMENT["attributes"]} | {"id", "style"}
    tags = re.findall(r"<crop-view ([^>]+)>", page)
    assert tags or "<crop-view" not in page
    for tag in tags:
        assert set(re.findall(r'([\w-]+)="', tag)) <= known
    for script in re.findall(r"<script>(.*?)</script>", page, re.DOTALL):
        assert subprocess.run(["node", "--check", "-"], input=script, text=True).returncode == 0, script


@pytest.mark.parametrize("component", of("svelte"))
def test_svelte_components_use_attributes_and_events_that_the_element_has(component):
    known = {one["name"] for one in ELEMENT["attributes"]} | {f"on{one['name']}" for one in ELEMENT["events"]}
    tags = re.findall(r"<crop-view ([^>]*(?:=>[^>]*)*)></crop-view>", component)
    assert tags
    for tag in tags:
        names = re.findall(r"(?:^| )([\w:-]+)=", re.sub(r"\{(?:[^{}]|\{[^{}]*\})*\}", "", tag))
        assert set(names) - {"bind:this"} <= known, tag


@pytest.mark.parametrize("sheet", of("css"))
def test_style_sheets_use_properties_that_the_element_has(sheet):
    used = set(re.findall(r"(--[\w-]+):", sheet))
    assert used and used <= {one["name"] for one in ELEMENT["cssProperties"]}


def test_other_code_is_valid(tmp_path):
    """Bookmarklets, a content security policy and a manifest, which are blocks without a language."""
    texts = {page.relative_to(ROOT).as_posix(): [text for language, text in blocks(page) if language == "text"]
             for page in PAGES}
    bookmarklets = [text.removeprefix("javascript:") for text in texts["docs/server/galleries.md"] if text.startswith("javascript:")]
    assert len(bookmarklets) == 2
    for script in bookmarklets:
        assert subprocess.run(["node", "--check", "-"], input=script, text=True).returncode == 0, script
    [policy] = texts["docs/web/csp.md"]
    tested = (ROOT / "Examples/web/csp.html").read_text()
    assert all(part.strip() in tested for part in policy.split(";"))
    [manifest] = [text for text in texts["docs/server/swift.md"] if "PackageDescription" in text]
    (tmp_path / "Package.swift").write_text(manifest)
    if SWIFT:
        done = subprocess.run(["swift", "package", "dump-package"], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    products = re.findall(r'\.product\(name: "([\w-]+)", package: "CropKit"\)', manifest)
    assert len(products) > 2 and set(products) <= set(re.findall(r'name: "([\w-]+)"', (ROOT / "Package.swift").read_text()))


@pytest.mark.parametrize("value", of("json"))
def test_json_parses(value):
    json.loads(value)


@pytest.mark.parametrize("settings", of("toml"))
def test_settings_are_those_of_the_server(settings):
    said = run("serve", "--help")
    for name, value in tomllib.loads(settings).items():
        for option in [f"{name}-{key}" for key in value] if isinstance(value, dict) else [name]:
            assert re.search(rf"--{option}\s", said), option
