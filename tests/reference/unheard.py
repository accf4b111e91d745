# SPDX-License-Identifier: GPL-3.0-or-later
"""Scripts with made-up operations in place of those that gaspdb knows: of other names, of the same types and arguments.  They take
part by these alone."""
import re

from compare import apart
from script import event_tables

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
                                f'end="{logged(end, "" if model == "Mapping" else start)}"')
            line = f'{event[1]}"{name}"{event[3]}'
        lines.append(line)
    return "\n".join(list(operations.values()) + lines) + "\n"


def content(db):
    """Rows of all tables and analyses, without the prefix of what is made up."""
    found = {}
    for (table,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' OR name GLOB 'analysis_*'").fetchall():
        if table in UNLIKE:
            continue
        rows = db.execute(f"SELECT * FROM {table}")
        kept = [i for i, column in enumerate(rows.description) if column[0] not in NUMBERS]
        found[table] = sorted((tuple(row[i].replace(MADE, "") if isinstance(row[i], str) else row[i] for i in kept) for row in rows), key=repr)
    return found


def unheard_differences(db, made_up_db):
    """Every row of the tables and analyses that differs otherwise than by the operations' names."""
    known, made, told = content(db), content(made_up_db), []
    for table, rows in known.items():
        if rows != made[table]:
            told += apart(table, "known  ", rows, "made up", made[table])
    return told
