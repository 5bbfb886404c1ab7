"""As much of W3C WebDriver as a test of the page needs, without another package."""

import json
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"

ENTER, TAB, SHIFT, RIGHT, DOWN = "\ue007", "\ue004", "\ue008", "\ue014", "\ue015"


class Refused(Exception):
    """What the driver answers to a command that can't be carried out."""


class Browser:
    """One browser window behind a driver that listens at an address."""

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
            with urllib.request.urlopen(request, timeout=300) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise Refused(json.load(error)["value"]["message"]) from error

    def open(self, address):
        self.send("POST", f"{self.session}/url", {"url": address})

    def run(self, script, *arguments):
        """The value of an expression of the page's; `arguments` are its `arguments`."""
        body = {"script": f"return {script}", "args": list(arguments)}
        return self.send("POST", f"{self.session}/execute/sync", body)

    def wait(self, script, seconds=300):
        end = time.monotonic() + seconds
        while not (value := self.run(script)):
            assert time.monotonic() < end, f"never true: {script}"
            time.sleep(0.1)
        return value

    def find(self, selector, seconds=300):
        """The first element that is shown, as the driver names it."""
        self.wait(f"!!document.querySelector({json.dumps(selector)})?.checkVisibility()", seconds)
        found = self.send(
            "POST", f"{self.session}/element", {"using": "css selector", "value": selector}
        )
        return found[ELEMENT]

    def click(self, selector):
        self.send("POST", f"{self.session}/element/{self.find(selector)}/click")

    def click_text(self, text):
        """Presses the button or link of these words."""
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
        """Presses keys one after the other; those of a tuple together."""
        actions = []
        for key in keys:
            held = key if isinstance(key, tuple) else (key,)
            actions += [{"type": "keyDown", "value": one} for one in held]
            actions += [{"type": "keyUp", "value": one} for one in reversed(held)]
        self.act([{"type": "key", "id": "keys", "actions": actions}])

    def put_in(self, selector, path):
        """Chooses a file in an input of files, which need not be in sight."""
        found = self.send(
            "POST", f"{self.session}/element", {"using": "css selector", "value": selector})
        self.send("POST", f"{self.session}/element/{found[ELEMENT]}/value", {"text": str(path)})

    def act(self, actions):
        self.send("POST", f"{self.session}/actions", {"actions": actions})

    def close(self):
        self.send("DELETE", self.session)
