"""Renders the sample photos in Samples/.

Nothing is read but these files: every picture is a scene described here, traced ray by ray.
The same seed gives the same scene. Needs Python 3.11 with numpy, Pillow and numba.
"""

import argparse
import os
import pathlib
import time

from numba import set_num_threads

from .lake_at_dusk import scene as lake_at_dusk
from .still_life import scene as still_life
from .tilted_harbour import scene as tilted_harbour
from .upright_street import scene as upright_street

SCENES = {
    "lake-at-dusk": lake_at_dusk.render,
    "still-life": still_life.render,
    "tilted-harbour": tilted_harbour.render,
    "upright-street": upright_street.render,
}


def main():
    """Renders the samples named on the command line, or all of them."""
    parser = argparse.ArgumentParser(prog="render", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(SCENES))
    parser.add_argument("--out", type=pathlib.Path, help="folder for the pictures",
                        default=pathlib.Path(__file__).resolve().parent.parent)
    parser.add_argument("--scale", type=float, default=1.0, help="size of a quick look, e.g. 0.25")
    parser.add_argument("--samples", type=float, default=1.0, help="factor on rays per pixel")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    options = parser.parse_args()
    for name in options.names:
        if name not in SCENES:
            parser.error(f"no scene called {name}; there are {', '.join(SCENES)}")
    set_num_threads(options.threads)
    options.out.mkdir(parents=True, exist_ok=True)
    for name in options.names or SCENES:
        start = time.monotonic()
        SCENES[name](options)
        print(f"{name}: {time.monotonic() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()
