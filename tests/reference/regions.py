# SPDX-License-Identifier: GPL-3.0-or-later
"""Regions: the program's functions, loops and user events: the time inside, and the computation in it."""
from collections import defaultdict

from calltree import path_of, text


def key_of(e):
    """User events by name, functions by name and file, else the line."""
    if e.category == "none":
        return e.operation.name
    if e.type == "function" and e.line.values.get("signature"):
        return e.operation.name, e.line.where.split(":")[0], e.line.values["signature"]
    return e.source


def computation(t, start, end):
    return sum(max(0, min(b, end) - max(a, start)) for state, a, b in t.state_parts if state == "computation")


def most(of_thread):
    thread, ns = max(of_thread.items(), key=lambda x: (x[1], -x[0]))
    return ns, thread


class Regions:
    def __init__(self, run):
        self.regions, self.paths = {}, {}
        for e in run.events:
            if e.runtime or e.instant or e.operation.model == "Mapping":
                continue
            self.add(self.regions, e, key_of)
            if path_of(e) is not None:
                self.add(self.paths, e, path_of)

    @staticmethod
    def add(rows, e, of):
        """Calls, and by thread the time inside and computation of those that are not within another one of it."""
        calls, inside, computed = rows.setdefault(of(e), ([], defaultdict(int), defaultdict(int)))
        calls.append(e)
        outermost = not any(of(f) == of(e) for f in e.below if not f.runtime)
        inside[e.thread.id] += e.end - e.start if outermost else 0
        computed[e.thread.id] += computation(e.thread, e.start, e.end) if outermost else 0

    def tables(self):
        yield "region", [(calls[0].operation.name, len(inside), len(calls), sum(inside.values()), *most(inside),
                          sum(computed.values()), *most(computed))
                         for calls, inside, computed in self.regions.values()]
        yield "callpath_most", [(text(path), sum(computed.values()), *most(computed))
                                for path, (_, _, computed) in self.paths.items()]
