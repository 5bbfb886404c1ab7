"""Crops JPEGs where the programs don't run: a WebAssembly module in wasmtime, with the same results.

Options, messages and the module's interface come from the descriptions of the project, as JSON beside this file.
"""

from ._stream import LocalStream

__all__ = ["LocalStream"]
