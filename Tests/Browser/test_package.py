"""The packed element: compiled, bundled, loaded from another server, under two names, and its documentation."""

import contextlib
import json
import re
import shutil
import subprocess

import packed
import pytest
from editor import wait_until
from packed import HTML, VIEW


def run(*command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_is_imported_where_there_is_no_dom(package):
    (package.parents[1] / "server.mjs").write_text("""
      import * as all from 'crop-view';
      console.log(JSON.stringify([Object.keys(all), all.registerCropView() ?? null]));
      await import('crop-view/inlined');""")
    names, found = json.loads(run("node", "server.mjs", folder=package.parents[1]))
    assert names == ["CropError", "CropPreview", "CropView", "locate", "registerCropView"] and found is None


@pytest.mark.parametrize("tool", ["esbuild", "rollup"])
def test_bundled_it_works(package, site, show, tool):
    folder = package.parents[1]
    (folder / "main.js").write_text("import './node_modules/crop-view/crop-view.js';")
    out = folder / tool
    if tool == "esbuild":
        run("esbuild", "main.js", "--bundle", "--splitting", "--format=esm", f"--outdir={out}", folder=folder)
    else:
        run("rollup", "main.js", "--format=es", "--dir", str(out), folder=folder)
    for name in ("cropcore.wasm", "cropjpeg.wasm", "cropextra.wasm", "jpeg-worker.js"):
        shutil.copy(package / name, out)
    page = show('<crop-view src="photo.jpg"></crop-view>', script=f"{tool}/main.js")
    assert page.evaluate(f"{VIEW}.state.isJPEG")
    assert page.evaluate(f"{VIEW}.croppedBlob().then(({{type}}) => type)") == "image/jpeg"


def test_all_in_one_file_it_loads_nothing_else(site, show):
    page = show('<crop-view src="photo.jpg"></crop-view>', lang="ar",
                script="node_modules/crop-view/crop-view-inlined.js")
    assert page.evaluate(f"{VIEW}.state.isJPEG")
    part = {"rect": {"x": 16, "y": 16, "width": 32, "height": 32}}
    page.evaluate(f"(recipe) => {{ {VIEW}.recipe = recipe; }}", part)
    assert page.evaluate(f"{VIEW}.cropped().then(({{isLossless}}) => isLossless)")
    loaded = page.evaluate("performance.getEntriesByType('resource').map(({name}) => name.split('/').pop())")
    assert sorted(set(loaded) - {"page.css", "favicon.ico"}) == ["crop-view-inlined.js", "photo.jpg"]
    assert "بكسل" in page.evaluate(f"{VIEW}.accessible.nodes.get(0).getAttribute('aria-label')")


def test_modules_are_loaded_on_demand(site, show):
    page = show('<crop-view src="photo.png"></crop-view>')
    loaded = page.evaluate("performance.getEntriesByType('resource').map(({name}) => name.split('/').pop())")
    assert sorted(set(loaded) - {"page.css", "favicon.ico", "photo.png"}) == ["crop-view.js", "cropcore.wasm"]
    page.evaluate(f"{VIEW}.load('photo.jpg')")
    wait_until(page, f"{VIEW}.state.isJPEG")
    assert page.evaluate("performance.getEntriesByType('resource').some(({name}) => name.endsWith('cropjpeg.wasm'))")
    assert not page.evaluate("performance.getEntriesByType('resource').some(({name}) => name.endsWith('cropextra.wasm'))")


def test_it_works_from_another_origin_under_a_strict_policy(package, site, show):
    """The element's files are on one server; the page, on another, only allows what it must."""
    with contextlib.ExitStack() as servers:
        files = servers.enter_context(packed.serving(package, **{"Access-Control-Allow-Origin": "*"}))
        policy = packed.POLICY.format(script=f"'self' {files.address}")
        strict = servers.enter_context(
            packed.serving(package.parents[1], **{"Content-Security-Policy": policy}))
        strict.pages.update(site.pages)
        body = '<crop-view src="photo.jpg" lang="ar"></crop-view>'
        html = HTML.format(lang="en", script=f"{files.address}/crop-view.js", body=body)
        strict.pages["/page.html"] = ("text/html", html.encode())
        page = show("", address=strict.address)
        part = {"rect": {"x": 16, "y": 16, "width": 320, "height": 160}}
        page.evaluate(f"(recipe) => {{ {VIEW}.recipe = recipe; }}", part)
        assert page.evaluate(f"{VIEW}.cropped().then(({{isLossless}}) => isLossless)")
        assert page.evaluate(f"{VIEW}.croppedBlob({{type: 'image/png'}}).then(({{type}}) => type)") == "image/png"


def test_two_names_and_two_versions_do_not_disturb_each_other(package, site, show):
    copy = package.parents[1] / "other"
    shutil.copytree(package, copy, dirs_exist_ok=True)
    page = show('<crop-view src="photo.png"></crop-view>')
    found = page.evaluate("""async () => {
      const first = customElements.get('crop-view');
      const other = await import('./other/crop-view.js');
      const mine = other.registerCropView('other-crop');
      const view = document.createElement('other-crop');
      view.src = 'photo.png';
      document.body.append(view);
      await view.decode();
      return [customElements.get('crop-view') === first, other.CropView !== first,
        other.registerCropView('other-crop') === mine, view instanceof other.CropView, view.valid];
    }""")
    assert found == [True] * 5


def test_every_documented_name_exists_and_every_public_name_is_documented(package, show):
    said = packed.description(package)
    page = show('<crop-view src="photo.png"></crop-view>')
    members = {one["name"]: one["kind"] for one in said["members"]}
    names = page.evaluate(f"""() => {{
      const names = new Set(Object.keys({VIEW}));
      const own = customElements.get('crop-view').prototype;
      for (const one of [own, Object.getPrototypeOf(own)]) {{
        for (const name of Object.getOwnPropertyNames(one)) names.add(name);
      }}
      return [...names];
    }}""")
    # Methods that the platform calls.
    called = {"constructor", "connectedCallback", "disconnectedCallback", "attributeChangedCallback",
              "formAssociatedCallback", "formDisabledCallback", "formResetCallback",
              "formStateRestoreCallback"}
    assert sorted(set(names) - called) == sorted(members)
    kinds = page.evaluate(
        f"(names) => names.map((name) => typeof {VIEW}[name] === 'function' ? 'method' : 'field')", list(members))
    assert kinds == list(members.values())
    observed = page.evaluate("customElements.get('crop-view').observedAttributes")
    assert sorted({*observed, "disabled"} - {"aria-label"}) == sorted(one["name"] for one in said["attributes"])
    for one in said["attributes"]:
        if one["type"]["text"] == "boolean":
            found = page.evaluate("""([name, field]) => {
              const view = document.createElement('crop-view');
              const before = view[field];
              view[field] = true;
              return [before, view.hasAttribute(name), view[field]];
            }""", [one["name"], one["fieldName"]])
            assert found == [False, True, True], one["name"]
    values = {"src": "", "crop-style": "marquee", "cover": "fit", "aspect-ratio": "4:3", "shape": "ellipse",
              "min-size": "2x3", "max-size": "40x50", "margin": "5", "viewfinder-top": "0.2", "lossless": "snap",
              "wheel": "zoom", "name": "n", "value": "", "value-type": "file",
              "max-side": "64", "max-bytes": "5000", "type": "image/png", "quality": "0.5",
              "guides": "golden passport-us", "canvas": "4:5", "canvas-margin": "5%", "canvas-place": "north", "canvas-fill": "blur"}
    for one in said["attributes"]:
        if one["type"]["text"] != "boolean":
            found = page.evaluate("""([name, field, value]) => {
              const view = document.createElement('crop-view');
              view[field] = value;
              return [view.getAttribute(name) ?? '', view[field]];
            }""", [one["name"], one["fieldName"], values[one["name"]]])
            assert found == [values[one["name"]]] * 2, one["name"]
    # Frameworks set a property instead of an attribute if the element has one of that name. `value` is the recipe then.
    for one in said["attributes"]:
        if one["name"] != "value":
            value = values.get(one["name"], True)
            found = page.evaluate("""([name, field, value]) => {
              const view = document.createElement('crop-view');
              if (name in view) view[name] = value;
              else view.setAttribute(name, value);
              return view[field];
            }""", [one["name"], one["fieldName"], value])
            assert found == value, one["name"]
    parts = page.evaluate(f"[...{VIEW}.shadowRoot.querySelectorAll('[part]')].map((node) => node.part.value)")
    assert set(parts) == {one["name"] for one in said["cssParts"]}
    slots = page.evaluate(f"[...{VIEW}.shadowRoot.querySelectorAll('slot')].map(({{name}}) => name)")
    assert sorted(slots) == sorted(one["name"] for one in said["slots"])
    readme = (package / "README.md").read_text()
    style = page.evaluate(f"[...{VIEW}.shadowRoot.adoptedStyleSheets[0].cssRules].map((rule) => rule.cssText).join()")
    for one in said["cssProperties"]:
        assert one["name"] in style and f"`{one['name']}`" in readme
    for key in ("events", "slots", "cssParts", "cssStates", "attributes"):
        for one in said[key]:
            assert one["name"] in readme, one["name"]


def test_every_event_state_property_and_export_of_the_sources_is_documented(package):
    said = packed.description(package)
    element = "\n".join(path.read_text() for path in sorted((packed.ROOT / "Web/Element").glob("*.js")))

    def names(kind):
        return sorted(one["name"] for one in said[kind])

    events = set(re.findall(r"""(?:\.dispatch|#gesture)\('(\w+)'""", element)) | {"error"}
    assert sorted(events) == names("events")
    states = set(re.findall(r"""(?:showState|status\.mark)\('(\w+)'""", element))
    assert sorted(states) == names("cssStates")
    assert sorted(set(re.findall(r"--ck-[a-z-]+", element))) == names("cssProperties")
    index = (packed.ROOT / "Web/Element/index.js").read_text()
    exports = set(re.findall(r"^export (?:function |\{ )(\w+)", index, re.M))
    manifest = json.loads((package / "custom-elements.json").read_text())["modules"][0]["exports"]
    assert sorted(exports) == sorted(one["name"] for one in manifest if one["kind"] == "js")
