#!/usr/bin/env python3
"""Checks that what the Markdown pages point to exists.

    check_docs_links.py [ROOT]      print each dead link; exit 1 if there is one
    check_docs_links.py --self-test prove that dead links are found

A link [text](target) must lead to a file of the repository, and its #anchor to a heading there; links to the web are
left alone. A path in backticks that starts with a top folder (`src/...`, `tools/...`) must exist too, so that a page
notices when the code it walks through moves. Code blocks are skipped.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)")
NAMED_PATH = re.compile(r"`((?:src|include|cli|tests|bench|tools|docs|examples|cmake|schema|\.ci)/[\w./-]*)`")
FENCE = re.compile(r"^(```|~~~)")


def outside_fences(text):
    """Line numbers and lines that are not in a fenced code block."""
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if FENCE.match(line.strip()):
            fenced = not fenced
        elif not fenced:
            yield number, line


def anchors(page):
    """The anchors that headings of a page get, as code-hosting sites make them."""
    found = set()
    for _, line in outside_fences(page.read_text()):
        if line.startswith("#"):
            words = re.sub(r"[^\w\- ]", "", line.lstrip("#").strip().lower())
            found.add(words.replace(" ", "-"))
    return found


def trouble_with(root, page, target):
    path, _, anchor = target.partition("#")
    file = (page.parent / path).resolve() if path else page
    if not file.is_relative_to(root):
        return "leads out of the repository"
    if not file.exists():
        return "no such file"
    if anchor and file.suffix == ".md" and anchor not in anchors(file):
        return "no such heading"
    return None


def check(root, pages):
    dead = []
    for page in pages:
        for number, line in outside_fences(page.read_text()):
            where = f"{page.relative_to(root)}:{number}"
            for target in LINK.findall(line):
                reason = None if re.match(r"\w+:", target) else trouble_with(root, page, target)
                if reason:
                    dead.append(f"{where}: {target}: {reason}")
            for path in NAMED_PATH.findall(line):
                if not (root / path).exists():
                    dead.append(f"{where}: `{path}`: no such file")
    return dead


def pages_of(root):
    """Markdown files that git knows or would take; all of them where there is no git."""
    listing = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "*.md"], cwd=root, text=True,
                             capture_output=True, check=False)
    names = listing.stdout.split("\n") if listing.returncode == 0 else [p.relative_to(root) for p in root.rglob("*.md")]
    return sorted(root / name for name in names if name and (root / name).exists())


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        (root / "src").mkdir()
        (root / "src" / "step.cpp").write_text("")
        (root / "other.md").write_text("# One Step: how it goes\n")
        page = root / "page.md"
        page.write_text("[a](other.md#one-step-how-it-goes) [b](gone.md) [c](other.md#two) `src/step.cpp`\n"
                        "`src/gone.cpp` [d](https://example.org/x) [e](../outside.md)\n```\n[f](gone.md)\n```\n")
        dead = check(root, [page])
    wanted = ["page.md:1: gone.md", "page.md:1: other.md#two", "page.md:2: ../outside.md", "page.md:2: `src/gone.cpp`"]
    good = len(dead) == len(wanted) and all(d.startswith(w) for d, w in zip(dead, wanted))
    print("self-test passed" if good else f"self-test: wanted {wanted}, got {dead}")
    return 0 if good else 1


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent).resolve()
    pages = pages_of(root)
    dead = check(root, pages)
    print("\n".join(dead) or f"links: {len(pages)} pages, none dead")
    return 1 if dead else 0


if __name__ == "__main__":
    sys.exit(main())
