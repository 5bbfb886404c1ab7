"""`python -m cropkit` runs the program `cropkit`."""

import os
import sys

from ._program import program

if __name__ == "__main__":
    os.execv(program(), ["cropkit", *sys.argv[1:]])
