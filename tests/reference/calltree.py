# SPDX-License-Identifier: GPL-3.0-or-later
"""The call tree: a call's path is that of the event that began last of those open when it began, user events too, and its own line."""
DEEPEST = 128


def is_in_tree(e):
    return e.category != "none" or e.type == "user"


def path_of(e):
    """Lines, outermost first.  Deeper than DEEPEST: as if the ancestor at the depth before that had called."""
    if not is_in_tree(e):
        return None
    if not hasattr(e, "path"):
        around = [f for f in e.below if is_in_tree(f)]
        above = path_of(around[-1]) if around else ()
        e.path = above[:DEEPEST - 1] + (e.source,)
    return e.path


def call_paths(run):
    """(thread, path): calls, total of those not within one of the same path, self, min, max, calls^2 x variance."""
    rows, of_key = {}, {}
    for t in run.threads:
        for e in t.events:
            path = path_of(e)
            if path is None:
                continue
            calls, total, own, low, high = rows.get((t.id, path), (0, 0, 0, None, 0))
            d = e.end - e.start
            of_key.setdefault((t.id, path), []).append(d)
            outermost = not any(path_of(f) == path for f in e.below)
            rows[t.id, path] = (calls + 1, total + (d if outermost else 0), own + (e.self_ns or 0),
                                d if low is None else min(low, d), max(high, d))
    return {key: row + (float(len(of_key[key]) * sum(d * d for d in of_key[key]) - sum(of_key[key]) ** 2),)
            for key, row in rows.items()}


def text(path):
    return "/".join(f"{name}@{where}" for name, where in path)
