#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""compare.py [--large] [FIRST COUNT] or --script FILE...: import the random scripts of these seeds, or those of these files, and
hold every row against the reference's.  $O is the build folder.  Prints what differs, after "seed N: " or the file's name; exit
status 1 if anything does."""
import argparse
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter
from functools import partial
from multiprocessing import Pool

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from clocks import Clocks  # noqa: E402
from expected import Expected, delay_differences, found  # noqa: E402
from script import TOP  # noqa: E402
from simulate import random_script  # noqa: E402

BUILD = os.environ.get("O", "build")
INVARIANTS = []
for name in ("totals.sql", "invariants.sql"):
    with open(os.path.join(TOP, "tests", name), encoding="utf-8") as rules:
        INVARIANTS += rules.read().split(";\n")


with open(os.path.join(TOP, "tests", "types.sql"), encoding="utf-8") as types_of:
    TYPES = types_of.read()
VIEWS = ""
for path in os.path.join(BUILD, "analyses.sql"), os.path.join(TOP, "tests", "views.sql"):
    with open(path, encoding="utf-8") as views_of:
        VIEWS += views_of.read()


def scratch():
    """A folder in memory, if there is one."""
    return tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)


def make_run(folder, name, text):
    """The run of a script: its folder."""
    path, logs = os.path.join(folder, name + ".run"), os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    subprocess.run([os.path.join(BUILD, "tests", "mkrun"), path, logs], check=True)
    return logs


def import_run(logs, how="", *options, **environment):
    """The path of its database, which the way it is made is part of."""
    path = logs + how + ".db"
    done = subprocess.run([os.path.join(BUILD, "gaspdb"), "import", logs, "-o", path, *options],
                          stderr=subprocess.PIPE, check=False, env=dict(os.environ, **environment))
    if done.returncode not in (0, 3):
        raise RuntimeError(done.stderr.decode())
    return path


def opened(path):
    """The database, with the views that no file has."""
    db = sqlite3.connect(path)
    db.executescript(VIEWS)
    return db


def broken(db):
    """What no run may have."""
    types = [statement for (statement,) in db.execute(TYPES)]
    return [f"broken: {row}" for rule in types for row in db.execute(rule)] + [f"broken: {row}" for rule in INVARIANTS for row in db.execute(rule)]


def apart(what, one, rows, other, other_rows):
    """Rows that one of the two has, or has more often."""
    pairs = (one, Counter(rows) - Counter(other_rows)), (other, Counter(other_rows) - Counter(rows))
    return [f"{what}: {name} {row}" for name, more in pairs for row in more.elements()]


def reference_differences(db, expected):
    told = []
    for table, rows in expected.tables():
        is_set, want = found(db, table), sorted(rows, key=repr)
        if is_set != want:
            told += apart(table, "not expected", is_set, "missing     ", want)
    return told + list(delay_differences(db, expected))


def differences(text):
    """Lines that tell what differs."""
    if not Expected(text).run.events:
        return []  # nothing to import
    with scratch() as folder:
        db = opened(import_run(make_run(folder, "run", text)))
        expected = Expected(text, Clocks.of(db))
        told = reference_differences(db, expected) + broken(db)
        db.close()
        return told


def told_of(name, text, *args):
    """(name, what differs) of the script text(*args)."""
    try:
        return name, differences(text(*args))
    except Exception as error:  # which script it was must be told
        return name, [f"failed: {error!r}"]


def of_seed(seed, large):
    return told_of(f"seed {seed}", random_script, seed, large)


def of_file(path):
    return told_of(os.path.basename(path), read, path)


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--script", nargs="+", metavar="FILE")
    parser.add_argument("--show", type=int, help="print the script of this seed")
    parser.add_argument("--large", action="store_true", help="more threads and calls, more of them missing")
    parser.add_argument("first", type=int, nargs="?", default=1)
    parser.add_argument("count", type=int, nargs="?", default=100)
    options = parser.parse_args()
    if options.show is not None:
        print(random_script(options.show, options.large), end="")
        return 0
    seeds = range(options.first, options.first + options.count)
    work = (of_file, options.script) if options.script else (partial(of_seed, large=options.large), seeds)
    bad = 0
    with Pool(2) as pool:
        for name, told in pool.imap_unordered(*work, 4):
            bad += bool(told)
            for line in told[:10]:
                print(f"{name}: {line}")
    print(f"{len(work[1]) - bad} of {len(work[1])} agree")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
