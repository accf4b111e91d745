# SPDX-License-Identifier: GPL-3.0-or-later
"""What goes missing of a recording: while it is off, and what hangs until the log ends."""

HANGS = .2  # of all threads
HANGING = ("MPI_Recv", "MPI_Sendrecv", "MPI_Wait", "MPI_Bcast", "MPI_Scatter", "MPI_Gather", "MPI_Reduce", "MPI_Barrier",
           "MPI_NEIGHBOR/MPI_Neighbor_gather", "MPI_NEIGHBOR/MPI_Neighbor_alltoallv",
           "MPI_Allreduce", "MPI_Scan", "MPI_Exscan", "MPI_Win_lock", "MPI_Win_unlock", "MPI_Finalize", "shmem_finalize",
           "shmem_wait_until", "shmem_set_lock", "shmem_test_lock", "shmem_barrier", "upc_lock", "upc_lock_attempt",
           "upc_notify", "upc_wait", "upc_barrier", "upc_all_broadcast",
           "upc_all_gather", "upc_all_gather_all", "upc_all_reduce", "upc_all_prefix_reduce",
           "SHMEM_WAIT_UNTIL_ALL", "SHMEM_WAIT_UNTIL_ANY", "SHMEM_WAIT_UNTIL_SOME")


def values_of(line):
    return dict(w.split("=", 1) for w in line[2].split() if "=" in w)


def requests_of(line):
    """Those that the call posts, and those that it completes."""
    v = values_of(line)
    return ({v["request"]} if "request" in v else set()), {n.split()[1] for n in line[3] if n.startswith("complete")}


def passed_notes(lines):
    """PASSED records of what these calls sent and received."""
    channels = {}

    def count(team, peer, tag, way):
        if peer not in ("-1", "-2"):
            channels.setdefault((team, peer, tag), [0, 0])[way] += 1
    posted = {}
    for line in lines:
        v, what = values_of(line), line[2].split()[-1 if line[2].endswith("tool") else 3]
        team = v.get("team", "world")
        if "Send" in what or "Isend" in what:
            count(team, v.get("peer", "-1"), v.get("tag", "0"), 0)
        if "Sendrecv" in what:
            count(team, v["receive_peer"], v["receive_tag"], 1)
        elif "recv" in what.lower() and "request" in v:
            posted[v["request"]] = team
        elif "Recv" in what:
            count(team, v["peer"], v["tag"], 1)
        for note in line[3]:
            words = note.split()
            if words[0] == "complete" and "receive" in words and words[1] in posted:
                got = dict(w.split("=", 1) for w in words if "=" in w)
                count(posted[words[1]], got["peer"], got["tag"], 1)
    return [f"passed team={team} peer={peer} tag={tag} sends={n[0]} receives={n[1]}"
            for (team, peer, tag), n in channels.items()]


def switch_off(rnd, p):
    """Recording was off for a while: what lies in it is not in the log, but its messages are counted."""
    lines = sorted((x for x in p.lines if x[1] is not None), key=lambda x: x[0])
    if len(lines) < 3:
        return
    first, last = sorted(rnd.sample(range(len(lines)), 2))
    off, on = lines[first][0], max(x[1] for x in lines[first:last + 1])
    inside = [x for x in p.lines if x[1] is not None and off <= x[0] and x[1] <= on and (off < x[1] and x[0] < on)]
    across = [x for x in p.lines if x not in inside and off < (on if x[1] is None else x[1]) and x[0] < on
              and (x[0] >= off or x[1] is not None and x[1] <= on or "C_FUNC" not in x[2])]
    posts = set().union(*(requests_of(x)[0] for x in inside), set())
    ends = set().union(*(requests_of(x)[1] for x in inside), set())
    odd = ("Cancel", "free", "_init", "Start", "Mprobe", "Mrecv", "MPI_Send_init", "MPI_Probe")
    if any(x[2].endswith(" off") for x in inside):
        return
    if not inside or across or posts - ends or any(o in x[2] for x in inside for o in odd):
        return
    at = min(i for i, x in enumerate(p.lines) if x in inside)
    p.lines = [x for x in p.lines if x not in inside]
    completes = [n for x in inside for n in x[3] if n.startswith("complete") and n.split()[1] not in posts]
    p.lines.insert(at, [off, on, f"thread {p.rank} off", passed_notes(inside) + completes, {}])


def hang(rnd, p):
    """One of its last calls never returns."""
    starts = sorted(x[0] for x in p.lines if x[2].split()[-1] not in ("off", "tool") and x[2].split()[3] in HANGING)[-4:]
    if not starts:
        return
    at = rnd.choice(starts)
    last = [x for x in p.lines if x[0] == at and x[1] is not None][-1:]
    around = [x for x in p.lines if x not in last and x[0] <= at and (x[1] is None or x[1] > at)]
    if not last or any(x[0] == at for x in around) or any(x[2].split()[-1] in ("off", "tool") for x in last + around):
        return
    p.lines = [x for x in p.lines if x[0] < at or x in last + around]
    for x in last + around:
        if "MPI_Wait" in x[2] and x in last:
            x[2] += f" requests={max(1, len(x[3]) - rnd.randint(0, 1))}"
        x[1], x[3] = None, [n for n in x[3] if n.startswith("argument")]


def scatter(rnd, p, end):
    """New blocks, and readings of the clocks: they change nothing."""
    first = min((x[1] if x[0] == "" else x[0] for x in p.lines), default=end)
    for _ in range(rnd.choice((0, 0, 1, 3)) if p.lines else 0):
        at = rnd.randint(first, end)
        p.lines.append([at, at, f"thread {p.rank} {rnd.choice(('block', 'clock'))}", [], {}])


def damage(rnd, p, end):
    """A block or two that cannot be read; mostly good ones follow."""
    first = min((x[0] for x in p.lines if x[0] != ""), default=end)
    for _ in range(rnd.choice((1, 1, 2))):
        a, b = sorted(rnd.randint(first, end) for _ in range(2))
        p.lines.append([a, a, f"thread {p.rank} block damaged", [], {}])
        p.lines += [[b, b, f"thread {p.rank} block", [], {}]] * (rnd.random() < .95)


def behead(rnd, p):
    """Ends whose starts no log has."""
    whole = [x for x in p.lines if x[1] is not None and not x[3] and x[2].split()[-1] not in ("off", "tool", "block", "clock")]
    for x in rnd.sample(whole, min(len(whole), rnd.randint(1, 3))) if rnd.random() < .1 else []:
        x[0] = ""
