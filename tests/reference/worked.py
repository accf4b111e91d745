#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""worked.py [--quick] FILE...: what must hold of each worked example (tests/README.md).  It is imported once, and then

- its queries give the rows that it names (--quick: this alone);
- the reference finds the same;
- the same bytes are made with several threads;
- the same rows are made by SQLite's inserts, and both files are sound;
- the same is found where its operations are made up.

TAP on stdout; exit status 1 if anything fails.  $O is the build folder."""
import csv
import io
import os
import sqlite3
import subprocess
import sys
from functools import partial
from multiprocessing import Pool

from clocks import Clocks
from compare import BUILD, apart, broken, import_run, make_run, opened, reference_differences, scratch
from expected import Expected
from unheard import made_up, unheard_differences

# Neither waiting by reads of an own word, nor processors, are in the reference.
NOT_IN_REFERENCE = "spin_", "unserved"
KNOWN_BY_NAME = {
    "delays_team_sets",  # two reasons of equal time, told in the order of their names
    "wait_values",  # a line's operations, listed in that order
    "wrong_pair",  # a synchronous send is known by its name
}


def proofs(script):
    """[(query, the lines that it must give)]"""
    found = []
    for line in script.splitlines():
        if line.startswith("#? "):
            found.append((line[3:], []))
        elif line.startswith("#= "):
            found[-1][1].append(line[3:])
    return found


def shown(db, row):
    """As the stock sqlite3 shows it, columns by |."""
    return "|".join("" if v is None else db.execute("SELECT printf('%!.15g', ?)", (v,)).fetchone()[0] if isinstance(v, float) else str(v)
                    for v in row)


def analyzed(path, words):
    """A database whose table answer has what `gaspdb analyze` prints."""
    text = subprocess.run([os.path.join(BUILD, "gaspdb"), "analyze", "--format=csv", *words, path],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout.decode()
    names, *rows = csv.reader(io.StringIO(text))
    db = sqlite3.connect(":memory:")
    db.execute("CREATE TABLE answer({})".format(", ".join(f'"{name}" TEXT' for name in names)))
    db.executemany("INSERT INTO answer VALUES({})".format(", ".join("?" * len(names))), rows)
    return db


def answer(path, db, query):
    """query: SELECT ..., of the database; or ANALYSIS ARGUMENT...: SELECT ... FROM answer"""
    if not query.startswith("SELECT"):
        words, _, query = query.partition(": ")
        db = analyzed(path, words.split())
    return [shown(db, row) for row in db.execute(query).fetchall()]


def row_differences(path, by_inserts):
    told = []
    db = sqlite3.connect(path)
    db.execute("ATTACH ? AS inserts", (by_inserts,))
    for (table,) in db.execute("SELECT name FROM main.sqlite_schema WHERE type = 'table' ORDER BY name").fetchall():
        pages, inserts = (db.execute(f'SELECT * FROM {schema}."{table}"').fetchall() for schema in ("main", "inserts"))
        if pages != inserts:
            told += apart(table, "as pages  ", pages, "by inserts", inserts)
            told.append(f"{table}: differs")
    for schema in "main", "inserts":
        told += [f"{schema}: {row}" for row in db.execute(f"PRAGMA {schema}.integrity_check") if row != ("ok",)]
    db.close()
    return told


def read(path):
    with open(path, "rb") as f:
        return f.read()


def checks(name, text, folder, quick):
    """[(what is checked, what is wrong with it)]"""
    logs = make_run(folder, "run", text)
    path = import_run(logs, "", "--jobs=1")
    db = opened(path)
    for query, expected in proofs(text):
        got = answer(path, db, query)
        # No row, or an empty one: lines tell no difference.
        yield query, [] if "\n".join(got) == "\n".join(expected) else [f"got:      {got}", f"expected: {expected}"]
    if quick:
        return
    yield "holds what every run does", broken(db)
    if not name.startswith(NOT_IN_REFERENCE):
        yield "agrees with the reference", reference_differences(db, Expected(text, Clocks.of(db)))
    yield "has the same bytes by four jobs", [] if read(path) == read(import_run(logs, "_jobs", "--jobs=4")) else ["differs"]
    yield "has the same rows by inserts", row_differences(path, import_run(logs, "_inserts", GASPDB_IMPORT_BY_INSERTS="1"))
    if name not in KNOWN_BY_NAME:
        made = sqlite3.connect(import_run(make_run(folder, "made", made_up(text))))
        yield "is the same with made-up operations", unheard_differences(db, made)
        made.close()
    db.close()


def checked(path, quick):
    name, told = os.path.basename(path)[:-len(".run")], []
    try:
        with open(path, encoding="utf-8") as f, scratch() as folder:
            for what, wrong in checks(name, f.read(), folder, quick):
                told.append((f"{name}: {what}", wrong))
    except Exception as error:  # which script it was must be told
        told.append((f"{name}: is looked at", [repr(error)]))
    return told


def main():
    n = failed = 0
    quick = sys.argv[1:2] == ["--quick"]
    with Pool(2) as pool:
        for told in pool.imap(partial(checked, quick=quick), sys.argv[1 + quick:], 4):
            for what, wrong in told:
                n += 1
                failed += bool(wrong)
                print(f"{'not ok' if wrong else 'ok'} {n} - {what}")
                for line in wrong[:10]:
                    print(f"# {line}")
    print(f"1..{n}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
