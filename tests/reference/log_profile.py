#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the profiles in logs, after docs/log-format.md alone, and prints them.

    log_profile.py [--traffic] LOG...

A line a node: log, path (operations from the outermost in, separated by ">"),
count, total ticks, child ticks, bytes, failed, written, open (0 or 1), torn
(0 or 1). With --traffic a line an entry: log, path, peer, size class, way,
count, bytes. Separated by tabs, in the order of the log. Exits 1 where a log
breaks a rule of the format.
"""
import struct
import sys

BLOCK, HEAD, CELL = 48, 80, 128


class Broken(Exception):
    pass


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def text(data, at):
    length, at = varint(data, at)
    return data[at:at + length].decode("utf-8", "replace"), at + length


def crc32c(data):
    if not crc32c.table:
        for i in range(256):
            c = i
            for _ in range(8):
                c = c >> 1 ^ (0x82F63B78 if c & 1 else 0)
            crc32c.table.append(c)
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ crc32c.table[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


crc32c.table = []


class Calls:
    """Calls of one operation in the trace."""

    def __init__(self):
        self.count = self.ended = self.ticks = 0


class Log:
    """The definitions, events, counts of records, and profile of one log."""

    def __init__(self, path):
        with open(path, "rb") as f:
            self.data = f.read()
        if self.data[:8] != b"\x89GASPLG\n":
            raise Broken("no log")
        self.order = "<" if self.data[8:10] == b"\x02\x00" else ">"
        self.operations, self.sites, self.meta = {}, {}, {}
        self.strings, self.functions, self.kinds = {}, {}, {}
        self.throttled = 0  # calls
        self.events = 0
        self.calls, self.open = {}, []  # by operation; (operation, ticks)
        self.last_event = 0
        self.nodes, self.traffic = {}, []
        self.head = None
        self.whole = False
        self.blocks()

    def number(self, code, at):
        return struct.unpack_from(self.order + code, self.data, at)[0]

    def blocks(self):
        at = self.number("I", 12)
        number = 0
        # After an open block what is no header is the end: a part of a record.
        while at + BLOCK <= len(self.data) and \
                self.number("I", at) == 0x4B4C4247:
            kind, sealed = self.data[at + 4], self.data[at + 5]
            length = self.number("I", at + 8)
            if self.number("Q", at + 16) != number:
                raise Broken("block %d at %d" % (number, at))
            if sealed:
                self.check(at, length)
            if kind == 3:
                self.cells(at, sealed)
            else:
                self.records(at + BLOCK, at + BLOCK + length,
                             self.number("Q", at + 24))
                self.whole = kind == 2
            at = (at + BLOCK + length + 7) & ~7
            number += 1

    def check(self, at, length):
        block = bytearray(self.data[at:at + BLOCK + length])
        block[12:16] = bytes(4)
        if crc32c(block) != self.number("I", at + 12):
            raise Broken("checksum of the block at %d" % at)

    def records(self, at, end, ticks):
        site = None
        while at < end:
            head = self.data[at]
            at += 1
            if head & 3 == 3:
                length, at = varint(self.data, at)
                self.kinds[head >> 2] = self.kinds.get(head >> 2, 0) + 1
                self.record(head >> 2, at, at + length)
                at += length
                continue
            self.events += 1
            n = head >> 3
            if n == 31:
                n, at = varint(self.data, at)
            passed, at = varint(self.data, at)
            ticks += passed
            if not head & 4:
                site, at = varint(self.data, at)
            for _ in range(n):
                _, at = varint(self.data, at)
            self.event(head & 3, self.operations[self.sites[site]], ticks)
        if at != end:
            raise Broken("a record beyond its block")

    def event(self, phase, name, ticks):
        if self.head is not None and self.head["from"]:
            raise Broken("an event after the trace's end")
        if ticks < self.last_event:
            raise Broken("an event before the one before it")
        self.last_event = ticks
        calls = self.calls.setdefault(name, Calls())
        if phase != 1:
            calls.count += 1
        if phase == 0:
            self.open.append((name, ticks))
        elif phase == 1:
            for i in range(len(self.open) - 1, -1, -1):
                if self.open[i][0] == name:
                    calls.ended += 1
                    calls.ticks += ticks - self.open.pop(i)[1]
                    break

    def record(self, kind, at, end):
        if kind == 1:
            ident, start = varint(self.data, at)
            self.strings[ident] = self.data[start:end].decode("utf-8",
                                                              "replace")
        elif kind == 44:
            fields = []
            while len(fields) < 3:
                field, at = varint(self.data, at)
                fields.append(field)
            self.throttled += fields[2]
        elif kind == 2:
            ident, at = varint(self.data, at)
            _, at = varint(self.data, at)
            _, at = text(self.data, at)
            self.operations[ident], _ = text(self.data, at)
        elif kind in (3, 4):
            ident, at = varint(self.data, at)
            self.sites[ident], at = varint(self.data, at)
            for _ in range(3):
                _, at = varint(self.data, at)
            if kind == 3 and at < end:
                self.functions[ident], at = varint(self.data, at)
        elif kind == 5:
            key, at = text(self.data, at)
            self.meta.setdefault(key, text(self.data, at)[0])

    def cells(self, block, sealed):
        if block % CELL:
            raise Broken("a profile block at %d" % block)
        at = block + BLOCK
        index, used = self.number("I", at), self.number("I", at + 4)
        if self.head is None:
            names = ("last", "first", "events", "lost", "unkept", "tool",
                     "off", "since", "from")
            self.head = {name: self.number("Q", at + 8 + 8 * i)
                         for i, name in enumerate(names)}
        if used > 511:
            raise Broken("%d cells" % used)
        for i in range(used):
            self.cell(index * 511 + i + 1, at + HEAD + CELL * i, sealed)

    def cell(self, number, at, sealed):
        sequence, kind = self.number("I", at), self.number("I", at + 4)
        if kind == 1:
            names = ("count", "total", "child", "least", "most")
            node = {name: self.number("Q", at + 16 + 8 * i)
                    for i, name in enumerate(names)}
            node["parent"] = self.number("I", at + 8)
            node["site"] = self.number("I", at + 12)
            node["squares"] = self.number("d", at + 56)
            for i, name in enumerate(("bytes", "open", "failed", "written",
                                      "carried")):
                node[name] = self.number("Q", at + 64 + 8 * i)
            node["torn"] = sequence & 1
            if node["parent"] and node["parent"] not in self.nodes:
                raise Broken("node %d before its parent" % number)
            self.nodes[number] = node
        elif kind == 2:
            for entry in range(at + 8, at + CELL, 40):
                fields = struct.unpack_from(self.order + "IIIIQQQ", self.data,
                                            entry)
                if fields[0]:
                    self.traffic.append(fields)
        elif kind:
            raise Broken("a cell of kind %d" % kind)

    def name(self, node):
        return self.operations.get(self.sites.get(node["site"]), "(beyond)")

    def whole_counts(self):
        """Calls by operation: those of the trace and those of the profile of
        the rest, or of the whole profile."""
        counts = {}
        if not self.head or self.head["from"]:
            counts = {name: calls.count for name, calls in self.calls.items()}
        for node in self.nodes.values():
            name = self.name(node)
            # Of a torn node it is not known whether the open call has ended.
            begun = (node["open"] and node["open"] != self.head["from"]
                     and not node["torn"])
            counts[name] = counts.get(name, 0) + node["count"] + bool(begun)
        return counts

    def whole_ticks(self):
        """Ticks by operation, in the same way: of ended calls alone."""
        ticks = {}
        start = self.head["from"] if self.head else 0
        if not self.head or start:
            ticks = {name: calls.ticks for name, calls in self.calls.items()}
        for name, begun in self.open:
            ticks[name] += max(0, start - begun)
        for node in self.nodes.values():
            name = self.name(node)
            ticks[name] = ticks.get(name, 0) + node["total"]
        return ticks

    def path(self, number):
        names = []
        while number:
            node = self.nodes[number]
            name = self.operations.get(self.sites.get(node["site"]))
            names.append(name if node["site"] else "(beyond)")
            if name is None and node["site"]:
                raise Broken("site %d is not defined" % node["site"])
            number = node["parent"]
        return ">".join(reversed(names))


def main(arguments):
    traffic = "--traffic" in arguments
    for path in (a for a in arguments if a != "--traffic"):
        try:
            log = Log(path)
        except (Broken, IndexError, struct.error) as error:
            sys.exit("%s: %s" % (path, error))
        if traffic:
            for node, peer, size, way, count, moved, _ in log.traffic:
                peer = -1 if peer == 0xFFFFFFFF else peer
                print(path, log.path(node), peer, size, way, count, moved,
                      sep="\t")
            continue
        for number, node in log.nodes.items():
            print(path, log.path(number), node["count"], node["total"],
                  node["child"], node["bytes"], node["failed"],
                  node["written"], int(node["open"] != 0), node["torn"],
                  sep="\t")


if __name__ == "__main__":
    main(sys.argv[1:])
