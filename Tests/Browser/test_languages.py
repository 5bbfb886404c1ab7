"""Each language on a phone: nothing is cut off, and nothing is left in English."""

import re

import pytest
from conftest import ROOT
from editor import open_photo, serve_sources, settle, wait_for_photo, wait_until
from fake_library import FakeLibrary
from pictures import coordinates, jpeg, png
from test_page import assert_fits
from test_sources import choose, files

TAGS = {"ar": "ar", "de": "de", "en": "en", "es": "es", "fr": "fr", "it": "it", "ja": "ja", "ko": "ko",
        "pt": "pt", "zh": "zh-Hans"}
LOCALES = {"ar": "ar-EG", "pt": "pt-BR", "zh": "zh-CN", "en": "en-GB"}
TABLES = re.findall(r"'\./(words-\w+\.js)'\)\)\.(\w+)", (ROOT / "Web/App/words/languages.js").read_text())

#: Texts that are wider than their control, as `control: text`.
CUT = """() => {
  const found = [];
  const isShown = (node) => node.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  for (const control of document.querySelectorAll(
      'button, a, label, summary, h1, h2, h3, p, dt, dd, [role=tab], [role=status], .chip')) {
    const text = control.innerText?.trim();
    if (!text || !isShown(control) || control.closest('crop-view')) continue;
    // Said to screen readers alone, or a name that a person chose: the page shortens it, and says so.
    const style = getComputedStyle(control);
    if (control.clientWidth <= 1 || style.textOverflow === 'ellipsis') continue;
    const box = control.getBoundingClientRect();
    let scrolls = control.parentElement;
    while (scrolls && !['auto', 'scroll'].includes(getComputedStyle(scrolls).overflowX)) scrolls = scrolls.parentElement;
    if (!scrolls && (box.left < -1 || box.right > innerWidth + 1)) {
      found.push(`${control.tagName}.${control.className}: ${text} is beyond the screen (${box.left}–${box.right})`);
    }
    const dialog = control.closest('dialog');
    if (dialog && dialog !== control) {
      const { paddingLeft, paddingRight } = getComputedStyle(dialog);
      const outer = dialog.getBoundingClientRect();
      if (box.left < outer.left + parseFloat(paddingLeft) - 1 || box.right > outer.right - parseFloat(paddingRight) + 1) {
        found.push(`${control.tagName}.${control.className}: ${text} is in the margin of its dialog (${box.left}–${box.right})`);
      }
    }
    const walker = document.createTreeWalker(control, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const own = node.parentElement;
      if (!node.data.trim() || !isShown(own)) continue;
      if (own.closest('[hidden]') || getComputedStyle(own).textOverflow === 'ellipsis') continue;
      if (own.getBoundingClientRect().width <= 1) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const line of range.getClientRects()) {
        if (line.left < box.left - 1 || line.right > box.right + 1
          || (control.matches('button') && line.bottom > box.bottom + 2)) {
          found.push(`${control.tagName}.${control.className}: ${node.data} (${line.left}–${line.right} of ${box.left}–${box.right})`);
          break;
        }
      }
    }
    if (style.display !== 'inline' && control.scrollWidth > control.clientWidth + 1) {
      found.push(`${control.tagName}.${control.className}: ${text} is ${control.scrollWidth} wide in ${control.clientWidth}`);
    }
  }
  return [...new Set(found)];
}"""

#: All visible texts and accessible names of the page.
SAID = """() => {
  const found = [document.title.replace(' · CropKit', '')];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) found.push(node.data);
  for (const node of document.querySelectorAll('*')) {
    for (const name of ['aria-label', 'title', 'alt', 'placeholder', 'aria-description', 'aria-valuetext', 'aria-roledescription']) {
      if (node.hasAttribute(name)) found.push(node.getAttribute(name));
    }
  }
  return [...new Set(found.map((text) => text.trim()))].filter(Boolean);
}"""


#: Whether no font is loading and no finite animation is running.
SETTLED = """document.fonts.status === 'loaded' && document.getAnimations().every((one) =>
  one.playState !== 'running' || one.effect.getComputedTiming().endTime === Infinity)"""


class Spoken:
    """A page in a language, with the words it should have."""

    def __init__(self, page, language, keep):
        self.page, self.language, self.keep = page, language, keep
        serve_sources(page)
        tables = page.evaluate("""async (tables) => Object.fromEntries(await Promise.all(tables.map(
          async ([file, name]) => [name, (await import(`./sources/App/words/${file}`))[name]])))""",
          [pair for pair in TABLES if pair[0] in ("words-en.js", f"words-{language}.js")])
        self.english = tables["english"]
        [self.words] = [table for name, table in tables.items() if name != "english"] or [self.english]

    def looked_at(self, screen):
        """Checks what is shown, and stores a screenshot."""
        # Fonts are loaded and finite animations have finished.
        wait_until(self.page, SETTLED)
        self.keep(self.page, f"language-{self.language}-{screen}")
        assert_fits(self.page)
        assert self.page.evaluate(CUT) == [], (self.language, screen)
        assert self.left_in_english() == [], (self.language, screen)

    def left_in_english(self):
        """Texts that are in English although the language has others."""
        own = set(self.words.values())
        patterns = [
            re.compile(r".+".join(map(re.escape, re.split(r"\{\d\}", text)))) for key, text in self.english.items()
            if text not in own and sum(map(str.isalpha, re.sub(r"\{\d\}", "", text))) > 2
        ]
        return [text for text in self.page.evaluate(SAID) if any(one.fullmatch(text) for one in patterns)]

    def press(self, key):
        self.page.locator("main:visible, dialog:visible").get_by_role(
            "button", name=self.words[key], exact=True).first.click()


@pytest.fixture
def spoken(open_page, keep):
    def spoken(language, **options):
        page = open_page("phone", locale=LOCALES.get(language, language), **options)
        wait_until(page, "document.querySelector('main:not([hidden])') !== null")
        root = page.evaluate("[document.documentElement.lang, document.documentElement.dir]")
        assert root == [TAGS[language], "rtl" if language == "ar" else "ltr"]
        return Spoken(page, language, keep)

    return spoken


@pytest.mark.thorough
@pytest.mark.parametrize("language", TAGS)
def test_a_photo_is_opened_and_cropped_in_each_language(spoken, language):
    """Takes long: every text on nine screens is measured."""
    said = spoken(language)
    page = said.page
    page.locator(".tile img").nth(3).wait_for()
    said.looked_at("start")
    page.locator("input[type=file]").first.set_input_files(
        {"name": "1.jpg", "mimeType": "image/jpeg", "buffer": b"no picture"})
    page.get_by_role("alert").first.wait_for()
    said.looked_at("error")
    open_photo(page, jpeg(coordinates(600, 400)), name="1.jpg", style="Studio")
    tabs = page.locator("#editor [role=tab]:visible")
    for index in range(tabs.count()):
        tabs.nth(index).click()
        said.looked_at(f"editor-{index}")
    page.keyboard.press("Escape")
    open_photo(page, png(coordinates(300, 200)), name="2.png", style="Marquee")
    said.looked_at("marquee")
    page.keyboard.press("?")
    wait_until(page, "document.querySelector('dialog[open]') !== null")
    said.looked_at("shortcuts")
    page.keyboard.press("Escape")
    page.keyboard.press("Control+a")
    settle(page)
    said.press("crop")
    page.locator("#result:visible img").wait_for()
    said.looked_at("result")


@pytest.mark.thorough
@pytest.mark.parametrize("language", TAGS)
def test_the_library_is_browsed_in_each_language(spoken, language):
    """Takes long: every text on three screens is measured."""
    said = spoken(language, library=FakeLibrary(12))
    page = said.page
    page.locator("main:visible img").first.wait_for()
    said.looked_at("library")
    page.locator('main:visible a.album[href^="#/albums/"]').first.click()
    page.locator('main:visible a[href^="#/photos/"] img').nth(3).wait_for()
    said.looked_at("album")
    page.locator('main:visible a[href^="#/photos/"]').first.click()
    wait_for_photo(page)
    settle(page)
    page.keyboard.press("Control+a")
    said.press("crop")
    page.locator(".toast:visible").wait_for()
    said.looked_at("saved")


@pytest.mark.thorough
@pytest.mark.parametrize("language", TAGS)
def test_the_list_of_photos_fits_on_a_phone_in_each_language(spoken, language):
    said = spoken(language)
    choose(said.page, files((300, 200), (320, 200), (340, 200)))
    wait_for_photo(said.page)
    said.press("queueAll")
    said.page.locator("dialog .item").nth(2).wait_for()
    said.looked_at("photos")
