"""Names of every kind and numbers of every size, for every option: a response, never a trap."""

import json
import os

from soak import CRASHES, LONG, Soak, read, run

NUMBERS = (
    "-1 0 -0 1 NaN nan inf -inf 1e308 -1e308 1e-308 2147483647 2147483648 4294967296 "
    "9223372036854775807 9223372036854775808 18446744073709551616 0x10 1e999 0.5 ٣ 1_000"
).split() + ["", " ", "9" * 400]

NAMES = [
    b"with space.jpg", b"new\nline.jpg", b"quote'\".jpg", b"-x.jpg", b"--", b"--rect",
    "🏔️.jpg".encode(), b"\xff\xfe.jpg", b"n" * 251 + b".jpg", b"a[fail_on=none].jpg",
    b"x.jpg[Q=1]", b"%s%n.jpg", b"$(id)`id`.jpg", b"\\.jpg",
]


def options():
    """Every option with a number, with and without another one to add to."""
    for number in NUMBERS:
        for name in ("quality", "page", "max-side", "limit-pixels", "limit-bytes", "limit-scans",
                     "limit-seconds", "limit-memory", "tilt"):
            yield [f"--{name}={number}"]
        for unit in "KMG":
            yield [f"--limit-bytes={number}{unit}"]
        for other in ("1", number):
            yield [f"--size={number}x{other}"]
            yield [f"--aspect={number}:{other}"]
            for rect in (f"{number},{other},{number},{other}", f"{other},0,{number},1",
                         f"{number}%,0,{other},{number}%"):
                yield [f"--rect={rect}"]
                yield [f"--rect={rect}", "--tilt=10"]
        yield [f"--shape=rounded:{number}"]
        yield [f"--background=#{number}"]
        yield [f"--jobs={number}"]


def numbers(soak, photo):
    plans = list(options())
    soak.random.shuffle(plans)
    out = soak.path("out.png")
    for plan in plans if LONG else plans[:60]:
        words = (["batch", soak.path("list"), "--force", *plan] if plan[0].startswith("--jobs")
                 else ["crop", photo, "-o", out, "--force", *plan])
        done = run(words)
        soak.check(
            done.returncode not in CRASHES and done.returncode in (0, 1, 64, 65, 70, 73, 74),
            f"{plan}: {done.returncode} {done.stderr[-200:]}")
        soak.check(
            words[0] == "batch" or done.stderr.count(b"\n") < 4, f"{plan}: many words")


def recipes(soak, photo):
    """The same numbers in a manifest, in JSON's notation."""
    lines = []
    for number in NUMBERS:
        for key in ("x", "width", "tilt", "quarterTurns", "radius", "maxSide", "version"):
            rect = {"x": 0, "y": 0, "width": 8, "height": 8}
            recipe = {"rect": rect}
            if key in rect:
                rect[key] = "@"
                rect["height"] = "@" if key == "width" else 8
            elif key == "radius":
                recipe["shape"] = {"roundedRectangle": "@"}
            elif key == "maxSide":
                recipe["output"] = {"maxSide": "@"}
            else:
                recipe[key] = "@"
            line = {"input": photo, "output": soak.path(f"recipe-{len(lines)}.png"), "recipe": recipe}
            lines.append(json.dumps(line).replace('"@"', number))
    with open(soak.path("list"), "w") as file:
        file.write("\n".join(lines))
    done = run(["batch", soak.path("list")])
    soak.check(done.returncode == 1, f"recipes: {done.returncode}")
    soak.check(len(done.stdout.splitlines()) == len(lines), "recipes: lines that were not told")


def names(soak, photo):
    content = read(photo)
    folder = os.fsencode(soak.path("names"))
    os.mkdir(folder)
    for name in NAMES:
        for prefix in (b"", folder + b"/"):
            with open(os.path.join(folder, name), "wb") as file:
                file.write(content)
            given = prefix + name
            done = run(
                ["crop", "--rect", "0,0,16,16", "-o", b"out-" + name[4:], "--", given], cwd=folder)
            soak.check(done.returncode == 0, f"{given[-40:]}: {done.returncode} {done.stderr}")
            soak.check(done.stderr.count(b"\n") == 1, f"{given[-40:]}: {done.stderr}")
            soak.check(set(os.listdir(folder)) == {name, b"out-" + name[4:]}, f"{name}: other files")
            done = run(["crop", "--in-place", "--rect", "0,0,16,16", "--", given], cwd=folder)
            soak.check(done.returncode == 0, f"in place, {given[-40:]}: {done.returncode}")
            done = run(["info", "--json", "--", given], cwd=folder)
            soak.check(b'"shown":{"height":16,"width":16}' in done.stdout, f"{name}: {done.stdout}")
            for other in os.listdir(folder):
                os.unlink(os.path.join(folder, other))
        # In a manifest, by its bytes.
        with open(os.path.join(folder, name), "wb") as file:
            file.write(content)
        quoted = (name if name.startswith(b"-") is False else b"./" + name)
        quoted = quoted.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
        with open(os.path.join(folder, b"list"), "wb") as file:
            file.write(b'{"input":"%s","output":"new.jpg","recipe":{}}' % quoted)
        done = run(["batch", "list"], cwd=folder)
        soak.check(done.returncode == 0, f"batch, {name}: {done.stdout} {done.stderr}")
        for other in os.listdir(folder):
            os.unlink(os.path.join(folder, other))


with Soak("words") as soak:
    photo = soak.photo(width=160, height=120)
    original = read(photo)
    recipes(soak, photo)
    numbers(soak, photo)
    names(soak, photo)
    soak.check(read(photo) == original, "the original is changed")
