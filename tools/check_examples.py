#!/usr/bin/env python3
"""The example that opens a public header, and the program of docs/library.md, stand in examples/cpp, which is compiled
and run.

    check_examples.py [ROOT]     print what is missing there; exit 1 if anything is
    check_examples.py --self-test
"""
import re
import sys
from pathlib import Path

PAIRS = {"world": "world", "stepper": "stepper", "measure": "measure", "method": "method"}  # header: example


def code_of_header(text):
    """The indented lines of the comment that opens a header."""
    opening = text.split("#pragma once")[0].splitlines()
    return [line[2:].strip() for line in opening if re.match(r"//   +\S", line)]


def code_of_page(text):
    return [line.strip() for block in re.findall(r"```cpp\n(.*?)```", text, re.DOTALL) for line in block.splitlines()]


def packed(text):
    return re.sub(r"\s+", "", text)


def missing(code, program):
    """Lines that are not there, however they are broken and indented there."""
    there = packed(program)
    return [line for line in code if packed(line) not in there]


def check(root):
    faults = []
    for header, example in PAIRS.items():
        program = (root / "examples/cpp" / f"{example}.cpp").read_text()
        code = code_of_header((root / "include/talus" / f"{header}.hpp").read_text())
        if not code:
            faults.append(f"include/talus/{header}.hpp: opens with no example")
        faults += [f"include/talus/{header}.hpp: not in examples/cpp/{example}.cpp: {line}"
                   for line in missing(code, program)]
    program = (root / "examples/cpp/first.cpp").read_text()
    faults += [f"docs/library.md: not in examples/cpp/first.cpp: {line}"
               for line in missing(code_of_page((root / "docs/library.md").read_text()), program)]
    return faults


def self_test():
    code = code_of_header("// Text.\n//\n//   World world;\n//   world.step();\n#pragma once\n//   no.code();\n")
    assert code == ["World world;", "world.step();"], code
    assert missing(code, "World world;\nworld.stop();\n") == ["world.step();"]
    assert not missing(code, "  World world;\n  world\n      .step();\n")
    assert code_of_page("a\n```cpp\nint x;\n```\nb\n") == ["int x;"]
    print("self-test passed")
    return 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    faults = check(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent))
    print("\n".join(faults) or "examples: those of headers and of docs/library.md are programs")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
