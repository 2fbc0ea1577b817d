#!/usr/bin/env python3
"""Builds the pages of docs/ as a site to be read in a browser, with search and a gallery of the examples.

    build_site.py OUT [--runs FOLDER]     writes OUT/pages (what mkdocs reads) and OUT/site
    build_site.py --self-test

Pages are taken as they are. Links that leave docs/ lead to the page made of that file, if there is one (the changelog,
the examples), and become plain text otherwise, since a site has no sources. The gallery shows each example with its
first comment, the command, and, where FOLDER/NAME has a run of it, the picture and what it took. mkdocs checks all links
(--strict) and fails on a dead one. The site asks no other server: formulas (blocks of the kind ```math, in LaTeX) become
MathML, which browsers typeset themselves.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

MATH = re.compile(r"^```math\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
EXTRA = {"CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md", "README.md": "readme.md"}
SETTINGS = """site_name: Talus
site_description: Granular matter and many-contact rigid-body dynamics
docs_dir: {pages}
site_dir: {site}
use_directory_urls: false
theme:
  name: material
  font: false
  features: [navigation.indexes, navigation.top, toc.follow, search.highlight, content.code.copy]
  palette:
    - {{media: "(prefers-color-scheme: light)", scheme: default, primary: blue grey, accent: blue, toggle: {{icon: material/weather-night, name: dark}}}}
    - {{media: "(prefers-color-scheme: dark)", scheme: slate, primary: blue grey, accent: light blue, toggle: {{icon: material/weather-sunny, name: light}}}}
plugins: [search, offline]
markdown_extensions: [tables, attr_list, md_in_html, admonition, toc: {{permalink: true}}, pymdownx.highlight, pymdownx.superfences]
validation: {{links: {{not_found: warn, anchors: warn, unrecognized_links: warn}}, nav: {{omitted_files: ignore}}}}
extra_css: [site.css]
nav:
{nav}"""
# What the search of the theme needs where pages are read from files; it would be loaded from elsewhere each time.
WORKER, WORKER_URL = "iframe-worker@1.0.4", "https://unpkg.com/iframe-worker/shim"
# What formulas are set in; browsers without it have fonts of their own.
FONT, FONT_FILE = "@fontsource/stix-two-math@5.3.0", "files/stix-two-math-latin-400-normal.woff2"
STYLE = """@font-face { font-family: "STIX Two Math"; src: url(assets/math.woff2) format("woff2"); }
.gallery { display: grid; grid-template-columns: repeat(auto-fill, minmax(290px, 1fr)); gap: 1.2rem; }
.gallery figure { display: block; margin: 0; max-width: none; text-align: left; }
.gallery img { width: 100%; border-radius: 6px; background: white; }
.md-grid { max-width: 68rem; }
math { font-family: "STIX Two Math", "Cambria Math", math; }
math[display="block"] { display: block math; margin: 1em 0; font-size: 1.15em; }
.md-typeset p:has(> math[display="block"]) { overflow-x: auto; }
math mtd { text-align: left; padding: 0.25em 0.1em; }
math mtd:first-child { text-align: right; }
math mtd:nth-child(n + 3) { padding-left: 2em; }
"""


def example_page(name):
    return f"examples/{name}.md"


def typeset(text):
    """Formulas as MathML; as they are where its package is missing, which is so in tests only."""
    try:
        from latex2mathml.converter import convert
    except ImportError:
        return text
    return MATH.sub(lambda block: convert(block[1].strip(), display="block"), text)


class Site:
    def __init__(self, root, out, runs):
        self.root, self.pages, self.site, self.runs = root, out / "pages", out / "site", runs

    def page_of(self, target):
        """The page of the site that shows this file of the repository, or None."""
        name = target.relative_to(self.root).as_posix() if target.is_relative_to(self.root) else ""
        if name in EXTRA:
            return EXTRA[name]
        if name.startswith("docs/"):
            return name[5:]
        found = re.fullmatch(r"examples/([\w-]+)\.yaml", name)
        return example_page(found[1]) if found else "gallery.md" if name in ("examples", "examples/") else None

    def rewrite(self, text, source, page):
        """Markdown of `source` as it stands on `page`."""
        def link(match):
            mark, words, target = match.groups()
            if re.match(r"[a-z]+:|#", target):
                return match[0]
            path, _, anchor = target.partition("#")
            shown = self.page_of((source.parent / path).resolve())
            if shown is None:
                return words
            relative = os.path.relpath(shown, Path(page).parent)
            return f"{mark}[{words}]({relative}{'#' + anchor if anchor else ''})"

        parts = re.split(r"(^```.*?^```)", text, flags=re.MULTILINE | re.DOTALL)
        return "".join(part if part.startswith("```") else LINK.sub(link, part) for part in parts)

    def write(self, page, text):
        file = self.pages / page
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def copy_docs(self):
        docs = self.root / "docs"
        for file in sorted(docs.rglob("*")):
            name = file.relative_to(docs).as_posix()
            if file.suffix == ".md":
                self.write(name, typeset(self.rewrite(file.read_text(), file, name)))
            elif file.is_file() and file.suffix != ".json":
                (self.pages / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(file, self.pages / name)
        for name, page in EXTRA.items():
            source = self.root / name
            self.write(page, self.rewrite(source.read_text(), source, page))

    def picture_of(self, name):
        picture = self.runs / name / "picture.png"
        if not picture.exists():
            return None
        shown = self.pages / "examples" / f"{name}.png"
        shown.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(picture, shown)
        return f"{name}.png"

    def cost_of(self, name):
        file = self.runs / name / "summary.json"
        if not file.exists():
            return ""
        summary = json.loads(file.read_text())
        if summary["status"] != "finished":
            return ""
        return (f"{summary['wall_seconds']:.0f} s on {summary['threads']} threads for {summary['time']:.3g} s; "
                f"{summary['bodies']} bodies, {summary['contacts']} contacts at the end")

    def make_gallery(self):
        cards = []
        for file in sorted((self.root / "examples").glob("*.yaml")):
            name, text = file.stem, file.read_text()
            comment = re.match(r"(?:#.*\n)+", text)
            about = [line[1:].rstrip() for line in comment[0].splitlines()] if comment else []
            prose = " ".join(line.strip() for line in about if not line.startswith("   "))
            commands = [line.strip() for line in about if line.startswith("   ")]
            picture, cost = self.picture_of(name), self.cost_of(name)
            command = "\n".join([f"talus run examples/{name}.yaml", *commands])
            shown = f"![{name}]({picture})\n\n" if picture else ""
            self.write(example_page(name), f"# {name}\n\n{prose}\n\n{shown}```sh\n{command}\n```\n\n"
                                           f"{cost}\n\n## Scene\n\n```yaml\n{text}```\n")
            image = f"[![{name}](examples/{picture})](examples/{name}.md)\n\n" if picture else ""
            cards.append(f"<figure markdown>\n\n{image}**[{name}](examples/{name}.md)** · {prose}\n\n"
                         f"`talus run examples/{name}.yaml`\n\n{cost}\n\n</figure>\n")
        self.write("gallery.md", "# Gallery\n\nEvery example of `examples/`: `talus examples` lists them, "
                                 "`talus examples NAME > NAME.yaml` makes a copy to change.\n\n"
                                 '<div class="gallery" markdown>\n\n' + "\n".join(cards) + "\n</div>\n")

    def navigation(self):
        """The sections of docs/index.md, with their pages in that order."""
        lines = ["  - Home: index.md", "  - Gallery: gallery.md"]
        for line in (self.pages / "index.md").read_text().splitlines():
            if section := re.fullmatch(r"\*\*(.*)\*\*", line.strip()):
                lines.append(f"  - {section[1]}:")
            elif (entry := re.match(r"- \[([^\]]*)\]\(([^)#]+)\)", line)) and len(lines) > 2:
                lines.append(f"      - {json.dumps(entry[1])}: {entry[2]}")
        return "\n".join([*lines, "  - Changelog: changelog.md"]) + "\n"

    def prepare(self):
        shutil.rmtree(self.pages, ignore_errors=True)
        self.copy_docs()
        self.make_gallery()
        self.write("site.css", STYLE)
        settings = self.pages.parent / "mkdocs.yml"
        settings.write_text(SETTINGS.format(pages=self.pages, site=self.site, nav=self.navigation()))
        return settings


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        for name, text in {"docs/index.md": "**Using it**\n- [Start](start.md): x\n\n[log](../CHANGELOG.md) [src](../src/a.cpp) [balls](../examples/balls.yaml)\n",
                           "docs/start.md": "[up](index.md#using)\n```\n[as it is](../src/a.cpp)\n```\n", "CHANGELOG.md": "[docs](docs/start.md)",
                           "CONTRIBUTING.md": "", "README.md": "", "examples/balls.yaml": "# Balls roll.\n#   talus run it\nname: balls\n"}.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        site = Site(root, root / "out", root / "runs")
        settings = site.prepare().read_text()
        index, start = (site.pages / "index.md").read_text(), (site.pages / "start.md").read_text()
        assert "[log](changelog.md) src [balls](examples/balls.md)" in index, index
        assert start == (root / "docs/start.md").read_text(), start
        assert (site.pages / "changelog.md").read_text() == "[docs](start.md)"
        assert '  - Using it:\n      - "Start": start.md' in settings, settings
        assert "Balls roll." in (site.pages / "gallery.md").read_text()
        assert "talus run it" in (site.pages / "examples/balls.md").read_text()
    print("site: links, gallery and navigation are made as they should")


def fetch(package, name, to):
    """One file of a package of npm; False where it cannot be had."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            subprocess.run(["npm", "pack", package, "--silent"], cwd=folder, check=True, capture_output=True)
            with tarfile.open(next(Path(folder).glob("*.tgz"))) as archive:
                to.write_bytes(archive.extractfile(f"package/{name}").read())
        except (OSError, subprocess.CalledProcessError):
            return False
    return True


def put_fetched_in(site):
    """Takes what pages would load from another server into the site; without npm, search works from a server only."""
    shim = site / "assets" / "iframe-worker.js"
    if not fetch(WORKER, "shim/index.js", shim):
        print("site: npm did not fetch the search for pages that are read from files", file=sys.stderr)
        shim.write_text("")
    if not fetch(FONT, FONT_FILE, site / "assets" / "math.woff2"):
        print("site: npm did not fetch the font of formulas; browsers take one of their own", file=sys.stderr)
    for page in site.rglob("*.html"):
        text = page.read_text()
        page.write_text(text.replace(WORKER_URL, os.path.relpath(shim, page.parent)))
        if loaded := re.search(r'<(?:script|img|link rel="stylesheet")[^>]*(?:src|href)="(https?:[^"]*)"', page.read_text()):
            raise SystemExit(f"{page.relative_to(site)}: loads {loaded[1]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", nargs="?", type=Path)
    parser.add_argument("--runs", type=Path, default=Path("out/examples"))
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    root, out = Path(__file__).resolve().parent.parent, arguments.out.resolve()
    settings = Site(root, out, arguments.runs.resolve()).prepare()
    done = subprocess.run([sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-f", str(settings)], check=False,
                          env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})
    if done.returncode == 0:
        put_fetched_in(out / "site")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
