#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""unheard.py [SCRIPT...]: each script once more with made-up operations in place of those that gaspdb knows: of other names, of
the same types and arguments.  Prints every row of the tables and analyses that differs otherwise than by these names; exit
status 1 if any does."""
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
from multiprocessing import Pool

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "reference"))
from script import event_tables  # noqa: E402

BUILD = os.environ.get("O", "build")
TABLES = event_tables()
MADE = "made_up_"
# Numbers that each database gives its operations and their arguments, and places in the logs.
NUMBERS = {"operation_id", "argument_id", "offset"}
UNLIKE = {"operation", "argument", "operation_argument", "meta", "event_arg", "sqlite_sequence"}


def logged(layout, without=""):
    """A layout as the log has it."""
    there = {a.split(":")[0] for a in without.split()}
    out = []
    for name, code in (a.split(":") for a in layout.split()):
        if name not in there:
            out += [f"{name}:p", f"{name}_thread:i"] if code == "P" else [f"{name}:{'p' if code == 'L' else code}"]
    return " ".join(out)


def made_up(text):
    operations, lines = {}, []
    for line in text.splitlines():
        event = re.match(r"(at \S+ thread \S+ \S+ )(\S+)(.*)", line)
        row, _, name = event[2].partition("/") if event else ("", "", "")
        # Of atomics that return a value the name says which only fetch.
        if row in TABLES and TABLES[row][1] != "atomic_fetch":
            call, kind, category, model, start, end = TABLES[row]
            name = MADE + (name or call)
            operations[name] = (f'op "{name}" type={kind} category={category} model={model} start="{logged(start)}" '
                                f'end="{logged(end, start)}"')
            line = f'{event[1]}"{name}"{event[3]}'
        lines.append(line)
    return "\n".join(list(operations.values()) + lines) + "\n"


def imported(folder, name, text):
    path, logs, db = (os.path.join(folder, name + end) for end in (".run", "", ".db"))
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    subprocess.run([os.path.join(BUILD, "tests", "mkrun"), path, logs], check=True)
    done = subprocess.run([os.path.join(BUILD, "gaspdb"), "import", logs, "-o", db, "--force"], stderr=subprocess.PIPE, check=False)
    if done.returncode not in (0, 3):
        raise RuntimeError(done.stderr.decode())
    return sqlite3.connect(db)


def content(db):
    """Rows of all tables and analyses, without the prefix of what is made up."""
    found = {}
    for (table,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' OR name GLOB 'analysis_*'").fetchall():
        if table in UNLIKE:
            continue
        names = [r[1] for r in db.execute(f'SELECT * FROM pragma_table_info("{table}")') if r[1] not in NUMBERS]
        rows = db.execute("SELECT {} FROM {}".format(", ".join(f'"{n}"' for n in names), table)).fetchall()
        found[table] = sorted((tuple(v.replace(MADE, "") if isinstance(v, str) else v for v in row) for row in rows), key=repr)
    return found


def differences(path):
    with open(path, encoding="utf-8") as f:
        text = f.read()
    told = []
    try:
        with tempfile.TemporaryDirectory() as folder:
            known, made = content(imported(folder, "known", text)), content(imported(folder, "made", made_up(text)))
        for table in known:
            told += [f"{table}: known   {row}" for row in known[table] if row not in made[table]]
            told += [f"{table}: made up {row}" for row in made[table] if row not in known[table]]
            if not told and known[table] != made[table]:
                told.append(f"{table}: rows twice")
    except Exception as error:  # which script it was must be told
        told.append(f"failed: {error!r}")
    return path, told


def main():
    bad = 0
    with Pool(2) as pool:
        for path, told in pool.imap(differences, sys.argv[1:]):
            bad += bool(told)
            for line in told[:8]:
                print(f"{os.path.basename(path)}: {line}")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
