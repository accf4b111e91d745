#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A log whose first block is damaged is still its rank's: each block tells whose it is.
. "$(dirname "$0")/../lib.sh"
cd "$TMP" || exit 1

# le FILE OFFSET BYTES: the number there
le() { od -An -t "u$3" -j "$2" -N "$3" "$1" | tr -d ' '; }

check() {
	local mpi=$1 launcher=$2 program=$O/programs/$1/mpi_exits file length
	timeout 100 "$gaspdb" record -o "$mpi" -- "$launcher" -np 4 "$program" many 20000 2>/dev/null
	imports "$mpi" -o whole.db --force 2>/dev/null
	is "$mpi: the recording is whole" "$? $(sql whole.db "SELECT count(*), sum(complete) FROM thread")" "0 4|4"
	file=$(sql whole.db "SELECT file FROM thread WHERE rank = 2")
	length=$(le "$mpi/$file" $((64 + 8)) 4)
	ok "$mpi: the log goes on after its first block" test "$(stat -c %s "$mpi/$file")" -gt $((64 + 48 + length))
	printf '\377\377\377\377' | dd of="$mpi/$file" bs=1 seek=$((64 + 48 + length / 2)) conv=notrunc 2>/dev/null
	imports "$mpi" -o damaged.db --force 2>err
	is "$mpi: its first block damaged, the thread keeps its log" \
		"$? $(sql damaged.db "SELECT rank, complete, file = '$file' FROM thread" | tr '\n' ' ')" "3 0|1|0 1|1|0 2|0|1 3|1|0 "
	is "$mpi: and nothing else is damaged" "$(sql damaged.db "SELECT kind, thread_id, file = '$file', offset FROM quality
		WHERE severity = 'loss'")" "damaged block|2|1|64"
	is "$mpi: its facts and its calls' places are known" "$(sql damaged.db "ATTACH 'file:whole.db?mode=ro' AS whole;
		SELECT (SELECT count(*) FROM (SELECT key, value FROM whole.thread_meta WHERE thread_id = 2 AND key NOT LIKE '%\_ns' ESCAPE '\'
				EXCEPT SELECT key, value FROM main.thread_meta WHERE thread_id = 2)),
			(SELECT count(*) FROM (SELECT file, line, module, offset FROM main.source
				EXCEPT SELECT file, line, module, offset FROM whole.source))")" "0|0"
	"$gaspdb" info "$mpi" >out 2>err
	is "$mpi: info tells the same" "$? $(grep -c '^gaspdb.*64: damaged block\|damaged block.*64' err)" "3 1"
}

each_mpi mpi_exits check
finish
