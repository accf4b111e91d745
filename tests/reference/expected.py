# SPDX-License-Identifier: GPL-3.0-or-later
"""All rows that a script's database must have, table by table."""
from accesses import Accesses
from bins import Bins
from calltree import call_paths, text
from collectives import Collectives
from completions import Completions
from costs import Costs
from delays import Delays
from entities import Entities
from locks import Locks
from memory import Memory
from messages import Messages
from path import Path
from pop import Pop
from regions import Regions
from run import Run
from script import Script
from signals import late_signals
from targets import Targets
from traffic import Traffic
from window_locks import WindowLocks
from windows import Windows


def event_id(e):
    return e.id if e is not None else None


def keep_longer(waits):
    """Waits of one call never overlap: of two that would the longer stays, of equal ones the receiver's, then that whose cause
    came last."""
    kept = []
    first = {"late sender": 0, "late receiver": 1}
    for w in sorted(waits, key=lambda w: (-(w["end"] - w["start"]), first.get(w["kind"], 2), w["start"], w["kind"],
                                          float("inf") if w["cause_ns"] is None else -w["cause_ns"], event_id(w["cause"]) or 0)):
        if all(w["event"] is not k["event"] or w["end"] <= k["start"] or w["start"] >= k["end"] for k in kept):
            kept.append(w)
    return kept


class Expected:
    def __init__(self, text, clocks=None):
        run = self.run = Run(Script(text, clocks))
        self.messages, self.collectives = Messages(run), Collectives(run)
        self.locks, self.accesses = Locks(run), Accesses(run)
        self.completions, self.windows, self.window_locks = Completions(run), Windows(run), WindowLocks(run, self.locks.cuts)
        by_event = {}
        for w in self.messages.waits + self.collectives.waits + self.locks.waits + late_signals(run) + \
                self.windows.waits:
            by_event.setdefault(w["event"].id, []).append(w)
        self.waits = [w for waits in by_event.values() for w in keep_longer(waits)]
        self.costs = Costs(run, self.waits, self.collectives.instances, self.completions,
                           self.collectives.untold | self.messages.untold() | self.windows.untold | self.locks.cuts.untold)
        for w in self.waits:
            w["below"] = int(self.below_error(w))
        self.delays = Delays(run, self.waits, self.collectives.instances)
        self.path = Path(run, self.waits)
        self.pop = Pop(run, self.waits, self.messages, self.collectives, self.locks, self.window_locks)

    def below_error(self, w):
        """It is no longer than the clocks of two hosts may be off."""
        if w["cause"] is None:
            return False
        a, b = w["event"].thread, w["cause"].thread
        return a.thread.host != b.thread.host and w["end"] - w["start"] <= self.run.script.error_between(a, b, w["end"])

    def message_waits(self):
        """By processes and lines of the message that was waited for."""
        found, process = {}, {}
        for t in self.run.threads:
            process[t.rank] = min(t.id, process.get(t.rank, t.id))
        for w in self.waits:
            if "message" in w:
                s, r = w["message"].send, w["message"].receive
                key = process[s.thread.rank], process[r.thread.rank], *s.post.source, *r.post.source
                row, ns = found.setdefault(key, [0] * 4), w["end"] - w["start"]
                row[0 if w["kind"] == "late sender" else 3] += ns
                if w["wrong_order"]:
                    row[w["wrong_order"]] += ns
        return sorted(key + tuple(row) for key, row in found.items())

    def tables(self):
        run = self.run
        yield "category_time", sorted(
            (t.id, c, ns) for t in run.threads for c, ns in t.categories.items() if ns)
        yield "thread", sorted((t.id, t.rank, t.first, t.last, int(not t.missing and not t.cut and not t.damaged)) for t in run.threads)
        yield "gap", sorted((t.id,) + g for t in run.threads for g in t.gaps)
        yield "event", [(e.id, e.thread.id, *e.source, e.start, e.end - e.start, e.self_ns, event_id(e.parent),
                         int(e.nested), int(e.open)) for e in run.events]
        yield "profile", sorted((t, *source, nested) + row for (t, source, nested), row in run.profile().items())
        yield "callpath_total", sorted((t, text(path)) + row for (t, path), row in call_paths(run).items())
        yield from Regions(run).tables()
        bins = Bins(run, self.waits)
        yield from bins.tables()
        yield from Entities(run, self.waits, bins.thread_width).tables()
        yield from Memory(run).tables()
        yield from Traffic(run, self.messages).tables()
        yield "message", sorted(
            (m.send.post.id, m.receive.post.id, event_id(m.receive.complete) or 0, event_id(m.send.complete) or 0,
             m.send.team, m.send.tag, m.bytes, m.send.post.start, m.receive.post.start, int(m.uncertain or m.at_once))
            for m in self.messages.messages)
        yield "p2p_total", sorted(key + row for key, row in self.messages.totals.items())
        yield "wait", sorted(
            (w["event"].id, w["kind"], w["start"], w["end"], event_id(w["cause"]) or 0, w["cause_ns"] or 0,
             w["clamped"], w["bound"], w.get("wrong_order", 0), w["below"]) for w in self.waits)
        yield "message_wait_total", self.message_waits()
        yield "collective", sorted(
            (c.team or "all threads", c.sequence, c.expected, len(c.members), min(m.enter for m in c.came), c.last.enter,
             c.last.thread.id, c.rule) for c in self.collectives.instances)
        yield "collective_total", self.collectives.totals()
        yield "lock_use", sorted(list(self.locks.rows()) + list(self.window_locks.rows()))
        yield "lock_order", sorted((n,) for n in self.locks.strays)
        yield "lock_unseen", sorted((t, *row) for t, row in self.locks.cuts.told.items())
        yield "completion", sorted(self.completions.rows())
        yield "overlap_total", sorted(self.completions.lines())
        yield "completion_total", self.completions.by()
        yield "unseen", self.completions.unseen()
        yield "epochs", self.windows.quality()
        yield from self.costs.tables()
        yield from Targets(run, self.waits).tables()
        yield "access_line", sorted((*source, *key) + Accesses.row(accesses)
                                    for (source, *key), accesses in self.accesses.lines.items())
        yield "access_pair", sorted((*source, *key) + Accesses.row(accesses)
                                    for (source, *key), accesses in self.accesses.pairs.items())
        yield "polling_total", sorted(
            (*source, t, peer, self.accesses.series[source, t, peer], len(x), sum(e.args["bytes"] for e in x),
             sum(e.end - e.start for e in x)) for (source, t, peer), x in self.accesses.polling.items())
        yield "reread_total", sorted(
            (*source, t, peer, len(x), sum(e.args["bytes"] for e in x), sum(e.end - e.start for e in x))
            for (source, t, peer), x in self.accesses.rereads.items())
        yield "fine_grained", sorted((t, *source, *row) for t, source, *row in self.accesses.groups)

        yield "critical_path", sorted(self.path.rows())
        yield "path_line", self.path.lines()
        yield "path_call", self.path.calls()
        yield "path_wait", self.path.blame()
        yield "pop", sorted(self.pop.rows())
        yield "pop_thread", sorted(self.pop.thread_rows())
        yield "pop_bin", sorted(self.pop.bin_rows())


PLACE = "SELECT s.id, o.name, s.file || ':' || s.line AS place FROM source s JOIN operation o ON o.id = s.operation_id"
TREE = ("SELECT c.id, name || '@' || place AS path FROM callpath c JOIN p ON p.id = c.source_id "
        "WHERE c.parent_id IS NULL UNION ALL SELECT c.id, t.path || '/' || name || '@' || place FROM tree t "
        "JOIN callpath c ON c.parent_id = t.id JOIN p ON p.id = c.source_id")
QUERIES = {
    "category_time": "SELECT thread_id, category, time_ns FROM category_time WHERE time_ns > 0",
    "thread": "SELECT id, rank, first_ns, last_ns, complete FROM thread",
    "gap": "SELECT thread_id, kind, start_ns, end_ns FROM gap",
    "event": "SELECT e.id, thread_id, name, place, start_ns, duration_ns, self_ns, parent_id, nested, open "
             "FROM event e JOIN p ON p.id = source_id",
    "profile": "SELECT thread_id, name, place, nested, calls, total_ns, self_ns, min_ns, max_ns, open, inner_ns, "
               "again_ns, variation FROM profile JOIN p ON p.id = source_id",
    "callpath_total": "SELECT thread_id, path, t.calls, t.total_ns, t.self_ns, t.min_ns, t.max_ns, "
                      "t.variation FROM callpath_total t "
                      "JOIN tree ON tree.id = callpath_id",
    "region": "SELECT name, threads, calls, total_ns, longest_ns, longest_thread_id, computation_ns, most_ns, most_thread_id "
              "FROM region JOIN p ON p.id = source_id",
    "callpath_most": "SELECT path, computation_ns, most_ns, most_thread_id FROM callpath c JOIN tree ON tree.id = c.id "
                     "WHERE computation_ns IS NOT NULL",
    "bin": "SELECT start_ns, category, time_ns FROM bin",
    "thread_bin": "SELECT thread_id, start_ns, category, time_ns FROM thread_bin",
    "wait_bin": "SELECT start_ns, kind, time_ns FROM wait_bin",
    "thread_wait_bin": "SELECT thread_id, start_ns, time_ns FROM thread_wait_bin",
    "entity_profile": "SELECT thread_id, coalesce(n.name, ''), coalesce(p.name, ''), coalesce(place, ''), calls, self_ns, inclusive_ns, "
                      "shared_ns, wait_ns FROM entity_profile LEFT JOIN entity n ON n.id = entity_id "
                      "LEFT JOIN p ON p.id = source_id",
    "entity_bin": "SELECT thread_id, start_ns, n.name, self_ns, wait_ns FROM entity_bin JOIN entity n ON n.id = entity_id",
    "entity_work": "SELECT e.name, coalesce(put_event_id, 0), coalesce(run_event_id, 0), coalesce(run_ns, -1), coalesce(queued_ns, -1) "
                   "FROM entity_work JOIN entity e ON e.id = entity_id",
    "memory_line": "SELECT name, place, thread_id, shared, blocks, bytes, largest_bytes, peak_bytes, failed, unseen, leaked, "
                   "leaked_bytes, frees, unknown_frees FROM memory_line JOIN p ON p.id = source_id",
    "memory_peak": "SELECT coalesce(CAST(thread_id AS TEXT), 'run'), CAST(shared AS TEXT), peak_bytes, peak_ns, end_bytes "
                   "FROM memory_peak WHERE source_id IS NULL UNION ALL SELECT 'line', p.name || ' ' || p.place, peak_bytes, "
                   "peak_ns, end_bytes FROM memory_peak JOIN p ON p.id = source_id",
    "traffic": "SELECT thread_id, peer, name, place, direction, from_bytes, operations, bytes, time_ns FROM traffic "
               "JOIN p ON p.id = source_id",
    "traffic_total": "SELECT initiator, owner, direction, from_bytes, operations, bytes, time_ns FROM traffic_total",
    "message": "SELECT send_event_id, post_event_id, coalesce(receive_event_id, 0), coalesce(complete_event_id, 0), "
               "team.name, tag, bytes, sent_ns, posted_ns, order_uncertain FROM message JOIN team ON team.id = team_id",
    "p2p_total": "SELECT thread_id, direction, outcome, operations, bytes FROM p2p_total",
    "wait": "SELECT event_id, kind, start_ns, end_ns, coalesce(cause_event_id, 0), coalesce(cause_ns, 0), clamped, "
            "bound, wrong_order, below_error FROM wait",
    "message_wait_total": "SELECT sender, receiver, p.name, p.place, q.name, q.place, late_sender_ns, same_source_ns, "
                          "other_source_ns, late_receiver_ns FROM message_wait_total JOIN p ON p.id = send_source_id "
                          "JOIN p q ON q.id = receive_source_id",
    "collective": "SELECT coalesce(team.name, ''), sequence, expected, seen, first_enter_ns, last_enter_ns, "
                  "last_thread_id, rule FROM collective JOIN team ON team.id = team_id",
    "collective_total": "SELECT coalesce(team.name, ''), p.name, place, late_thread_id, instances, members, wait_ns, longest_ns, "
                        "spread_ns, operation_ns, completion_ns FROM collective_total JOIN p ON p.id = source_id "
                        "JOIN team ON team.id = team_id",
    "lock_use": "SELECT acquire_event_id, coalesce(release_event_id, 0), requested_ns, acquired_ns, released_ns, "
                "contended_ns, latency_ns, untold_ns, attempts FROM lock_use",
    "lock_order": "SELECT count FROM quality WHERE kind = 'lock order' AND detail LIKE 'given back %'",
    "lock_unseen": "SELECT thread_id, count, time_ns FROM quality WHERE kind = 'holder not recorded'",
    "completion": "SELECT event_id, coalesce(complete_event_id, 0), blocking, coalesce(gap_ns, -1), share_ns, exposed_ns, "
                  "coalesce(overlapped_ns, -1), measured, bound FROM completion",
    "overlap_total": "SELECT thread_id, name, place, blocking, operations, bytes, initiation_ns, share_ns, overlapped_ns, "
                     "in_flight_ns, unfinished, measured, at_once, at_once_ns FROM overlap_total JOIN p ON p.id = source_id",
    "completion_total": "SELECT thread_id, p.name, p.place, q.name, q.place, operations, share_ns FROM completion_total "
                        "JOIN p ON p.id = source_id JOIN p q ON q.id = complete_source_id",
    "unseen": "SELECT kind, thread_id, detail, count, bytes FROM quality "
              "WHERE kind IN ('completion not recorded', 'transfer never completed')",
    "epochs": "SELECT thread_id, count, detail FROM quality WHERE kind = 'unmatched epoch'",
    "completion_waited": "SELECT thread_id, p.name, p.place, q.name, q.place, waited_ns, untold_ns FROM completion_waited "
                         "JOIN p ON p.id = source_id JOIN p q ON q.id = complete_source_id",
    "barrier_total": "SELECT name, place, thread_id, barriers, operation_ns, completion_ns, intervals, interval_ns, "
                     "back_to_back, back_to_back_ns, drain_ns, own_drain_ns, split, slack_ns FROM barrier_total JOIN p ON p.id = source_id",
    "target_line": "SELECT name, place, inside, coalesce(inside_median_ns, -1), outside, coalesce(outside_median_ns, -1), "
                   "answered FROM target_line JOIN p ON p.id = source_id",
    "starved_total": "SELECT name, place, thread_id, peer, accesses, time_ns, longest_ns, line_ns FROM starved_total "
                     "JOIN p ON p.id = source_id",
    "delivery_total": "SELECT name, place, thread_id, waits, slow, slow_ns, longest_ns FROM delivery_total "
                      "JOIN p ON p.id = source_id",
    "hand_made_total": "SELECT name, place, thread_id, times, accesses, bytes, time_ns, waited_ns, line_ns "
                       "FROM hand_made_total JOIN p ON p.id = source_id",
    "access_line": "SELECT name, place, direction, remote, calls, bytes, time_ns, min_ns, median_ns, p95_ns, max_ns, coalesce(strict, -1) "
                   "FROM access_line JOIN p ON p.id = source_id",
    "access_pair": "SELECT name, place, thread_id, direction, peer, calls, bytes, time_ns, min_ns, median_ns, p95_ns, max_ns, "
                   "coalesce(strict, -1) FROM access_pair JOIN p ON p.id = source_id",
    "polling_total": "SELECT name, place, thread_id, peer, series, gets, bytes, time_ns "
                     "FROM polling_total JOIN p ON p.id = source_id",
    "reread_total": "SELECT name, place, thread_id, peer, gets, bytes, time_ns FROM reread_total JOIN p ON p.id = source_id",
    "fine_grained": "SELECT thread_id, name, place, first_event_id, peers, accesses, bytes, time_ns, saving_ns, "
                    "repeated_ns, pattern FROM fine_grained JOIN p ON p.id = source_id",
    "critical_path": "SELECT c.thread_id, c.kind, c.start_ns, c.end_ns, coalesce(w.event_id, 0), "
                     "coalesce(w.start_ns, 0) FROM critical_path c LEFT JOIN wait w ON w.id = c.wait_id",
    "path_line": "SELECT what, coalesce(g.name, ''), coalesce(g.place, ''), coalesce(f.name, ''), coalesce(f.place, ''), "
                 "coalesce(t.name, ''), coalesce(t.place, ''), time_ns, threads_ns FROM path_line "
                 "LEFT JOIN p g ON g.id = function_source_id LEFT JOIN p f ON f.id = from_source_id "
                 "LEFT JOIN p t ON t.id = to_source_id",
    "path_call": "SELECT name, place, thread_id, time_ns FROM path_call JOIN p ON p.id = source_id",
    "path_wait": "SELECT kind, coalesce(thread_id, -1), name, place, time_ns FROM path_wait JOIN p ON p.id = source_id",
    "pop": "SELECT whole, start_ns, end_ns, ideal_ns FROM pop",
    "pop_thread": "SELECT whole, thread_id, computation_ns, ideal_ns FROM pop_thread",
    "pop_bin": "SELECT whole, bins, start_ns, end_ns, computation_ns, most_ns, most_thread_id FROM pop_bin",
}


def found(db, table):
    return sorted(db.execute(f"WITH RECURSIVE p AS ({PLACE}), tree AS ({TREE}) " + QUERIES[table]), key=repr)


def delay_differences(db, expected):
    """Every share of the waiting is that of the definition, rounded, and their sums are exact."""
    query = (f"WITH p AS ({PLACE}), q AS (SELECT id, name, place FROM p) SELECT d.kind, d.thread_id, s.name, s.place, "
             "d.what, g.name, g.place, f.name, f.place, t.name, t.place, d.time_ns FROM delay d JOIN q s ON s.id = d.source_id "
             "LEFT JOIN q g ON g.id = d.function_source_id LEFT JOIN q f ON f.id = d.from_source_id "
             "LEFT JOIN q t ON t.id = d.to_source_id")
    is_rows = {}
    for kind, thread, name, place, what, *line, ns in db.execute(query):
        function, a, b = (tuple(line[i:i + 2]) if line[i] else None for i in (0, 2, 4))
        a = function + (a or ("", "")) if function else a
        is_rows.setdefault((kind, thread, (name, place)), {})[what, a, b] = ns
    for cause, parts, total in expected.delays.table():
        got = is_rows.pop(cause, {})
        if sum(got.values()) != total:
            yield f"delay: {cause} sums to {sum(got.values())}, not {total}"
        for line, ns in parts:
            if abs(got.pop(line, 0) - ns) >= 1:
                yield f"delay: {cause} {line} is not {float(ns)}: {is_rows.get(cause)}"
        yield from (f"delay: {cause} not expected {line}" for line in got)
    yield from (f"delay: not expected {cause}" for cause in is_rows)
