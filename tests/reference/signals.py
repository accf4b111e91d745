# SPDX-License-Identifier: GPL-3.0-or-later
"""wait_until: the write that ended it."""

WRITES = ("put", "put_nb", "atomic", "atomic_fetch")


def covers(write, word, size):
    target = write.args.get("object")
    return isinstance(target, tuple) and isinstance(word, tuple) and target[0] == word[0] and \
        target[1] < word[1] + size and word[1] < target[1] + write.args["bytes"]


def late_signals(run):
    writes = [e for e in run.events if e.type in WRITES and not e.nested]
    found = []
    for e in run.events:
        if e.type != "wait_until" or e.nested or not isinstance(e.args["object"], tuple):
            continue
        candidates = [w for w in writes if w.args["peer"] == e.thread.rank and w.start <= e.end
                      and covers(w, e.args["object"], e.args["element_bytes"])]
        if not candidates:
            if e.end > e.start:
                found.append(dict(event=e, kind="late signal", start=e.start, end=e.end, cause=None, cause_ns=None,
                                  clamped=0, bound=1))
            continue
        last = max(candidates, key=lambda w: (w.start, w.id))
        if last.start > e.start:
            found.append(dict(event=e, kind="late signal", start=e.start, end=last.start, cause=last,
                              cause_ns=last.start, clamped=0, bound=0))
    return found
