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
finish
