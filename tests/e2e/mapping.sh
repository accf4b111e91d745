#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Mapping of time to entities: sums by entity against the examples' own counters.  Counts are equal; a time lies between the
# program's clock readings inside and outside of what is measured.
. "$(dirname "$0")/../lib.sh"
cd "$TMP" || exit 1

# recorded NAME COMMAND...: NAME.out, NAME.db
recorded() {
	timeout 100 "$gaspdb" record -o "$1" -- "${@:2}" >"$1.out" 2>"$1.err"
	is "$1: the program succeeds" $? 0
	imports "$1" -o "$1.db" 2>"$1.err"
	is "$1: import succeeds" $? 0
	is "$1: a thread's entities and none add up to its time" "$(sql "$1.db" "SELECT count(*) FROM thread t WHERE last_ns - first_ns <>
		(SELECT sum(self_ns) FROM entity_profile p WHERE p.thread_id = t.id)")" 0
	is "$1: bins add up to the profile" "$(sql "$1.db" "SELECT count(*) FROM (SELECT entity_id, thread_id, sum(self_ns) AS ns,
		sum(wait_ns) AS wait FROM entity_profile WHERE entity_id IS NOT NULL GROUP BY 1, 2 HAVING ns > 0) p LEFT JOIN
		(SELECT entity_id, thread_id, sum(self_ns) AS ns, sum(wait_ns) AS wait FROM entity_bin GROUP BY 1, 2) b USING (entity_id, thread_id)
		WHERE p.ns IS NOT b.ns OR p.wait IS NOT b.wait")" 0
}

# between WHAT LEAST MOST SUM: of ns; a thousandth for the conversion of clocks
between() {
	ok "$1: $2 <= $4 <= $3" awk -v least="$2" -v most="$3" -v sum="$4" \
		'BEGIN { exit !(least != "" && sum != "" && least * 0.999 - 1000 <= sum && sum <= most * 1.001 + 1000) }'
}

# --- particles: embedded and external association, a mix ----------------------
recorded particles "$O/examples/particles"
# of WHAT: "number calls inner outer" lines of the program
of() {
	awk -v what="$1" '$1 == what { print $2, $4, $6, $8 }' particles.out
}
# begins FUNCTION ENTITY COLUMN: of the begins in a function
begins() {
	sql particles.db "SELECT sum(p.$3) FROM entity_profile p JOIN entity e ON e.id = p.entity_id JOIN source s ON s.id = p.source_id
		WHERE s.function = '$1' AND e.name = '$2'"
}
while read -r n calls inner outer; do
	is "spark of face $n: calls" "$(begins process_spark "face $n" calls)" "$calls"
	between "spark of face $n" "$inner" "$outer" "$(begins process_spark "face $n" self_ns)"
done < <(of spark)
# A mix counts for both of its faces.
declare -A edge
while read -r n calls inner outer; do
	edge[$n]="$calls $inner $outer"
done < <(of edge)
while read -r n calls inner outer; do
	for e in $((n - 1)) "$n"; do
		read -r more _ < <(echo "${edge[$e]-0}")
		calls=$((calls + more))
	done
	is "face $n: calls" "$(begins process_particle "face $n" calls)" "$calls"
	between "face $n" "$inner" "$outer" $(($(begins process_particle "face $n" self_ns) - $(begins process_particle "face $n" shared_ns)))
done < <(of face)
# Face n has three quarters of edge n, and a quarter of edge n - 1.
share() {
	awk -v a="${edge[$2]-0 0 0}" -v b="${edge[$(($2 - 1))]-0 0 0}" -v i="$1" \
		'BEGIN { split(a, x, " "); split(b, y, " "); printf "%d", x[i] * 3 / 4 + y[i] / 4 }'
}
for n in 0 1 2 3; do
	between "face $n: its shares of edges" "$(share 2 "$n")" "$(share 3 "$n")" "$(begins process_particle "face $n" shared_ns)"
done
is "attributes" "$(sql particles.db "SELECT e.name || ' ' || a.key || '=' || a.value FROM entity_attribute a JOIN entity e ON e.id = a.entity_id
	WHERE e.name IN ('face 0', 'face 5') ORDER BY 1")" "$(printf 'face 0 particles=4\nface 0 side=even\nface 5 particles=24\nface 5 side=odd')"
is "faces are below the cube" "$(sql particles.db "SELECT count(*), p.name, p.last_position - p.position FROM entity e JOIN entity p
	ON p.id = e.parent_id")" "6|cube|6"
is "lines of the program" "$(sql particles.db "SELECT count(DISTINCT s.line) FROM entity_profile p JOIN source s ON s.id = p.source_id")" 2
"$O/examples/particles" >alone.out
is "without recording" "$(awk '{ print $1, $2, $4 }' alone.out)" "$(awk '{ print $1, $2, $4 }' particles.out)"

# A profile has the begins at their lines, and says what it lacks.
timeout 100 "$gaspdb" record --mode=profile -o lines -- "$O/examples/particles" >lines.out 2>lines.err
imports lines -o lines.db 2>lines.err
is "profile: begins at their lines" "$(sql lines.db "SELECT s.function, sum(p.calls) FROM profile p JOIN source s ON s.id = p.source_id
	JOIN operation o ON o.id = s.operation_id WHERE o.model = 'Mapping' GROUP BY 1 ORDER BY 1" | xargs)" \
	"process_particle|$(awk '$1 != "spark" { n += $4 } END { print n }' lines.out) process_spark|$(awk '$1 == "spark" { n += $4 } END { print n }' lines.out)"
for analysis in entities entity-attributes entities-over-time work-queue; do
	is "profile: $analysis needs a trace" "$("$gaspdb" analyze $analysis lines.db 2>&1 >/dev/null | grep -o 'needs a trace')" "needs a trace"
done
like "profile: the report says so, too" "$("$gaspdb" report --section=entities lines.db)" "needs a trace"

# --- a work queue: made on thread 0, run on 1 and 2 ---------------------------
# statements SELECT...: of a statement of this name
statements=("A = 1" "B = 2" "C = A + B - 2 * D" "D = C * A")
of_statement() { # WHAT STATEMENT FIELD
	awk -v what="$1" -v n="$2" -v f="$3" '$1 == what && $2 == n { print $f }' work_queue.out
}
recorded work_queue "$O/examples/work_queue"
for n in 0 1 2 3; do
	name=${statements[$n]}
	is "'$name': made on thread 0" "$(sql work_queue.db "SELECT sum(puts), count(DISTINCT put_thread_id), max(put_thread_id)
		FROM entity_work_total w JOIN entity e ON e.id = w.entity_id WHERE e.name = '$name'")" "$(of_statement made "$n" 4)|1|0"
	between "'$name': creation" "$(of_statement made "$n" 6)" "$(of_statement made "$n" 8)" "$(sql work_queue.db "SELECT sum(self_ns)
		FROM entity_profile p JOIN entity e ON e.id = p.entity_id WHERE e.name = '$name' AND thread_id = 0")"
	# Which runner is which thread of the recording is not known: their names are given by who records first.
	is "'$name': runs on both" "$(sql work_queue.db "SELECT sum(runs) FROM entity_work_total w JOIN entity e ON e.id = w.entity_id
		WHERE e.name = '$name' AND run_thread_id IN (1, 2)")" $(($(of_statement run1 "$n" 4) + $(of_statement run2 "$n" 4)))
	between "'$name': run" $(($(of_statement run1 "$n" 6) + $(of_statement run2 "$n" 6))) \
		$(($(of_statement run1 "$n" 8) + $(of_statement run2 "$n" 8))) "$(sql work_queue.db "SELECT sum(self_ns) FROM entity_profile p
		JOIN entity e ON e.id = p.entity_id WHERE e.name = '$name' AND thread_id > 0")"
	is "'$name': the run time is that of the profile" "$(sql work_queue.db "SELECT sum(run_ns) FROM entity_work w
		JOIN entity e ON e.id = w.entity_id WHERE e.name = '$name'")" "$(sql work_queue.db "SELECT sum(inclusive_ns) FROM entity_profile p
		JOIN entity e ON e.id = p.entity_id WHERE e.name = '$name' AND thread_id > 0")"
	between "'$name': queued" "$(of_statement queued "$n" 4)" "$(of_statement queued "$n" 6)" "$(sql work_queue.db "SELECT sum(queued_ns)
		FROM entity_work w JOIN entity e ON e.id = w.entity_id WHERE e.name = '$name'")"
done
is "all work has run" "$(sql work_queue.db "SELECT count(*), count(run_event_id), count(put_event_id), count(queued_ns) FROM entity_work")" \
	"400|400|400|400"

# --- tasks of two ranks: external association by the address of a name --------
. "$TOP/examples/env.sh"
tasks() { # MPI LAUNCHER
	local db=tasks_$1.db
	recorded "tasks_$1" "$2" -np 2 "$O/examples/mpi_tasks_$1"
	while read -r _ rank _ task _ packets _ messages _ inner _ outer; do
		is "$1: rank $rank, task $task: packets" "$(sql "$db" "SELECT sum(p.calls) FROM entity_profile p JOIN entity e ON e.id = p.entity_id
			JOIN source s ON s.id = p.source_id JOIN operation o ON o.id = s.operation_id JOIN thread t ON t.id = p.thread_id
			WHERE o.model = 'Mapping' AND t.rank = $rank AND e.id = $task + 1")" "$packets"
		is "$1: rank $rank, task $task: messages, bytes" "$(sql "$db" "SELECT coalesce(sum(p.calls), 0), coalesce(sum(p.bytes), 0)
			FROM entity_profile p JOIN source s ON s.id = p.source_id JOIN operation o ON o.id = s.operation_id
			JOIN thread t ON t.id = p.thread_id
			WHERE o.name = 'MPI_Sendrecv' AND t.rank = $rank AND p.entity_id = $task + 1")" "$messages|$((messages * 1000))"
		between "$1: rank $rank, task $task" "$inner" "$outer" "$(sql "$db" "SELECT sum(p.self_ns) FROM entity_profile p
			JOIN thread t ON t.id = p.thread_id WHERE t.rank = $rank AND p.entity_id = $task + 1")"
	done < <(grep '^rank' "tasks_$1.out")
	is "$1: one entity for both ranks" "$(sql "$db" "SELECT count(*) FROM entity")" 4
	is "$1: one attribute, too" "$(sql "$db" "SELECT count(*), count(DISTINCT entity_id || key), group_concat(DISTINCT typeof(value))
		FROM entity_attribute")" "12|12|text,real,integer"
	is "$1: waiting lies in the task that exchanges" "$(sql "$db" "SELECT (SELECT sum(wait_ns) FROM entity_profile WHERE entity_id = 3),
		(SELECT sum(wait_ns) FROM entity_profile WHERE entity_id IN (1, 2, 4))")" "$(sql "$db" "SELECT sum(w.end_ns - w.start_ns), 0
		FROM wait w JOIN event e ON e.id = w.event_id JOIN source s ON s.id = e.source_id JOIN operation o ON o.id = s.operation_id
		WHERE o.name = 'MPI_Sendrecv'")"
}
each_mpi mpi_hello tasks

# --- what gaspdb.h promises ---------------------------------------------------
promises() { # NAME ARGUMENT...
	timeout 100 "$gaspdb" record -o "$1" -- "$O/programs/gasp_mapping" "${@:2}" >"$1.out" 2>"$1.err"
	"$gaspdb" import "$1" -o "$1.db" 2>"$1.err"
	invariants_of "$1.db"
	is "$1: nothing is lost but events of the handler that interrupts another" "$(sql "$1.db" "SELECT DISTINCT kind FROM quality
		WHERE severity = 'loss' AND kind <> 'lost events'")" ""
	is "$1: no promise is broken" "$(grep -v '^gaspdb:' "$1.out")" checked
	is "$1: calls of each" "$(sql "$1.db" "SELECT e.name || '=' || sum(p.calls) FROM entity_profile p JOIN entity e ON e.id = p.entity_id
		JOIN source s ON s.id = p.source_id WHERE e.kind = 'counted' AND s.function IN ('events', 'work_thread') GROUP BY e.name" | xargs)" \
		"one=100 two=121"
	is "$1: attributes" "$(sql "$1.db" "SELECT e.name, a.key, a.value FROM entity_attribute a JOIN entity e ON e.id = a.entity_id" | xargs)" \
		"one|n|-5 one|x|0.5 two|t|größe"
	is "$1: work" "$(sql "$1.db" "SELECT count(*), count(put_event_id), count(run_event_id), count(queued_ns), count(DISTINCT run_thread_id)
		FROM entity_work w JOIN entity e ON e.id = w.entity_id WHERE e.name = 'two'")" "11|11|11|10|2"
	is "$1: a child's run of the parent's work was never put there" "$(sql "$1.db" "SELECT count(*), count(put_event_id), count(run_event_id)
		FROM entity_work w JOIN entity e ON e.id = w.entity_id WHERE e.name = 'a'")" "2|1|1"
	is "$1: an end without a begin, and only that" "$(sql "$1.db" "SELECT sum(count) FROM quality WHERE kind = 'end without start'")" 1
	is "$1: no events of no entity" "$(sql "$1.db" "SELECT count(*) FROM event WHERE object IS NULL AND source_id IN
		(SELECT source_id FROM place WHERE type IN ('entity', 'work', 'work_put'))")" 0
	is "$1: the tree" "$(sql "$1.db" "SELECT max(depth), count(*) FROM entity WHERE kind = 'deep'")" "64|63"
}
promises promised
status=0
timeout 100 "$gaspdb" record -o killed -- "$O/programs/gasp_mapping" killed >killed.out 2>killed.err || status=$?
is "killed: by its signal" "$status" 137
"$gaspdb" import killed -o killed.db 2>killed.err
is "killed: what was open lasts to the end" "$(sql killed.db "SELECT e.open, e.start_ns + e.duration_ns = t.last_ns FROM event e JOIN entity n
	ON n.id = e.object JOIN place USING (source_id) JOIN thread t ON t.id = e.thread_id WHERE n.name = 'open' AND type = 'entity'")" "1|1"
is "killed: the rest is there" "$(sql killed.db "SELECT sum(calls) FROM entity_total t JOIN entity e ON e.id = t.entity_id
	WHERE whole AND e.name = 'one'")" 100

# --- nothing is recorded, or compiled -----------------------------------------
is "without recording nothing is made" "$("$O/examples/work_queue" | awk '$1 == "made" { n += $4 } END { print n }')" 400
for what in -DGASPDB_NO_PUPC -DGASPDB_NO_MAPPING; do
	ok "$what compiles" cc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -I"$TOP/collector/include" $what -o nothing "$TOP/examples/work_queue.c" -lpthread
	is "$what leaves no symbol" "$(nm nothing | grep gaspdb_)" ""
	is "$what: it runs as before" "$(./nothing | awk '$1 == "made" { n += $4 } END { print n }')" 400
done
ok "so do a C++ program" c++ -std=c++17 -Wall -Wextra -Werror -I"$TOP/collector/include" -o plus -x c++ - <<'CPP'
#include "gaspdb.h"
int main()
{
	const gaspdb_entity_t e = gaspdb_entity_create("k", "n", 0), both[] = { e, e };

	gaspdb_entity_real(e, "x", .5);
	gaspdb_entity_begin(gaspdb_entity_mix(2, both, nullptr));
	gaspdb_entity_end(e);
	gaspdb_work_end(gaspdb_work_put(e));
	return e;
}
CPP
ok "which runs" ./plus
ok "a program that is not position-independent" cc -std=c11 -D_GNU_SOURCE -no-pie -fno-pie -I"$TOP/collector/include" -o fixed \
	"$TOP/examples/particles.c" -L"$O" -Wl,--no-as-needed -lgaspdb -Wl,-rpath,"$O"
timeout 100 "$gaspdb" record -o fixed.run -- ./fixed >/dev/null 2>err
imports fixed.run -o fixed.db 2>err
is "is recorded, too" "$(sql fixed.db "SELECT count(*) > 0 FROM entity_profile WHERE entity_id IS NOT NULL")" 1
timeout 100 "$gaspdb" record --except=name:gaspdb_work_begin -o masked.run -- "$O/programs/gasp_mapping" >/dev/null 2>err
"$gaspdb" import masked.run -o masked.db 2>err
is "--except leaves out events" "$(sql masked.db "SELECT count(*) FROM event JOIN place USING (source_id) WHERE type = 'work'")" 0
is "which are counted: 11 runs, and one of the child" "$(sql masked.db "SELECT sum(masked) FROM recording")" 24
is "then work does not run" "$(sql masked.db "SELECT count(*), count(run_event_id) FROM entity_work")" "11|0"
finish
