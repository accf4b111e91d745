#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What the example's faults cost by its own clock readings is what its events say.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shmem.sh"
source=$TOP/examples/shmem_faults.c
db=$TMP/faults.db

timeout 100 "$gaspdb" record -o "$TMP/faults" -- oshrun -np 4 "$O/examples/shmem_faults" >"$TMP/out" 2>"$TMP/err"
is "the program succeeds" $? 0
import faults
is "import succeeds" $? 0

# line MARK: the source line marked so.  printed FAULT: PE and seconds.
line() {
	grep -n "$1" "$source" | grep -o '^[0-9]*'
}
printed() {
	awk -v fault="$1" '$1 == "fault:" && $2 == fault { print $3, $5 }' "$TMP/out"
}
# within FAULT PE SECONDS: the program printed this PE, and seconds within 10 %
within() {
	printed "$1" | awk -v pe="${2:-none}" -v s="${3:-0}" '{ n++; good = $1 == pe && $2 > 0 && s / $2 > 0.9 && s / $2 < 1.1 }
		END { exit !(n == 1 && good) }' || { echo "# $1: printed $(printed "$1"), recorded ${*:2}"; false; }
}

# Who came last, and for how long the others had waited, at each barrier of the line.
ok "late PE" within late-pe $(sql "$db" "
	WITH b AS (SELECT e.thread_id, e.start_ns, v.value AS sequence FROM event e JOIN source s ON s.id = e.source_id
		JOIN event_arg v ON v.event_id = e.id JOIN argument a ON a.id = v.argument_id AND a.name = 'sequence'
		WHERE s.file LIKE '%shmem_faults.c' AND s.line = $(line 'WAIT late-pe')),
	last AS (SELECT sequence, max(start_ns) AS ns FROM b GROUP BY 1)
	SELECT group_concat(DISTINCT (SELECT t.rank FROM b c JOIN thread t ON t.id = c.thread_id
		WHERE c.sequence = b.sequence AND c.start_ns = last.ns)), sum(last.ns - start_ns) / 1e9
	FROM b JOIN last USING(sequence)" | tr '|' ' ')
# The longest holder, and the others' waiting.
ok "contended lock" within contended-lock $(sql "$db" "
	WITH l AS (SELECT e.thread_id, e.duration_ns, o.type, e.start_ns, e.object,
		lead(e.start_ns) OVER (PARTITION BY e.thread_id ORDER BY e.id) - e.start_ns - e.duration_ns AS held
		FROM event e JOIN source s ON s.id = e.source_id JOIN operation o ON o.id = s.operation_id
		WHERE o.type IN ('lock', 'unlock'))
	SELECT (SELECT t.rank FROM l JOIN thread t ON t.id = l.thread_id WHERE type = 'lock' ORDER BY held DESC LIMIT 1),
		sum(duration_ns) / 1e9 FROM l WHERE type = 'lock'" | tr '|' ' ')
ok "fine-grained puts" within fine-grained-put $(sql "$db" "
	SELECT group_concat(DISTINCT t.rank), sum(e.duration_ns) / 1e9 FROM event e JOIN source s ON s.id = e.source_id
		JOIN thread t ON t.id = e.thread_id WHERE s.line = $(line 'FAULT fine-grained-put')" | tr '|' ' ')
is "fine-grained puts: all of them, to one peer" "$(sql "$db" "
	SELECT count(*), sum(e.bytes), group_concat(DISTINCT p.rank) FROM event e JOIN source s ON s.id = e.source_id
		JOIN thread p ON p.id = e.peer WHERE s.line = $(line 'FAULT fine-grained-put')")" \
	"$((300 * 3 * 64 * 256 / 128))|$((300 * 3 * 64 * 256))|0"
finish
