"""The examples for React 18 and Vue 3 with the packed element: mounted, rendered a hundred times, unmounted."""

import pathlib
import shutil
import subprocess
import zipfile

import packed
import pytest
from conftest import new_context
from editor import wait_until
from marionette import FIREFOX
from pictures import coordinates, png
from test_webkit import browser as webkit, pytestmark as needs_webkit

__all__ = ["webkit"]
pytestmark = pytest.mark.thorough
REACT = pathlib.Path("/usr/share/nodejs/react")
#: A Python package that contains Vue's browser build, which Debian does not have.
CARRIERS = sorted((packed.ROOT / ".build/venv/vue").glob("*.whl"))
VIEW = "document.querySelector('crop-view')"
PAGE = """<!doctype html><meta charset="utf-8"><title>Somebody's page</title>
<style>crop-view {{ display: block; block-size: 300px; inline-size: 400px }}</style>
<div id="root"></div>{head}<script type="module" src="{script}"></script>"""
REACT_MAIN = """
import { createElement, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Page } from './react.js';
const root = createRoot(document.querySelector('#root'));
window.render = (round) => root.render(
  createElement(StrictMode, null, createElement(Page, { src: 'photo.png', round })));
window.unmount = () => root.unmount();
render(0);
"""
VUE_MAIN = """
import { createApp, h, reactive } from 'vue';
import { Page } from './vue.js';
const state = reactive({ round: 0 });
const app = createApp({ render: () => h('div', { 'data-round': state.round }, h(Page, { src: 'photo.png' })) });
app.mount('#root');
window.render = (round) => { state.round = round; };
window.unmount = () => app.unmount();
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    package = packed.unpacked(tmp_path_factory.mktemp("frameworks"))
    with packed.serving(package.parents[1]) as server:
        server.pages["/photo.png"] = ("image/png", png(coordinates(600, 400)))
        yield server, package


class Chromium:
    """A page of Chromium, with the interface of the other engines' drivers."""

    def __init__(self, chromium):
        self.context, self.problems = new_context(chromium), []
        self.page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", lambda message: self.problems.append(message.text)
                     if message.type in ("error", "warning") else None)

    def open(self, address):
        self.page.goto(address)

    def run(self, script):
        return self.page.evaluate(script)

    def wait(self, script):
        wait_until(self.page, script)

    def click(self, selector):
        self.page.click(selector)

    def close(self):
        self.context.close()
        assert not self.problems, self.problems


@pytest.fixture
def chromium_page(chromium):
    browser = Chromium(chromium)
    yield browser
    browser.close()


@pytest.fixture(params=[
    pytest.param("chromium_page", id="chromium"),
    pytest.param("firefox", marks=pytest.mark.skipif(not FIREFOX, reason="needs the package firefox-esr")),
    pytest.param("webkit", marks=needs_webkit),
])
def show(request, site):
    server, _ = site
    browser = request.getfixturevalue(request.param)

    def show(script, head=""):
        server.pages["/page.html"] = ("text/html", PAGE.format(script=script, head=head).encode())
        browser.open(f"{server.address}/page.html")
        return browser

    return show


def follow(browser):
    """Common to both: the example's page, controlled by its framework."""
    browser.wait(f"!!({VIEW}?.complete && {VIEW}.valid)")
    browser.run(f"""(() => {{
      window.first = {VIEW};
      first.recipe = {{ rect: {{ x: 0, y: 0, width: 400, height: 300 }} }};
    }})()""")
    browser.wait("document.querySelector('output').textContent === '400 × 300'")
    browser.run("(() => { for (let round = 1; round <= 100; round += 1) render(round); })()")
    # The last of them has been drawn by then.
    browser.run("""(() => {
      requestAnimationFrame(() => requestAnimationFrame(() => { document.title = 'Drawn'; }));
    })()""")
    browser.wait("document.title === 'Drawn'")
    assert browser.run(f"[{VIEW} === first, first.recipe.rect.width]") == [True, 400]
    assert browser.run("first.getAttribute('aspect-ratio')") == "4:3"
    browser.run("unmount()")
    assert browser.run(VIEW) is None


@pytest.mark.skipif(not REACT.exists(), reason="needs the packages node-react and node-react-dom")
def test_the_example_for_react(site, show):
    """Takes long: React is bundled, and other browsers start."""
    server, package = site
    folder = package.parents[1]
    for name in ("react", "react-dom", "scheduler"):
        shutil.copytree(REACT.parent / name, folder / "node_modules" / name, dirs_exist_ok=True)
    shutil.copy(packed.ROOT / "Examples/web/react.js", folder)
    (folder / "main.jsx").write_text(REACT_MAIN)
    done = subprocess.run(
        ["esbuild", "main.jsx", "--bundle", "--format=esm", '--define:process.env.NODE_ENV="production"',
         "--outfile=bundle/react.js"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for name in ("cropcore.wasm", "cropjpeg.wasm", "cropextra.wasm"):
        shutil.copy(package / name, folder / "bundle")
    follow(show("bundle/react.js"))


@pytest.mark.skipif(not CARRIERS, reason="no browser build of Vue could be fetched")
def test_the_example_for_vue(site, show):
    """Takes long: other browsers start."""
    server, package = site
    folder = package.parents[1]
    with zipfile.ZipFile(CARRIERS[-1]) as carrier:
        (folder / "vue-build.js").write_bytes(carrier.read("nicegui/static/vue.esm-browser.prod.js"))
    shutil.copy(packed.ROOT / "Examples/web/vue.js", folder)
    (folder / "main.js").write_text(VUE_MAIN)
    follow(show("main.js", head="""<script type="importmap">{"imports": {
      "vue": "./vue-build.js", "crop-view": "./node_modules/crop-view/crop-view.js"}}</script>"""))
