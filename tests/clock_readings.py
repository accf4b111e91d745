# SPDX-License-Identifier: GPL-3.0-or-later
"""Readings of the hosts' clocks in a run's logs, without gaspdb, and whether they are true.

    clock_readings.py RUN                one line each: HOST RANK PEER SENT RECEIVED REPLIED RETURNED
    clock_readings.py RUN TRUTH [SLACK]  checks them with the files of tests/programs/truth.h
    clock_readings.py --tool RUN         checks that both sides say that the time is the collector's
    clock_readings.py --table FILE TRUTH checks what an import made of them: tables event, host_clock, message

Logs are decoded by reference/log_profile.py.  For the check their clock must be CLOCK_MONOTONIC.  It converts each reading's four times to
the time stamp counter, and wants them in order: the reading then brackets the true offset of the clocks.  SLACK: ns that an
order may be wrong, for what interpolating the truth can err (2000)."""
import bisect
import glob
import os
import sqlite3
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'reference'))
from log_profile import Log, varint  # noqa: E402

TOOL, REMOTE_CLOCK = 35, 49


class ClockLog(Log):
    """A log with its readings, and the collector's own time."""

    def __init__(self, path):
        self.readings, self.tool = [], []
        super().__init__(path)

    def record(self, kind, at, end):
        super().record(kind, at, end)
        if kind == REMOTE_CLOCK:  # peer sent received replied returned
            self.readings.append(self.numbers(at, 5))
        elif kind == TOOL:  # start end
            self.tool.append(self.numbers(at, 2))

    def numbers(self, at, n):
        values = []
        for _ in range(n):
            value, at = varint(self.data, at)
            values.append(value)
        return values


def read_run(run):
    """(host, rank, peer, sent, received, replied, returned) of all logs."""
    for path in sorted(glob.glob(run + '/*.gasplog')):
        log = ClockLog(path)
        for reading in log.readings:
            yield (log.meta['host'], int(log.meta['rank']), *reading)


class Truth:
    """A process's clock against the time stamp counter: the tighter half of its readings, and lines between them."""

    def __init__(self, path):
        self.rows = rows = [tuple(map(int, line.split())) for line in open(path)]
        widths = sorted(after - before for before, _, after in rows)
        width = widths[len(widths) // 2]
        kept = [r for i, r in enumerate(rows) if r[2] - r[0] <= width or i in (0, len(rows) - 1)]
        self.ns = [ns for _, ns, _ in kept]
        self.ticks = [(before + after) / 2 for before, _, after in kept]
        self.hz = (self.ticks[-1] - self.ticks[0]) / (self.ns[-1] - self.ns[0])

    @staticmethod
    def between(x, y, at):
        i = min(max(bisect.bisect(x, at), 1), len(x) - 1)
        return y[i - 1] + (at - x[i - 1]) / (x[i] - x[i - 1]) * (y[i] - y[i - 1])

    def at(self, ns):
        """The counter at a time of the clock."""
        return self.between(self.ns, self.ticks, ns)

    def ns_at(self, ticks):
        """The clock's time at a value of the counter."""
        return self.between(self.ticks, self.ns, ticks)


def check(run, truth, slack):
    known = {}
    n = wrong = 0
    for path in glob.glob(run + '/*.gasplog'):
        assert Log(path).data[56] == 0, path + ': its clock is not CLOCK_MONOTONIC'
    for host, rank, peer, *ns in read_run(run):
        for r in (rank, peer):
            known.setdefault(r, Truth('%s/%d.truth' % (truth, r)))
        own, other = known[rank], known[peer]
        ticks = [own.at(ns[0]), other.at(ns[1]), other.at(ns[2]), own.at(ns[3])]
        least = min(b - a for a, b in zip(ticks, ticks[1:])) / own.hz
        n += 1
        if least < -slack:
            wrong += 1
            print('wrong by %.0f ns: %s rank %d, peer %d: %s' % (-least, host, rank, peer, ns))
    print('%d readings, %d wrong' % (n, wrong))
    return n > 0 and wrong == 0


def check_tool(run):
    """Each reading is within a TOOL record of either process."""
    tool = {}
    for path in glob.glob(run + '/*.gasplog'):
        log = ClockLog(path)
        tool.setdefault(int(log.meta['rank']), []).extend(log.tool)
    outside = 0
    for _, rank, peer, *ticks in read_run(run):
        for r, first, last in (rank, ticks[0], ticks[3]), (peer, ticks[1], ticks[2]):
            outside += not any(start <= first and last <= end for start, end in tool[r])
    print('%d outside' % outside)
    return outside == 0


CALLS = 'MPI_Isend', 'MPI_Recv', 'MPI_Wait', 'MPI_Barrier', 'upc_barrier'


def load_events(db):
    """Per rank the times of the program's calls, in their order."""
    of = {}
    for rank, start, duration in db.execute(
            "SELECT t.rank, e.start_ns, e.duration_ns FROM event e JOIN thread t ON t.id = e.thread_id "
            "JOIN place p USING (source_id) WHERE p.operation IN (?, ?, ?, ?, ?) ORDER BY e.id", CALLS):
        of.setdefault(rank, []).append((start, start + duration))
    return of


class Bound:
    """host_clock.error_ns of a host over time."""

    def __init__(self, db, host):
        rows = db.execute('SELECT ns, error_ns FROM host_clock WHERE host = ? ORDER BY ns', (host,)).fetchall()
        self.ns, self.error = [r[0] for r in rows], [r[1] for r in rows]

    def at(self, ns):
        return self.error[max(bisect.bisect(self.ns, ns) - 1, 0)]


def check_table(path, truth):
    """Each event is where it is in true time, by the clock of rank 0's host, but for the stored error.

    The run's start on that clock is not known, only that rank 0's own events lie between the readings around them."""
    db = sqlite3.connect('file:%s?mode=ro' % path, uri=True)
    hosts = dict(db.execute('SELECT rank, host FROM thread'))
    events = load_events(db)
    known = {rank: Truth('%s/%d.truth' % (truth, rank)) for rank in events}
    rows = known[0].rows
    low = max(rows[2 * k + 1][1] - start for k, (start, _) in enumerate(events[0]))
    high = min(rows[2 * k + 2][1] - end for k, (_, end) in enumerate(events[0]))
    assert high - low > -1000, 'rank 0 is not on its own clock: %d, %d' % (low, high)
    zero = (low + high) / 2
    n = wrong = backwards = 0
    for rank, calls in events.items():
        bound = Bound(db, hosts[rank])
        for k, (start, end) in enumerate(calls):
            before, after = known[rank].rows[2 * k + 1], known[rank].rows[2 * k + 2]
            early = known[0].ns_at(before[0]) - zero - start
            late = end - (known[0].ns_at(after[2]) - zero)
            n += 1
            if early > bound.at(start) + 1000 or late > bound.at(end) + 1000:
                wrong += 1
                print('rank %d, call %d: early by %d, late by %d, error %d' % (rank, k, early, late, bound.at(start)))
    messages, backwards = db.execute('SELECT count(*), total(received_ns < sent_ns) FROM message').fetchone()
    print('%d events, %d wrong; %d messages, %d backwards' % (n, wrong, messages, backwards))
    return n > 0 and wrong == 0 and backwards == 0


def main(arguments):
    if arguments[0] == '--tool':
        return check_tool(arguments[1])
    if arguments[0] == '--table':
        return check_table(arguments[1], arguments[2])
    if len(arguments) > 1:
        return check(arguments[0], arguments[1], float(arguments[2]) if len(arguments) > 2 else 2000)
    for row in read_run(arguments[0]):
        print(*row)
    return True


if __name__ == '__main__':
    sys.exit(not main(sys.argv[1:]))
