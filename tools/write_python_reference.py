#!/usr/bin/env python3
"""Writes docs/reference/python.md: every public class and function of the package, from its docstrings.

    write_python_reference.py [ROOT]          write the page
    write_python_reference.py --check [ROOT]  exit 1 if the page is not what the sources say
"""
import ast
import sys
from pathlib import Path

PARTS = (("Functions", "__init__"), ("Worlds", "world"), ("Simulations", "simulation"), ("Scenes and runs", "scene"),
         ("Results", "results"), ("Sweeps", "sweep"), ("Contact problems", "problem"), ("Pictures", "picture"), ("Pages", "view"),
         ("What goes wrong", "_errors"), ("Views", "_views"), ("Environments", "envs/_base"), ("Environments: gripper", "envs/gripper"),
         ("Environments: blade", "envs/blade"), ("Environments side by side", "envs/vector"), ("Learning", "envs/learn"), ("Settings", "_settings"))
HEAD = """# Talus in Python: reference

Written by `./dev docs` from the docstrings of the package. [Talus in Python](../python.md) begins at the beginning.
"""
LEFT_OUT = {"Lender", "Watch", "of_scene"}  # inside _views and view


def signature(function, name):
    arguments = ast.unparse(function.args)
    return f"{name}({arguments.removeprefix('self, ').removeprefix('self').removeprefix('cls, ')})"


def text_of(node):
    return (ast.get_docstring(node) or "").strip()


def shown(code, text):
    lines = [f"`{code}`"]
    if text:
        lines += ["", text if ">>>" not in text and "\n    " not in text and "\n\n" not in text else f"```text\n{text}\n```"]
    return "\n".join(lines) + "\n"


def members_of(node):
    for item in node.body:
        if not isinstance(item, ast.FunctionDef) or item.name.startswith("_"):
            continue
        kinds = [ast.unparse(decorator) for decorator in item.decorator_list]
        if any(kind.endswith(".setter") for kind in kinds):
            continue
        text = " ".join(text_of(item).split()) if "property" in kinds else text_of(item)
        if "property" in kinds:
            yield f"- `{item.name}`" + (f": {text}" if text else "")
        else:
            first, _, rest = text.partition("\n\n")
            yield f"- `{signature(item, item.name)}`" + (f": {' '.join(first.split())}" if first else "") + (
                f" {' '.join(rest.split())}" if rest and call_is_short(item) else "")


def call_is_short(item):
    """Calls with an argument per setting list them in their help, which is long."""
    return len(item.args.args) + len(item.args.kwonlyargs) < 15


def page_of(root):
    lines = [HEAD]
    for title, module in PARTS:
        lines.append(f"## {title}\n")
        for node in ast.parse((root / f"python/talus/{module}.py").read_text()).body:
            if getattr(node, "name", "_").startswith("_") or node.name in LEFT_OUT:
                continue
            if isinstance(node, ast.FunctionDef):
                lines.append(shown(signature(node, node.name), text_of(node)))
            elif isinstance(node, ast.ClassDef):
                make = next((f for f in node.body if isinstance(f, ast.FunctionDef) and f.name == "__init__"), None)
                lines.append("### " + node.name + "\n")
                lines.append(shown(signature(make, node.name) if make else node.name, text_of(node)))
                members = list(members_of(node))
                lines += members + [""] * bool(members)
    return "\n".join(lines).rstrip() + "\n"


def main(arguments):
    root = Path(next((a for a in arguments if not a.startswith("--")), "."))
    file, text = root / "docs/reference/python.md", page_of(root)
    if "--check" not in arguments:
        file.write_text(text)
    elif not file.exists() or file.read_text() != text:
        raise SystemExit(f"{file}: is not what the docstrings say; ./dev docs writes it again")


if __name__ == "__main__":
    main(sys.argv[1:])
