#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which columns of the analyses no query of tests/worked/*.run asserts with a value other than 0.
A query says SELECT COLUMN, ... FROM analysis_NAME ..., or ANALYSIS ARGUMENT...: SELECT COLUMN, ...; an expression asserts
the columns in it."""
import glob
import os
import re
import sys

# What a script cannot say: the functions of calls (symbols tell them), process ids, and what masks leave out (e2e/overhead.sh).
UNSAID = {("analysis_leaks", "function"), ("analysis_threads", "pid"), ("analysis_overhead", "masked")}
# Call stacks (tests/unit/sql/test_callers.c), and numbers that are none (tests/e2e/user_values.sh).
UNSAID |= {("analysis_worst", name) for name in ("function", "waiting_function", "caller", "caller_share")}
UNSAID |= {("analysis_user_values", name) for name in ("not_numbers", "infinite")}
# Counters of private memory (tests/unit/analysis/test_heap.c).
UNSAID |= {("analysis_leaks", "growing")}
UNSAID |= {("analysis_memory_over_time", name) for name in ("start_ns", "end_ns", "location", "operation", "live_bytes", "blocks",
                                                            "bytes", "frees", "blocks_per_s")}
# The error of several hosts' clocks, by readings of them (tests/unit/importer/test_hosts_run.c).
UNSAID |= {("analysis_waits", "error_ns"), ("analysis_worst", "error_ns")}
TESTS = os.path.dirname(os.path.abspath(__file__))


def columns():
    """The columns of each view, as the analyses' headers name them."""
    views = {}
    for path in glob.glob(os.path.join(TESTS, "..", "sql", "analyses", "*.sql")):
        with open(path, encoding="utf-8") as lines:
            names = [line.split()[2] for line in lines if line.startswith("-- column: ")]
        views["analysis_" + os.path.basename(path)[:-4].replace("-", "_")] = names
    return views


def queries(path):
    """Each query of a script, with its rows."""
    found = []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("#? "):
                found.append((line[3:].strip(), []))
            elif line.startswith("#= "):
                found[-1][1].append(line[3:].rstrip("\n").split("|"))
    return found


def asked(query):
    """The view that is asked, and the SELECT."""
    if not query.startswith("SELECT"):
        return "analysis_" + query.split()[0].rstrip(":").replace("-", "_"), query.split(": ", 1)[1]
    view = re.search(r'\bFROM "?(analysis_\w+)', query)
    return view and view[1], query


def items(query):
    """What a query selects: split at the commas outside of brackets and quotes, up to FROM."""
    depth, quoted, item, out = 0, False, "", []
    for part in re.findall(r"'|\w+|.", query[len("SELECT "):]):
        quoted ^= part == "'"
        depth += (not quoted) * ((part == "(") - (part == ")"))
        if not quoted and not depth and part in (",", "FROM"):
            out.append(item)
            item = ""
            if part == "FROM":
                return out
        else:
            item += "" if quoted else part
    return out


def asserted(query, rows, names):
    selected = items(query)
    if [s.strip() for s in selected] == ["*"]:
        selected = names
    for at, item in enumerate(selected):
        if any(at < len(row) and row[at] not in ("", "0", "0.0") for row in rows):
            yield from set(re.findall(r"\w+", item)) & set(names)


def main():
    views = columns()
    left = {(view, name) for view, names in views.items() for name in names} - UNSAID
    for path in glob.glob(os.path.join(TESTS, "worked", "*.run")):
        for query, rows in queries(path):
            view, query = asked(query)
            if view in views:
                left -= {(view, name) for name in asserted(query, rows, views[view])}
    for view, name in sorted(left):
        print(f"{view}.{name}")
    return bool(left) or not views


if __name__ == "__main__":
    sys.exit(main())
