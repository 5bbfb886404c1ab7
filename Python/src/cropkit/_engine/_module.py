"""The module in wasmtime."""

from __future__ import annotations

import atexit
import importlib
import struct
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ._wire import Answer, encoded, interface

#: The module, which `make page`, `make package` and `make wheel` build.
FILE = Path(__file__).with_name("cropfile.wasm")

_lock = threading.Lock()
_compiled: list[tuple[Any, Any]] = []
# wasmtime complains about objects that outlive its own module.
atexit.register(_compiled.clear)


def is_there() -> bool:
    """Whether the module can be used here."""
    try:
        importlib.import_module("wasmtime")
    except ImportError:
        return False
    return FILE.exists()


def _module() -> tuple[Any, Any]:
    """The engine and the compiled module, once for this process."""
    wasmtime: Any = importlib.import_module("wasmtime")
    with _lock:
        if not _compiled:
            engine = wasmtime.Engine()
            _compiled.append((engine, wasmtime.Module.from_file(engine, str(FILE))))
        return _compiled[0]


class Stopped(Exception):
    """The module stopped, for example because memory ran out; this instance can't be used any more."""


class Cutter:
    """An instance of the module that reads an image, and a result that was made from it.

    A large file is never in the module's memory as a whole. Not thread-safe.
    """

    def __init__(self, image: bytes) -> None:
        import wasmtime

        engine, module = _module()
        self.sources = [image]
        self._pieces: list[bytes] = []
        self._failure = wasmtime.WasmtimeError, wasmtime.Trap
        self._store = wasmtime.Store(engine)
        linker = wasmtime.Linker(engine)
        functions: dict[str, Callable[..., Any]] = {"read": self._read, "write": self._write}
        for one in module.imports:
            linker.define_func(one.module, one.name, one.type, functions[one.name], access_caller=True)
        exports: Any = linker.instantiate(self._store, module).exports(self._store)
        self._memory, self._list, self._call = exports["memory"], exports["ck_list"], exports["ck_call"]

    # The compiler of the module passes further numbers, which mean nothing.
    def _read(self, caller: Any, source: int, offset: float, address: int, count: int, *_: int) -> int:
        start = int(offset)
        part = self.sources[source][start : start + count] if source < len(self.sources) else b""
        caller["memory"].write(caller, part, address & 0xFFFFFFFF)
        return len(part)

    def _write(self, caller: Any, address: int, count: int, *_: int) -> None:
        start = address & 0xFFFFFFFF
        self._pieces.append(bytes(caller["memory"].read(caller, start, start + count)))

    def take(self) -> bytes:
        """The written bytes, which are then forgotten."""
        data = b"".join(self._pieces)
        self._pieces.clear()
        return data

    def call(self, name: str, **fields: Any) -> Any:
        """Calls a function of the module.

        Raises:
            Stopped: The module stopped.
            TypeError, ValueError: A field is invalid.
        """
        call = interface()["calls"][name]
        takes = call["takes"]
        # A call that takes one structure takes its fields.
        is_whole = len(takes) == 1 and takes[0][0] == "value"
        numbers = encoded(interface()["structures"][takes[0][1]]["fields"] if is_whole else takes, fields)
        if len(numbers) > 128:
            raise ValueError("it is too long")
        try:
            place = self._list(self._store) & 0xFFFFFFFF
            self._memory.write(self._store, struct.pack(f"<{len(numbers) + 1}d", len(numbers), *numbers), place)
            start = self._call(self._store, call["code"]) & 0xFFFFFFFF
            (count,) = struct.unpack("<d", self._memory.read(self._store, start, start + 8))
            found = self._memory.read(self._store, start + 8, start + 8 + 8 * int(count))
        except self._failure as error:
            raise Stopped(str(error).splitlines()[0]) from None
        return Answer(struct.unpack(f"<{int(count)}d", found)).value(call["gives"])
