"""The part of W3C WebDriver that a test of the page needs, without other packages."""

import json
import time
import urllib.error
import urllib.request

from editor import WAIT

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"

ENTER, TAB, SHIFT, CONTROL, RIGHT, DOWN = "\ue007", "\ue004", "\ue008", "\ue009", "\ue014", "\ue015"


class Refused(Exception):
    """The driver's response to a command that fails."""


class Browser:
    """A browser window, controlled by a driver that listens at an address."""

    def __init__(self, driver, options):
        self.driver = driver
        answer = self.send("POST", "/session", {"capabilities": {"alwaysMatch": options}})
        self.session = f"/session/{answer['sessionId']}"

    def send(self, method, path, body=None):
        request = urllib.request.Request(
            self.driver + path,
            method=method,
            data=None if method != "POST" else json.dumps(body or {}).encode(),
            headers={"content-type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=WAIT) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise Refused(json.load(error)["value"]["message"]) from error

    def open(self, address):
        self.send("POST", f"{self.session}/url", {"url": address})

    def run(self, script, *arguments):
        """Evaluates an expression in the page; `arguments` are its `arguments`."""
        body = {"script": f"return {script}", "args": list(arguments)}
        return self.send("POST", f"{self.session}/execute/sync", body)

    def wait(self, script, seconds=WAIT):
        end = time.monotonic() + seconds
        while not (value := self.run(script)):
            assert time.monotonic() < end, f"never true: {script}"
            time.sleep(0.1)
        return value

    def find(self, selector):
        """The first visible element, by the driver's id."""
        self.wait(f"!!document.querySelector({json.dumps(selector)})?.checkVisibility()")
        found = self.send(
            "POST", f"{self.session}/element", {"using": "css selector", "value": selector}
        )
        return found[ELEMENT]

    def click(self, selector):
        self.send("POST", f"{self.session}/element/{self.find(selector)}/click")

    def click_text(self, text):
        """Clicks the button or link with this text."""
        mark = """(() => {
          const found = [...document.querySelectorAll('button, a')].find((node) =>
            node.checkVisibility() && node.textContent.trim() === %s);
          document.querySelector('[data-wanted]')?.removeAttribute('data-wanted');
          found?.setAttribute('data-wanted', '');
          return Boolean(found);
        })()""" % json.dumps(text)
        self.wait(mark)
        self.click("[data-wanted]")

    def drag(self, start, end):
        steps = [
            {"type": "pointerMove", "duration": 30, "x": round(x), "y": round(y), "origin": "viewport"}
            for x, y in (
                (start[0] + (end[0] - start[0]) * part / 5, start[1] + (end[1] - start[1]) * part / 5)
                for part in range(6)
            )
        ]
        actions = [steps[0], {"type": "pointerDown", "button": 0}, *steps[1:],
                   {"type": "pointerUp", "button": 0}]
        mouse = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}}
        self.act([{**mouse, "actions": actions}])

    def press(self, *keys):
        """Presses keys one after another; those in a tuple together."""
        actions = []
        for key in keys:
            held = key if isinstance(key, tuple) else (key,)
            actions += [{"type": "keyDown", "value": one} for one in held]
            actions += [{"type": "keyUp", "value": one} for one in reversed(held)]
        self.act([{"type": "key", "id": "keys", "actions": actions}])

    def put_in(self, selector, path):
        """Chooses a file in a file input, which may be hidden."""
        found = self.send(
            "POST", f"{self.session}/element", {"using": "css selector", "value": selector})
        self.send("POST", f"{self.session}/element/{found[ELEMENT]}/value", {"text": str(path)})

    def act(self, actions):
        self.send("POST", f"{self.session}/actions", {"actions": actions})

    def close(self):
        self.send("DELETE", self.session)
