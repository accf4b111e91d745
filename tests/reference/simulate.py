# SPDX-License-Identifier: GPL-3.0-or-later
"""Scripts of random runs.  A small machine: each process has a clock; what one does for another constrains when the other
can go on, as in a real run.  Then parts of the recording go missing."""
import random

COLLECTIVES = (("MPI_Barrier", "barrier"), ("MPI_Bcast", "from"), ("MPI_Scatter", "from"), ("MPI_Gather", "to"),
               ("MPI_Reduce", "to"), ("MPI_Allreduce", "all"), ("MPI_Alltoall", "all"), ("MPI_Alltoallv", "free"),
               ("MPI_Scan", "scan"), ("MPI_Comm_create/MPI_Comm_dup", "all"), ("MPI_Neighbor_alltoall", "free"))
HANGS = .2  # of all threads
HANGING = ("MPI_Recv", "MPI_Sendrecv", "MPI_Wait", "MPI_Bcast", "MPI_Scatter", "MPI_Gather", "MPI_Reduce", "MPI_Barrier",
           "MPI_Allreduce", "MPI_Scan", "MPI_Exscan", "MPI_Win_lock", "MPI_Win_unlock", "shmem_wait_until", "shmem_set_lock",
           "shmem_test_lock", "shmem_barrier", "upc_lock", "upc_lock_attempt", "upc_notify", "upc_wait", "upc_barrier", "upc_all_broadcast",
           "upc_all_gather", "upc_all_gather_all", "upc_all_reduce", "upc_all_prefix_reduce",
           "SHMEM_WAIT_UNTIL_ALL", "SHMEM_WAIT_UNTIL_ANY", "SHMEM_WAIT_UNTIL_SOME")
STARTED = {"MPI_Barrier": "MPI_Ibarrier", "MPI_Bcast": "MPI_Ibcast", "MPI_Gather": "MPI_Igather",
           "MPI_Allreduce": "MPI_Iallreduce", "MPI_Scan": "MPI_Iscan"}


class Process:
    """A thread of one; rank: its number in the script."""

    def __init__(self, rank):
        self.rank, self.clock, self.lines, self.request = rank, 0, [], 0
        self.process, self.number = rank, 0
        self.data_until = 0  # data in flight are recorded until then
        self.pending = []  # (request, earliest completion, words of its COMPLETE)
        self.functions = []
        self.blocks, self.symmetric = set(), set()
        self.gaps = []


class Machine:
    def __init__(self, seed, large=False):
        r = self.random = random.Random(seed * 104729 + 2)  # not what chose the kind
        self.n = self.ranks = r.randint(8, 16) if large else r.randint(1, 5)
        self.short = r.choice((3, 20, 1000))  # short times make ties
        self.p = [Process(i) for i in range(self.n)]
        self.head, self.teams = [], {"world": list(range(self.n))}
        self.sequence, self.meta = {}, None
        self.epochs, self.numbered = {}, r.random() < .7
        self.locks, self.message, self.shared, self.window_locks = {}, 0, {}, {}
        self.line = 0  # of two of each operation; 0: either
        for p in self.p:
            p.clock = r.randint(0, self.short)

    def time(self):
        return self.random.randint(0, self.short)

    def other(self, p):
        return self.random.choice([q for q in self.p if q is not p] or [p])

    def emit(self, p, start, end, what, values="", notes=()):
        """A line of p's; end None: open."""
        where = f"{'abc'[hash_of(what) % 3]}.c:{hash_of(what) % 50 * 10 + (self.line or self.random.randint(1, 2))}"
        p.lines.append([start, end, f"thread {p.rank} {where} {what} {values}".rstrip(), list(notes), {}])
        return p.lines[-1]

    def call(self, p, what, values="", until=0, notes=()):
        """A call from the clock on that cannot end before `until`."""
        start = p.clock
        p.clock = max(start, until) + self.time()
        return self.emit(p, start, p.clock, what, values, notes)

    def compute(self, p):
        p.clock += self.time()


def hash_of(text):
    h = 0
    for c in text:
        h = (h * 31 + ord(c)) % 1000003
    return h


# --- messages -------------------------------------------------------------------------------------------------------


class Mpi(Machine):
    inter = {}

    def team_of(self, *processes):
        names = [t for t, members in self.teams.items() if all(p.rank in members for p in processes)]
        return self.random.choice(names)

    def message_values(self, s, r):
        rnd = self.random
        team, tag, size = self.team_of(s, r), rnd.randint(0, 1), rnd.choice((0, 8, 8, 100))
        asked = f"posted_peer={rnd.choice((s.rank, -1))} posted_tag={rnd.choice((tag, -1))}"
        return team, tag, size, asked

    def new_request(self, p):
        p.request += 1
        return p.request

    def step_message(self, s):
        r, rnd = self.other(s), self.random
        if s is r:
            return
        team, tag, size, asked = self.message_values(s, r)
        limit, came, error = size + rnd.choice((0, 50)), size, 0
        if size > 8 and rnd.random() < .1:
            limit = came = size // 2
            error = 15
        if rnd.random() < .02:
            came += 1  # not what was sent: the recording is wrong
        sent = s.clock
        self.send(s, r, team, tag, size)
        self.receive(r, s, team, tag, limit, came, error, asked, sent)

    def send(self, s, r, team, tag, size):
        values = f"peer={r.rank} tag={tag} bytes={size} team={team}"
        way = self.random.random()
        if way < .5:  # may wait for the receiver, who may yet be far behind
            self.call(s, "MPI_Send", values, until=r.clock if self.random.random() < .5 else 0)
        elif way < .9:
            request = self.new_request(s)
            self.call(s, "MPI_Isend", values + f" request={request}")
            s.pending.append((request, r.clock if self.random.random() < .5 else 0, ""))
        else:
            request = self.new_request(s)
            self.call(s, "MPI_Send_init", values + f" request={request}")
            self.call(s, "MPI_Start", notes=[f"started {request} 1"])
            s.pending.append((request, 0, ""))

    def receive(self, r, s, team, tag, limit, came, error, asked, sent):
        got = f"peer={s.rank} tag={tag} bytes={came}" + (f" error={error}" if error else "")
        values = f"{asked} limit={limit} team={team}"
        way = self.random.random()
        if way < .4:
            self.call(r, "MPI_Recv", f"{values} {got}", until=sent)
        elif way < .7:
            request = self.new_request(r)
            self.call(r, "MPI_Irecv", f"{values} request={request}")
            r.pending.append((request, sent, f"receive {got}"))
        elif way < .8:
            request = self.new_request(r)
            self.call(r, "MPI_Recv_init", f"{values} request={request}")
            self.call(r, "MPI_Start", notes=[f"started {request} 1"])
            r.pending.append((request, sent, f"receive {got}"))
        elif way < .9:
            self.call(r, "MPI_Probe", f"{asked} team={team}", until=sent, notes=[f"probed 0 {got.split(' error')[0]}"])
            self.call(r, "MPI_Recv", f"posted_peer={s.rank} posted_tag={tag} limit={limit} team={team} {got}")
        else:
            self.message += 1
            self.call(r, "MPI_Probe/MPI_Mprobe", f"{asked} team={team}", until=sent,
                      notes=[f"probed {self.message} {got.split(' error')[0]}"])
            self.call(r, "MPI_Mrecv", f"message={self.message} {values} {got}")

    def step_reorder(self, r):
        """Messages sent to r, which is ahead of their senders, and received in any order."""
        rnd, sent = self.random, []
        for tag in range(10, 10 + rnd.randint(2, 5)):
            s = self.other(r)
            if s is r:
                return
            s.clock = max(s.clock, r.clock) + self.time()
            sent.append((tag, s, s.clock))
            self.send(s, r, "world", tag, 8)
        rnd.shuffle(sent)
        for tag, s, when in sent:
            self.receive(r, s, "world", tag, 8, 8, 0, f"posted_peer={s.rank} posted_tag={rnd.choice((tag, -1))}", when)

    def step_exchange(self, a):
        """Both send and receive in one call each."""
        b = self.other(a)
        if a is b:
            return
        team, tag = self.team_of(a, b), self.random.randint(0, 1)
        starts = a.clock, b.clock
        for me, it, sent in ((a, b, starts[1]), (b, a, starts[0])):
            self.call(me, "MPI_Sendrecv", f"peer={it.rank} tag={tag} bytes={8 * (me.rank + 1)} posted_peer={it.rank} "
                      f"posted_tag=-1 limit=100 team={team} receive_peer={it.rank} receive_tag={tag} "
                      f"bytes_received={8 * (it.rank + 1)}", until=sent)

    def step_wait(self, p):
        """Complete some of what is pending in one call."""
        rnd = self.random
        if not p.pending:
            return
        chosen = rnd.sample(p.pending, rnd.randint(1, min(3, len(p.pending))))
        p.pending = [x for x in p.pending if x not in chosen]
        until = max(x[1] for x in chosen)
        what = "MPI_Wait"
        if rnd.random() < .2:
            what, until = "MPI_Test", 0
            p.clock = max(p.clock, max(x[1] for x in chosen))
        self.call(p, what, until=until, notes=[f"complete {x[0]} index={i} {x[2]}" for i, x in enumerate(chosen)])

    def step_odd(self, p):
        """What finds no partner."""
        rnd, q = self.random, self.other(p)
        request, team = self.new_request(p), self.team_of(p)
        way = rnd.randint(0, 5)
        if way == 0:
            self.call(p, "MPI_Send", f"peer=-1 tag=1 bytes=0 team={team}")
        elif way == 1:
            self.call(p, "MPI_Recv", f"posted_peer=-2 posted_tag=-1 limit=8 team={team} peer=-1 tag=-1 bytes=0")
        elif way == 2 and q is not p:
            self.call(p, "MPI_Irecv", f"posted_peer={rnd.choice((q.rank, -1))} posted_tag=1 limit=9 request={request}")
            self.call(p, "MPI_Cancel", notes=[f"cancel {request}"])
            self.call(p, "MPI_Wait", notes=[f"complete {request} receive cancelled"])
        elif way == 3 and q is not p:
            self.call(p, "MPI_Isend", f"peer={q.rank} tag=1 bytes=7 request={request}")
            self.call(p, "MPI_Request_free", notes=[f"freed {request}"])
        elif way == 4 and q is not p:
            self.call(p, "MPI_Irecv", f"posted_peer={rnd.choice((q.rank, -1))} posted_tag=2 limit=9 request={request}")
        elif q is not p:
            self.call(p, "MPI_Send", f"peer={q.rank} tag=2 bytes=11")

    def step_window(self, p):
        """Accesses to two windows, with a request or without, and what completes them."""
        rnd, window = self.random, self.random.randint(1, 2)
        peer, way = rnd.choice((-1, self.other(p).rank, rnd.randrange(self.n))), rnd.random()
        on = f"window={window} peer={peer}"
        if way < .5:
            what = rnd.choice(("MPI_Put", "MPI_Get", "MPI_Accumulate", "MPI_Get_accumulate"))
            self.call(p, what, f"{on} bytes={rnd.choice((0, 8, 100))}")
        elif way < .6:
            request = self.new_request(p)
            self.call(p, rnd.choice(("MPI_Rput", "MPI_Rget")), f"{on} bytes=8 request={request}")
            p.pending.append((request, 0, "one-sided"))
        elif way < .9:
            self.call(p, rnd.choice(("MPI_Win_flush", "MPI_Win_unlock")), f"{on} completes={rnd.randint(0, 1)}")
        else:
            self.call(p, "MPI_Win_complete", f"window={window} completes=1")

    def step_window_lock(self, p):
        """Hold a window's lock: it is had in the lock call, or only in a later one."""
        rnd, window = self.random, self.random.randint(1, 2)
        every, exclusive = rnd.random() < .2, rnd.random() < .5
        exclusive = exclusive and not every
        target = rnd.randrange(self.n)
        on = f"window={window} peer={-1 if every else target}"
        held = [end for (w, t), holds in self.window_locks.items() if w == window and (every or t in (target, -1))
                for other, end in holds if exclusive or other]
        ready, lazy = max(held, default=0), rnd.random() < .4
        ready = ready if rnd.random() < .95 else 0
        until = [rnd.choice((0, 0, ready)) if lazy else 0 for _ in range(4)]
        lock, unlock = ("MPI_Win_lock/MPI_Win_lock_all", "MPI_Win_unlock/MPI_Win_unlock_all") if every else \
            ("MPI_Win_lock", "MPI_Win_unlock")
        self.call(p, lock, f"{on} exclusive={int(exclusive)} team=w{window}", until=until[0] if lazy else ready)
        for i in range(rnd.randint(0, 2)):
            if rnd.random() < .6:
                self.call(p, rnd.choice(("MPI_Put", "MPI_Get", "MPI_Accumulate")),
                          f"window={window} peer={rnd.randrange(self.n) if every else target} bytes=8", until=until[1 + i])
            else:
                self.call(p, "MPI_Win_flush", f"window={window} peer={rnd.choice((-1, target))} completes=1", until=until[1 + i])
        self.compute(p)
        start = p.clock
        if rnd.random() < .95:
            self.call(p, unlock, on + f" completes=1 team=w{window}", until=ready if lazy else 0)
        self.window_locks.setdefault((window, -1 if every else target), []).append((exclusive, rnd.randint(start, p.clock)))

    def group(self, p, role, window, group):
        """Arguments and lines that tell an epoch's group, and which of the process's with these it is."""
        for q in group:
            self.epochs[p, role, window, q] = self.epochs.get((p, role, window, q), 0) + 1
        counts = {self.epochs[p, role, window, q] for q in group}
        number = counts.pop() if self.numbered and len(counts) == 1 else 0
        values = f"window={window} team=w{window} members={len(group)} epoch={number}"
        ranks = [q.rank for q in group]
        if len(ranks) > 2 or self.random.random() < .3:
            return values + " first=-1", [f"argument member={r}" for r in ranks]
        return values + (f" first={ranks[0]} stride={ranks[-1] - ranks[0]}" if ranks else ""), []

    def step_epoch(self, _):
        """Some expose their memory to others, who may have to wait for that, and are waited for."""
        rnd, window = self.random, self.random.randint(1, 2)
        origins, targets = (rnd.sample(self.p, rnd.randint(0, self.n)) for _ in range(2))
        on, posted, completed = f"window={window} team=w{window}", 0, 0
        for p in targets:
            values, notes = self.group(p, "exposure", window, origins)
            self.compute(p)
            posted = max(posted, p.clock)
            self.call(p, "MPI_Win_post", values, notes=notes)
        for p in origins:
            values, notes = self.group(p, "access", window, targets)
            self.call(p, "MPI_Win_start", values, until=rnd.choice((0, posted)), notes=notes)
            for q in targets:
                if rnd.random() < .6:
                    self.call(p, rnd.choice(("MPI_Put", "MPI_Get", "MPI_Accumulate")), f"window={window} peer={q.rank} bytes=8",
                              until=rnd.choice((0, 0, posted)))
            if rnd.random() < .95:
                completed = max(completed, p.clock)
                self.call(p, "MPI_Win_complete", on + " completes=1", until=posted)
        for p in targets:
            if rnd.random() < .2:
                p.clock = max(p.clock, completed)
                self.call(p, "MPI_Win_test", on + f" success={int(rnd.random() < .8)}")
            elif rnd.random() < .95:
                self.call(p, "MPI_Win_wait", on, until=completed)

    def step_fence(self, _):
        """All members of a window: each waits for all, or nobody does."""
        window, together = self.random.randint(1, 2), self.random.random() < .7
        last = max(p.clock for p in self.p) if together else 0
        head = f"window={window} completes=1 team=w{window} sequence={self.number(f'w{window}')}"
        for p in self.p:
            self.call(p, "MPI_Win_fence", head, until=last)

    # --- collectives --------------------------------------------------------------------------------------------

    def number(self, team):
        self.sequence[team] = self.sequence.get(team, -1) + 1
        return self.sequence[team]

    def step_collective(self, p):
        rnd, team = self.random, self.team_of(p)
        members = [self.p[i] for i in self.teams[team]]
        what, role = rnd.choice(COLLECTIVES)
        started = what in STARTED and rnd.random() < .3
        root = rnd.choice(members)
        enters = {q: q.clock for q in members}
        head = f"team={team} sequence={self.number(team)}"
        empty = {q for q in members if rnd.random() < .15}
        for i, q in enumerate(members):
            self.take_part(q, what, role, started, head, members, enters, root, i, empty)

    def step_groups(self, p):
        """A collective of an intercommunicator: who receives needs the other group."""
        rnd, teams = self.random, [t for t, groups in self.inter.items() if p.rank in groups[0] + groups[1]]
        if not teams:
            return
        team = rnd.choice(teams)
        what, role = rnd.choice([c for c in COLLECTIVES if c[1] not in ("scan", "free")])
        groups = [[self.p[i] for i in group] for group in self.inter[team]]
        enters, side = {q: q.clock for g in groups for q in g}, rnd.randint(0, 1)
        last, root = [max(enters[q] for q in g) for g in groups], rnd.choice(groups[side])
        number, size = self.number(team), rnd.choice((0, 8, 8, 8))
        for k, q in [(k, q) for k in (0, 1) for q in groups[k]]:
            values, ready = f"team={team} sequence={number}", last[1 - k]
            sends, gets = rnd.choice((0, 8, 8)), rnd.choice((0, 8, 8, 8))
            if role in ("from", "to"):
                values += f" root={-1 if k == side and q is not root else root.rank}"
                sends, gets = size * ((q is root) == (role == "from")), size * ((q is root) == (role == "to"))
                sends, gets = (0, 0) if k == side and q is not root else (sends, gets)
                ready = (enters[root] if k != side else 0) if role == "from" else last[1 - side] if q is root else 0
            if "Comm" in what:
                ready = max(last)
            elif role != "barrier":
                values += f" bytes={sends} bytes_received={gets}"
            self.call(q, what, values, until=ready)

    def take_part(self, q, what, role, started, head, members, enters, root, i, empty):
        sends, gets = 0 if q in empty else 8, 0 if self.random.random() < .1 else 8
        ready = {"barrier": max(enters.values()), "all": max(enters.values()), "from": enters[root], "free": 0,
                 "to": max(enters.values()) if q is root else 0,
                 "scan": max(enters[m] for m in members[:i + 1])}[role]
        values = head
        if role in ("from", "to"):
            values += f" root={root.rank}"
        if role not in ("barrier",) and "Comm" not in what:
            values += f" bytes={sends} bytes_received={gets}"
        if started:
            request = self.new_request(q)
            self.call(q, STARTED[what], f"{values} request={request}")
            q.pending.append((request, ready, "collective"))
        else:
            self.call(q, what, values, until=ready)


# --- one-sided ------------------------------------------------------------------------------------------------------


class Shmem(Machine):
    def __init__(self, seed, large=False):
        super().__init__(seed, large)
        self.contexts, self.last_context = {}, 0

    def step_lock(self, p):
        """Take a lock, hold it, give it back; or first try in vain."""
        name, rnd = f"heap+{64 * self.random.randint(1, 2)}", self.random
        held = self.locks.get(name)  # (from, to): the last hold
        if held and held[0] <= p.clock < held[1] and rnd.random() < .6:
            start = p.clock
            p.clock = min(held[1], start + self.time())
            self.emit(p, start, p.clock, "shmem_test_lock", f"object={name} success=0")
            p.clock += self.time()
        if held and held[1] is None:
            return
        until = held[1] if held else 0
        if rnd.random() < .2 and p.clock >= until:
            self.call(p, "shmem_test_lock", f"object={name} success=1", until=until)
        else:
            self.call(p, "shmem_set_lock", f"object={name}", until=until)
        took = p.clock
        self.compute(p)
        start = p.clock
        self.call(p, "shmem_clear_lock", f"object={name}")
        self.locks[name] = (took, rnd.randint(start, p.clock))

    def step_access(self, p):
        rnd = self.random
        what = rnd.choice(("SHMEM_PUT", "SHMEM_GET", "SHMEM_P/shmem_long_p", "SHMEM_ATOMIC", "SHMEM_ATOMIC_FETCH",
                           "SHMEM_PUT_NBI", "SHMEM_GET_NBI", "SHMEM_ATOMIC_FETCH_NBI",
                           "SHMEM_ATOMIC_FETCH_NBI/shmem_long_atomic_fetch_nbi"))
        size = 8 if what.startswith(("SHMEM_P/", "SHMEM_A")) else rnd.choice((8, 64, 256, 257, 4096))
        self.call(p, what, f"peer={rnd.randrange(self.ranks)} object=heap+{1024 + 8 * rnd.randint(0, 30)} bytes={size} "
                  f"context={self.context(p)}")

    def context(self, p):
        return self.random.choice([0, 0] + self.contexts.setdefault(p.process, []))

    def step_context(self, p):
        """Make one, or end one."""
        mine = self.contexts.setdefault(p.process, [])
        if mine and self.random.random() < .5:
            self.call(p, "shmem_ctx_destroy", f"context={mine.pop()}")
        else:
            self.last_context += 1
            made = self.random.random() < .9
            self.call(p, "shmem_ctx_create", f"context={self.last_context if made else 0} success={int(made)}")
            mine += [self.last_context] * made

    def step_memory(self, p):
        """By all, mostly; or by one, whose log does not tell which instance it is."""
        what, values = self.random.choice((
            ("shmem_malloc", "bytes=64"), ("shmem_malloc", "bytes=0"), ("shmem_free", "address=heap+64"),
            ("shmem_free", "address=0"), ("shmem_realloc", "old_address=heap+64 bytes=0"),
            ("shmem_realloc", "old_address=0 bytes=0"), ("shmem_finalize", "")))
        if self.random.random() < .3:
            self.call(p, what, f"{values} team=0 sequence=0")
            return
        number, until = self.next_of_all(), max(q.clock for q in self.p)
        for q in self.p:
            self.call(q, what, f"{values} {number}", until=until if self.random.random() < .95 else 0)

    def next_of_all(self):
        self.sequence["world"] = self.sequence.get("world", -1) + 1
        return f"team=world sequence={self.sequence['world']}"

    def step_burst(self, p):
        """Many small accesses of one line."""
        rnd = self.random
        what, count = rnd.choice(("SHMEM_G/shmem_long_g", "SHMEM_P/shmem_long_p")), rnd.randint(10, 40)
        stride, peers = rnd.choice((0, 8, 8, 16, -8)), rnd.randint(1, self.n)
        at = {}
        for i in range(count):
            peer = (p.rank + i) % peers
            at[peer] = at.get(peer, 5000) + (stride if rnd.random() < .99 else 24)
            self.call(p, what, f"peer={peer} object=heap+{at[peer]} bytes=8")
            if rnd.random() < .02:
                self.step_memory(p)

    def step_synchronize(self, p):
        self.call(p, self.random.choice(("shmem_quiet", "shmem_fence")))

    def step_reread(self, p):
        """Look at a few words again and again; now and then something else between."""
        rnd, peer = self.random, self.random.randrange(self.n)
        words = [4096] * 20 + [4100, 4104]
        for _ in range(rnd.randint(2, 30)):
            self.line = rnd.choice((1,) * 9 + (2,))
            at, way = f"peer={peer} object=heap+{rnd.choice(words)} bytes=", rnd.random()
            if way < .86:
                self.call(p, rnd.choice(("SHMEM_G/shmem_long_g",) * 9 + ("SHMEM_ATOMIC_FETCH/shmem_long_atomic_fetch",)),
                          at + "8")
            elif way < .88:
                self.call(p, "SHMEM_IPUT", f"peer={peer} object=heap+{rnd.choice(words) - 16} " + self.strided())
            elif way < .91:
                self.call(p, rnd.choice(("SHMEM_PUT", "SHMEM_ATOMIC", "SHMEM_PUT_NBI",
                                         "SHMEM_ATOMIC_FETCH/shmem_long_atomic_swap")), at + "4")
            elif way < .94:
                self.call(p, rnd.choice(("SHMEM_GET", "SHMEM_GET_NBI")), at + "4")
            elif way < .97:
                self.call(p, "SHMEM_G/shmem_long_g", f"peer={p.rank} object=heap+4096 bytes=8")
            elif way < .98:
                self.step_memory(p)
            else:
                self.call(p, "shmem_fence")
        self.line = 0

    def strided(self):
        rnd = self.random
        size, count = rnd.choice((2, 4, 8)), rnd.randint(0, 6)
        return (f"bytes={size * count} element_bytes={size} elements={count} target_stride={rnd.choice((-1, 0, 1, 2, 3, 4))} "
                "source_stride=1")

    def write_word(self, p, q, word):
        """q writes to a word of p's, or near it, or elsewhere; returns when it began."""
        rnd, start = self.random, q.clock
        at = word + rnd.choice((0, 0, 0, -8, 8))
        values = f"peer={rnd.choice((p.process, p.process, p.process, q.process))} object=heap+"
        way, near = rnd.random(), rnd.choice((0, 0, 0, 4, -4))
        if way < .3:
            self.call(q, "SHMEM_IPUT", f"{values}{at + rnd.choice((-24, -4, 0, 24))} {self.strided()}")
        elif way < .5:
            signal = rnd.choice((f"heap+{at + near}", f"heap+{at + near}", "0x40"))
            self.call(q, rnd.choice(("SHMEM_PUT_SIGNAL", "SHMEM_PUT_SIGNAL_NBI")), f"{values}{word - 64 + rnd.choice((0, 0, 56))} "
                      f"bytes={rnd.choice((0, 8, 64))} signal={signal} signal_value=1 context={self.context(q)}")
        else:
            self.call(q, rnd.choice(("SHMEM_PUT", "SHMEM_ATOMIC", "SHMEM_PUT_NBI", "SHMEM_ATOMIC_FETCH",
                                     "SHMEM_ATOMIC_FETCH/shmem_long_atomic_swap")),
                      f"{values}{at + near} bytes={rnd.choice((4, 8, 8, 16, 24))}")
        return start

    def step_signal(self, p):
        """p waits for a word; others write there before, in time, and elsewhere."""
        rnd, word = self.random, 512 + 8 * self.random.randint(0, 3)
        writers = [q for q in (rnd.choice(self.p) for _ in range(rnd.randint(0, 3))) if q is not p]
        until = max([self.write_word(p, q, word) for q in writers], default=0)
        slow = rnd.choice((0, 0, 4 * self.short))
        what = rnd.choice(("shmem_wait_until", "shmem_wait_until", "shmem_test"))
        fails = f" success={rnd.randint(0, 1)}" * (what == "shmem_test")
        self.call(p, what, f"object=heap+{word} value=1 "
                  f"element_bytes={rnd.choice((8, 8, 8, 4, 2))}" + fails,
                  until=until + slow if rnd.random() < .9 else 0)

    def step_signals(self, p):
        """Threads of one process, mostly, wait for words of arrays again and again."""
        for _ in range(self.random.choice((1, 3, 6))):
            self.wait_for_several(p)
            p = self.random.choice([q for q in self.p if q.process == p.process] * 5 + self.p)

    def wait_for_several(self, p):
        """p waits for words of an array: all, any, some; but for some of them."""
        rnd, size = self.random, self.random.choice((8, 8, 8, 4))
        base, n = 512 + size * rnd.randint(-2, 3), rnd.choice((0, 1, 2, 4, 8, 8))
        looked = [i for i in range(n) if rnd.random() < .8] if rnd.random() < .5 else list(range(n))
        words = rnd.sample(looked, rnd.randint(0, len(looked)))
        until = max([self.write_word(p, q, base + size * i) for i in words
                     for q in rnd.sample(self.p, rnd.randint(0, min(2, self.n))) if q is not p], default=0)
        kind, test = rnd.choice(("ALL", "ANY", "SOME", "SOME")), rnd.random() < .4
        values = f"object=heap+{base} value=1 element_bytes={size} elements={n} left_out={n - len(looked)}"
        come, notes = words if rnd.random() < .9 else [], []
        if kind == "ALL":
            notes = runs_of(looked, rnd) * (len(looked) < n)
        elif kind == "ANY":
            values += f" index={rnd.choice(come) if come else -1}"
        else:
            values += f" indices={len(come) + (rnd.random() < .1)}"
            notes = runs_of(come, rnd)
        if test:
            values += f" success={int(bool(come)) if kind != 'ALL' else rnd.randint(0, 1)}"
        self.call(p, f"SHMEM_{'TEST' if test else 'WAIT_UNTIL'}_{kind}", values,
                  until=until + rnd.choice((0, 0, 4 * self.short)) if rnd.random() < .9 else 0, notes=notes)

    def step_starve(self, p):
        """Accesses while the target is inside its runtime, and others that end when it calls."""
        rnd, q = self.random, self.other(p)
        if q is p or rnd.random() < .3:
            return
        self.line, what = 1, rnd.choice(("SHMEM_G/shmem_long_g", "SHMEM_PUT", "SHMEM_ATOMIC_FETCH"))
        values = f"peer={q.rank} object=heap+8192 bytes=512"
        start = max(p.clock, q.clock)
        q.clock = max(q.clock, start - self.short)
        p.clock = start
        for _ in range(rnd.randint(28, 34)):
            self.call(p, what, values)
        self.call(q, "shmem_quiet", until=p.clock)
        for _ in range(rnd.randint(29, 60)):
            p.clock = max(p.clock, q.clock + (rnd.random() < .1) * self.time())
            q.clock = p.clock + 3 * self.short * rnd.randint(0, 1) + self.time()
            self.call(p, what, values, until=q.clock)
            self.call(q, "shmem_quiet")
        self.line = 0

    def step_by_hand(self, p):
        """One puts to all others, who wait for it, or nearly so."""
        rnd, what = self.random, self.random.choice(("SHMEM_PUT", "SHMEM_GET"))
        self.line = 1
        self.call(p, "shmem_quiet")
        p.clock = max([p.clock] + [q.clock - rnd.choice((0, self.short)) for q in self.p])
        for q in self.p:
            if q is not p and rnd.random() < .97:
                self.call(p, what, f"peer={q.rank} object=heap+16384 bytes={8 if rnd.random() < .97 else 16}")
        self.line = 0
        self.barrier("shmem_barrier")

    def step_barrier(self, p):
        self.barrier(self.random.choice(("shmem_barrier", "SHMEM_SYNC", "SHMEM_TO_ALL")))
        while self.random.random() < .4:  # another one; it may be needed
            q = self.random.choice(self.p)
            if self.random.random() < .4:
                self.call(q, *self.random.choice((
                    ("SHMEM_PUT", f"peer={q.rank} object=heap bytes=8"), ("shmem_quiet", ""),
                    ("SHMEM_G/shmem_long_g", f"peer={self.random.randrange(self.n)} object=heap bytes=8"))))
            elif self.random.random() < .3:
                q.clock += self.random.choice((4000, 4999, 5000, 5001))
            self.barrier(self.random.choice(("shmem_barrier", "SHMEM_SYNC")))

    def barrier(self, what):
        values, until = self.next_of_all(), max(q.clock for q in self.p)
        for q in self.p:
            self.call(q, what, values + (" bytes=8" if what == "SHMEM_TO_ALL" else ""), until=until)


class Threads(Shmem):
    """Processes of two threads: each completes what the other began."""

    step_barrier = step_by_hand = None

    def __init__(self, seed, large=False):
        super().__init__(seed, large)
        self.ranks = (self.n + 1) // 2
        for p in self.p:
            p.process, p.number = divmod(p.rank, 2)

    def next_of_all(self):
        """Both threads of a process would be in it."""
        return "team=0 sequence=0"


class Upc(Machine):
    def __init__(self, seed, large=False):
        super().__init__(seed, large)
        self.handles = {}
        self.numbers = self.random.choice(((16, 2, 1, 32, 8, 4), (0, 2, 1, 0, 8, 4), (1, 2, 4, 8, 16, 32)))
        if self.random.random() < .8:
            self.meta = " ".join(map(str, self.numbers))
        self.head += ['op put_nbi type=put_nb model=UPC start="target_thread:i bytes:z"',
                      "op synci type=nb_sync model=UPC",
                      'op synci_attempt type=nb_test model=UPC end="success:i"']

    def step_non_blocking(self, p):
        """Handles are few, come again, and hold several."""
        rnd, size = self.random, self.random.choice((0, 4, 8, 300))
        what = rnd.choice(("UPC_NB_GET_INIT", "UPC_NB_PUT_INIT", "BUPC_NB_MEMCPY_INIT", "put_nbi"))
        handle = rnd.choice((0, 1, 2, 3, 3))
        values = {"UPC_NB_GET_INIT": "source=0x40 source_thread=0", "put_nbi": "target_thread=0"}.get(
            what, "target=0x40 target_thread=0")
        if what in ("UPC_NB_GET_INIT", "UPC_NB_PUT_INIT"):
            values += f" relaxed={int(rnd.random() < .8)}"
        self.call(p, what, f"{values} bytes={size}" + ("" if what == "put_nbi" else f" handle={handle}"))
        if what != "put_nbi" and handle:
            self.handles.setdefault(p.rank, []).append((handle, p.clock))

    def step_sync(self, p):
        rnd, open_ones = self.random, self.handles.setdefault(p.rank, [])
        if rnd.random() < .3:
            self.call(p, *rnd.choice((("synci",), ("synci_attempt", "success=0"), ("synci_attempt", "success=1"))))
            return
        handle = rnd.choice(open_ones)[0] if open_ones else rnd.choice((1, 2))
        if rnd.random() < .3 and p.clock >= p.data_until:
            self.call(p, "UPC_NB_GET_DATA", f"handle={handle}")
            p.data_until = p.clock
            p.clock -= rnd.randint(0, p.clock - p.lines[-1][0])  # it goes on while the thread does other things
            return
        done = rnd.random() < .7
        if rnd.random() < .5:
            self.call(p, "bupc_trysync", f"handle={handle} success={int(done)}")
        else:
            self.call(p, "UPC_NB_SYNC", f"handle={handle}")

    def step_barrier(self, _):
        rnd = self.random
        split = {q: rnd.random() < .6 for q in self.p}
        first = {q: q.clock for q in self.p}
        ready = max(first.values())
        ends = [ready]
        for q in self.p:
            if split[q]:
                self.call(q, "upc_notify")
                ends.append(q.clock)
        for q in self.p:
            if split[q]:
                self.compute(q)
                self.call(q, "upc_wait", until=ready if rnd.random() < .5 else max(ends))
            else:
                self.call(q, "upc_barrier", until=ready if rnd.random() < .5 else max(ends))

    def step_collective(self, p):
        """Flags say who needs whom."""
        rnd, sync = self.random, self.random.choice(("all", "my", "my", "no"))
        what, role = rnd.choice((("upc_all_broadcast", "from"), ("upc_all_scatter", "from"), ("upc_all_gather", "to"),
                                 ("upc_all_gather_all", "all"), ("upc_all_permute", "free"), ("upc_all_reduce", "to"),
                                 ("upc_all_prefix_reduce", "before")))
        numbers, root = self.numbers, rnd.choice(self.p)
        flags = {"all": rnd.choice((numbers[0] | numbers[3], numbers[1] | numbers[3], numbers[0] | numbers[4])),
                 "my": numbers[1] | rnd.choice(numbers[4:]), "no": numbers[2] | rnd.choice(numbers[4:])}[sync]
        side, first = "source" if role == "from" else "target", rnd.choice((0, 0, p.rank))
        values = f"flags={flags} " + (f"source_thread={first} target_thread={root.rank} elements={rnd.choice((3, 8, 16))} "
                                      f"block_elements={rnd.randint(0, 4)}" if "reduce" in what else
                                      f"{side}_thread={root.rank} bytes={rnd.choice((0, 8, 8, 8))}")
        enters = {q: q.clock for q in self.p}
        for i, q in enumerate(self.p):
            ready = {"from": enters[root], "to": max(enters.values()) if q is root else 0, "free": 0,
                     "all": max(enters.values()), "before": max(enters[o] for o in self.p[:i + 1])}[role]
            until = {"all": max(enters.values()), "no": 0, "my": ready}[sync]
            self.call(q, what, values, until=until)

    def step_lock(self, p):
        name = f"0x{0x7000 + self.random.randint(1, 2) * 64:x}"
        held, rnd = self.locks.get(name, 0), self.random
        if p.clock < held and rnd.random() < .3:
            start = p.clock
            p.clock = min(held, start + self.time())
            self.emit(p, start, p.clock, "upc_lock_attempt", f"object={name} success=0")
        if rnd.random() < .2 and p.clock >= held:
            self.call(p, "upc_lock_attempt", f"object={name} success=1")
        else:
            self.call(p, "upc_lock", f"object={name}", until=held)
        self.compute(p)
        start = p.clock
        if rnd.random() < .95:
            self.call(p, "upc_unlock", f"object={name}")
        self.locks[name] = rnd.randint(start, p.clock)
        if rnd.random() < .1:  # the next one is another lock, of the same pointer
            self.call(p, "upc_lock_free", f"object={name}")
            self.locks[name] = p.clock

    def step_access(self, p):
        rnd, peer = self.random, self.random.randrange(self.n)
        what = rnd.choice(("UPC_GET", "UPC_PUT", "upc_memget", "upc_memput", "upc_memcpy"))
        side = "source" if what in ("UPC_GET", "upc_memget") else "target"
        count, same = rnd.choice((1, 20)), rnd.random() < .3
        where, step = rnd.randrange(4) * 8, rnd.choice((0, 4, 8, -8, 24, 1 << 40))
        size = rnd.choice((4, 8, 300, 0))
        for _ in range(count):
            where = where if same else 1 << 50 | rnd.randrange(4096) if not step else (where or 1 << 49) + step
            relaxed = f" relaxed={int(rnd.random() < .8)}" if "UPC" in what else ""
            copy = f" source=0x40 source_thread={rnd.randrange(-1, self.n)}" if what == "upc_memcpy" else ""
            self.call(p, what, f"{side}=0x{where:x} {side}_thread={peer} bytes={size or rnd.choice((4, 8, 300))}" +
                      relaxed + copy)

    def step_fence(self, p):
        self.call(p, "upc_fence")


def runs_of(indices, rnd):
    """The lines that tell indices: of those side by side mostly the first and the last."""
    notes, i = [], 0
    indices = sorted(indices)
    while i < len(indices):
        first = i
        while i + 1 < len(indices) and indices[i + 1] == indices[i] + 1 and rnd.random() < .9:
            i += 1
        notes.append(f"argument index={indices[first]}")
        if i > first or rnd.random() < .1:
            notes.append(f"argument index_last={indices[i]}")
        i += 1
    return notes


# --- every dialect --------------------------------------------------------------------------------------------------


def enter_function(m, p, what):
    """Those of one name end the other way round as they began; others may cross."""
    p.functions.append(m.emit(p, p.clock, None, what))
    names = [f[2].split()[3] for f in p.functions[-2:]]
    if m.random.random() < .3 and len(set(names)) > 1:  # the next to end is not the last begun
        p.functions[-1], p.functions[-2] = p.functions[-2], p.functions[-1]


def leave_function(p):
    p.functions.pop()[1] = p.clock


def step_function(m, p):
    """Enter a function of the user's, or leave one."""
    rnd = m.random
    if rnd.random() < .2:
        m.call(p, "C_FUNC/leaf")
    elif p.functions and rnd.random() < .5:
        leave_function(p)
    elif len(p.functions) < 5:
        enter_function(m, p, rnd.choice(("C_FUNC", "C_FUNC/work", "user:phase", "upc_forall")))
    m.compute(p)


def step_nested(m, p):
    """A runtime call with one of its own in it, or a user's function; one may be left in it, or go on after it."""
    rnd = m.random
    outer = m.emit(p, p.clock, None, rnd.choice(("malloc", "free", "MPI_Alloc_mem")))
    p.clock += m.time()
    m.call(p, rnd.choice(("C_FUNC/callback", "realloc", "MPI_Send")))
    if p.functions and rnd.random() < .3:
        leave_function(p)
    elif rnd.random() < .3:
        enter_function(m, p, "C_FUNC/late")
    p.clock += m.time()
    outer[1] = p.clock
    m.compute(p)


def place_for(m, blocks):
    """An address; mostly a free one, and soon the same again."""
    free = [a for a in range(0x1000, 0x1000 + 64 * 16, 64) if a not in blocks]
    return 0x1000 if m.random.random() < .03 or not free else m.random.choice(free[:3])


def step_memory(m, p):
    """Private memory: allocate, change, free; now and then nothing, or what is not there."""
    rnd, way, size = m.random, m.random.random(), m.random.choice((0, 8, 100, 1000))
    if way < .5 or not p.blocks:
        at = place_for(m, p.blocks) if rnd.random() < .9 else 0
        m.call(p, "malloc", f"bytes={size} address={at}")
        p.blocks |= {at} - {0}
    elif way < .65:
        old, at = rnd.choice(sorted(p.blocks)), place_for(m, p.blocks) if rnd.random() < .8 else 0
        m.call(p, "realloc", f"old_address={old} bytes={size} address={at}")
        if at:
            p.blocks = p.blocks - {old} | {at}
    else:
        at = rnd.choice(sorted(p.blocks)) if rnd.random() < .9 else rnd.choice((0, 0x9999))
        m.call(p, "free", f"address={at}")
        p.blocks.discard(at)


def step_symmetric(m, _):
    """OpenSHMEM: all allocate, or free, a block each."""
    size, at = 8 * m.random.randint(1, 4), 64 * m.random.randint(1, 4)
    number = m.next_of_all()
    for p in m.p:
        if at in p.symmetric:
            m.call(p, "shmem_free", f"address={0x100000 * (p.rank + 1) + at} {number}")
            p.symmetric.discard(at)
        else:
            m.call(p, "shmem_malloc", f"bytes={size} address={0x100000 * (p.rank + 1) + at} {number}")
            p.symmetric.add(at)


def step_shared(m, p):
    """UPC: shared memory by one, for one or all; by all together; freed by any."""
    rnd, way = m.random, m.random.random()
    if m.shared and way < .4:
        at = rnd.choice(sorted(m.shared))
        if p.clock >= m.shared[at]:
            m.call(p, "upc_free", f"address={at}")
            del m.shared[at]
        return
    at, sizes = place_for(m, m.shared), f"blocks={rnd.randint(1, 7)} block_bytes={rnd.choice((1, 8))}"
    if way < .6:
        m.call(p, "upc_alloc", f"bytes={rnd.randint(1, 99)} address={at}")
    elif way < .8:
        m.call(p, "upc_global_alloc", f"{sizes} address={at}")
    else:
        until = max(q.clock for q in m.p) if rnd.random() < .7 else 0
        for q in m.p:
            m.call(q, "upc_all_alloc", f"{sizes} address={at}", until=until)
    m.shared[at] = p.clock


def step_tool(m, p):
    start = p.clock = max(p.clock, p.data_until)  # it records nothing meanwhile
    p.clock += m.time()
    if p.clock > start:
        p.lines.append([start, p.clock, f"thread {p.rank} tool", [], {}])


def machine(seed, large):
    rnd = random.Random(seed)
    kind = rnd.choice((Mpi, Mpi, Shmem, Threads, Upc, Upc))
    m = kind(seed, large)
    if kind is Mpi:
        m.head += [f"team w{i} ordinal={20 + i} kind=window members=0..{m.n - 1}" for i in (1, 2)]
    if kind is Mpi and m.n > 1:
        for i in range(rnd.randint(0, 2)):
            members = sorted(rnd.sample(range(m.n), rnd.randint(1, m.n)))
            m.teams[f"t{i}"] = members
            m.head.append(f"team t{i} ordinal={i} members={','.join(map(str, members))}")
        if rnd.random() < .5:
            both = rnd.sample(range(m.n), rnd.randint(2, m.n))
            cut = rnd.randint(1, len(both) - 1)
            m.inter = {"i": (both[:cut], both[cut:])}
            m.head.append(f"team i ordinal=9 kind=inter members={','.join(map(str, both[:cut]))} "
                          f"remote={','.join(map(str, both[cut:]))}")
            if rnd.random() < .5:
                m.inter["d"] = both[:cut], both[cut:]
                m.head.append(m.head[-1].replace("team i ordinal=9 kind=inter", "team d kind=dup parent=i"))
    if isinstance(m, Shmem):
        m.head.append("segment heap")
    steps = [getattr(m, s) for s in sorted(dir(m)) if s.startswith("step_") and getattr(m, s)]
    common = [lambda p: step_function(m, p), lambda p: step_nested(m, p), lambda p: step_tool(m, p), m.compute,
              lambda p: step_memory(m, p), lambda p: step_memory(m, p)]
    if kind is not Mpi:
        common += [lambda p: (step_shared if kind is Upc else step_symmetric)(m, p)] * 2
    locks = m.step_window_lock if kind is Mpi else m.step_lock
    m.gaps, counts = (3, (40, 100, 200)) if large else (1, (3, 10, 40))
    if rnd.random() < .2:  # little but locks: what goes missing lies between takes and releases
        steps, m.gaps, counts = [locks] * 10 * len(steps) + steps, 5, (40, 100)
    first, last = {Mpi: ("MPI_Init", "MPI_Finalize"), Shmem: ("shmem_init", "shmem_finalize"),
                   Threads: ("shmem_init", "shmem_finalize"), Upc: (None, "exit")}[kind]
    if first and rnd.random() < .5:
        for p in m.p:
            m.call(p, first)
    for _ in range(rnd.choice(counts)):
        rnd.choice(steps * 2 + common)(rnd.choice(m.p))
    if kind is Mpi:
        for p in m.p:
            while p.pending and rnd.random() < .97:
                m.step_wait(p)
    if rnd.random() < .5:
        number = m.next_of_all() if last == "shmem_finalize" else ""
        for p in m.p:
            m.call(p, last, number)
    return m


# --- what goes missing ----------------------------------------------------------------------------------------------


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
    if not last or any(x[2].split()[-1] in ("off", "tool") for x in last + around):
        return
    p.lines = [x for x in p.lines if x[0] < at or x in last + around]
    for x in last + around:
        if "MPI_Wait" in x[2] and x in last:
            x[2] += f" requests={max(1, len(x[3]) - rnd.randint(0, 1))}"
        x[1], x[3] = None, [n for n in x[3] if n.startswith("argument")]


def text_of(line):
    start, end, rest, notes, _ = line
    return "\n".join([f"at {start}..{'' if end is None else end} {rest}"] + ["  " + n for n in notes])


def random_script(seed, large=False):
    """large: more threads and calls, and whatever may go missing together."""
    rnd = random.Random(seed * 7919 + 1)
    m = machine(seed, large)
    model = {Mpi: "MPI", Shmem: "OpenSHMEM", Threads: "OpenSHMEM", Upc: "UPC"}[type(m)]
    head = [f"# seed {seed}", f"ranks {m.ranks}"]
    skewed = rnd.random() < .15
    if skewed:
        head += [f"host h{i} boot={rnd.randint(0, 9999)} skew={rnd.randint(-m.short, m.short)} "
                 f"error={rnd.randint(0, m.short // 2)}" for i in range(2)]
    missing = {rnd.randrange(m.n)} if m.n > 1 and rnd.random() < .15 and m.n == m.ranks else set()
    if large and m.n == m.ranks:
        missing |= set(rnd.sample(range(m.n), rnd.choice((0, 0, 1, 2, 3))))
    body = []
    for p in m.p:
        end = max([p.clock] + [x[1] for x in p.lines if x[1] is not None])
        words = f"thread {p.rank} model={model}" + (f" host=h{p.process % 2}" if skewed else "")
        if m.n != m.ranks or p.number:
            words += f" rank={p.process} number={p.number}"
        if p.rank in missing:
            head.append(words + " missing")
            continue
        if rnd.random() < (.25 if large else .1):
            words += f" cut={rnd.randint(0, end)}"
        elif rnd.random() < .8:
            words += f" to={end + rnd.randint(0, 5)}"
        head.append(words + (" from=0" if rnd.random() < .7 else ""))
        if m.meta:
            head.append(f'meta {p.rank} upc_sync_flags "{m.meta}"')
        if isinstance(m, Mpi) and rnd.random() < .03:  # lost with a block
            p.lines = [x for x in p.lines if "_init " not in x[2]]
        for _ in range(m.gaps):
            off = rnd.random() < .3
            if off:
                switch_off(rnd, p)
        if (large or not off) and rnd.random() < HANGS:
            hang(rnd, p)
        body += [text_of(x) for x in p.lines]
    return "\n".join(head + m.head + body) + "\n"
