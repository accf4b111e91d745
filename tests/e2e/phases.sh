#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What programs call themselves: phases and marks, the switch, the ticks, and whether they are recorded.
. "$(dirname "$0")/../lib.sh"
program=$O/programs/gasp_phases

# 'prints' is the program's output, told of directory $1
prints() {
	printf 'off, was 1\non, was 0\nticks yes\nin %s' "$1"
}
is "as it runs" "$(GASPDB_DIR=$TMP/run "$program" 2>&1)" "$(prints "$TMP/run")"
imports "$TMP/run" -o "$TMP/run.db" 2>"$TMP/err"
is "import succeeds" $? 0

# Of four steps the third is not recorded.  A start's argument, and an end's, are those that the program gave it.
event="FROM event e JOIN source s ON s.id = e.source_id JOIN operation o ON o.id = s.operation_id"
is "phases and marks, with what they were told" "$(sql "$TMP/run.db" "SELECT o.name, (SELECT group_concat(value, ' ')
		FROM (SELECT value FROM event_arg WHERE id >> 6 = e.id ORDER BY id)) $event ORDER BY e.id")" \
	"$(for i in 0 1 3; do printf 'step|%d %d\ninner|\nmark|half %d\n' $i $((10 + i)) $((100 + i)); done)"
is "at their lines" "$(sql "$TMP/run.db" "SELECT DISTINCT o.name, s.file LIKE '%gasp_phases.c', s.line $event ORDER BY 3")" \
	"$(grep -n 'pupc_event_\(start\|atomic\)' "$TOP/tests/programs/gasp_phases.c" |
		sed 's/^\([0-9]*\):.*(\([a-z]*\).*/\2|1|\1/')"
is "a phase takes what is done in it: 20 ms" \
	"$(sql "$TMP/run.db" "SELECT min(e.duration_ns) >= 20000000 $event WHERE o.type = 'user' AND o.name <> 'mark'")" 1
is "they are in the call tree" "$(sql "$TMP/run.db" "SELECT c.depth, p.operation, c.calls, c.self_ns
		FROM callpath c JOIN place p USING(source_id) ORDER BY c.position")" \
	$'1|step|3|0\n2|inner|3|0\n2|mark|3|0'
is "what was off is a gap as long" "$(sql "$TMP/run.db" "SELECT count(*), min(end_ns - start_ns) >= 20000000 FROM gap
	WHERE kind = 'off'")" "1|1"

is "under record it is told record's directory" "$(timeout 60 "$gaspdb" record -o "$TMP/recorded" -- "$program")" \
	"$(prints "$TMP/recorded")"
finish
