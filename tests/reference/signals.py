# SPDX-License-Identifier: GPL-3.0-or-later
"""wait_until: the write that ended it."""

WRITES = ("put", "put_nb", "atomic", "atomic_fetch")


def covers(write, word, size):
    target = write.args.get("object")
    return isinstance(target, tuple) and isinstance(word, tuple) and target[0] == word[0] and \
        target[1] < word[1] + size and word[1] < target[1] + write.args["bytes"]


def last_writes(run):
    """Of each wait_until the last write to its word that began before it ended; None: there is none."""
    writes = [e for e in run.events if e.type in WRITES and not e.nested]
    for e in run.events:
        if e.type != "wait_until" or e.nested or not isinstance(e.args["object"], tuple):
            continue
        candidates = [w for w in writes if w.args["peer"] == e.thread.rank and w.start <= e.end
                      and covers(w, e.args["object"], e.args["element_bytes"])]
        yield e, max(candidates, key=lambda w: (w.start, w.id), default=None)


def late_signals(run):
    found = []
    for e, last in last_writes(run):
        if last is None:
            if e.end > e.start:
                found.append(dict(event=e, kind="late signal", start=e.start, end=e.end, cause=None, cause_ns=None,
                                  clamped=0, bound=1))
        elif last.start > e.start:
            found.append(dict(event=e, kind="late signal", start=e.start, end=last.start, cause=last,
                              cause_ns=last.start, clamped=0, bound=0))
    return found
