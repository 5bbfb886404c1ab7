"""The manual pages and the completions, which are generated from the programs' help."""

import json
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Soak"))
from soak import BIN, PROGRAM, Soak, run  # noqa: E402

COMMANDS = ["crop", "targets", "info", "recipe", "mark", "batch", "open", "serve"]
PAGES = [
    "man1/cropkit.1", *(f"man1/cropkit-{command}.1" for command in COMMANDS),
    "man5/cropkit-recipe.5", "man5/cropkit-targets.5", "man8/cropkit-server.8",
]

#: The typed text, and the completed word.
WORDS = [
    ("cropkit c", "crop"), ("cropkit crop --form", "--format"), ("cropkit crop --format jp", "jpeg"),
    ("cropkit crop --aspect 16:1", "16:10"), ("cropkit crop --aspect 4:3 --lossless sn", "snap"),
    ("cropkit crop --gravity northe", "northeast"), ("cropkit crop pho", "photo.jpg"),
    ("cropkit crop photo.jpg -o pho", "photo.jpg"), ("cropkit recipe --to img", "imgproxy"),
    ("cropkit targets --set s", "social"), ("cropkit targets photo.jpg --focus pho", "photo.jpg"),
    ("cropkit op", "open"), ("cropkit open pho", "photo.jpg"), ("cropkit serve --socket-m", "--socket-mode"), ("cropkit serve --log e", "error"),
]


def pages(soak):
    """Every page exists and has every option, and man reports no warnings."""
    out = soak.path("man")
    subprocess.run([ROOT / "Scripts/manual.mjs", os.path.abspath(BIN), out], check=True)
    made = sorted(str(path.relative_to(out)) for path in pathlib.Path(out).glob("*/*"))
    soak.check(made == sorted(PAGES), f"the pages: {made}")
    for page in made:
        # man's requirements for a page: no warnings of groff, and a line that apropos can find.
        done = subprocess.run(
            ["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", f"{out}/{page}"],
            capture_output=True, text=True, env={**os.environ, "MANWIDTH": "80", "MANROFFSEQ": ""})
        soak.check(done.returncode == 0 and not done.stderr, f"{page}: {done.stderr}")
        named = subprocess.run(["lexgrog", f"{out}/{page}"], capture_output=True, text=True)
        name = pathlib.Path(page).stem
        soak.check(f'"{name} - ' in named.stdout, f"{page}: {named.stdout}")
        text = re.sub(r"\x1b\[[0-9;]*m|.\x08", "", done.stdout)
        command = name.removeprefix("cropkit").lstrip("-")
        if page.startswith("man1") and command:
            said = run([command, "--help"]).stdout.decode()
            for option in set(re.findall(r"^  (?:-\w, )?(--[a-z-]+)", said, re.MULTILINE)):
                soak.check(re.search(rf"^ +.*{option}\b", text, re.MULTILINE), f"{page}: no {option}")
    soak.check(
        subprocess.run([ROOT / "Scripts/manual.mjs", os.path.abspath(BIN), soak.path("again")]).returncode == 0
        and not subprocess.run(["diff", "-r", out, soak.path("again")]).returncode,
        "made twice, the pages differ")


def recipes(soak):
    """The recipes in the manual page about recipes are valid, and the page describes every key."""
    text = (ROOT / "Packaging/cropkit-recipe.5.txt").read_text()
    photo = soak.photo("wide.jpg", 2400, 2800)
    shown = [one for one in text.split("\n\n") if one.startswith("  {")]
    soak.check(len(shown) == 4, f"{len(shown)} recipes")
    for recipe in shown:
        with open(soak.path("recipe.json"), "w") as file:
            file.write(recipe)
        done = run(["recipe", photo, "--recipe", soak.path("recipe.json")])
        soak.check(done.returncode == 0, f"{recipe}: {done.stderr}")
        for key in json.loads(done.stdout or "{}"):
            soak.check(f"\n\n{key}\n  " in text, f"cropkit-recipe(5) says nothing of {key}")


class Shell:
    """A shell in a terminal."""

    def __init__(self, words, folder, setup):
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.environ.update(
                TERM="dumb", PS1="ready> ", HOME=folder, COLUMNS="200", LC_ALL="C.UTF-8",
                PATH=os.path.dirname(PROGRAM) + ":" + os.environ["PATH"])
            os.execvp(words[0], words)
        self.said = ""
        self.type(setup + "; echo set''up\r")
        self.hears("setup\r\n")

    def type(self, text):
        os.write(self.terminal, text.encode())

    def hears(self, words, seconds=300):
        """Whether the terminal shows this text in time."""
        end = time.monotonic() + seconds
        while words not in self.said:
            if not select.select([self.terminal], [], [], max(0, end - time.monotonic()))[0]:
                return False
            try:
                got = os.read(self.terminal, 65536)
            except OSError:
                return words in self.said
            self.said += re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\x07", "", got.decode(errors="replace"))
        return True

    def completes(self, line, word):
        """Whether Tab completes the last word of a line to this one."""
        before = line[: len(line) - len(re.search(r"\S*$", line)[0])]
        self.said = ""
        self.type(line + "\t")
        isIt = self.hears(before + word)
        self.type("\x15\r")
        self.hears("ready> ")
        return isIt

    def end(self):
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.terminal)


def completions(soak):
    """Files, formats, ratios, commands and options are completed in each of the shells."""
    out = soak.path("completions")
    subprocess.run([ROOT / "Scripts/completions.sh", os.path.abspath(BIN), out], check=True)
    folder = soak.path("at")
    os.mkdir(folder)
    open(f"{folder}/photo.jpg", "w").close()
    shells = {
        "bash": (["bash", "--norc", "--noprofile", "-i"], f". {out}/bash-completion/completions/cropkit"),
        "zsh": (
            ["zsh", "-f", "-i"],
            f"PS1='ready> '; fpath=({out}/zsh/vendor-completions $fpath); autoload -Uz compinit; "
            "compinit -u -D"),
    }
    for name, (words, setup) in shells.items():
        if not shutil.which(name):
            print(f"SKIPPED: completions in {name}; it is not installed")
            continue
        shell = Shell(words, folder, setup)
        for line, word in WORDS:
            soak.check(shell.completes(line, word), f"{name}: {line}: {shell.said!r}")
        shell.end()
    if not shutil.which("fish"):
        print("SKIPPED: completions in fish; it is not installed")
        return
    for line, word in WORDS:
        done = subprocess.run(
            ["fish", "--no-config", "-c", f"source {out}/fish/vendor_completions.d/cropkit.fish; complete -C '{line}'"],
            capture_output=True, text=True, cwd=folder, env={**os.environ, "HOME": folder})
        offered = [one.split("\t")[0] for one in done.stdout.splitlines()]
        soak.check(word in offered, f"fish: {line}: {done.stdout} {done.stderr}")


with Soak("manual and completions") as soak:
    pages(soak)
    recipes(soak)
    completions(soak)
