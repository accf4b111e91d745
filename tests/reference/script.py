# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads a script of a run (tests/README.md) into plain objects.  mkrun has checked it: nothing is checked here."""
import os
import re
import shlex

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
EVENTS = os.path.join(TOP, "collector", "events")


def moment(text):
    """As far as times go."""
    return min(int(text), 1 << 56)


class Operation:
    def __init__(self, name, kind, category, model, start, end):
        self.name, self.type, self.category, self.model = name, kind, category, model
        self.at_start = self.names(start)
        self.arguments = self.at_start + self.names(end)

    @staticmethod
    def names(layout):
        codes = dict(a.split(":") for a in layout.split())
        return list(codes) + [a + "_thread" for a, code in codes.items() if code == "P"]


def strings(text):
    """The C expressions of a table's row, adjacent strings joined, split at commas."""
    text = re.sub(r'"\s*"', "", text)
    return [a.strip().strip('"') for a in re.findall(r'\s*("(?:[^"\\]|\\.)*"|[^,"]+)\s*(?:,|$)', text)]


def event_tables():
    types, rows = {}, {}
    with open(os.path.join(EVENTS, "types.tbl.h"), encoding="utf-8") as f:
        for m in re.finditer(r"^TYPE\((\w+), (\w+),", f.read(), re.M):
            types[m[1]] = m[2]
    for model, name in (("C", "c"), ("UPC", "upc"), ("OpenSHMEM", "shmem"), ("MPI", "mpi"), ("Mapping", "mapping")):
        with open(os.path.join(EVENTS, name + ".tbl.h"), encoding="utf-8") as f:
            text = f.read()
        for m in re.finditer(r"^EVENT\((.*?)\)\n(?=EVENT|/\*|\n)", text, re.M | re.S):
            ident, _, call, kind, _, start, end = strings(m[1])[:7]
            rows.setdefault(call, (call, kind, types[kind], model, start, end))
            rows[ident] = (call, kind, types[kind], model, start, end)
    return rows


class Thread:
    def __init__(self, ident, settings):
        self.ident = ident
        self.rank = int(settings.get("rank", ident))
        self.number = int(settings.get("number", 0))
        self.host = settings.get("host", "node")
        self.model = settings.get("model", "MPI")
        self.first, self.last, self.cut = (
            moment(settings[k]) if k in settings else None for k in ("from", "to", "cut"))
        self.missing = False


class Team:
    def __init__(self, name, members, local, listed, inter=False, kind="world"):
        self.name, self.members, self.local, self.listed, self.inter = name, members, local, listed, inter
        self.made_by_use = kind == "active set"  # its first collective makes it
        self.sources = {}  # by rank: from which others; of those that are not in it nothing is told


class Line:
    """Of `at`: kind event, off, tool ...; times as the script has them."""

    def __init__(self, number, thread, start, end, instant):
        self.number, self.thread, self.start, self.end, self.instant = number, thread, start, end, instant
        self.kind, self.operation, self.where, self.values, self.notes = "event", None, None, {}, []


class Script:
    def __init__(self, text, clocks=None):
        self.error, self.meta, self.clocks = {}, {}, clocks
        self.ranks, self.skew, self.threads, self.teams, self.lines = 0, {}, [], [], []
        self.own, self.tables, self.segments = {}, TABLES, set()
        self.entities, self.mixes = set(), {}
        for number, line in enumerate(text.splitlines()):
            words = shlex.split(line, comments=True)
            if words and line[0] in " \t":
                self.note(words)
            elif words:
                getattr(self, "read_" + words[0])(number, words[1:])
        self.teams.insert(0, Team("world", list(range(self.ranks)), self.ranks, True))

    def error_between(self, a, b, ns=None):
        """How far the clocks of two threads of the run are likely to be off each other, at a time of the run."""
        hosts = sorted({t.thread.host for t in (a, b)})
        if len(hosts) == 1:
            return 0
        if not self.clocks:
            return sum(self.error.get(host, 1) for host in hosts)
        likely = sum(max(self.error.get(host, 1), self.clocks.wall[host]) for host in hosts)
        return likely if ns is None else min(likely, self.clocks.bound(*hosts, ns))

    @staticmethod
    def settings(words):
        return dict(w.split("=", 1) for w in words if "=" in w)

    @staticmethod
    def numbers(text):
        found = []
        for part in text.split(",") if text else []:
            first, _, last = part.partition("..")
            found += range(int(first), int(last or first) + 1)
        return found

    def read_ranks(self, _, words):
        self.ranks = int(words[0])

    def read_host(self, _, words):
        self.skew[words[0]] = int(self.settings(words[1:]).get("skew", 0))
        self.error[words[0]] = int(self.settings(words[1:]).get("error", 1))

    def read_thread(self, _, words):
        settings = self.settings(words[1:])
        for i, ident in enumerate(self.numbers(words[0])):
            t = Thread(ident, settings)
            if "rank" in settings:
                t.rank += i
            t.missing = words[-1] == "missing"
            self.ranks = max(self.ranks, t.rank + 1)
            self.threads.append(t)

    def read_meta(self, _, words):
        self.meta[words[1]] = words[2]

    def read_segment(self, _, words):
        self.segments.add(words[0])

    def read_entity(self, _, words):
        self.entities.add(words[0])

    def read_mix(self, _, words):
        self.mixes[words[0]] = [(p.rpartition(":")[0], int(p.rpartition(":")[2])) for p in words[1:]]

    def read_attribute(self, _, words):
        pass

    def read_team(self, _, words):
        settings = self.settings(words[1:])
        local = self.numbers(settings.get("members", ""))
        remote = self.numbers(settings.get("remote", ""))
        kind, parent = settings.get("kind", "split"), settings.get("parent", "world")
        made_of = any(t.inter for t in self.teams if t.name == parent) and kind != "merge"
        self.teams.append(Team(words[0], local + remote, len(local), words[-1] != "unlisted",
                               bool(remote) or made_of or kind in ("inter", "spawn"), kind))

    def read_sources(self, _, words):
        team, = [t for t in self.teams if t.name == words[0]]
        team.sources[int(words[1])] = set(self.numbers(words[2])) if words[2] != "none" else set()

    def read_op(self, _, words):
        s = self.settings(words[1:])
        self.own[words[0]] = Operation(words[0], s["type"], s.get("category", "communication"), s.get("model", "C"),
                                       s.get("start", ""), s.get("end", ""))

    def operation(self, name):
        if name not in self.own:
            row, _, call = name.partition("/")
            if name.startswith("user:"):
                o = Operation(name[5:], "user", "none", "C", "", "")
            else:
                o = Operation(*self.tables[row])
                o.name = call or o.name
            self.own[name] = o
        return self.own[name]

    def read_at(self, number, words):
        start, dots, end = words[0].partition("..")
        line = Line(number, int(words[2]), moment(start) if start else None,
                    (moment(end) if end else None) if dots else moment(start), not dots)
        if words[3] in ("off", "tool", "block", "clock", "lost"):
            line.kind = words[3]
            line.damaged = words[4:] == ["damaged"]
        else:
            line.where = words[3]
            line.operation = self.operation(words[4])
            line.values = self.settings(words[5:])
        self.lines.append(line)

    def note(self, words):
        plain = [w for w in words[1:] if "=" not in w]
        self.lines[-1].notes.append((words[0], plain, self.settings(words[1:])))


TABLES = event_tables()
