# SPDX-License-Identifier: GPL-3.0-or-later
#
# What the database must hold for tests/programs/shmem_*.c on -v pes=N PEs, from the comments on its lines:
#   // WHO [NAME] SYMBOL KEY=VALUE...
# WHO: all, or PEs; NAME: the function, where the line calls it by another name; VALUE@PEs: on these PEs only, else 0.
# me and right stand for the PE and the next one, pair for the two PEs 0,1 or 2,3 ... it is one of.  A team is the list
# of its PEs; its collectives are numbered in the order of the lines, unless :NUMBER follows.  What completes a PE's own
# stores does so on the default context, 0.  -v synced=1: each collective has a sync before it.  Written: PE|line|name|symbol|bytes|peer|object|further arguments, by PE and line.

BEGIN { FS = "// " }
NF < 2 || $2 !~ /^(all|[0-9,]+) .*SHMEM_/ { next }
{
	n = split($2, word, " ")
	first = word[2] ~ /^SHMEM_/ ? 2 : 3
	name = first == 3 ? word[2] : name_in($1)
	for (pe = 0; pe < pes; pe++)
		if (is_member(pe, word[1]))
			add(pe)
}
END {
	for (pe = 0; pe < pes; pe++)
		for (i = 1; i <= lines[pe]; i++)
			print line[pe, i]
}

function add(pe,    i) {
	for (i = first + 1; synced && i <= n; i++)
		if (word[first] ~ /^SHMEM_(BROADCAST|F?COLLECT|ALLTOALLS?|TO_ALL)$/ && sub(/^team=/, "", word[i])) {
			line[pe, ++lines[pe]] = pe "|" NR "|shmem_sync (sync)|GASP_SHMEM_SYNC|-|-|-|team=" \
			    numbered(pe, value_on(pe, word[i]))
			word[i] = "team=" word[i]
		}
	line[pe, ++lines[pe]] = expected(pe)
}

function name_in(code) {
	match(code, /(shmemx?_[a-z0-9_]+|sh(malloc|memalign|realloc|free)|start_pes|globalexit)\(/)
	return substr(code, RSTART, RLENGTH - 1)
}

function is_member(pe, list) {
	return list == "all" || index("," list ",", "," pe ",") > 0
}

function value_on(pe, value,    at) {
	at = index(value, "@")
	if (at)
		return is_member(pe, substr(value, at + 1)) ? substr(value, 1, at - 1) : 0
	if (value ~ /^pair/)
		return pe - pe % 2 "," pe - pe % 2 + 1 substr(value, 5)
	if (value ~ /^me:/)
		return pe substr(value, 3)
	return value == "me" ? pe : value == "right" ? (pe + 1) % pes : value
}

function numbered(pe, team,    part) {
	split(team, part, ":")
	if (team !~ /:/)
		part[2] = sequence[pe, team]++
	return part[1] " sequence=" part[2]
}

function expected(pe,    i, at, key, value, column, more) {
	column["bytes"] = column["peer"] = column["object"] = "-"
	for (i = first + 1; i <= n; i++) {
		at = index(word[i], "=")
		key = substr(word[i], 1, at - 1)
		value = value_on(pe, substr(word[i], at + 1))
		if (key == "bytes" && word[i] ~ /@/ && column["bytes"] > 0)
			continue
		if (key in column) {
			column[key] = value
			continue
		}
		if (key == "team")
			value = numbered(pe, value)
		more = more " " key "=" value
	}
	if (word[first] ~ /^SHMEM_(BARRIER|MALLOC|REALLOC|FREE|FINALIZE|CLEAR_LOCK)$/)
		more = more " context=0"
	return pe "|" NR "|" name "|GASP_" word[first] "|" column["bytes"] "|" column["peer"] "|" \
	    column["object"] "|" substr(more, 2)
}
