# SPDX-License-Identifier: GPL-3.0-or-later
"""What MPI processes do: messages, windows, collectives."""
from machine import Machine, Pairs

COLLECTIVES = (("MPI_Barrier", "barrier"), ("MPI_Bcast", "from"), ("MPI_Scatter", "from"), ("MPI_Gather", "to"),
               ("MPI_Reduce", "to"), ("MPI_Allreduce", "all"), ("MPI_Alltoall", "all"), ("MPI_Alltoallv", "free"),
               ("MPI_Scan", "scan"), ("MPI_Comm_create/MPI_Comm_dup", "all"), ("MPI_Neighbor_alltoall", "free"))
STARTED = {"MPI_Barrier": "MPI_Ibarrier", "MPI_Bcast": "MPI_Ibcast", "MPI_Gather": "MPI_Igather",
           "MPI_Allreduce": "MPI_Iallreduce", "MPI_Scan": "MPI_Iscan",
           "MPI_Neighbor_alltoall": "MPI_Ineighbor_alltoall"}


class Mpi(Machine):
    first, last, model = "MPI_Init", "MPI_Finalize", "MPI"
    inter = {}
    graphs = {}  # teams with a topology: by member, from whom it receives

    def __init__(self, seed, large=False):
        super().__init__(seed, large)
        self.probed = []  # messages: (process, values, what came, when others may receive it)
        self.kept = set()  # windows with a lock that is never given back
        self.repeated = []  # persistent messages: (sender, receiver, their requests, team, tag, size), and how many starts

    def team_of(self, *processes):
        names = [t for t, members in self.teams.items() if all(p.process in members for p in processes)]
        return self.random.choice(names)

    def message_values(self, s, r):
        rnd = self.random
        team, tag, size = self.team_of(s, r), rnd.randint(0, 1), rnd.choice((0, 8, 8, 100))
        asked = f"posted_peer={rnd.choice((s.process, -1))} posted_tag={rnd.choice((tag, -1))}"
        return team, tag, size, asked

    def new_request(self, p):
        self.requests[p.process] = self.requests.get(p.process, 0) + 1
        return self.requests[p.process]

    def look(self, p, what, values, ready):
        """In vain, again and again, until that time perhaps; something else may come between."""
        rnd = self.random
        for _ in range(rnd.choice((0, 1, 4))):
            if p.clock < ready:
                self.call(p, what, values + " success=0", until=rnd.choice((0, 0, rnd.randint(p.clock, ready))))
                if rnd.random() < .1:
                    self.call(p, "MPI_Win_flush", "window=1 peer=-1")
                if rnd.random() < .5:
                    self.compute(p)
        p.clock = max(p.clock, ready - rnd.choice((0, 0, self.time())))

    def open(self, p, request, ready, words):
        """It completes at that time at the earliest; another thread that does so comes after this one."""
        p.pending.append((request, ready, words, p.clock + (self.n > self.ranks)))

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
        values = f"peer={r.process} tag={tag} bytes={size} team={team}"
        way = self.random.random()
        if way < .5:  # may wait for the receiver, who may yet be far behind
            self.call(s, "MPI_Send", values, until=r.clock if self.random.random() < .5 else 0)
        elif way < .9:
            request = self.new_request(s)
            self.call(s, "MPI_Isend", values + f" request={request}")
            self.open(s, request, r.clock if self.random.random() < .5 else 0, "")
        else:
            request = self.new_request(s)
            self.call(s, "MPI_Send_init", values + f" request={request}")
            self.call(s, "MPI_Start", notes=[f"started {request} 1"])
            self.open(s, request, 0, "")

    def receive(self, r, s, team, tag, limit, came, error, asked, sent):
        got = f"peer={s.process} tag={tag} bytes={came}" + (f" error={error}" if error else "")
        values = f"{asked} limit={limit} team={team}"
        way = self.random.random()
        if way < .4:
            self.call(r, "MPI_Recv", f"{values} {got}", until=sent)
        elif way < .7:
            request = self.new_request(r)
            self.call(r, "MPI_Irecv", f"{values} request={request}")
            self.open(r, request, sent, f"receive {got}")
        elif way < .8:
            request = self.new_request(r)
            self.call(r, "MPI_Recv_init", f"{values} request={request}")
            self.call(r, "MPI_Start", notes=[f"started {request} 1"])
            self.open(r, request, sent, f"receive {got}")
        elif way < .9:
            self.probe(r, "MPI_Probe", f"{asked} team={team}", sent, f"probed 0 {got.split(' error')[0]}")
            self.call(r, "MPI_Recv", f"posted_peer={s.process} posted_tag={tag} limit={limit} team={team} {got}")
        else:
            self.message += 1
            message = self.message
            self.probe(r, "MPI_Probe/MPI_Mprobe", f"{asked} team={team}", sent, f"probed {message} {got.split(' error')[0]}")
            self.probed.append((r.process, f"message={message} {values}", got, r.clock + (self.n > self.ranks)))
            if self.random.random() < .7:
                self.step_receive_probed(r)

    def step_receive_probed(self, r):
        """One that a thread of the process has probed."""
        seen = [x for x in self.probed if x[0] == r.process]
        if not seen:
            return
        chosen = self.random.choice(seen)
        self.probed.remove(chosen)
        _, values, got, since = chosen
        r.clock = max(r.clock, since)
        if self.random.random() < .5:
            self.call(r, "MPI_Mrecv", f"{values} {got}")
        else:
            request = self.new_request(r)
            self.call(r, "MPI_Imrecv", f"{values} request={request}")
            self.open(r, request, 0, f"receive {got}")

    def probe(self, r, what, values, sent, note):
        if self.random.random() < .5:
            what = {"MPI_Probe": "MPI_Iprobe"}.get(what, "MPI_Iprobe/MPI_Improbe")
            self.look(r, what, values, sent)
        self.call(r, what, values, until=sent, notes=[note])

    # --- persistent messages ------------------------------------------------------------------------------------

    def make_repeated(self, s, r):
        rnd, (team, tag, size, _) = self.random, self.message_values(s, r)
        tag += 20  # the j-th start here is the j-th there
        channel, asked = f"peer={s.process} tag={tag} bytes={size}", rnd.choice((s.process, -1))
        self.repeated.append([
            self.make(s, "MPI_Send_init", f"peer={r.process} tag={tag} bytes={size} team={team}", "",
                      f"peer={r.process} tag={tag} bytes={size} team={team}"),
            self.make(r, "MPI_Recv_init", f"posted_peer={asked} posted_tag={tag} limit={size} team={team}", f"receive {channel}",
                      f"receive peer={asked} tag={tag} bytes={size} team={team}"), 0])

    def make(self, p, what, values, words, told):
        """A persistent request: the process, its number, who made it, what completes it, what a thread that did not tells."""
        request = self.new_request(p)
        self.call(p, what, f"{values} request={request}")
        self.done[p.process, "request", request] = p.clock + (self.n > self.ranks)
        return p.process, request, {p.rank}, words, told

    def idle(self, side):
        return all(x[0] != side[1] for p in self.p if p.process == side[0] for x in p.pending)

    def start(self, sides, numbers):
        """A thread starts some; it comes after those that completed them before."""
        p = self.of(sides[0][0])
        p.clock = max([p.clock] + [self.done[side[0], "request", side[1]] for side in sides])
        notes = []
        for (_, request, known, _, told), number in zip(sides, numbers):
            notes += [f"made {request} {told}"] * (p.rank not in known) + [f"started {request} {number}"]
            known.add(p.rank)
        return p, self.call(p, "MPI_Start", f"requests={len(sides)}", notes=notes)[0]

    def step_repeated(self, p):
        """Started and completed again and again, several at once."""
        rnd, q = self.random, self.other(p)
        if q.process == p.process:
            return
        if not self.repeated or rnd.random() < .3:
            self.make_repeated(p, q)
        chosen = [x for x in self.repeated if self.idle(x[0]) and self.idle(x[1])]
        chosen = rnd.sample(chosen, min(len(chosen), rnd.randint(1, 3)))
        of, begun = {}, {}
        for x in chosen:
            x[2] += 1
            for side in x[:2]:
                of.setdefault(side[0], []).append((side, x[2]))
        for process, sides in of.items():
            begun[process] = self.start([side for side, _ in sides], [number for _, number in sides])
        for x in chosen:
            for side, other in (x[:2], x[1::-1]):
                until = begun[other[0]][1] if side[3] or rnd.random() < .5 else 0
                self.open(begun[side[0]][0], side[1], until, side[3])

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
            self.receive(r, s, "world", tag, 8, 8, 0, f"posted_peer={s.process} posted_tag={rnd.choice((tag, -1))}", when)

    def step_exchange(self, a):
        """Both send and receive in one call each."""
        b = self.other(a)
        if a is b:
            return
        team, tag = self.team_of(a, b), self.random.randint(0, 1)
        starts = a.clock, b.clock
        for me, it, sent in ((a, b, starts[1]), (b, a, starts[0])):
            self.call(me, "MPI_Sendrecv", f"peer={it.process} tag={tag} bytes={8 * (me.process + 1)} posted_peer={it.process} "
                      f"posted_tag=-1 limit=100 team={team} receive_peer={it.process} receive_tag={tag} "
                      f"bytes_received={8 * (it.process + 1)}", until=sent)

    def step_wait(self, p):
        """Complete some of what is pending."""
        if self.random.random() < .1:
            self.call(p, "MPI_Test", f"success={self.random.randint(0, 1)}")  # nothing was complete
        if p.pending:
            self.complete(p, self.random.sample(p.pending, self.random.randint(1, min(3, len(p.pending)))))

    def complete(self, p, chosen):
        """Of what is pending these, in one call."""
        rnd = self.random
        p.pending[:] = [x for x in p.pending if x not in chosen]
        p.clock = max([p.clock] + [x[3] for x in chosen])
        until = max(x[1] for x in chosen)
        what = "MPI_Wait"
        if rnd.random() < .2:
            what = "MPI_Test"
            self.look(p, what, "", until)
        self.call(p, what, until=until, notes=[f"complete {x[0]} index={i} {x[2]}" for i, x in enumerate(chosen)])
        for x in chosen:
            self.done[p.process, "request", x[0]] = p.clock + (self.n > self.ranks)

    def step_odd(self, p):
        """What finds no partner."""
        rnd, q = self.random, self.other(p)
        request, team = self.new_request(p), self.team_of(p)
        way = rnd.randint(0, 6)
        if way == 6 and q is not p:
            self.call(p, "MPI_Isend", f"peer={q.process} tag=3 bytes=9 request={request}")
            self.call(p, "MPI_Cancel", notes=[f"cancel {request}"])
            self.call(p, "MPI_Wait", notes=[f"complete {request}" + rnd.choice((" cancelled", ""))])
        elif way == 0:
            self.call(p, "MPI_Send", f"peer=-1 tag=1 bytes=0 team={team}")
        elif way == 1:
            self.call(p, "MPI_Recv", f"posted_peer=-2 posted_tag=-1 limit=8 team={team} peer=-1 tag=-1 bytes=0")
        elif way == 2 and q is not p:
            self.call(p, "MPI_Irecv", f"posted_peer={rnd.choice((q.process, -1))} posted_tag=1 limit=9 request={request}")
            self.call(p, "MPI_Cancel", notes=[f"cancel {request}"])
            self.call(p, "MPI_Wait", notes=[f"complete {request} receive cancelled"])
        elif way == 3 and q is not p:
            self.call(p, "MPI_Isend", f"peer={q.process} tag=1 bytes=7 request={request}")
            self.call(p, "MPI_Request_free", notes=[f"freed {request}"])
        elif way == 4 and q is not p:
            self.call(p, "MPI_Irecv", f"posted_peer={rnd.choice((q.process, -1))} posted_tag=2 limit=9 request={request}")
        elif q is not p:
            self.call(p, "MPI_Send", f"peer={q.process} tag=2 bytes=11")

    def step_window(self, p):
        """Accesses to two windows, with a request or without, and what completes them."""
        rnd, window = self.random, self.random.randint(1, 2)
        p, = self.in_turn([p.process], window)
        peer, way = rnd.choice((-1, self.other(p).process, rnd.randrange(self.ranks))), rnd.random()
        on = f"window={window} peer={peer}"
        if way < .5:
            what = rnd.choice(("MPI_Put", "MPI_Get", "MPI_Accumulate", "MPI_Get_accumulate"))
            self.call(p, what, f"{on} bytes={rnd.choice((0, 8, 100))}")
        elif way < .6:
            request = self.new_request(p)
            self.call(p, rnd.choice(("MPI_Rput", "MPI_Rget")), f"{on} bytes=8 request={request}")
            self.open(p, request, 0, "one-sided")
        elif way < .9:
            self.call(p, rnd.choice(("MPI_Win_flush", "MPI_Win_unlock")), f"{on} completes={rnd.randint(0, 1)}")
        else:
            self.call(p, "MPI_Win_complete", f"window={window} completes=1")
        self.over([p], window)

    def step_window_lock(self, p):
        """Hold a window's lock: it is had in the lock call, or only in a later one."""
        rnd, window = self.random, self.random.randint(1, 2)
        p, = self.in_turn([p.process], window)
        every, exclusive = rnd.random() < .2, rnd.random() < .5
        exclusive = exclusive and not every
        target = rnd.randrange(self.ranks)
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
                          f"window={window} peer={rnd.randrange(self.ranks) if every else target} bytes=8", until=until[1 + i])
            else:
                self.call(p, "MPI_Win_flush", f"window={window} peer={rnd.choice((-1, target))} completes=1", until=until[1 + i])
        self.compute(p)
        start = p.clock
        if rnd.random() < .95:
            self.call(p, unlock, on + f" completes=1 team=w{window}", until=ready if lazy else 0)
        else:
            self.kept.add(window)
        self.window_locks.setdefault((window, -1 if every else target), []).append((exclusive, rnd.randint(start, p.clock)))
        self.over([p], window)

    def group(self, p, role, window, group):
        """Arguments and lines that tell an epoch's group, and which of the process's with these it is."""
        for q in group:
            pair = p.process, role, window, q.process
            self.epochs[pair] = self.epochs.get(pair, 0) + 1
        counts = {self.epochs[p.process, role, window, q.process] for q in group}
        number = counts.pop() if self.numbered and len(counts) == 1 else 0
        values = f"window={window} team=w{window} members={len(group)} epoch={number}"
        ranks = [q.process for q in group]
        if len(ranks) > 2 or self.random.random() < .3:
            return values + " first=-1", [f"argument member={r}" for r in ranks]
        return values + (f" first={ranks[0]} stride={ranks[-1] - ranks[0]}" if ranks else ""), []

    def step_epoch(self, _):
        """Some expose their memory to others, who may have to wait for that, and are waited for."""
        rnd, window = self.random, self.random.randint(1, 2)
        all_of_them = self.in_turn(range(self.ranks), window)
        origins, targets = (rnd.sample(all_of_them, rnd.randint(0, self.ranks)) for _ in range(2))
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
                    self.call(p, rnd.choice(("MPI_Put", "MPI_Get", "MPI_Accumulate")), f"window={window} peer={q.process} bytes=8",
                              until=rnd.choice((0, 0, posted)))
            if rnd.random() < .95:
                completed = max(completed, p.clock)
                self.call(p, "MPI_Win_complete", on + " completes=1", until=posted)
        for p in targets:
            if rnd.random() < .3:
                self.look(p, "MPI_Win_test", on, completed)
                self.call(p, "MPI_Win_test", on + f" success={int(rnd.random() < .8)}", until=completed)
            elif rnd.random() < .95:
                self.call(p, "MPI_Win_wait", on, until=completed)
        self.over(all_of_them, window)

    def step_fence(self, _):
        """All members of a window: each waits for all, or nobody does."""
        window, together = self.random.randint(1, 2), self.random.random() < .7
        if window in self.kept:
            return  # nobody may who holds its lock
        members = self.in_turn(range(self.ranks), window)
        last = max(p.clock for p in members) if together else 0
        head = f"window={window} completes=1 team=w{window} sequence={self.number(f'w{window}')}"
        for p in members:
            self.call(p, "MPI_Win_fence", head, until=last)
        self.over(members, window)

    # --- collectives --------------------------------------------------------------------------------------------

    def number(self, team):
        self.sequence[team] = self.sequence.get(team, -1) + 1
        return self.sequence[team]

    def step_collective(self, p):
        rnd, team = self.random, self.team_of(p)
        members = self.in_turn(self.teams[team], team)
        what, role = rnd.choice(COLLECTIVES)
        started = what in STARTED and rnd.random() < .3
        root = rnd.choice(members)
        enters = {q: q.clock for q in members}
        head = f"team={team} sequence={self.number(team)}"
        empty = {q for q in members if rnd.random() < .15}
        for i, q in enumerate(members):
            self.take_part(q, what, role, started, head, members, enters, root, i, empty)
        self.over(members, team)

    def step_neighbors(self, p):
        """Each needs those that it receives from."""
        rnd, teams = self.random, [t for t in self.graphs if p.process in self.teams[t]]
        if not teams:
            return
        team, started = rnd.choice(teams), rnd.random() < .4
        members = self.in_turn(self.teams[team], team)
        enters = [q.clock for q in members]
        number, what = self.number(team), rnd.choice(("gather", "alltoallv"))
        for q, sources in zip(members, self.graphs[team]):
            sends, gets = rnd.choice((0, 8, 8, 8, 8)), rnd.choice((0, 8, 8, 8, 8))
            ready = max((enters[i] for i in sources), default=0)
            values = f"team={team} sequence={number} bytes={sends} bytes_received={gets}"
            if started:
                request = self.new_request(q)
                self.call(q, f"MPI_INEIGHBOR/MPI_Ineighbor_{what}", f"{values} request={request}")
                self.open(q, request, ready, "collective")
                if rnd.random() < .6:
                    self.complete(q, [q.pending[-1]])
            else:
                self.call(q, f"MPI_NEIGHBOR/MPI_Neighbor_{what}", values, until=ready)
        self.over(members, team)

    def step_persistent(self, p):
        """Made once, started and completed again and again: it synchronizes all, or nobody, whatever it is said to do."""
        rnd, team, together = self.random, self.team_of(p), self.random.random() < .7
        members, number = self.in_turn(self.teams[team], team), self.number(team)
        requests, does = {q: self.new_request(q) for q in members}, rnd.choice((0, 0, 0, *range(1, 10)))
        root = rnd.choice(members).process if 2 <= does <= 5 else -1
        for q in members:
            self.call(q, "MPI_Bcast_init", f"team={team} sequence={number} request={requests[q]} does={does} root={root} "
                      f"bytes={rnd.choice((0, 8, 8))} bytes_received={rnd.choice((0, 8, 8))}")
        starts = rnd.randint(1, 3)
        for start in range(1, starts + 1):
            for q in members:
                self.compute(q)
            ready = max(q.clock for q in members) if together else 0
            for q in members:
                self.call(q, "MPI_Start", notes=[f"started {requests[q]} {start}"])
                self.open(q, requests[q], ready, "collective")
                if start < starts or rnd.random() < .5:
                    self.complete(q, [q.pending[-1]])
        self.over(members, team)

    def step_groups(self, p):
        """A collective of an intercommunicator: who receives needs the other group."""
        rnd, teams = self.random, [t for t, groups in self.inter.items() if p.process in groups[0] + groups[1]]
        if not teams:
            return
        team = rnd.choice(teams)
        what, role = rnd.choice([c for c in COLLECTIVES if c[1] not in ("scan", "free")])
        groups = [self.in_turn(group, team) for group in self.inter[team]]
        enters, side = {q: q.clock for g in groups for q in g}, rnd.randint(0, 1)
        last, root = [max(enters[q] for q in g) for g in groups], rnd.choice(groups[side])
        number, size = self.number(team), rnd.choice((0, 8, 8, 8))
        for k, q in [(k, q) for k in (0, 1) for q in groups[k]]:
            values, ready = f"team={team} sequence={number}", last[1 - k]
            sends, gets = rnd.choice((0, 8, 8)), rnd.choice((0, 8, 8, 8))
            if role in ("from", "to"):
                values += f" root={-1 if k == side and q is not root else root.process}"
                sends, gets = size * ((q is root) == (role == "from")), size * ((q is root) == (role == "to"))
                sends, gets = (0, 0) if k == side and q is not root else (sends, gets)
                ready = (enters[root] if k != side else 0) if role == "from" else last[1 - side] if q is root else 0
            if "Comm" in what:
                ready = max(last)
            elif role != "barrier":
                values += f" bytes={sends} bytes_received={gets}"
            self.call(q, what, values, until=ready)
        self.over(groups[0] + groups[1], team)

    def take_part(self, q, what, role, started, head, members, enters, root, i, empty):
        sends, gets = 0 if q in empty else 8, 0 if self.random.random() < .1 else 8
        ready = {"barrier": max(enters.values()), "all": max(enters.values()), "from": enters[root], "free": 0,
                 "to": max(enters.values()) if q is root else 0,
                 "scan": max(enters[m] for m in members[:i + 1])}[role]
        values = head
        if role in ("from", "to"):
            values += f" root={root.process}"
        if role not in ("barrier",) and "Comm" not in what:
            values += f" bytes={sends} bytes_received={gets}"
        if started:
            request = self.new_request(q)
            self.call(q, STARTED[what], f"{values} request={request}")
            self.open(q, request, ready, "collective")
        else:
            self.call(q, what, values, until=ready)


class MpiPairs(Pairs, Mpi):
    """MPI_THREAD_MULTIPLE: any thread of a process does what one must do."""

    def __init__(self, seed, large=False):
        super().__init__(seed, large)
        self.pair()
