"""The packed element draws its crop frame in the colors of the page's style sheet."""

import pytest
from editor import wait_until
from packed import VIEW

#: A dark photo fills the view, so that each drawn color can be found.
READY = f"{VIEW}?.complete && {VIEW}.valid && {VIEW}.accessible.nodes.size > 1 && !{VIEW}.state.wantsTicks"
BODY = """<style>crop-view {{ {style} }}</style>
  <crop-view src="photo.png" crop-style="{kind}" {more}></crop-view>"""
PART = "{rect: {x: 150, y: 100, width: 300, height: 200}}"
#: Drawn twice: once for what has changed, once for what that has scheduled.
DRAWN = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))))"


@pytest.fixture
def opened(show):
    def opened(style="", kind="studio", more=""):
        page = show(BODY.format(style=style, kind=kind, more=more), ready=READY, device_scale_factor=1,
                    expects=("willReadFrequently",))
        page.evaluate(f"{VIEW}.recipe = {PART}")
        wait_until(page, f"!{VIEW}.state.wantsTicks")
        page.evaluate(DRAWN)
        return page
    return opened


def drawn(page, canvas=f"{VIEW}.stage.canvas"):
    """The opaque colors on the canvas above the photo."""
    found = page.evaluate(f"""() => {{
      const {{ width, height }} = {canvas};
      const {{ data }} = {canvas}.getContext('2d').getImageData(0, 0, width, height);
      const counts = {{}};
      for (let at = 0; at < data.length; at += 4) {{
        if (data[at + 3] !== 255) continue;
        const key = [...data.slice(at, at + 3)].join();
        counts[key] = (counts[key] ?? 0) + 1;
      }}
      return counts;
    }}""")
    return {tuple(map(int, key.split(","))): count for key, count in found.items()}


def test_frame_handles_and_label_have_the_colors_of_their_properties(opened):
    plain = drawn(opened())
    white, red, green, blue = (255, 255, 255), (200, 0, 0), (0, 200, 0), (0, 0, 200)
    assert plain[white] > 500 and not {red, green, blue} & set(plain)
    page = opened("--ck-frame: rgb(200 0 0); --ck-handle: rgb(0 200 0); --ck-label: rgb(200 200 0); "
                  "--ck-label-background: rgb(0 0 200)")
    styled = drawn(page)
    assert white not in styled
    # The frame has 300 × 200 pixels of the photo, at most as many on the screen; the handles lie around it.
    assert styled[red] > 500 and styled[green] > 200 and styled[blue] > 300
    # All of what was white is in another color now.
    text = sum(styled[color] for color in (red, green)) - plain[white]
    assert abs(text) < 400


def test_handles_have_the_frame_s_color_by_default(opened):
    styled = drawn(opened("--ck-frame: rgb(200 0 0); --ck-label: blue"))
    assert (255, 255, 255) not in styled and styled[(200, 0, 0)] > 700


def test_the_frame_has_the_width_of_its_property(opened):
    red = (200, 0, 0)
    style = "--ck-frame: rgb(200 0 0); --ck-handle: transparent; --ck-frame-width"
    counts = [drawn(opened(f"{style}: {width}px")).get(red, 0) for width in (0, 1, 3)]
    assert counts[0] == 0 < counts[1]
    assert counts[2] == pytest.approx(3 * counts[1], rel=0.02)


def test_corners_of_handles_are_rounded(opened):
    green = (0, 200, 0)
    square, rounded = (drawn(opened(f"--ck-handle: rgb(0 200 0); --ck-handle-radius: {radius}px", kind="quad"))[green]
                       for radius in (0, 20))
    # A circle in its square.
    assert rounded < square * 0.85


def test_what_is_transparent_has_no_dark_edge_either(opened):
    page = opened("--ck-frame-width: 0px; --ck-handle: transparent; --ck-shade: 0; --ck-grid: transparent; "
                  "--ck-label: transparent; --ck-label-background: transparent")
    page.evaluate(f"{VIEW}.command('grid', 1)")
    page.evaluate(DRAWN)
    assert page.evaluate(f"""() => {{
      const {{ width, height }} = {VIEW}.stage.canvas;
      return {VIEW}.stage.context.getImageData(0, 0, width, height).data.every((value) => value === 0);
    }}""")


def test_the_shade_has_the_color_of_its_property(opened):
    corner = f"[...{VIEW}.stage.context.getImageData({VIEW}.stage.canvas.width / 2, 3, 1, 1).data]"
    red, green, blue, alpha = opened().evaluate(corner)
    assert (red, green, blue) == (0, 0, 0) and alpha > 100
    red, green, blue, again = opened("--ck-shade-color: rgb(255 255 255)").evaluate(corner)
    assert min(red, green, blue) > 250 and again == alpha


def test_the_grid_has_the_color_of_its_property(opened):
    page = opened("--ck-grid: rgb(0 0 200)")
    assert (0, 0, 200) not in drawn(page)
    page.evaluate(f"{VIEW}.command('grid', 1)")
    page.evaluate(DRAWN)
    assert drawn(page)[(0, 0, 200)] > 300


def test_the_label_has_the_font_of_its_property(opened):
    background = (0, 0, 200)
    small, large = (drawn(opened(f"--ck-label-background: rgb(0 0 200); {font}"))[background]
                    for font in ("", "--ck-label-font: 700 24px monospace"))
    assert large > 2.5 * small


def test_a_changed_property_is_drawn_without_a_call(opened):
    """Also if only a class on an ancestor or a rule has changed, which no script observes."""
    page = opened()
    red, green = (200, 0, 0), (0, 200, 0)
    assert red not in drawn(page)
    page.evaluate("document.querySelector('style').textContent += 'main.red { --ck-frame: rgb(200 0 0) }'")
    page.evaluate("document.querySelector('main').classList.add('red')")
    wait_until(page, f"""[...{VIEW}.stage.context.getImageData(0, 0, 600, 400).data]
      .some((value, at, all) => at % 4 === 0 && value === 200 && all[at + 1] === 0 && all[at + 3] === 255)""")
    assert drawn(page)[red] > 500
    # While it is hidden, nothing is reported; it is up to date when it is shown.
    page.evaluate(f"{VIEW}.style.display = 'none'")
    page.evaluate(DRAWN)
    page.evaluate("document.querySelector('style').textContent += 'main.red { --ck-frame: rgb(0 200 0) }'")
    page.evaluate(DRAWN)
    page.evaluate(f"{VIEW}.style.display = ''")
    wait_until(page, f"""[...{VIEW}.stage.context.getImageData(0, 0, 600, 400).data]
      .some((value, at, all) => at % 4 === 1 && value === 200 && all[at - 1] === 0 && all[at + 2] === 255)""")
    assert red not in drawn(page) and drawn(page)[green] > 500


def test_invalid_values_do_not_break_the_drawing(opened):
    page = opened("--ck-frame: 5; --ck-frame-width: wide; --ck-handle-radius: red; --ck-label-font: none; --ck-shade: x")
    assert drawn(page)


def test_two_elements_have_different_styles(show):
    page = show("""<crop-view src="photo.png" style="--ck-frame: rgb(200 0 0)"></crop-view>
      <crop-view id="two" src="photo.png" style="--ck-frame: rgb(0 0 200); --ck-label: rgb(0 200 0)"></crop-view>""",
                ready="[...document.querySelectorAll('crop-view')].every((view) => view.complete && view.valid)",
                expects=("willReadFrequently",))
    page.evaluate(DRAWN)
    first, second = drawn(page), drawn(page, "document.querySelector('#two').stage.canvas")
    assert first[(200, 0, 0)] and (0, 0, 200) not in first
    assert second[(0, 0, 200)] and (200, 0, 0) not in second
