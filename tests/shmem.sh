# SPDX-License-Identifier: GPL-3.0-or-later
# For the OpenSHMEM scripts, after lib.sh: record a program of tests/programs on 4 PEs, and see what was recorded.
# adapter=NAME, pes=N, program=FILE: another adapter's, on so many PEs, of that source.

if [ ! -e "$O/libgaspdb-${adapter:-oshmem}.so" ]; then
	skip "OpenSHMEM" "there is none here"
	finish
fi

# record NAME [ARGUMENT...]: shmem_NAME's run, its output in $TMP/out and $TMP/err; returns its status
record() {
	local status
	timeout 100 "$gaspdb" record -o "$TMP/$1" -- oshrun -np 4 "$O/programs/oshmem/shmem_$1" "${@:2}" >"$TMP/out" 2>"$TMP/err"
	status=$?
	sed -i '/^gaspdb: recorded /d; /^gaspdb: next: /d' "$TMP/err"
	return $status
}

# import NAME: returns import's status
import() {
	"$gaspdb" import "$TMP/$1" -o "$TMP/$1.db" 2>"$TMP/import"
}

# events NAME: every event in the form of tests/shmem_expected.awk.  heap+0 is what the first allocation returned.
events() {
	sql "$TMP/$1.db" "
	WITH heap(base) AS (SELECT min(object) FROM event e, segment s WHERE s.kind = 'heap' AND object >> 40 = s.id)
	SELECT t.rank, s.line, o.name, o.symbol, ifnull(e.bytes, '-'), ifnull(p.rank, '-'),
		CASE WHEN e.object IS NULL OR e.object >> 62 = 1 THEN '-'
		     WHEN g.kind = 'heap' THEN 'heap+' || (e.object - heap.base) ELSE n.name END,
		ifnull((SELECT group_concat(name || '=' || value, ' ')
		 FROM (SELECT a.name AS name, CASE WHEN a.name IN ('team', 'created', 'created_y') THEN
			ifnull((SELECT group_concat(rank) FROM (SELECT mt.rank AS rank FROM team_member m
			 JOIN thread mt ON mt.id = m.thread_id WHERE m.team_id = v.value ORDER BY m.rank)), 0)
			WHEN a.name = 'signal' THEN 'heap+' || (v.value - heap.base) ELSE v.value END AS value
		       FROM event_arg v JOIN argument a ON a.id = v.argument_id
		       WHERE v.id >> 6 = e.id AND a.name NOT IN ('local', 'address', 'old_address', 'result', 'after', 'after_known', 'word_value') ORDER BY v.id)), '')
	FROM event e JOIN thread t ON t.id = e.thread_id JOIN source s ON s.id = e.source_id
		JOIN operation o ON o.id = s.operation_id LEFT JOIN thread p ON p.id = e.peer
		LEFT JOIN segment g ON g.id = e.object >> 40 LEFT JOIN object n ON n.id = e.object, heap
	WHERE e.nested = 0 ORDER BY t.rank, e.id"
}

# expected NAME: the same from the comments of the program; synced=1: with a sync before each collective
expected() {
	awk -v pes="${pes:-4}" -v synced="${synced:-0}" -f "$TOP/tests/shmem_expected.awk" "$TOP/${program:-tests/programs/shmem_$1.c}" | sed -E 's/\|([a-z_]+)\+0\|/|\1|/; s/\|heap\|/|heap+0|/'
}

# same WHAT NAME: each PE's events are those of the comments, in their order
same() {
	events "$2" >"$TMP/got"
	expected "$2" >"$TMP/want"
	is "$1" "$(diff "$TMP/want" "$TMP/got" | head -20)" ""
}
