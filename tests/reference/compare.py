#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""compare.py [--script FILE] [--large] [FIRST COUNT]: import scripts, or the random ones of these seeds, and hold every row against
the reference's.  $O is the build folder.  Prints what differs; exit status 1 if anything does."""
import argparse
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from functools import partial
from multiprocessing import Pool

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from expected import Expected, delay_differences, found  # noqa: E402
from script import TOP  # noqa: E402
from simulate import random_script  # noqa: E402

BUILD = os.environ.get("O", "build")
INVARIANTS = []
for name in ("totals.sql", "invariants.sql"):
    with open(os.path.join(TOP, "tests", name), encoding="utf-8") as rules:
        INVARIANTS += rules.read().split(";\n")


def run(folder, text):
    path, logs, db = (os.path.join(folder, name) for name in ("script", "run", "db"))
    shutil.rmtree(logs, ignore_errors=True)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    subprocess.run([os.path.join(BUILD, "tests", "mkrun"), path, logs], check=True)
    done = subprocess.run([os.path.join(BUILD, "gaspdb"), "import", logs, "-o", db, "--force"],
                          stderr=subprocess.PIPE, check=False)
    if done.returncode not in (0, 3):
        raise RuntimeError(done.stderr.decode())
    return sqlite3.connect(db)


def differences(text):
    """Lines that tell what differs."""
    folder = tempfile.mkdtemp(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
    try:
        expected, told = Expected(text), []
        if not expected.run.events:
            return []  # nothing to import
        db = run(folder, text)
        for table, rows in expected.tables():
            is_set, want = found(db, table), sorted(rows, key=repr)
            told += [f"{table}: not expected {r}" for r in is_set if r not in want]
            told += [f"{table}: missing      {r}" for r in want if r not in is_set]
            if not told and is_set != want:
                told.append(f"{table}: rows twice")
        told += delay_differences(db, expected)
        for rule in INVARIANTS:
            told += [f"broken: {row}" for row in db.execute(rule)]
        db.close()
        return told
    finally:
        shutil.rmtree(folder)


def of_seed(seed, large):
    try:
        return seed, differences(random_script(seed, large))
    except Exception as error:  # which seed it was must be told
        return seed, [f"failed: {error!r}"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--script")
    parser.add_argument("--show", type=int, help="print the script of this seed")
    parser.add_argument("--large", action="store_true", help="more threads and calls, more of them missing")
    parser.add_argument("first", type=int, nargs="?", default=1)
    parser.add_argument("count", type=int, nargs="?", default=100)
    options = parser.parse_args()
    if options.show is not None:
        print(random_script(options.show, options.large), end="")
        return 0
    if options.script:
        with open(options.script, encoding="utf-8") as f:
            told = differences(f.read())
        print("\n".join(told))
        return bool(told)
    bad = 0
    with Pool(2) as pool:
        for seed, told in pool.imap_unordered(partial(of_seed, large=options.large), range(options.first, options.first + options.count), 4):
            bad += bool(told)
            for line in told[:10]:
                print(f"seed {seed}: {line}")
    print(f"{options.count - bad} of {options.count} seeds agree")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
