"""The packed element finds its modules after bundling, or the console says what is missing and what to do."""

import re
import shutil

import packed
import pytest
from packed import VIEW
from test_package import run

#: What Vite recognizes as a file beside a module: `new URL` of a literal and the module's own address.
VITE_RULE = re.compile(r"""new\s+URL\(\s*(["'`])([^"'`$]+)\1\s*,\s*import\.meta\.url\s*\)""")
PHOTO = '<crop-view src="photo.jpg"></crop-view>'


@pytest.fixture
def console(new_page, site):
    """Opens a page in which the element can't work; returns it and the lines on its console."""
    def console(script, module=True, body=PHOTO):
        lines = []
        page = new_page(reports=())
        page.on("console", lambda message: lines.append(message.text))
        html = packed.HTML if module else packed.HTML.replace(' type="module"', " defer")
        site.pages["/page.html"] = ("text/html", html.format(lang="en", script=script, body=body).encode())
        page.goto(f"{site.address}/page.html")
        page.wait_for_function(f"{VIEW}.status?.state === 'error'")
        return page, [line for line in lines if line.startswith("crop-view:")]

    return console


def prebundled(package, folder):
    """Bundles the package as Vite's development server does; returns the script's path from the site."""
    root = package.parents[1]
    (root / "entry.js").write_text("export * from './node_modules/crop-view/crop-view.js';")
    out = root / folder / ".vite/deps"
    run("esbuild", "entry.js", "--bundle", "--splitting", "--format=esm", f"--outdir={out}", "--entry-names=crop-view",
        folder=root)
    return f"{folder}/.vite/deps/crop-view.js"


def test_vite_s_rule_finds_every_file(package):
    """In the script of the package, and again in the script that its development server bundles."""
    found = sorted(name for _, name in VITE_RULE.findall((package / "crop-view.js").read_text()))
    assert found == ["./cropcore.wasm", "./cropextra.wasm", "./cropjpeg.wasm", "./jpeg-worker.js"]
    assert all((package / name).is_file() for name in found)
    script = package.parents[1] / prebundled(package, "node_modules")
    assert sorted(name for _, name in VITE_RULE.findall(script.read_text())) == found


def test_vite_s_development_server_needs_no_option(package, site, show):
    """It bundles the script into a folder without the modules, and responds with a page for missing files."""
    script = prebundled(package, "node_modules")
    for name in ("cropcore.wasm", "cropjpeg.wasm", "cropextra.wasm", "jpeg-worker.js"):
        site.pages[f"/node_modules/.vite/deps/{name}"] = ("text/html", b"<!doctype html>")
    page = show(PHOTO, script=script)
    assert page.evaluate(f"{VIEW}.cropped().then(({{isLossless}}) => isLossless)")
    loaded = page.evaluate("performance.getEntriesByType('resource').map(({name}) => new URL(name).pathname)")
    assert "/node_modules/crop-view/cropcore.wasm" in loaded


def test_with_another_cache_folder_the_console_names_vite_s_option(package, site, console):
    script = prebundled(package, "cache")
    site.pages["/cache/crop-view/cropcore.wasm"] = ("text/html", b"<!doctype html>")
    page, lines = console(script, body='<crop-view src="photo.png"></crop-view>')
    address = f"{site.address}/cache/crop-view/cropcore.wasm"
    assert lines == [
        f"crop-view: the module core can't be loaded: {address} is not WebAssembly but text/html; add optimizeDeps: "
        "{ exclude: ['crop-view'] } to vite.config.js, or import 'crop-view/inlined', which contains the modules"]
    assert page.get_by_text("The cropping tool couldn’t be loaded. Reload the page.").is_visible()


def test_with_esbuild_the_console_names_the_missing_files(package, console):
    root = package.parents[1]
    (root / "main.js").write_text("import './node_modules/crop-view/crop-view.js';")
    run("esbuild", "main.js", "--bundle", "--splitting", "--format=esm", f"--outdir={root / 'bare'}", folder=root)
    _, lines = console("bare/main.js", body='<crop-view src="photo.png"></crop-view>')
    [line] = lines
    assert re.search(r"bare/cropcore\.wasm: 404; copy cropcore\.wasm, cropjpeg\.wasm, cropextra\.wasm and jpeg-worker\.js of the package "
                     r"beside the script, call locate\(\{ core, jpeg, extra, worker \}\) .* or import 'crop-view/inlined'", line)
    for name in ("cropcore.wasm", "cropjpeg.wasm", "cropextra.wasm", "jpeg-worker.js"):
        shutil.copy(package / name, root / "bare")


def test_a_script_that_is_not_a_module_works_with_located_files(package, site, show):
    """The image is in the page before the script sets the locations."""
    root = package.parents[1]
    (root / "main.js").write_text("""import { locate } from './node_modules/crop-view/crop-view.js';
      const at = (name) => `node_modules/crop-view/${name}`;
      locate({ core: at('cropcore.wasm'), jpeg: at('cropjpeg.wasm'), extra: at('cropextra.wasm'), worker: at('jpeg-worker.js') });""")
    run("esbuild", "main.js", "--bundle", "--format=iife", "--log-level=error", f"--outfile={root / 'script.js'}",
        folder=root)
    page = show(PHOTO, script="script.js", html=packed.HTML.replace(' type="module"', " defer"))
    assert page.evaluate(f"{VIEW}.cropped().then(({{isLossless}}) => isLossless)")


def test_a_script_that_is_not_a_module_reports_what_it_needs(package, console):
    root = package.parents[1]
    (root / "main.js").write_text("import './node_modules/crop-view/crop-view.js';")
    run("esbuild", "main.js", "--bundle", "--format=iife", "--log-level=error", f"--outfile={root / 'script.js'}",
        folder=root)
    page, lines = console("script.js", module=False, body='<crop-view src="photo.png"></crop-view>')
    [line] = lines
    assert "the module core can't be loaded" in line and "locate({ core, jpeg, extra, worker })" in line
    assert page.evaluate(f"{VIEW}.decode().catch(({{code}}) => code)") == "no-module"


def test_a_wrong_address_is_named(package, console):
    (package.parents[1] / "main.js").write_text("""import { locate } from './node_modules/crop-view/crop-view.js';
      locate({ core: 'nowhere.wasm' });""")
    _, lines = console("main.js", body='<crop-view src="photo.png"></crop-view>')
    assert lines == ["crop-view: the module core can't be loaded: nowhere.wasm: 404; check the address that "
                     "locate({ core }) was called with"]


def test_a_missing_worker_is_reported_once_and_replaced(package, site, new_page):
    (package.parents[1] / "main.js").write_text("""import { locate } from './node_modules/crop-view/crop-view.js';
      locate({ worker: 'nowhere.js' });""")
    lines = []
    page = new_page(reports=())
    page.on("console", lambda message: lines.append(message.text))
    body = '<crop-view src="photo.png" crop-style="quad"></crop-view>'
    html = packed.HTML.format(lang="en", script="main.js", body=body)
    site.pages["/page.html"] = ("text/html", html.encode())
    page.goto(f"{site.address}/page.html")
    page.wait_for_function(packed.READY)
    sizes = page.evaluate(f"""async () => {{
      const corners = [[40, 40], [560, 10], [590, 390], [10, 360]].map(([x, y]) => ({{x, y}}));
      {VIEW}.recipe = {{version: 2, quad: corners}};
      return [await {VIEW}.croppedCanvas(), await {VIEW}.croppedCanvas()].map(({{width}}) => width > 500);
    }}""")
    assert sizes == [True, True]
    assert [line for line in lines if line.startswith("crop-view:")] == [
        "crop-view: the worker nowhere.js can't be loaded, so large photos are cropped without it; "
        'see "In a bundle" in the README']
