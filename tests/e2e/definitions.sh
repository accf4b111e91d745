#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Definitions stand in more than one block: whichever block of a log is damaged, the first as well, only its own events are
# lost, and all others mean what they meant.
. "$(dirname "$0")/../lib.sh"
. "$TOP/examples/env.sh"
cd "$TMP" || exit 1

# blocks FILE: where its blocks begin, and where the last ends
blocks() {
	od -An -v -t u4 -w4 "$1" | awk '{ word[NR - 1] = $1 } END {
		for (at = 16; word[at] == 1263288903; at = int((at * 4 + 48 + length_of + 7) / 8) * 2) {
			length_of = word[at + 2]
			print at * 4
		}
		print at * 4 }'
}

# damage FILE BLOCK...: some bytes in the middle of each
damage() {
	local file=$1 block
	shift
	mapfile -t at < <(blocks "$file")
	for block; do
		printf '\125\252\125\252' |
			dd of="$file" bs=1 seek=$(((at[block] + at[block + 1]) / 2)) conv=notrunc 2>/dev/null
	done
}

# events DB: as tests/programs/gasp_definitions.c makes them, with what they say
events="CREATE TEMP TABLE said AS SELECT n.value AS n, t.value AS text, o.name, s.file, s.line
	FROM event e JOIN source s ON s.id = e.source_id JOIN operation o ON o.id = s.operation_id
	LEFT JOIN event_arg n ON n.id = e.id * 64 LEFT JOIN event_arg t ON t.id = e.id * 64 + 1;"
wrong="SELECT count(*) FROM said WHERE n IS NULL OR name <> 'event ' || (n / 1000) OR file <> (n / 5000 % 8) || '.c'
	OR line <> 1 + n / 100 OR text IS NOT iif(n % 3, 'name ' || (n % 97), 'only ' || n)"
run_facts="SELECT group_concat(key || '=' || value, ' ') FROM (SELECT key, value FROM thread_meta
	WHERE key IN ('program', 'collector', 'process_start') ORDER BY key)"

# look BLOCK...: the log with these damaged
look() {
	cp "$log" damaged.gasplog
	damage damaged.gasplog "$@"
	imports damaged.gasplog -o damaged.db --force 2>err
	is "blocks $*: exit status" $? 3
	is "blocks $*: all other events mean what they meant" "$(sql damaged.db "$events $wrong")" 0
	is "blocks $*: nothing else is lost" \
		"$(sql damaged.db "SELECT DISTINCT kind FROM quality WHERE severity = 'loss'")" "damaged block"
	is "blocks $*: the run's facts are there" "$(sql damaged.db "$run_facts")" "$(sql whole.db "$run_facts")"
}

GASPDB_DIR=$TMP/run "$O/programs/gasp_definitions" 60000
log=$(echo run/*.gasplog)
imports run -o whole.db 2>/dev/null
is "whole, all events are there" "$(sql whole.db "$events SELECT count(*), count(DISTINCT n), ($wrong) FROM said")" "60000|60000|0"
n=$(($(blocks "$log" | wc -l) - 1))
ok "the log has many blocks" [ $n -gt 9 ]
lost=0
for ((i = 0; i < n - 1; i++)); do
	look $i
	read -r missing apart < <(sql damaged.db "$events SELECT (60000 - count(*)) || ' ' ||
		(SELECT sum(step <> 1) FROM (SELECT n - lag(n) OVER (ORDER BY n) AS step FROM said)) FROM said")
	lost=$((lost + missing))
	ok "block $i: what is missing is its own" [ "$apart" -le 1 ]
done
cp "$log" cut.gasplog
damage cut.gasplog $((n - 1))
imports cut.gasplog -o damaged.db --force 2>err
is "together the blocks have all events" $((lost + 60000 - $(sql damaged.db "SELECT count(*) FROM event"))) 60000
look 0 1
look 2 3 4
"$gaspdb" info damaged.gasplog >out 2>err
is "info finds the same" "$? $(grep -c 'damaged block' err) $(grep -c 'undefined' err)" "3 1 0"

# The n-th collective of a rank that lost its block is another's no more than before.
teams() {
	local mpi=$1 launcher=$2 file rank block
	timeout 100 "$gaspdb" record -o "$mpi" -- "$launcher" -np 2 "$O/programs/$mpi/mpi_teams" 4000 2>/dev/null
	imports "$mpi" -o whole.db --force 2>/dev/null
	ok "$mpi: the logs have several blocks" [ "$(blocks "$(echo "$mpi"/*.gasplog | cut -d' ' -f1)" | wc -l)" -gt 4 ]
	is "$mpi: whole, all collectives have their members" \
		"$? $(sql whole.db "SELECT count(*) >= 12000, min(seen = expected) FROM collective")" "0 1|1"
	for rank in 0 1; do
		file=$(sql whole.db "SELECT file FROM thread WHERE rank = $rank")
		for block in 0 1 2; do
			rm -rf damaged
			cp -r "$mpi" damaged
			damage "damaged/$file" $block
			imports damaged -o damaged.db --force 2>err
			is "$mpi, rank $rank, block $block: only its own collectives lack it" "$? $(sql damaged.db "
				ATTACH 'file:whole.db?mode=ro' AS whole;
				CREATE TEMP VIEW took AS SELECT 0 AS damaged, m.collective_id, e.thread_id
					FROM whole.collective_member m JOIN whole.event e ON e.id = m.event_id
					JOIN whole.collective c ON c.id = m.collective_id WHERE c.expected = 2
					UNION ALL SELECT 1, m.collective_id, e.thread_id
					FROM main.collective_member m JOIN main.event e ON e.id = m.event_id
					JOIN main.collective c ON c.id = m.collective_id WHERE c.expected = 2;
				SELECT (SELECT count(*) FROM main.team) = (SELECT count(*) FROM whole.team),
					(SELECT count(*) FROM main.team_member) = (SELECT count(*) FROM whole.team_member),
					(SELECT count(*) FROM quality WHERE kind = 'undefined site'),
					(SELECT count(*) FROM main.collective WHERE seen < expected)
						= (SELECT sum(damaged = 0) - sum(damaged) FROM took WHERE thread_id = $rank)")" \
				"3 1|1|0|1"
		done
	done
}

each_mpi mpi_teams teams
finish
