"""The table of system calls that a worker may make: each call's number gets the outcome that the source gives its name."""

import pathlib
import re
import struct

SOURCE = pathlib.Path(__file__).resolve().parents[2] / "Sources/CSystemCalls/confine.c"
ALLOW, KILL, EPERM, ENOSYS = 0x7FFF0000, 0x80000000, 0x50001, 0x50026
#: The process in the table that rules.c prints.
OWN = 4242

#: Calls whose outcome depends on an argument: its index, values that are allowed, and values that are not.
BY_ARGUMENT = {
    "mmap": (2, [0, 1, 3], [4, 7]),
    "mprotect": (2, [0, 1, 3], [4, 5]),
    "clone": (0, [0x3D0F00, 0x10000], [0, 17, 0x8000]),
    "prctl": (0, [15], [0, 4, 22, 38]),
    "prlimit64": (0, [0], [1, OWN]),
    "fcntl": (1, [1, 3], [0, 2, 4, 8, 1033]),
    "tgkill": (0, [OWN], [0, 1, OWN + 1]),
}


def outcome(rules, architecture, number, values=()):
    """What the kernel does with a call: the table is a program of the packet filter's machine."""
    data = struct.pack("<IIQ6Q", number, architecture, 0, *values, *[0] * (6 - len(values)))
    register, at = 0, 0
    while True:
        code, if_true, if_false, constant = rules[at]
        at += 1
        if code == 0x06:
            return constant
        if code == 0x20:
            register, = struct.unpack_from("<I", data, constant)
            continue
        holds = {0x15: register == constant, 0x35: register >= constant, 0x45: register & constant != 0}[code]
        at += if_true if holds else if_false


def numbers(text):
    """The calls' numbers by name, from the definitions that the preprocessor prints."""
    found = dict(re.findall(r"^#define (__NR\w+) (\S+)$", text, re.MULTILINE))

    def number(word):
        return number(found[word]) if word in found else int(word, 0)

    return {name[5:]: number(word) for name, word in found.items()
            if name.startswith("__NR_") and re.fullmatch(r"\d+|__NR\w+", word)}


def wrong(printed, definitions):
    """What is wrong with a table, as lines; and how many outcomes were checked."""
    lines = printed.splitlines()
    architecture, rules = int(lines[0]), [tuple(map(int, line.split())) for line in lines[1:]]
    calls = numbers(definitions)
    allowed = set(re.findall(r"\bALLOW\((\w+)\)", SOURCE.read_text())) - {"call"}
    assert len(calls) > 280 and len(allowed) > 40
    cases = [("another architecture", outcome(rules, architecture ^ 1, calls["read"]), KILL)]
    for name, number in calls.items():
        if name in BY_ARGUMENT:
            index, good, bad = BY_ARGUMENT[name]
            for value in good + bad:
                values = [0] * index + [value]
                wanted = ALLOW if value in good else EPERM
                cases.append((f"{name} with {value}", outcome(rules, architecture, number, values), wanted))
        else:
            wanted = ALLOW if name in allowed else ENOSYS if name == "clone3" else EPERM
            cases.append((name, outcome(rules, architecture, number), wanted))
    for number in set(range(1024)) - set(calls.values()):
        cases.append((f"number {number}", outcome(rules, architecture, number), EPERM))
    return [f"{name}: {found:#x} instead of {wanted:#x}" for name, found, wanted in cases if found != wanted], len(cases)
