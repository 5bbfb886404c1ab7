"""The packed element in a user's page: its events, its properties and its appearance."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from editor import frames, wait_until
from packed import READY, VIEW


def heard(page, *types, on="document"):
    page.evaluate(f"""(types) => {{
      window.heard = [];
      for (const type of types) {on}.addEventListener(type, () => {{ heard.push(type); }});
    }}""", list(types))


def test_events_reach_the_document_also_from_a_shadow_tree(show):
    page = show('<div id="host"></div>', ready="Boolean(customElements.get('crop-view'))")
    heard(page, "load", "error", "input", "change", "statechange", "gesturestart", "gestureend", "beforecrop")
    page.evaluate("""() => {
      const root = document.querySelector('#host').attachShadow({mode: 'open'});
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('crop-view { block-size: 400px; inline-size: 600px }');
      root.adoptedStyleSheets = [sheet];
      window.view = document.createElement('crop-view');
      view.cropStyle = 'marquee';
      view.src = 'photo.png';
      root.append(view);
    }""")
    wait_until(page, "heard.includes('load')")
    frames(page)
    page.evaluate("heard.length = 0")
    page.mouse.move(310, 300)
    page.mouse.down()
    page.mouse.move(250, 260, steps=8)
    page.mouse.up()
    wait_until(page, "heard.includes('gestureend') && !view.state.wantsTicks")
    page.evaluate("view.turn(1)")
    page.evaluate("view.croppedBlob()")
    said = page.evaluate("heard")
    first, last = said.index("gesturestart"), said.index("gestureend")
    assert said[last - 1] == "change" and "change" not in said[first:last - 1]
    assert "input" in said[first:last]
    assert "beforecrop" in said[last:] and said.count("change") == 2
    frames(page)
    page.evaluate("heard.length = 0; view.recipe = {rect: {x: 1, y: 2, width: 30, height: 40}}")
    wait_until(page, "heard.includes('statechange')")
    assert page.evaluate("heard") == ["input", "change", "statechange"]


def test_events_of_its_inner_fields_stay_inside(show):
    """The handles are range inputs inside; their events stay there."""
    page = show('<crop-view src="photo.png"></crop-view>')
    heard(page, "input", "change")
    page.evaluate(f"""() => {{
      const handle = {VIEW}.accessible.nodes.get(3);
      handle.dispatchEvent(new Event('input', {{bubbles: true, composed: true}}));
      handle.dispatchEvent(new Event('change', {{bubbles: true, composed: true}}));
    }}""")
    assert page.evaluate("heard") == []


def test_the_state_is_reported_once_per_frame(show):
    page = show('<crop-view src="photo.png"></crop-view>')
    found = page.evaluate(f"""async () => {{
      const frame = () => new Promise((done) => requestAnimationFrame(done));
      await frame();
      await frame();
      let count = 0;
      {VIEW}.addEventListener('statechange', () => {{ count += 1; }});
      for (let round = 0; round < 20; round += 1) {VIEW}.tilt = round / 10;
      const before = count;
      await frame();
      await frame();
      return [before, count];
    }}""")
    assert found[0] == 0 and 1 <= found[1] <= 2


def test_a_result_can_be_cancelled(show):
    page = show('<crop-view src="photo.png"></crop-view>')
    found = page.evaluate(f"""async () => {{
      let seen;
      {VIEW}.addEventListener('beforecrop', (event) => {{
        seen = event.detail;
        event.preventDefault();
      }}, {{once: true}});
      const none = await {VIEW}.croppedBlob({{quality: 0.5}});
      const canvas = await {VIEW}.croppedCanvas({{maxSide: 60}});
      return [none, seen.options.quality, seen.recipe.rect.width, canvas.width, canvas.height];
    }}""")
    assert found == [None, 0.5, 600, 60, 40]


def test_errors_are_reported(show):
    page = show('<crop-view src="photo.png" crop-style="loose"></crop-view>', expects=("crop-view:",))
    heard(page, "error")
    found = page.evaluate(f"""async () => {{
      const view = {VIEW};
      const reported = [];
      view.addEventListener('error', (event) => reported.push([event.code, event.error.name, event.message]));
      const warned = [];
      console.warn = (text) => warned.push(text);
      for (const [name, value] of [['aspect-ratio', '16:'], ['aspect-ratio', '0:1'], ['cover', 'most'],
        ['shape', 'star'], ['shape', 'rounded:-1'], ['min-size', 'large'], ['max-size', '0x9'],
        ['margin', '-1'], ['viewfinder-top', '200%'], ['lossless', 'maybe']]) view.setAttribute(name, value);
      await null;
      const thrown = (act) => {{
        try {{
          act();
        }} catch (error) {{
          return error instanceof RangeError;
        }}
      }};
      return [reported.every(([code, name]) => code === 'bad-attribute' && name === 'CropError'), reported.length,
        reported[0][2], warned.length, view.cropStyle, [
          () => view.turn(3), () => view.turn(0), () => view.mirror('both'), () => {{ view.tilt = 90; }},
          () => {{ view.tilt = NaN; }}, () => view.zoomBy(0), () => view.zoomBy(Infinity),
          () => {{ view.value = 'x'; }}, () => {{ view.phrases = {{nothing: 'x'}}; }},
        ].map(thrown)];
    }}""")
    all_coded, count, first, warnings, style, thrown = found
    assert all_coded and count == warnings == 10 and style == "studio"
    assert first == 'aspect-ratio="16:" is not understood; it takes free, original, square, W:H or a number'
    assert thrown == [True] * 9


def test_a_picture_that_fails_to_load_is_shown_and_reported(show):
    page = show('<crop-view></crop-view>', ready="Boolean(customElements.get('crop-view'))",
                expects=("404", "Failed to load"))
    for source, code in (("nowhere.jpg", "unreachable"), ("broken.jpg", "unsupported-format"),
                         ("http://127.0.0.1:9/x.jpg", "unreachable")):
        found = page.evaluate(f"""async (source) => {{
          const view = {VIEW};
          const reported = new Promise((done) => {{ view.addEventListener('error', done, {{once: true}}); }});
          view.src = source;
          const {{status}} = view;
          const before = [view.complete, status.state];
          const rejected = await view.decode().then(() => null, (error) => error.code);
          return [before, rejected, (await reported).code, view.complete, status.state];
        }}""", source)
        assert found == [[False, "loading"], code, code, True, "error"]
    assert page.get_by_text("This photo can’t be shown.").is_visible()
    assert page.evaluate(f"{VIEW}.matches(':state(error)')")
    page.evaluate(f"{VIEW}.src = 'photo.png'")
    page.evaluate(f"{VIEW}.decode()")
    assert page.evaluate(f"[{VIEW}.matches(':state(ready)'), {VIEW}.complete]") == [True, True]
    page.evaluate(f"{VIEW}.removeAttribute('src')")
    assert page.evaluate(f"[{VIEW}.matches(':state(empty)'), {VIEW}.complete]") == [True, True]
    assert page.evaluate(f"{VIEW}.decode().then(() => '', ({{code}}) => code)") == "no-picture"


def test_an_animation_is_reported_before(show):
    page = show('<crop-view src="moving.gif"></crop-view>')
    assert page.evaluate(f"[{VIEW}.animated, {VIEW}.matches(':state(animated)')]") == [True, True]
    page.evaluate(f"{VIEW}.load('photo.png')")
    wait_until(page, READY)
    assert page.evaluate(f"[{VIEW}.animated, {VIEW}.matches(':state(animated)')]") == [False, False]


def test_a_file_is_made_small_enough_or_refused(show):
    page = show('<crop-view src="photo.jpg"></crop-view>')
    found = page.evaluate(f"""async () => {{
      const view = {VIEW};
      view.recipe = {{rect: {{x: 3, y: 5, width: 301, height: 207}}}};
      let encodings = 0;
      const {{toBlob}} = HTMLCanvasElement.prototype;
      HTMLCanvasElement.prototype.toBlob = function (...all) {{
        encodings += 1;
        return toBlob.apply(this, all);
      }};
      const full = await view.croppedBlob();
      const most = Math.round(full.size * 0.6);
      encodings = 0;
      const small = await view.croppedBlob({{maxBytes: most}});
      const used = encodings;
      const size = await createImageBitmap(small);
      const refused = await view.croppedBlob({{maxBytes: 500}}).catch(({{code, bytes}}) => [code, bytes > 500]);
      view.recipe = {{rect: {{x: 16, y: 16, width: 64, height: 64}}}};
      const copied = await view.cropped({{maxBytes: 1e6}});
      const png = await view.croppedBlob({{maxBytes: 100, type: 'image/png'}}).catch(({{code}}) => code);
      return [small.size <= most, small.size > most * 0.8, used, size.width, size.height, refused,
        copied.isLossless, png];
    }}""")
    fits, is_near, used, width, height, refused, copied, png_refused = found
    assert fits and is_near and used <= 8 and (width, height) == (301, 207)
    assert refused == ["too-many-bytes", True] and copied and png_refused == "too-many-bytes"


def test_the_wheel_scrolls_the_page_unless_scroll_is_zoom(show):
    page = show('<crop-view src="photo.png"></crop-view><div style="block-size: 2000px"></div>')
    page.mouse.move(310, 250)
    page.mouse.wheel(0, 100)
    wait_until(page, "scrollY > 0")
    assert page.evaluate(f"{VIEW}.state.zoom") == pytest.approx(1)
    page.evaluate(f"scrollTo(0, 0); {VIEW}.wheel = 'zoom'")
    page.mouse.wheel(0, -100)
    wait_until(page, f"{VIEW}.state.zoom > 1.1")
    assert page.evaluate("scrollY") == 0


def test_colors_follow_the_color_scheme_and_its_properties(show):
    body = '<crop-view src="photo.png"></crop-view>'
    ground = f"getComputedStyle({VIEW}).backgroundColor"
    page = show(body, color_scheme="light")
    assert page.evaluate(ground) == "rgb(220, 219, 215)"
    page.evaluate("document.documentElement.style.colorScheme = 'dark'")
    assert page.evaluate(ground) == "rgb(11, 12, 13)"
    page.evaluate(f"{VIEW}.style.setProperty('--ck-ground', 'rgb(1, 2, 3)')")
    assert page.evaluate(ground) == "rgb(1, 2, 3)"


def test_phrases_are_replaced_one_by_one(show):
    page = show('<crop-view src="photo.png"></crop-view>')
    page.evaluate(f"{VIEW}.phrases = {{handleTop: 'Oberkante'}}")
    name = f"{VIEW}.accessible.nodes.get(3)?.getAttribute('aria-label')"
    wait_until(page, f"{name} === 'Oberkante'")
    assert page.evaluate(name.replace("(3)", "(7)")) == "Bottom edge"


def test_it_continues_after_removal_and_reinsertion(show):
    page = show('<crop-view src="photo.png"></crop-view>'
                '<crop-view id="two" src="photo.jpg" aspect-ratio="square"></crop-view>')
    page.evaluate("document.querySelector('#two').decode()")
    page.evaluate(f"""() => {{
      const view = {VIEW};
      view.recipe = {{rect: {{x: 5, y: 6, width: 70, height: 80}}}};
      for (let round = 0; round < 100; round += 1) {{
        view.remove();
        document.querySelector('main').append(view);
      }}
    }}""")
    found = page.evaluate("[...document.querySelectorAll('crop-view')].map(({recipe}) => recipe.rect.width)")
    assert found == [480, 70]


@pytest.mark.thorough
def test_memory_stays_flat_over_a_thousand_loads(show):
    """Takes long, since a leak of a few bytes only shows after many loads."""
    page = show('<crop-view src="photo.png"></crop-view>')
    session = page.context.new_cdp_session(page)
    page.evaluate("fetch('photo.jpg').then((answer) => answer.blob()).then((blob) => { window.photo = blob; })")

    def used(loads):
        page.evaluate(f"""async () => {{
          for (let round = 0; round < {loads}; round += 1) await {VIEW}.load(photo);
        }}""")
        session.send("HeapProfiler.collectGarbage")
        heap = session.send("Runtime.getHeapUsage")
        return heap["usedSize"] + heap.get("backingStorageSize", 0)

    first = used(100)
    assert used(900) < first + 2_000_000


def test_it_is_accessible(show):
    body = '<label for="crop">Photo</label><crop-view id="crop" src="photo.png"></crop-view>'
    for more in ({}, {"color_scheme": "dark"}):
        page = show(body, **more, bypass_csp=True)
        found = Axe().run(page).response["violations"]
        assert found == [], [(one["id"], [node["html"] for node in one["nodes"]]) for one in found]
