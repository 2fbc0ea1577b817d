#!/usr/bin/env python3
"""Holds every #include against the layers stated in CMakeLists.txt.

    check_layers.py [ROOT]      print each include that breaks a rule; exit 1 if there is one
    check_layers.py --self-test prove, on small trees made for it, that each kind of breach is found

The rules: a file of src/LAYER includes its own layer, the layers it stands on (talus_layer(NAME ON ...), and what
those stand on) and the public headers. Public headers (include/talus) include each other and the standard library.
Front ends (cli, python, viewer, experiments) include public headers and their own files. Tests and benchmarks may
include any layer. Whatever is included from this repository exists. MPI and CUDA headers stay in src/mpi and src/cuda.
"""
import re
import sys
import tempfile
from pathlib import Path

FRONT_ENDS = ("cli", "python", "viewer", "experiments")
FREE_FOLDERS = ("tests", "bench")
SUFFIXES = (".hpp", ".cpp", ".h", ".cu", ".cuh")
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')
LAYER = re.compile(r"^\s*talus_layer\(\s*(\w+)([^)]*)\)", re.MULTILINE)
BACKEND_HEADERS = {"mpi": re.compile(r"mpi\.h$"), "cuda": re.compile(r"(cuda|cub/|thrust/|cooperative_groups)")}


def read_layers(root):
    """Each layer with the layers it names, from CMakeLists.txt."""
    layers = {}
    for name, arguments in LAYER.findall((root / "CMakeLists.txt").read_text()):
        words = arguments.split()
        on = words[words.index("ON") + 1:] if "ON" in words else []
        layers[name] = on[:on.index("USES")] if "USES" in on else on
    return layers


def everything_below(layers, name, path=()):
    """The layers that `name` stands on, directly or not."""
    if name in path:
        raise SystemExit(f"CMakeLists.txt: layers in a circle: {' -> '.join(path + (name,))}")
    if name not in layers:
        raise SystemExit(f"CMakeLists.txt: {path[-1]} stands on {name}, which is no layer")
    below = set()
    for lower in layers[name]:
        below |= {lower} | everything_below(layers, lower, path + (name,))
    return below


class Checker:
    def __init__(self, root):
        self.root = root
        layers = read_layers(root)
        self.below = {name: everything_below(layers, name) for name in layers}
        self.breaches = []

    def target(self, file, name):
        """Where in the repository an included name leads, or None if it comes from outside."""
        for folder in (file.parent, self.root / "src", self.root / "include", self.root / "tests", self.root):
            path = (folder / name).resolve()
            if path.is_file() and path.is_relative_to(self.root):
                return path.relative_to(self.root).parts
        return None

    def reason(self, file, bracket, name):
        """Why this include is not allowed, or None."""
        here = file.relative_to(self.root).parts
        target = self.target(file, name)
        for backend, pattern in BACKEND_HEADERS.items():
            if target is None and pattern.match(name) and here[:2] != ("src", backend):
                return f"belongs in src/{backend} only"
        if target is None:
            if bracket == '"':
                return "no such file in this repository (includes start at src/ or include/)"
            if here[0] == "include" and re.search(r"[./]", name):
                return "a public header includes only public headers and the standard library"
            return None
        if here[0] in FREE_FOLDERS or target[0] == "include":
            return None
        if here[0] == "src":
            return self.reason_within_src(here[1], target)
        if here[0] == "include":
            return "a public header includes only public headers and the standard library"
        return None if target[0] == here[0] else f"{here[0]} includes public headers only"

    def reason_within_src(self, layer, target):
        if target[0] != "src":
            return f"src includes nothing from {target[0]}"
        if target[1] == layer or target[1] in self.below[layer]:
            return None
        return f"goes up: {layer} stands on {' '.join(sorted(self.below[layer])) or 'nothing'}, not on {target[1]}"

    def check_file(self, file):
        parts = file.relative_to(self.root).parts
        if parts[0] == "src" and parts[1] not in self.below:
            self.breaches.append(f"{'/'.join(parts)}: src/{parts[1]} is no layer of CMakeLists.txt")
            return
        for number, line in enumerate(file.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            reason = match and self.reason(file, match.group(1), match.group(2))
            if reason:
                self.breaches.append(f"{'/'.join(parts)}:{number}: {match.group(2)}: {reason}")

    def run(self):
        files = [f for top in ("include", "src", *FRONT_ENDS, *FREE_FOLDERS)
                 for f in sorted((self.root / top).rglob("*")) if f.suffix in SUFFIXES]
        for file in files:
            self.check_file(file)
        return len(files)


# ---- self-test

GOOD_TREE = {
    "CMakeLists.txt": "talus_layer(base USES fmt::fmt)\ntalus_layer(model ON base)\ntalus_layer(io ON model USES zlib)\n",
    "include/talus/vec3.hpp": "#include <cmath>\n",
    "include/talus/scene.hpp": '#include "talus/vec3.hpp"\n',
    "src/base/hash.hpp": '#include <xxhash.h>\n#include "talus/vec3.hpp"\n',
    "src/model/world.hpp": '#include "base/hash.hpp"\n',
    "src/io/frames.hpp": '#include "base/hash.hpp"\n#include "model/world.hpp"\n',
    "cli/main.cpp": '#include <fmt/core.h>\n#include "talus/scene.hpp"\n',
    "tests/unit/world_test.cpp": '#include <gtest/gtest.h>\n#include "model/world.hpp"\n',
}
BREACHES = [  # file, what is added to it, what must be said
    ("src/model/world.hpp", '#include "io/frames.hpp"', "goes up"),
    ("src/model/world.hpp", "#include <io/frames.hpp>", "goes up"),
    ("src/base/hash.hpp", '  #  include "../model/world.hpp"', "goes up"),
    ("src/base/hash.hpp", '#include "tests/helper.hpp"', "no such file"),
    ("src/base/hash.hpp", "#include <mpi.h>", "src/mpi only"),
    ("include/talus/vec3.hpp", '#include "base/hash.hpp"', "public headers and the standard"),
    ("include/talus/vec3.hpp", "#include <fmt/core.h>", "public headers and the standard"),
    ("cli/main.cpp", '#include "model/world.hpp"', "public headers only"),
    ("src/extra/new.hpp", "#include <cmath>", "no layer"),
]


def check_tree(tree):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        for name, text in tree.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        checker = Checker(root)
        checker.run()
        return checker.breaches


def self_test():
    failures = [f"a good tree was refused: {b}" for b in check_tree(GOOD_TREE)]
    for file, line, wanted in BREACHES:
        breaches = check_tree({**GOOD_TREE, file: GOOD_TREE.get(file, "") + line + "\n"})
        if len(breaches) != 1 or wanted not in breaches[0] or not breaches[0].startswith(file):
            failures.append(f"{file} with {line}: wanted one breach saying '{wanted}', got {breaches}")
    print("\n".join(failures) or f"self-test passed: a good tree and {len(BREACHES)} breaches")
    return 1 if failures else 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    checker = Checker(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent).resolve())
    count = checker.run()
    print("\n".join(checker.breaches) or f"layers: {count} files, no include goes up")
    return 1 if checker.breaches else 0


if __name__ == "__main__":
    sys.exit(main())
