#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# OpenSHMEM: what a thread waited for, where a wrong cause is near at hand; and barriers that nothing but plain stores need.
# Alone: its programs need the processors.
. "$(dirname "$0")/../lib.sh"
. "$TOP/tests/faults.sh"
. "$TOP/examples/env.sh"

if [ ! -x "$O/programs/oshmem/shmem_causes" ]; then
	skip "OpenSHMEM" "not here"
	finish
fi
record causes oshrun -np 4 "$O/programs/oshmem/shmem_causes"
db=$TMP/causes.db

# at CASE: where its line is
at() {
	echo "shmem_causes.c:$(line_of shmem_causes "$1")"
}

# waited CASE: PE 1's waiting there: for whom most, and seconds for that one
waited() {
	sql "$db" "SELECT coalesce(c.rank, -1), sum(w.end_ns - w.start_ns) / 1e9 FROM wait w JOIN event e ON e.id = w.event_id
		JOIN place p ON p.source_id = e.source_id JOIN thread t ON t.id = w.thread_id LEFT JOIN thread c ON c.id = w.cause_thread_id
		WHERE p.location = '$(at "$1")' AND t.rank = 1 GROUP BY 1 ORDER BY 2 DESC LIMIT 1" | tr '|' ' '
}

for case in collect set store test fetch; do
	got=$(waited $case) want=$(sed -n "s/^fault: $case \([-0-9]*\) seconds \(.*\)/\1 \2/p" "$TMP/causes.out")
	is "$case: whom PE 1 waits for" "${got%% *}" "${want%% *}"
	# What polls sleeps, or loses its processor, between two events: that is computation.
	case $case in test | fetch) continue ;; esac
	ok "$case: for as long as it was there (${want##* } and ${got##* })" \
		awk -v a="${want##* }" -v b="${got##* }" 'BEGIN { exit !(b > 0.8 * a && b < 1.2 * a) }'
done
is "only the first broadcast of the set keeps its root" "$(sql "$db" "SELECT count(*) FROM wait w JOIN event e ON e.id = w.event_id
	JOIN place p ON p.source_id = e.source_id JOIN thread t ON t.id = w.thread_id
	WHERE p.location = '$(at set)' AND t.rank = 1")" 1
is "the late puts are blamed for polling" "$(sql "$db" "SELECT DISTINCT location, cause_location FROM named_wait
	WHERE location IN ('$(at test)', '$(at fetch)') ORDER BY 1")" \
	"$(at test)|$(at "LATE test")
$(at fetch)|$(at "LATE fetch")"
is "no delivery is invented" "$(sql "$db" "SELECT count(*) FROM delivery_total JOIN place USING (source_id)
	WHERE location = '$(at store)'")" 0
is "polling is few events" "$(sql "$db" "SELECT count(*) < 1000 FROM named_event WHERE location IN ('$(at test)', '$(at fetch)')")" 1
is "no barrier is needless" "$(sql "$db" "SELECT count(*) FROM loss WHERE kind = 'back-to-back barriers'")" 0
is "the end completes what is on any context" "$(sql "$db" "SELECT b.operation, count(*) FROM completion c JOIN named_event a ON a.id = c.event_id
	LEFT JOIN named_event b ON b.id = c.complete_event_id WHERE a.operation LIKE 'shmem_ctx_putmem%' GROUP BY 1")" "shmem_finalize|2"

# What words hold after each write, as the program's comments have it
sql "$db" "SELECT s.line || ' ' || CASE (SELECT value FROM event_arg v JOIN argument a ON a.id = v.argument_id
			WHERE v.id >> 6 = e.id AND a.name = 'after_known')
		WHEN 0 THEN '-' WHEN 2 THEN 'unchanged' ELSE (SELECT value FROM event_arg v JOIN argument a ON a.id = v.argument_id
			WHERE v.id >> 6 = e.id AND a.name = 'after') END
	FROM event e JOIN source s ON s.id = e.source_id JOIN operation o ON o.id = s.operation_id
	WHERE o.type IN ('put', 'atomic', 'atomic_fetch') AND s.line IN
		($(awk '/\/\* value / { printf "%s%d", comma, NR; comma = "," }' "$TOP/tests/programs/shmem_causes.c"))
	AND e.nested = 0 ORDER BY s.line" >"$TMP/got"
awk '/\/\* value / { sub(/.*\/\* value /, ""); sub(/ \*\//, ""); print NR, $0 }' "$TOP/tests/programs/shmem_causes.c" >"$TMP/want"
is "the values of words" "$(diff "$TMP/want" "$TMP/got")" ""
invariants
finish
