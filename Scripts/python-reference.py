#!/usr/bin/env python3
"""Prints the reference of the Python package as Markdown, from its sources' signatures and docstrings."""

import ast
import inspect
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "Python/src/cropkit"


def snake(name):
    """A name in camel case as Python writes it."""
    return re.sub("([A-Z])", r"_\1", name).lower()


def options():
    """What the options of a crop do, by their names in Python: the first sentence of the command's help."""
    schema = json.loads((ROOT / "Schema/options.json").read_text())
    return {one.get("pythonName") or snake(one["name"]): one["help"].replace(": @formats@", "")
            for kind in ("what", "how") for one in schema[kind] if "help" in one}


def exported(init):
    """The public names of a package, each with its definition: a function, a class or an assignment."""
    tree = ast.parse(init.read_text())
    names = next(ast.literal_eval(one.value) for one in tree.body
                 if isinstance(one, ast.Assign) and one.targets[0].id == "__all__")
    places = {alias.name: one.module for one in tree.body
              if isinstance(one, ast.ImportFrom) for alias in one.names}
    for name in names:
        if name not in places:
            continue
        # Overloads come first, the definition last.
        module = ast.parse((init.parent / f"{places[name]}.py").read_text())
        yield [one for one in module.body if getattr(one, "name", None) == name][-1]


def arguments(node):
    """The arguments without annotations that other lines explain, as written."""
    given = node.args
    parts = []
    plain = [*given.posonlyargs, *given.args]
    for one, default in zip(plain, [None] * (len(plain) - len(given.defaults)) + given.defaults, strict=True):
        if one.arg != "self":
            parts.append(ast.unparse(one) + (f" = {ast.unparse(default)}" if default else ""))
    if given.kwonlyargs:
        parts.append("*")
    for one, default in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        parts.append(ast.unparse(one) + (f" = {ast.unparse(default)}" if default else ""))
    if given.kwarg:
        parts.append(f"**{ast.unparse(given.kwarg)}")
    return parts


def signature(node, name=None):
    parts = arguments(node)
    returned = f" -> {ast.unparse(node.returns)}" if node.returns and node.name != "__init__" else ""
    line = f"{name or node.name}({', '.join(parts)}){returned}"
    if len(line) <= 100:
        return line
    return "\n".join([f"{name or node.name}(", *(f"    {part}," for part in parts), f"){returned}"])


def text(docstring):
    """A docstring as Markdown: its arguments and errors as lists, indented blocks as code."""
    lines, block, section = [], [], ""

    def end_block():
        while block and not block[-1].strip():
            block.pop()
        if block:
            lines.extend(["```python", *inspect.cleandoc("\n" + "\n".join(block)).splitlines(), "```", ""])
            block.clear()

    for line in inspect.cleandoc(docstring).splitlines():
        if line in ("Args:", "Raises:", "Returns:", "Yields:"):
            end_block()
            section = line
            lines += [{"Args:": "Arguments:", "Raises:": "Errors:"}.get(line, line), ""]
        elif section and (entry := re.match(r"    (\w+): (.*)", line)):
            lines.append(f"- `{entry[1]}`: {entry[2]}")
        elif section:
            lines.append(re.sub("^ {6,}", "  ", line).removeprefix("    "))
            if not line:
                section = ""
        elif line.startswith("    "):
            block.append(line)
        else:
            end_block() if line else None
            block.append(line) if block else lines.append(line)
    end_block()
    return "\n".join(lines)


def fields(node, source):
    """The fields of a class with the comments (`#:`) before them, or the help of the option of that name."""
    helps = options() if node.name == "How" else {}
    for one in node.body:
        if not isinstance(one, ast.AnnAssign) or one.target.id.startswith("_"):
            continue
        above = []
        for line in reversed(source[: one.lineno - 1]):
            if not line.strip().startswith("#:"):
                break
            above.insert(0, line.strip()[2:].strip())
        default = f" = {ast.unparse(one.value)}" if one.value and "field(" not in ast.unparse(one.value) else ""
        comment = " ".join(above) or helps.get(one.target.id, "")
        yield f"- `{one.target.id}: {ast.unparse(one.annotation)}{default}`" + (f": {comment}" if comment else "")


def sections(node, source):
    yield f"### `{node.name}`\n"
    if isinstance(node, ast.FunctionDef):
        yield f"```text\n{signature(node)}\n```\n"
        yield text(ast.get_docstring(node) or "") + "\n"
        return
    init = next((one for one in node.body if getattr(one, "name", None) == "__init__"), None)
    if init and len(init.args.args) + len(init.args.kwonlyargs) > 1:
        yield f"```text\n{signature(init, node.name)}\n```\n"
    yield text(ast.get_docstring(node) or "") + "\n"
    found = list(fields(node, source))
    if found:
        yield "\n".join(found) + "\n"
    for one in node.body:
        if isinstance(one, ast.FunctionDef) and not one.name.startswith("_") and ast.get_docstring(one) \
                and "overload" not in [ast.unparse(each) for each in one.decorator_list]:
            yield f"#### `{node.name}.{one.name}`\n"
            yield f"```text\n{signature(one)}\n```\n"
            yield text(ast.get_docstring(one)) + "\n"


def main():
    for title, folder in (("The package", PACKAGE), ("`cropkit.spark`", PACKAGE / "spark")):
        print(f"## {title}\n")
        for node in exported(folder / "__init__.py"):
            path = next(one for one in sorted(folder.glob("_*.py"))
                        if re.search(rf"^(?:class|def) {node.name}\b", one.read_text(), re.MULTILINE))
            source = path.read_text().splitlines()
            bases = [ast.unparse(base) for base in getattr(node, "bases", [])]
            if bases == ["HowButRect"]:
                # The options are in its base classes.
                tree = ast.parse(path.read_text())
                node.body += [field for one in tree.body if isinstance(one, ast.ClassDef)
                              and one.name in ("HowButRect", "HowWritten") for field in one.body]
            for part in sections(node, source):
                print(part)


if __name__ == "__main__":
    sys.exit(main())
