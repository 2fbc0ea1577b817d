#!/usr/bin/env python3
"""Writes python/talus/_settings.py: the settings of scenes as Python classes, from the schema of scenes.

    write_python_settings.py [ROOT]          write the file
    write_python_settings.py --check [ROOT]  exit 1 if the file is not what the schema says

Names, units, defaults and descriptions stand in the field lists of the C++ sources (src/io/scene/fields); the schema
(schema/scene.schema.json) is written from them by ./dev docs, and so is this file, after it.
"""
import json
import sys
import textwrap
from pathlib import Path

HEAD = '''"""The settings of scenes as classes. Written by tools/write_python_settings.py: do not edit."""
from typing import Any, Optional, Sequence, Union

from ._base import Numbers, Points, Quantity, Settings, Vector

__all__ = {names}
'''
OF_BODIES = {"name", "material", "group", "fixed", "motion", "free", "force", "share"}
OF_SOLIDS = OF_BODIES | {"position", "rotation", "orientation", "velocity", "spin"}
REGION_OF_BOX = '''
    def __init__(self, size: Optional[Vector] = None, rounding: Quantity = 0.0, *, low: Optional[Vector] = None,
                 high: Optional[Vector] = None) -> None:
        self.size = size
        self.rounding = rounding
        self.low = low
        self.high = high
'''


def camel(name):
    return "".join(part.capitalize() for part in name.replace("-", "_").split("_"))


def wrapped(signature, hang):
    """The lines of a signature; what it returns stays with its last bracket."""
    whole = signature.replace(") -> ", ")\0->\0")
    lines = textwrap.wrap(whole, 116, initial_indent="    ", subsequent_indent=" " * hang, break_long_words=False)
    return [line.replace("\0", " ") for line in lines]


class Writer:
    def __init__(self, schema):
        self.schema = schema
        self.definitions = schema["definitions"]
        self.names = []
        self.blocks = []

    def resolve(self, node):
        while "$ref" in node or "allOf" in node:
            node = self.definitions[node["$ref"].split("/")[-1]] if "$ref" in node else {**node, **self.resolve(node["allOf"][0])}
            node.pop("allOf", None)
        return node

    def type_of(self, field):
        """The type of an argument, and the unit to tell."""
        field = self.resolve(dict(field))
        if "anyOf" in field:
            return "Any", self.resolve(field["anyOf"][0]).get("x-unit", "")
        kind = field.get("type")
        if kind == "array":
            items = self.resolve(field["items"])
            if items.get("type") == "array":
                inner = self.resolve(items.get("items", {}))
                return "Points", inner.get("x-unit", "") if isinstance(inner, dict) else ""
            if items.get("type") == ["number", "string"]:
                return ("Vector" if field.get("maxItems") in (3, 4) else "Numbers"), items.get("x-unit", "")
            if items.get("type") == "string":
                return "Sequence[str]", ""
            return "Sequence[Any]", ""
        if kind == ["number", "string"]:
            return "Quantity", field.get("x-unit", "")
        return {"string": "str", "integer": "int", "boolean": "bool"}.get(kind, "Any"), field.get("x-unit", "")

    def lines_of(self, name, field):
        _, unit = self.type_of(field)
        words = [f"{name}:", field.get("description", "").rstrip(".")]
        notes = [unit] if unit else []
        choice = field.get("enum") or self.resolve(dict(field.get("items", {}))).get("enum") if field.get("type") in (
            "string", "array") else None
        if choice:
            notes.append("one of " + ", ".join(choice))
        if "default" in field and field["default"] not in ([], ""):
            notes.append(f"default {field['default']}")
        text = " ".join(words) + (f" [{'; '.join(notes)}]" if notes else "")
        return textwrap.wrap(text, 112, initial_indent="    ", subsequent_indent="        ")

    def fields_of(self, node, leave_out):
        fields = {k: v for k, v in node["properties"].items() if k not in leave_out and "const" not in v}
        if "centre" in fields:  # as in C++
            fields["centre"] = {**fields["centre"], "default": [0.0, 0.0, 0.0]}
        required = [k for k in fields if k in node.get("required", []) and k != "centre"]
        return required + [k for k in fields if k not in required], set(required), fields

    def arguments(self, order, required, fields):
        parts = []
        for name in order:
            kind, _ = self.type_of(fields[name])
            default = fields[name].get("default")
            if name in required:
                parts.append(f"{name}: {kind}")
            elif default is None or isinstance(default, (list, dict)):
                parts.append(f"{name}: Optional[{kind}] = None")
            else:
                parts.append(f"{name}: {kind} = {default!r}")
        return parts

    def add(self, name, node, leave_out=frozenset(), about=None, extra_fields=()):
        order, required, fields = self.fields_of(node, leave_out)
        tag = next(((k, v["const"]) for k, v in node["properties"].items() if "const" in v), None)
        lines = [f"class {name}(Settings):", f'    """{about or node.get("description", name)}', ""]
        for field in order:
            lines += self.lines_of(field, fields[field])
        lines += ['    """', f"    _tag = {tag!r}", f"    _fields = {tuple(order) + tuple(extra_fields)!r}"]
        if name == "Box":
            lines[1] = f'    """{node["description"]} With low and high in place of size: a region of space.'
            lines += REGION_OF_BOX.rstrip("\n").split("\n")
        else:
            arguments = ", ".join(["self"] + self.arguments(order, required, fields))
            signature = f"def __init__({arguments}) -> None:"
            lines += [""] + wrapped(signature, 17)
            lines += [f"        self.{field} = {field}" for field in order] or ["        pass"]
        self.blocks.append("\n".join(lines))
        self.names.append(name)

    def add_materials(self):
        node = self.resolve(self.schema["properties"]["materials"])["additionalProperties"]
        node = self.resolve(node)
        order, _, fields = self.fields_of(node, ())
        for call, about, first in (
                ("add_material", "Adds a material; what is not given has its default.", "name: str = \"\""),
                ("set_material", "Changes properties of a material; what is not given stays.", "material: Any"),
                ("set_pair", "What differs between two materials from the values mixed of both.", "a: Any, b: Any")):
            some = [f for f in order if call != "set_pair" or f not in ("density", "youngs_modulus", "poisson_ratio")]
            arguments = ", ".join(["self", first, "*"] + [f"{f}: Optional[Quantity] = None" for f in some])
            lines = wrapped(f"def {call}({arguments}) -> Any:", 8)
            lines += [f'        """{about}', ""]
            for field in some:
                lines += ["    " + line for line in self.lines_of(field, fields[field])]
            names = [part.split(":")[0] for part in first.split(", ")]
            given = ", ".join(f'"{f}": {f}' for f in some)
            body = textwrap.wrap(f"return self._{call}({', '.join(names)}, {{{given}}})", 112, initial_indent=" " * 8,
                                 subsequent_indent=" " * 12)
            self.calls = getattr(self, "calls", []) + ["\n".join(lines + ['        """'] + body)]

    def write(self):
        for name in self.schema["definitions"]:
            node = self.definitions[name]
            tag = next(((k, v["const"]) for k, v in node.get("properties", {}).items() if "const" in v), None)
            key, value = tag or ("", "")
            if key == "shape" and camel(value) not in self.names:
                is_wall = value in ("plane", "container", "drum", "sleeve")
                about = node.get("description")
                self.add(camel(value), node, OF_BODIES if is_wall else OF_SOLIDS, about, ("low", "high") if value == "box" else ())
            elif key == "distribution":
                self.add(camel(value) + "Size", node)
            elif key == "type":
                kind = "Force" if name.endswith("_2") else "Motion"
                self.add(camel(value) + kind, node)
        self.add("BoxRegion", self.definitions["box"], about="A box along the axes.")
        self.add("CylinderRegion", self.definitions["cylinder"], about="A round cylinder.")
        self.add("Free", self.resolve(self.definitions["free"]), about="Makes a wall a body that forces move, or guides a solid.")
        properties = self.schema["properties"]
        self.add("Domain", properties["domain"])
        self.add("ContactLaw", properties["contact_law"])
        joint = properties["joints"]["items"]["properties"]
        for key, name in (("limits", "SlideLimits"), ("turn_limits", "TurnLimits"), ("spring", "SlideSpring"),
                          ("torsion_spring", "TorsionSpring")):
            self.add(name, joint[key])
        for drive in joint["drive"]["anyOf"]:
            self.add(camel(drive["properties"]["type"]["const"]) + "Drive", drive)
        step = {"step": {"description": "Length of a step; auto: chosen", "type": ["number", "string"], "x-unit": "s",
                         "default": "auto"}}
        run = properties["run"]["properties"]
        self.add("Penalty", {"description": "The penalty method: soft contacts, short explicit steps.",
                             "properties": {"method": {"const": "penalty"}, **step, "step_fraction": run["step_fraction"]}})
        dynamics, static = properties["contact_dynamics"], properties["quasi_static"]
        self.add("ContactDynamics", {"description": "Contact dynamics: rigid contacts, long steps, each with a problem to solve.",
                                     "properties": {"method": {"const": "contact-dynamics"}, **step, **dynamics["properties"]}})
        self.add("Equilibrium", static, about="How quasi-static loading finds equilibrium.")
        self.add("Solving", dynamics, about="How quasi-static loading solves its contact problems.")
        self.add("QuasiStatic", {"description": "Quasi-static loading: elastic contacts in equilibrium, no inertia.",
                                 "properties": {"method": {"const": "quasi-static"}, **step,
                                                "equilibrium": {"description": "How it is found: Equilibrium(...)"},
                                                "solving": {"description": "The contact problems on the way: Solving(...)"}}})
        self.add_materials()
        calls = 'class MaterialCalls:\n    """The calls of a World whose arguments are properties of materials."""\n\n' + "\n\n".join(
            self.calls) + '''

    def _add_material(self, name: str, given: Any) -> Any:
        raise NotImplementedError

    def _set_material(self, material: Any, given: Any) -> Any:
        raise NotImplementedError

    def _set_pair(self, a: Any, b: Any, given: Any) -> Any:
        raise NotImplementedError'''
        names = textwrap.fill(str(sorted(self.names + ["MaterialCalls"])), 118, subsequent_indent=" " * 11,
                              break_long_words=False)
        return HEAD.format(names=names) + "\n\n" + "\n\n\n".join(self.blocks + [calls]) + "\n"


def main(arguments):
    check = "--check" in arguments
    root = Path(next((a for a in arguments if not a.startswith("--")), "."))
    text = Writer(json.loads((root / "schema/scene.schema.json").read_text())).write()
    file = root / "python/talus/_settings.py"
    if not check:
        file.write_text(text)
    elif not file.exists() or file.read_text() != text:
        raise SystemExit(f"{file}: is not what the schema of scenes says; ./dev docs writes it again")


if __name__ == "__main__":
    main(sys.argv[1:])
