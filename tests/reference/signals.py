# SPDX-License-Identifier: GPL-3.0-or-later
"""wait_until and tests of words: the write that ended them."""

WRITES = ("put", "put_nb", "atomic", "atomic_fetch")


def stretches(write):
    """(segment, first offset, bytes) of what it changes: of a strided put, each element; and its signal word."""
    found, a = [], write.args
    if isinstance(a.get("object"), tuple):
        segment, at = a["object"]
        if "target_stride" in a:
            size = a["element_bytes"]
            found = [(segment, at + i * a["target_stride"] * size, size) for i in range(a["elements"])]
        else:
            found = [(segment, at, a["bytes"])]
    if isinstance(a.get("signal"), tuple):
        found.append((*a["signal"], 8))
    return found


def covers(write, word, size):
    return isinstance(word, tuple) and \
        any(n and segment == word[0] and at < word[1] + size and word[1] < at + n for segment, at, n in stretches(write))


def writes(e):
    """Others' memory.  Atomics that only read are told by their names, those that changed nothing by `after_known`."""
    return e.type in WRITES and not e.operation.name.endswith(("_fetch", "_fetch_nbi")) and e.args.get("after_known") != 2


def values(write):
    """((segment, offset), bytes, value) of the words whose value after it is told."""
    a, found = write.args, []
    if a.get("after_known") == 1 and a["bytes"] in (1, 2, 4, 8) and isinstance(a.get("object"), tuple):
        found.append((a["object"], a["bytes"], a["after"]))
    if isinstance(a.get("signal"), tuple) and a["signal_adds"] == 0:
        found.append((a["signal"], 8, a["signal_value"]))
    return found


def compare(comparison, a, b):
    return (a == b, a != b, a > b, a >= b, a < b, a <= b)[comparison]


def satisfies(write, word, size, comparison, value):
    """May it end a wait for that word?  As signed and as unsigned numbers it must not."""
    told = [(bytes, after) for at, bytes, after in values(write) if at == word]
    plain = [1 for segment, at, n in stretches(write) if n and segment == word[0] and at < word[1] + size and word[1] < at + n]
    if len(told) != 1 or told[0][0] != size or len(plain) != 1 or not 0 <= comparison <= 5:
        return True
    top = 1 << 8 * size
    a, b = told[0][1] % top, value % top
    signed = [x - top if x >= top // 2 else x for x in (a, b)]
    return compare(comparison, a, b) or compare(comparison, *signed)


def runs(e):
    """The first and the last of each run of indices that is told."""
    found = []
    for kind, _, values in e.line.notes:
        if kind == "argument" and "index" in values:
            found.append([int(values["index"])] * 2)
        elif kind == "argument" and "index_last" in values:
            found[-1][1] = int(values["index_last"])
    return found


def waited(e):
    """What a wait or test waits for: (object, bytes) of words side by side, and whether that is all; None: for nothing."""
    (segment, at), size, a = e.args["object"], min(max(e.args["element_bytes"], 1), 16), e.args
    if "elements" not in a:
        return [((segment, at), size)], True
    if a["left_out"] >= a["elements"]:
        return None
    any_of_them = {"index", "indices"} & set(e.operation.arguments)
    told, how_many = [[0, a["elements"] - 1]], a["elements"]
    if any_of_them and e.open:
        told, how_many = [], 0
    elif "index" in any_of_them:
        told, how_many = ([[a["index"]] * 2] if a["index"] >= 0 else []), 0
    elif any_of_them or a["left_out"]:
        told = runs(e) if not e.open or e.line.end is None else []
        how_many = a["indices"] if any_of_them else a["elements"] - a["left_out"]
    return [((segment, at + first * size), (last - first + 1) * size) for first, last in told], \
        sum(last - first + 1 for first, last in told) >= how_many


def wait_events(run):
    return [e for e in run.events if e.type in ("wait_until", "wait_test") and not e.nested
            and isinstance(e.args["object"], tuple) and waited(e) is not None]


def began(run, write, e):
    """Had it, by clocks as good as they are, begun when e ended?  Of one moment, what e's process does goes by its calls' order."""
    if write.thread.rank == e.thread.rank and write.start == e.end and write.id > e.id:
        return False
    return write.start <= e.end + run.script.error_between(write.thread, e.thread, write.start)


def latest(candidates):
    return max(candidates, key=lambda w: (w.start, w.id), default=None)


def writes_to(run, e):
    return [w for w in run.events if writes(w) and not w.nested and w.args["peer"] == e.thread.rank
            and any(covers(w, word, size) and satisfies(w, word, size, *wanted) for word, size, wanted in each_word(e))]


def each_word(e):
    """(object, bytes, (comparison, value)) of each word that it waits for."""
    a, size = e.args, min(max(e.args["element_bytes"], 1), 16)
    own = [int(v["word_value"]) for kind, _, v in e.line.notes if kind == "argument" and "word_value" in v]
    for (segment, at), n in waited(e)[0]:
        for word in range(at, at + n, size):
            i = (word - a["object"][1]) // size
            known = not own or i < len(own)
            yield (segment, word), size, (a["comparison"] if known else -1, own[i] if own and known else a["value"])


def last_writes(run):
    """Of each wait or test the last write to its words that began before it ended; None: there is none, or stores that are no
    calls may have ended it, for another wait had returned from that write."""
    for e in wait_events(run):
        last = latest([w for w in writes_to(run, e) if began(run, w, e)])
        yield e, None if last and not failed(e) and has_unseen_stores(run) and is_seen(run, e, last) else last


def has_unseen_stores(run):
    """The program asked for pointers to others' memory."""
    return "shmem_ptr" in run.script.meta.get("not_seen", "")


def is_delivered(run, e, last):
    """Is it known how long the write took to arrive?"""
    known = [w for w in run.events if writes(w) and not w.nested and w.args["peer"] == e.thread.rank and began(run, w, e)]
    for word, size, wanted in each_word(e):
        all_of_it = [w for w in known if covers(w, word, size)]
        if all_of_it and not any(satisfies(w, word, size, *wanted) for w in all_of_it):
            return False
    certain = any(at == word and n == size and satisfies(last, word, size, *wanted) and 0 <= wanted[0] <= 5
                  for at, n, _ in values(last) for word, size, wanted in each_word(e))
    return not is_seen(run, e, last) and (certain or not has_unseen_stores(run))


def bytes_of(e):
    return {(e.thread.rank, segment, at + i) for (segment, at), size in waited(e)[0] for i in range(size)}


def is_seen(run, e, last):
    """Had other waits returned from the write before this one began, all its bytes of which it is the last?"""
    known = [w for w in writes_to(run, e) if began(run, w, e)]
    its = {b for b in bytes_of(e) if latest([w for w in known if covers(w, b[1:], 1)]) is last}
    for other in wait_events(run):
        if not other.open and not failed(other) and other is not e and other.end <= e.start and \
                (other.end, other.id) < (e.end, e.id) and began(run, last, other):
            its -= bytes_of(other)
    return not its


def failed(e):
    """A test for which nothing has arrived."""
    return e.type == "wait_test" and e.args.get("success") == 0


def in_vain_before(e):
    """The tests of words in vain that a test with success ended: no other call between, nor a time that was not recorded."""
    found, after = [], e
    if e.type != "wait_test" or e.open or failed(e):
        return found
    gaps = [a for kind, a, _ in e.thread.gaps if kind != "tool" and a < e.start]
    for f in reversed(e.thread.events[:e.thread.events.index(e)]):
        if f.nested or not f.runtime:
            continue
        if f.type != "wait_test" or f.open or f.end > after.start or f.start < max(gaps, default=f.start) or not failed(f):
            break
        found.append(f)
        after = f
    return found


def late_signals(run):
    found, ended = [], {f for e in run.events if e.type == "wait_test" and not e.nested for f in in_vain_before(e)}
    for e, last in last_writes(run):
        if e in ended:
            continue
        for f in in_vain_before(e):
            stop = min(f.end, last.start) if last else f.end
            if stop > f.start:
                found.append(dict(event=f, kind="late signal", start=f.start, end=stop, cause=last, cause_ns=last.start if last else None,
                                  clamped=0, bound=int(last is None or not waited(e)[1])))
        if last is None:
            if e.end > e.start:
                found.append(dict(event=e, kind="late signal", start=e.start, end=e.end, cause=None, cause_ns=None,
                                  clamped=0, bound=1))
        elif last.start > e.start < e.end:
            found.append(dict(event=e, kind="late signal", start=e.start, end=min(last.start, e.end), cause=last,
                              cause_ns=last.start, clamped=int(last.start > e.end), bound=int(not waited(e)[1])))
    return found
