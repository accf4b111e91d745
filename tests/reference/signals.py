# SPDX-License-Identifier: GPL-3.0-or-later
"""wait_until and tests of words: the write that ended them."""

WRITES = ("put", "put_nb", "atomic", "atomic_fetch")


def stretches(write):
    """(first offset, bytes) of what it changes, its object known: of a strided put, each element."""
    at, a = write.args["object"][1], write.args
    if "target_stride" not in a:
        return [(at, a["bytes"])]
    size = a["element_bytes"]
    return [(at + i * a["target_stride"] * size, size) for i in range(a["elements"])]


def covers(write, word, size):
    target = write.args.get("object")
    return isinstance(target, tuple) and isinstance(word, tuple) and target[0] == word[0] and \
        any(at < word[1] + size and word[1] < at + n for at, n in stretches(write))


def writes(e):
    """Others' memory.  Atomics that only read are told by their names."""
    return e.type in WRITES and not e.operation.name.endswith("_fetch")


def last_writes(run):
    """Of each wait or test the last write to its word that began, by clocks as good as they are, before it ended; None:
    there is none."""
    known = [e for e in run.events if writes(e) and not e.nested]
    for e in run.events:
        if e.type not in ("wait_until", "wait_test") or e.nested or not isinstance(e.args["object"], tuple):
            continue
        candidates = [w for w in known if w.args["peer"] == e.thread.rank
                      and w.start <= e.end + run.script.error_between(w.thread, e.thread)
                      and covers(w, e.args["object"], e.args["element_bytes"])]
        yield e, max(candidates, key=lambda w: (w.start, w.id), default=None)


def failed(e):
    """A test for which nothing has arrived."""
    return e.type == "wait_test" and e.args.get("success") == 0


def late_signals(run):
    found = []
    for e, last in last_writes(run):
        if last is None:
            if e.end > e.start:
                found.append(dict(event=e, kind="late signal", start=e.start, end=e.end, cause=None, cause_ns=None,
                                  clamped=0, bound=1))
        elif last.start > e.start < e.end:
            found.append(dict(event=e, kind="late signal", start=e.start, end=min(last.start, e.end), cause=last,
                              cause_ns=last.start, clamped=int(last.start > e.end), bound=0))
    return found
