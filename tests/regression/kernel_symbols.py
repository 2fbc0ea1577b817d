"""Objects compiled for special vector units define nothing but their own inner loop.

An inline function compiled with AVX-512 and shared with the rest of the program would be chosen by the linker for all
machines, and stop those without AVX-512. Usage: kernel_symbols.py NM PREFIX OBJECT...
"""
import subprocess
import sys


def shared_symbols(nm, file):
    """Names of what the object offers to others: defined, and not local."""
    listed = subprocess.run([nm, "-C", "--defined-only", "--extern-only", file], capture_output=True, text=True,
                            check=True)
    return [line.split(maxsplit=2)[2] for line in listed.stdout.splitlines() if line.strip()]


def main(nm, prefix, *files):
    status = 0
    for file in files:
        symbols = shared_symbols(nm, file)
        foreign = [s for s in symbols if not s.startswith(prefix)]
        for symbol in foreign:
            print(f"{file}: defines {symbol}, which other files may share; make it local (anonymous namespace, inline "
                  "lambda) or always inline it")
        if foreign or len(symbols) != 1:
            status = 1
            print(f"{file}: one symbol is wanted, {len(symbols)} found")
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
