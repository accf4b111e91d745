# SPDX-License-Identifier: GPL-3.0-or-later
"""Sends and receives, their matching by channel, late senders and late receivers."""
from collections import defaultdict

from run import END, NOTE, records_in_order

SENDS = ("send", "send_nb", "send_receive")
POLLS = ("test", "probe_nb", "window_test")
BLOCKING = ("send", "receive", "send_receive", "wait") + POLLS


class P2P:
    """One send or receive.  peer, tag: of a receive the actual ones, None where nothing completed it."""

    def __init__(self, direction, post, **values):
        self.direction, self.post, self.thread = direction, post, post.thread
        self.complete, self.state, self.bytes, self.error = None, "open", None, 0
        self.peer = self.tag = self.posted_peer = self.posted_tag = self.limit = None
        self.order = (post.start, post.thread.id, post.start_at)
        self.__dict__.update(values)

    def finish(self, call, peer, tag, nbytes, error, cancelled):
        self.complete, self.state = call, "cancelled" if cancelled else "complete" if call else "unseen"
        if self.direction == "receive" and not cancelled:
            self.peer, self.tag, self.bytes, self.error = peer, tag, nbytes, error


def sending(e, **more):
    p = P2P("send", e, **{k: e.args.get(k) for k in ("team", "peer", "tag", "bytes")}, **more)
    if p.peer == -1:
        p.state = "null"
    return p


def receiving(e, **more):
    p = P2P("receive", e, **{k: e.args.get(k) for k in ("team", "posted_peer", "posted_tag", "limit")}, **more)
    if p.posted_peer == -2:
        p.state = "null"
    return p


def note_number(values, name, default):
    return int(values.get(name, default))


class Extract:
    """The sends and receives of one process, its records in order."""

    def __init__(self, threads):
        self.found, self.active, self.persistent, self.probes = [], {}, {}, {}
        self.others = set()  # open requests that are no messages
        self.starts_done = set()  # calls that completed persistent collectives of which the log has not how they were made
        self.made = set()  # those that it has
        for what, e in records_in_order(threads):
            if what == NOTE:
                self.note(None, *e)
            elif not e.nested:
                self.ending(e) if what == END else self.starting(e)
        for probe, values in self.probes.values():  # what it took nobody was seen to receive
            a = probe.args
            self.add(P2P("receive", probe, team=a["team"], posted_peer=a["posted_peer"], posted_tag=a["posted_tag"],
                         **{k: int(values[k]) for k in ("peer", "tag", "bytes")}))

    def add(self, p):
        self.found.append(p)
        return p

    def starting(self, e):
        if e.type in SENDS and e.type != "send_nb":
            e.send = self.add(sending(e))
        if e.type == "receive" and "message" not in e.operation.arguments:
            e.receive = self.add(receiving(e))
        if e.type == "send_receive":
            e.receive = self.add(receiving(e))
        if e.type == "receive" and "message" in e.operation.arguments:
            e.receive = self.add(self.of_probe(e))
        if e.type in ("send_nb", "receive_nb"):
            e.posted = self.add(sending(e) if e.type == "send_nb" else self.of_probe(e)
                                if "message" in e.operation.arguments else receiving(e))

    def of_probe(self, e):
        p = receiving(e)
        probe = self.probes.pop(e.args["message"], None)
        if probe:
            p.post, p.thread = probe[0], probe[0].thread
            p.order = (probe[0].start, probe[0].thread.id, probe[0].start_at)
            p.posted_peer, p.posted_tag = probe[0].args["posted_peer"], probe[0].args["posted_tag"]
            p.peer, p.tag = int(probe[1]["peer"]), int(probe[1]["tag"])
        return p

    def ending(self, e):
        a = e.args
        if not e.open:
            self.blocking_end(e, a)
        if e.type == "request" and not e.open:
            self.made.add(a.get("request"))
        if e.type in ("send_nb", "receive_nb") and not e.open and a["request"]:
            self.active[a["request"]] = e.posted
        if e.type in ("send_init", "receive_init") and not e.open:
            self.persistent[a["request"]] = (sending(e) if e.type == "send_init" else receiving(e), e)
        elif a.get("request") and e.type not in ("send_nb", "receive_nb", "request") and not e.open:
            self.others.add(a["request"])
        for kind, plain, values in e.notes:
            self.note(e, kind, plain, values)

    def blocking_end(self, e, a):
        if e.type in ("send", "send_receive") and e.send.state != "null":
            e.send.finish(e, None, None, None, 0, False)
        elif e.type in ("send", "send_receive"):
            e.send.complete = e
        if e.type in ("receive", "send_receive"):
            p = e.receive
            if p.state == "null":
                p.complete = e
            elif e.type == "receive":
                p.finish(e, a.get("peer"), a.get("tag"), a.get("bytes"), a.get("error", 0), False)
            else:
                p.finish(e, a["receive_peer"], a["receive_tag"], a["bytes_received"], a["error"], False)

    def note(self, e, kind, plain, values):
        request = int(plain[0]) if plain else 0
        if kind == "complete":
            self.others.discard(request)
        if kind == "made" and request not in self.persistent:
            team, peer, tag, size = values.get("team", "world"), *(note_number(values, k, v) for k, v in (
                ("peer", -1), ("tag", 0), ("bytes", 0)))
            self.persistent[request] = (P2P("receive", e, team=team, posted_peer=peer, posted_tag=tag, limit=size)
                                        if "receive" in plain else P2P("send", e, team=team, peer=peer, tag=tag, bytes=size), e)
            null = peer == (-2 if "receive" in plain else -1)
            self.persistent[request][0].state = "null" if null else "open"
        elif kind == "probed" and request:
            self.probes[request] = (e, values)
        elif kind == "started" and request in self.persistent:
            pattern, _ = self.persistent[request]
            p = self.add(P2P(pattern.direction, e, **{k: getattr(pattern, k) for k in (
                "team", "posted_peer", "posted_tag", "limit", "state")}))
            if p.direction == "send":
                p.peer, p.tag, p.bytes = pattern.peer, pattern.tag, pattern.bytes
            self.active[request] = p
        elif kind == "started":  # the log has lost how it was made
            self.active[request] = P2P(None, e, team=None)
        elif kind == "freed" and request in self.active:
            p = self.active.pop(request)
            if p.state == "open":
                p.state = "freed"
        elif kind == "complete" and request in self.active:
            p = self.active.pop(request)
            if p.direction is None:
                if "collective" in plain:
                    self.starts_done |= {e} if request not in self.made else set()
                    return
                self.add(p).direction = "receive" if "receive" in plain else "send"
                if p.direction == "send":
                    p.peer, p.tag, p.bytes = (note_number(values, k, 0) for k in ("peer", "tag", "bytes"))
            if p.state == "null":
                p.complete = e
            elif p.state == "open":
                p.finish(e, note_number(values, "peer", -1), note_number(values, "tag", 0),
                         note_number(values, "bytes", 0), note_number(values, "error", 0), "cancelled" in plain)


class Passed:
    """A message that passed unrecorded; it takes its place."""

    def __init__(self, when, thread):
        self.order, self.thread = (when, thread.id, -1), thread


class Lost(Passed):
    """It was lost with a damaged block, or (unknown) nobody knows how many were."""

    def __init__(self, when, thread, unknown):
        super().__init__(when, thread)
        self.order, self.unknown = (when, -1, -1), unknown


class Message:
    def __init__(self, send, receive):
        self.send, self.receive, self.uncertain, self.at_once = send, receive, False, False
        self.wrong = False  # a pair of its channel cannot be
        self.bytes = receive.bytes if receive.bytes is not None else send.bytes


def posted_at_once(p, o):
    """By two threads of a rank; uncertain, but waited for."""
    return isinstance(o, P2P) and o.thread is not p.thread and o.post.start < max(p.post.end, p.post.start + 1) \
        and p.post.start < max(o.post.end, o.post.start + 1)


def received_before_sent(s, r):
    calls = [r.complete, r.post if r.post.type in ("probe", "probe_nb") and r.post is not r.complete else None]
    return any(ended_before(c, s) for c in calls)


def ended_before(call, p):
    """Is it certain that it ended before the other end's call began? One without an end may have gone on."""
    return call is not None and not call.open and call.end < p.post.start


def channel_of(p):
    """(team, sender, receiver, tag); None: it is not known."""
    me = p.thread.rank
    peer = p.peer if p.direction == "send" or p.peer is not None else p.posted_peer
    tag = p.tag if p.direction == "send" or p.tag is not None else p.posted_tag
    if p.state in ("cancelled", "null") or p.team is None or {peer, tag} & {None, -1}:
        return None
    return (p.team, me, peer, tag) if p.direction == "send" else (p.team, peer, me, tag)


class Nothing:
    """What a thread never did, though another waited for it; its line is only that of who waited."""
    id = 0

    def __init__(self, thread, event):
        self.thread, self.source = thread, event.source


def hangs(p):
    """Is it a blocking call that was going on when its log ended?"""
    return p.complete is None and p.post.open and p.post.type in (p.direction, "send_receive")


def in_vain_before(e):
    """The tests and probes in vain that this one ended: with no other call between, nor a time that was not recorded."""
    found, after = [], e
    if e.type not in POLLS:
        return found
    gaps = [a for kind, a, _ in e.thread.gaps if kind != "tool" and a < e.start]
    for f in reversed(e.thread.events[:e.thread.events.index(e)]):
        if f.nested or not f.runtime:
            continue
        if f.type not in POLLS or f.open or f.end > after.start or f.start < max(gaps, default=f.start) \
                or f.args.get("success") != 0:
            break
        found.append(f)
        after = f
    return found


def hung_call(t):
    """The wait for requests, or the test, that its log ends in; a test in vain with whose end it breaks off."""
    last = [e for e in t.events if e.type != "user" and e.category != "none"]
    e = last[-1] if last else None
    while e:
        broken_off = not e.open and t.cut and e.end == t.last and e.args.get("success") == 0
        if not e.nested and (e.type == "wait" and e.open or e.type == "test" and (e.open or broken_off)):
            return e
        e = e.parent
    return None


class Messages:
    def __init__(self, run):
        self.run, self.messages, self.totals = run, [], defaultdict(lambda: (0, 0))
        self.all = []
        processes = defaultdict(list)
        for t in run.threads:
            processes[t.rank].append(t)
        self.starts_done = set()
        self.hung = []  # calls that wait for requests to the end, with what is open then
        for threads in processes.values():
            extract = Extract(threads)
            self.all += extract.found
            self.starts_done |= extract.starts_done
            self.hung += [(e, extract) for e in map(hung_call, threads) if e]
        self.match()
        self.waits = []
        self.disbelieved = set()  # calls whose waits are for messages that cannot be
        self.find_waits()
        for e, extract in self.hung:
            pending = [p for p in extract.active.values() if p.state == "open"]
            for f in [e] + in_vain_before(e):
                self.find_hung(f, e.args["requests"] >= len(pending), pending, extract.others)

    def count(self, p, outcome):
        key, p.outcome = (p.thread.id, p.direction, outcome), outcome
        operations, nbytes = self.totals[key]
        moved = p.message.bytes if outcome == "matched" and p.direction == "receive" else 0 if p.state == "null" or p.bytes is None else p.bytes
        self.totals[key] = (operations + 1, nbytes + moved)

    def match(self):
        channels = defaultdict(lambda: ([], []))
        for p in self.all:
            channel = channel_of(p)
            if channel:
                channels[channel][p.direction == "receive"].append(p)
            else:
                anyone = p.direction == "receive" and p.team and not p.complete
                self.count(p, p.state if p.state in ("cancelled", "null") else "wildcard" if anyone else "unknown")
        for t in self.run.threads:
            for when, v in t.passed:
                team, peer, tag = v.get("team", "world"), int(v.get("peer", -1)), int(v.get("tag", 0))
                for _ in range(int(v.get("sends", 0))):
                    channels[(team, t.rank, peer, tag)][0].append(Passed(when, t))
                for _ in range(int(v.get("receives", 0))):
                    channels[(team, peer, t.rank, tag)][1].append(Passed(when, t))
        self.channels = channels
        for channel, ends in channels.items():
            lost = [self.lost(channel, ends, receives) for receives in (False, True)]
            for known, more in zip(ends, lost):
                known += more
            self.match_channel(*ends)

    # --- damaged blocks ---------------------------------------------------------

    def posting(self, rank):
        """The threads of a process that are known to have sent or received."""
        return {p.thread for p in self.all if p.thread.rank == rank} | \
            {t for t in self.run.threads if t.rank == rank and t.passed}

    def whole(self, rank):
        """But for blocks that good ones follow it has lost nothing, and of all its messages the channel is known."""
        threads = [t for t in self.run.threads if t.rank == rank]
        strays = [p for p in self.all if p.thread.rank == rank and p.team is None and p.state not in ("cancelled", "null")]
        return not strays and not any(t.missing or t.cut or t.first is None for t in threads)

    def damage(self, rank):
        return sorted((a, b, t.id, t) for t in self.run.threads if t.rank == rank
                      for kind, a, b in t.gaps if kind == "damage")

    def lost(self, channel, ends, receives):
        """What the log of the receiver, or sender, has lost of the channel, at the place where it stood."""
        (team, *ranks, tag), (mine, others) = channel, ends[::-1 if receives else 1]
        me, other = ranks[::-1 if receives else 1]
        gaps = self.damage(me)
        if not gaps:
            return []
        (start, end, _, thread), n = gaps[0], len(others) - len(mine)
        unclear = [p for p in mine + others if isinstance(p, P2P) and p.state == "open" and (
            p.post.start > start if p.thread.rank == me else True)]
        before = [p.post.start for p in mine if isinstance(p, P2P) and p.post.start <= start]
        anyones = [p for p in self.all if p.direction == "receive" and p.state == "open" and p.thread.rank == me
                   and p.team == team and p.posted_peer in (-1, other) and p.posted_tag in (-1, tag) and channel_of(p) is None
                   and p.post.start < min(end, max(before))] if receives and before else []
        if not self.whole(me) or not self.whole(other) or self.damage(other) or unclear:
            return [Lost(start + 1, thread, True)]
        if n < 0 or n and (len(gaps) > 1 or anyones or self.posting(me) - {thread}):
            return [Lost(start + 1, thread, True)]
        return [Lost(end, thread, False)] * n

    def match_channel(self, sends, receives):
        sends.sort(key=lambda p: p.order)
        receives.sort(key=lambda p: p.order)
        trusted, guessed, ended, pairs = True, False, False, []
        for i in range(max(len(sends), len(receives))):
            s = sends[i] if i < len(sends) else None
            r = receives[i] if i < len(receives) else None
            guessed |= isinstance(s, Lost) or isinstance(r, Lost)
            ended |= any(isinstance(p, Lost) and p.unknown for p in (s, r)) or \
                guessed and isinstance(s, P2P) and isinstance(r, P2P) and ended_before(r.complete, s)
            if ended:
                for p in (s, r):
                    if isinstance(p, P2P):
                        self.count(p, "unmatched")
            elif s is None or r is None:
                if isinstance(s or r, P2P):
                    self.count(s or r, "unmatched")
            elif isinstance(s, Passed) or isinstance(r, Passed):
                for p in (s, r):
                    if isinstance(p, P2P):
                        self.count(p, "not recorded")
            else:
                m = Message(s, r)
                truncated = r.error and (r.limit is None or s.bytes > r.limit)
                m.at_once = any(posted_at_once(p, o) for p, all in ((s, sends), (r, receives)) for o in all)
                if r.bytes is not None and r.bytes != s.bytes and not truncated and not m.at_once:
                    trusted = False
                if not m.at_once and self.impossible(s, r):
                    trusted, m.wrong = False, True
                pairs.append(m)
                m.uncertain = not trusted or m.at_once and received_before_sent(s, r)
                s.message = r.message = m
                self.count(s, "matched")
                self.count(r, "matched")
                self.messages.append(m)
        for m in pairs if any(m.wrong for m in pairs) else []:
            m.wrong = True

    @staticmethod
    def impossible(s, r):
        """By the one clock of their host received before it was sent, or sent synchronously before its receive was posted."""
        if s.thread.thread.host != r.thread.thread.host:
            return False
        synchronous = s.post.operation.name in ("MPI_Ssend", "MPI_Issend") and not s.error
        return received_before_sent(s, r) or synchronous and ended_before(s.complete, r)

    def untold(self):
        """Calls that complete requests of which the other end is not known, or how they were made."""
        return self.starts_done | self.disbelieved | {p.complete for p in self.all if p.complete is not p.post and (
            p.outcome in ("unmatched", "not recorded", "unknown") or p.outcome == "matched" and p.message.uncertain)}

    # --- waits ---------------------------------------------------------------

    def find_hanging(self):
        """Receives of nothing, and sends that nothing receives, that their logs end in."""
        for p in self.all:
            if p.direction in ("receive", "send") and hangs(p) and p.state == "open" and p.outcome in ("unmatched", "wildcard") \
                    and p.post.end > p.post.start:
                receives = p.direction == "receive"
                other = self.run.process.get(p.posted_peer if receives else p.peer)
                self.waits.append(dict(event=p.post, kind="late sender" if receives else "late receiver", start=p.post.start,
                                       end=p.post.end, cause=Nothing(other, p.post) if other else None, cause_ns=None,
                                       clamped=0, bound=1))

    def find_hung(self, e, whole, requests, others):
        """What an endless wait is for: of as many requests as are open for all, else for some of them; for those whose other
        end never came, if there are any."""
        outcome = {p: "unknown" if p.direction is None or p.outcome == "not recorded" or p.outcome == "matched" and p.message.uncertain
                   else p.outcome for p in requests}
        never = {d: [p for p in requests if p.direction == d and outcome[p] in ("unmatched", "wildcard")]
                 for d in ("receive", "send")}
        if others or "unknown" in outcome.values() or not whole and all(never.values()) or e.end == e.start:
            return
        for direction, kind in (("receive", "late sender"), ("send", "late receiver")):
            if never[direction]:
                peers = {p.posted_peer if direction == "receive" else p.peer for p in never[direction]}
                peer = self.run.process.get(peers.pop()) if len(peers) == 1 else None
                self.waits.append(dict(event=e, kind=kind, start=e.start, end=e.end, cause=Nothing(peer, e) if peer else None,
                                       cause_ns=None, clamped=0, bound=1))
                return
        for direction, kind in (("receive", "late sender"), ("send", "late receiver")):
            others = [(p.message.send.post if direction == "receive" else p.message.receive.post, p.message)
                      for p in requests if whole and p.direction == direction]
            cause, m = max(others, key=lambda o: (o[0].start, -o[0].id), default=(None, None))
            if m and m.wrong and cause.start > e.start:
                self.disbelieved.add(e)
                return
            if cause and cause.start > e.start:
                self.waits.append(dict(event=e, kind=kind, start=e.start, end=min(cause.start, e.end), cause=cause,
                                       cause_ns=cause.start, clamped=0, bound=0, wrong_order=0, message=m))
                return

    def find_waits(self):
        self.find_hanging()
        late_senders, late_receivers = defaultdict(list), defaultdict(list)
        for m in self.messages:
            if m.uncertain:
                continue
            s, r = m.send, m.receive
            if r.complete and r.complete.type in BLOCKING or hangs(r):
                call = r.complete or r.post
                end = min(s.post.start, call.end)
                self.polled_for(late_senders, call, s.post, m)
                if end > call.start:
                    late_senders[call].append((call, end, s.post, int(s.post.start > call.end), self.wrong_order(m, call), m))
            if s.complete and s.complete.type in BLOCKING:
                call = s.complete
                if call.end > r.post.start:
                    self.polled_for(late_receivers, call, r.post, m)
                if call.end > r.post.start > call.start:
                    late_receivers[call].append((call, r.post.start, r.post, 0, 0, m))
        self.probe_waits(late_senders)
        for found in (late_senders, late_receivers):
            for call, rows in list(found.items()):
                if any(row[5].wrong for row in rows):
                    self.disbelieved.add(call)
                    found[call] = [row for row in rows if not row[5].wrong]
                if not found[call]:
                    del found[call]
        for kind, found in (("late sender", late_senders), ("late receiver", late_receivers)):
            for call, rows in found.items():
                if kind == "late receiver" and call in late_senders:
                    continue
                _, end, cause, clamped, wrong, m = max(rows, key=lambda w: (w[1], w[2].start, -w[2].id))
                self.waits.append(dict(event=call, kind=kind, start=call.start, end=end, cause=cause,
                                       cause_ns=cause.start, clamped=int(clamped and not call.open),
                                       bound=int(clamped and call.open), wrong_order=wrong, message=m))

    def polled_for(self, found, call, cause, m):
        """Each test in vain that the call ended waited like one that had completed the same."""
        for f in in_vain_before(call):
            if min(cause.start, f.end) > f.start:
                wrong = self.wrong_order(m, f) if cause is m.send.post else 0
                found[f].append((f, min(cause.start, f.end), cause, 0, wrong, m))

    def wrong_order(self, m, call):
        """Was a message sent earlier and received later by the thread that waits for this one?"""
        if m.receive.complete is None:
            return 0
        ranks = {o.send.thread.rank for o in self.messages
                 if not o.uncertain and o.receive.complete and o.receive.complete.thread is call.thread
                 and o.receive.complete.end > m.receive.complete.end and o.send.post.start < m.send.post.start}
        return 1 if m.send.thread.rank in ranks else 2 if ranks else 0

    def probe_waits(self, late_senders):
        """A probe waits for the message it saw: that of the next receive posted on its channel."""
        for t in self.run.threads:
            for e in t.events:
                if e.type not in ("probe", "probe_nb") or e.nested or not e.notes or e.open:
                    continue
                _, plain, values = e.notes[0]
                channel = (e.args["team"], int(values.get("peer", -1)), t.rank, int(values.get("tag", 0)))
                after = [r for r in self.channels[channel][1] if r.order >= (e.start, t.id, e.start_at)] \
                    if channel in self.channels else []
                if not after or not isinstance(after[0], P2P):
                    continue
                m = getattr(after[0], "message", None)
                if not m or m.uncertain or m.at_once and e.end < m.send.post.start:
                    continue
                self.polled_for(late_senders, e, m.send.post, m)
                if min(m.send.post.start, e.end) > e.start:
                    late_senders[e].append((e, min(m.send.post.start, e.end), m.send.post,
                                            int(m.send.post.start > e.end), self.wrong_order(m, e), m))
