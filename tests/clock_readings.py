# SPDX-License-Identifier: GPL-3.0-or-later
"""Readings of the hosts' clocks in a run's logs, without gaspdb, and whether they are true.

    clock_readings.py RUN                one line each: HOST RANK PEER SENT RECEIVED REPLIED RETURNED
    clock_readings.py RUN TRUTH [SLACK]  checks them with the files of tests/programs/mpi_clocks.c

Logs are decoded from docs/log-format.md.  Their clock must be CLOCK_MONOTONIC.  The check converts each reading's four times to
the time stamp counter, and wants them in order: the reading then brackets the true offset of the clocks.  SLACK: ns that an
order may be wrong, for what interpolating the truth can err (2000)."""
import bisect
import glob
import struct
import sys

META, REMOTE_CLOCK = 5, 49


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def blocks(data):
    """The payloads of a log's blocks."""
    at = struct.unpack_from('<I', data, 12)[0]
    while at + 48 <= len(data):
        magic, _, _, size, length = struct.unpack_from('<IBBHI', data, at)
        if magic != 0x4b4c4247:
            break
        yield data[at + size:at + size + length]
        at += (size + length + 7) & ~7


def others(payload):
    """The OTHER records of a block: kind, payload."""
    at = 0
    while at < len(payload):
        first = payload[at]
        at += 1
        if first & 3 == 3:
            length, at = varint(payload, at)
            yield first >> 2, payload[at:at + length]
            at += length
            continue
        n = first >> 3
        if n == 31:
            n, at = varint(payload, at)
        for _ in range(n + 1 + (0 if first & 4 else 1)):
            _, at = varint(payload, at)


def text(payload, at):
    length, at = varint(payload, at)
    return payload[at:at + length].decode(), at + length


def read_log(path):
    """Its META, and its readings."""
    meta, readings = {}, []
    data = open(path, 'rb').read()
    assert data[56] == 0, path + ': its clock is not CLOCK_MONOTONIC'
    for payload in blocks(data):
        for kind, record in others(payload):
            if kind == META:
                key, at = text(record, 0)
                meta.setdefault(key, text(record, at)[0])
            elif kind == REMOTE_CLOCK:
                values, at = [], 0
                for _ in range(5):
                    value, at = varint(record, at)
                    values.append(value)
                readings.append(values)
    return meta, readings


def read_run(run):
    """(host, rank, peer, sent, received, replied, returned) of all logs."""
    for path in sorted(glob.glob(run + '/*.gasplog')):
        meta, readings = read_log(path)
        for reading in readings:
            yield (meta['host'], int(meta['rank']), *reading)


class Truth:
    """A process's clock against the time stamp counter: the tighter half of its readings, and lines between them."""

    def __init__(self, path):
        rows = [tuple(map(int, line.split())) for line in open(path)]
        widths = sorted(after - before for before, _, after in rows)
        width = widths[len(widths) // 2]
        kept = [r for i, r in enumerate(rows) if r[2] - r[0] <= width or i in (0, len(rows) - 1)]
        self.ns = [ns for _, ns, _ in kept]
        self.ticks = [(before + after) / 2 for before, _, after in kept]
        self.hz = (self.ticks[-1] - self.ticks[0]) / (self.ns[-1] - self.ns[0])

    def at(self, ns):
        """The counter at a time of the clock."""
        i = min(max(bisect.bisect(self.ns, ns), 1), len(self.ns) - 1)
        share = (ns - self.ns[i - 1]) / (self.ns[i] - self.ns[i - 1])
        return self.ticks[i - 1] + share * (self.ticks[i] - self.ticks[i - 1])


def check(run, truth, slack):
    known = {}
    n = wrong = 0
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


if __name__ == '__main__':
    if len(sys.argv) > 2:
        sys.exit(not check(sys.argv[1], sys.argv[2], float(sys.argv[3]) if len(sys.argv) > 3 else 2000))
    for row in read_run(sys.argv[1]):
        print(*row)
