#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# One defect at a time in the third of four logs: info tells it before an import with file, byte and rank, and the import keeps
# it as a row, in logs of either byte order.  The defects are made from docs/log-format.md.
. "$(dirname "$0")/../lib.sh"
cd "$TMP" || exit 1
if ! command -v python3 >/dev/null; then
	skip "defects" "no python3"
	finish
fi
awk 'BEGIN {
	print "thread 0..3"
	for (i = 0; i < 3; i++) {
		for (r = 0; i && r < 4; r++)
			print "at " 20 * i + 15 " thread " r " block"
		for (r = 0; r < 4; r++)
			print "at " 20 * i + 20 ".." 20 * i + 30 " thread " r " a.c:2 MPI_Barrier"
	}
}' >script
"$O/tests/mkrun" script good

cat >damage.py <<'PY'
import shutil, struct, sys

log = 'node-102-0.gasplog'
how, E = sys.argv[1:]  # E: < or >

def crc32c(b):
    c = 0xffffffff
    for x in b:
        c ^= x
        for _ in range(8):
            c = (c >> 1) ^ 0x82f63b78 if c & 1 else c >> 1
    return c ^ 0xffffffff

def blocks(b):
    at, found = 64, []
    while at < len(b):
        n = 48 + struct.unpack_from(E + 'I', b, at + 8)[0]
        found.append((at, n))
        at = (at + n + 7) & ~7
    return found + [(at, 0)]

def seal(b, at, n):
    struct.pack_into(E + 'I', b, at + 12, 0)
    struct.pack_into(E + 'I', b, at + 12, crc32c(b[at:at + n]))

def header(b):
    struct.pack_into(E + 'I', b, 60, crc32c(b[:60]))

b = bytearray(open('good/' + log, 'rb').read())
k = blocks(b)
begin = [at for at, n in k]
shutil.copytree('good', how)
if how == 'empty': b = b''
elif how == 'cut': b = b[:-20]
elif how == 'no_end': b = b[:begin[2]]
elif how == 'flipped': b[begin[1] + 50] ^= 1
elif how == 'header': b[30] ^= 1
elif how == 'duplicated': shutil.copy('good/' + log, how + '/' + 'node-102-0-copy.gasplog')
elif how == 'repeated': b = b[:begin[2]] + b[begin[1]:begin[2]] + b[begin[2]:]
elif how == 'swapped': b = b[:64] + b[begin[1]:begin[2]] + b[64:begin[1]] + b[begin[2]:]
elif how == 'mixed': struct.pack_into(E + 'Q', b, 16, 99); header(b)
elif how == 'version': struct.pack_into(E + 'H', b, 8, 3); header(b)
elif how == 'length': struct.pack_into(E + 'I', b, begin[1] + 8, 0xfffffff0)
elif how == 'number': struct.pack_into(E + 'Q', b, begin[2] + 16, 9); seal(b, *k[2])
elif how == 'arguments': b[begin[1] + 48:begin[1] + 54] = b'\xf8\xff\xff\xff\xff\x0f'; seal(b, *k[1])
elif how == 'lost': struct.pack_into(E + 'I', b, begin[2] + 44, 7); seal(b, *k[2])
elif how == 'backwards':
    struct.pack_into(E + 'Q', b, begin[2] + 24, struct.unpack_from(E + 'Q', b, begin[2] + 24)[0] - 30); seal(b, *k[2])
open(how + '/' + log, 'wb').write(b)
print(*begin)
PY

# defect HOW ROWS LINES: in logs of byte order $order, with BLOCK0, BLOCK1, BLOCK2 for where the blocks begin
defect() {
	local how=$1 rows=$2 lines=$3 i=0 at
	for at in $(python3 damage.py "$how" "$order"); do
		rows=${rows//BLOCK$i/$at} lines=${lines//BLOCK$i/$at} i=$((i + 1))
	done
	[ "$how" = missing ] && rm "$how/node-102-0.gasplog"
	timeout 20 "$gaspdb" info "$how" >out 2>err
	is "$endian-endian, $how: info tells it" "$? $(sed 's/^gaspdb: //' err)" "3 $lines"
	timeout 20 "$gaspdb" import "$how" -o run.db --force 2>err
	is "$endian-endian, $how: and the import, in the same words" "$? $(sed '1d; s/^gaspdb: //; /^next: /d; /^incomplete collective\b/d; /^clock contradiction: /d' err)" "3 $lines"
	is "$endian-endian, $how: and a row of it" "3 $(sql run.db "SELECT kind, thread_id, file, offset FROM quality WHERE severity = 'loss' ORDER BY id")" "3 $rows"
}

log=node-102-0.gasplog
# all: every defect, each in a copy of the good run
all() {
	"$gaspdb" info good >out 2>err
	is "$endian-endian, without a defect: nothing is told" "$? $(cat err)" "0 "
	gone="missing log|2||" told_gone="missing log: rank 2"
	defect missing "$gone" "$told_gone"
	# As a process leaves it that is killed while it makes it: a log without events, of the only rank that has no other.
	defect empty "no end block|2|$log|0" "$log (rank 2): no end block: its process was killed while the log was being made
$log: inferred rank: A process was killed before its log had its rank: it got a rank without a log: rank 2, the only one without a log"
	defect version "unreadable log||$log|0
$gone" "$log: unreadable log: log format 3 is not known, only 2
$told_gone"
	defect mixed "log of another run||$log|16
$gone" "$log: log of another run at byte 16: A log of another run lies in the run directory and was left out
$told_gone"
	defect duplicated "duplicate log||node-102-0-copy.gasplog|0" \
		"node-102-0-copy.gasplog: duplicate log: a copy of '$log', which was read"
	defect header "damaged block|2|$log|60" "$log (rank 2): damaged block at byte 60: its header has a wrong checksum"
	defect cut "no end block|2|$log|BLOCK2" "$log (rank 2): no end block at byte BLOCK2: the file ends within a block"
	defect no_end "no end block|2|$log|BLOCK2" \
		"$log (rank 2): no end block at byte BLOCK2: A log was not closed: its process was killed, ended abruptly or was still running"
	size=$(python3 -c "import struct; b = open('good/$log', 'rb').read(); n = struct.unpack_from('${order}I', b, 72)[0]
at = (64 + 48 + n + 7) & ~7; m = 48 + struct.unpack_from('${order}I', b, at + 8)[0]; print((m + 7) & ~7)")
	defect flipped "damaged block|2|$log|BLOCK1" "$log (rank 2): damaged block at byte BLOCK1: wrong checksum; $size bytes skipped"
	defect length "damaged block|2|$log|BLOCK1" "$log (rank 2): damaged block at byte BLOCK1: a block of 4294967328 bytes, more than 65536; $size bytes skipped"
	defect repeated "damaged block|2|$log|BLOCK2" "$log (rank 2): damaged block at byte BLOCK2: block 1 again; $size bytes skipped"
	defect swapped "damaged block|2|$log|64" "$log (rank 2): damaged block at byte 64: block 0 stands after block 1"
	defect number "damaged block|2|$log|BLOCK2" "$log (rank 2): damaged block at byte BLOCK2: blocks 2 to 8 are missing"
	defect lost "lost events|2|$log|BLOCK2" "$log (rank 2): lost events at byte BLOCK2 (7): The collector could not record some events"
	first=$(python3 -c "print($(python3 damage.py probe "$order" | cut -d' ' -f2) + 48)")
	defect arguments "damaged block|2|$log|$first" "$log (rank 2): damaged block at byte $first: malformed record"
	second=$(python3 -c "print($(python3 damage.py probe2 "$order" | cut -d' ' -f3) + 48)")
	defect backwards "time going backwards|2|$log|$second" \
		"$log (rank 2): time going backwards at byte $second (2): A thread's clock went backwards; the event was moved forward"
}
endian=little order='<'
all
# The same of a big-endian machine.
mkdir little && mv good little && cp -r little/good good
"$O/tests/swaplog" good/*.gasplog
is "the other order is another file" "$(cmp -s good/$log little/good/$log; echo $?)" 1
for folder in */; do
	case $folder in good/ | little/) ;; *) rm -r "$folder" ;; esac
done
endian=big order='>'
all

# In all of them: nothing is left, and each party says why.
mkdir none && for file in good/*.gasplog; do cp version/$log none/"$(basename "$file")"; done
"$gaspdb" info none >out 2>err
is "no log can be read: info tells the first" "$? $(sed 's,/.*/,,' err)" "1 gaspdb: node-100-0.gasplog: unreadable log: log format 3 is not known, only 2
gaspdb: node-101-0.gasplog: unreadable log: log format 3 is not known, only 2
gaspdb: node-102-0.gasplog: unreadable log: log format 3 is not known, only 2; and 1 more
gaspdb: no log of 'none' can be read: node-100-0.gasplog: log format 3 is not known, only 2"
"$gaspdb" import none -o none.db 2>import.err
is "and so does the import" "$? $(cat import.err)" "1 $(cat err)"
is "and leaves nothing" "$(ls none.db* 2>/dev/null)" ""
invariants
finish
