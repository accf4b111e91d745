#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# MPI-IO: each call with its bytes, its place and its file, the waits for a late rank, and what completes what.
. "$(dirname "$0")/../lib.sh"
. "$TOP/tests/faults.sh"
. "$TOP/examples/env.sh"

# By the program: the call, how often each of 3 ranks makes it, and the integers of 4 bytes that it moves in all of these.
cat >"$TMP/calls" <<'END'
close 2 -
iread 1 14
iread_all 1 18
iread_at 2 24
iread_at_all 1 16
iread_shared 1 36
iwrite 1 12
iwrite_all 1 17
iwrite_at 1 1000
iwrite_at_all 1 15
iwrite_shared 1 32
open 3 -
preallocate 1 -
read 2 61
read_all 1 2
read_all_begin 1 24
read_all_end 1 -
read_at 2 1007
read_at_all 1 9
read_at_all_begin 1 22
read_at_all_c 1 52
read_at_all_end 1 -
read_ordered 1 37
read_ordered_begin 1 38
read_ordered_end 1 -
read_shared 1 35
seek 8 -
seek_shared 2 -
set_atomicity 1 -
set_size 1 -
set_view 2 -
sync 1 -
write 1 20
write_all 1 3
write_all_begin 1 23
write_all_end 1 -
write_at 1 10
write_at_all 5 5000
write_at_all_begin 1 21
write_at_all_end 1 -
write_at_c 1 51
write_ordered 1 33
write_ordered_begin 1 34
write_ordered_end 1 -
write_shared 1 31
END

# The bytes of the file that the calls name, by rank: a block is of 4000, in the view an integer behind 100 bytes.
for rank in 0 1 2; do
	echo "read_at|$rank|$((100 + 40 * rank)) 56000"
	echo "set_view|$rank|100 0"
	echo "write_at|$rank|$((100 + 40 * rank))"
	echo "write_at_all|$rank|$((4000 * rank)) $((4000 * rank + 12000)) $((4000 * rank + 24000)) $((4000 * rank + 36000)) $((4000 * rank + 48000))"
done >"$TMP/offsets"

named="FROM event e JOIN source s ON s.id = e.source_id JOIN operation o ON o.id = s.operation_id"

# moved REGEX: bytes of all calls that match
moved() {
	awk -v re="^i?($1)" '$1 ~ re { n += 12 * $3 } END { print n }' "$TMP/calls.here"
}

files() { # MPI LAUNCHER
	local run=files_$1 db=$TMP/files_$1.db path=$TMP/data.$1
	record "$run" "$2" -np 3 "$O/programs/$1/mpi_file" "$path"
	awk -v mpi="$1" 'mpi == "mpich" || !/_c /' "$TMP/calls" >"$TMP/calls.here"
	is "$1: calls and bytes" "$(sql "$db" "SELECT o.name, count(*), coalesce(sum(bytes), '-') $named
		WHERE o.category = 'io' AND o.name <> 'MPI_File_delete' GROUP BY 1 ORDER BY 1")" \
		"$(awk '{ print "MPI_File_" $1 "|" 3 * $2 "|" ($3 == "-" ? $3 : 12 * $3) }' "$TMP/calls.here" | LC_ALL=C sort -t '|' -k 1,1)"
	is "$1: nothing of what the library calls itself" "$(sql "$db" "SELECT group_concat(name, ' ') FROM (SELECT DISTINCT o.name
		$named WHERE o.category <> 'io' ORDER BY 1)")" \
		"MPI_Barrier MPI_Finalize MPI_Gather MPI_Init MPI_Test MPI_Wait MPI_Waitall"
	is "$1: where" "$(sql "$db" "SELECT substr(name, 10), rank, group_concat(value, ' ') FROM (SELECT o.name, t.rank, v.value, e.id $named
		JOIN thread t ON t.id = e.thread_id JOIN event_arg v ON v.id BETWEEN e.id << 6 AND (e.id << 6) + 63
		JOIN argument a ON a.id = v.argument_id AND a.name = 'offset'
		WHERE o.name IN ('MPI_File_write_at', 'MPI_File_read_at', 'MPI_File_set_view', 'MPI_File_write_at_all') ORDER BY e.id)
		GROUP BY 1, 2 ORDER BY 2, 1")" "$(cat "$TMP/offsets")"
	is "$1: one file opened by all, by each alone, and deleted by one" \
		"$(sql "$db" "SELECT name, size FROM team WHERE kind = 'file' ORDER BY size DESC")" \
		"$(printf '%s|%s\n' "$path" 3 "$path" 1 "$path" 1 "$path" 1 "$path" 1)"
	is "$1: the file deleted has its name" "$(sql "$db" "SELECT t.name, u.thread_id, u.calls FROM file_use u
		JOIN place p ON p.source_id = u.source_id JOIN team t ON t.id = u.team_id WHERE p.operation = 'MPI_File_delete'")" "$path|0|1"
	is "$1: by file" "$("$gaspdb" analyze io --by=file "$db" --format=csv | sqlite3 -batch -noheader :memory: '.import --csv /dev/stdin io' \
		"SELECT threads, read_bytes, written_bytes FROM io WHERE file = '$path'")" "3|$(moved read)|$(moved write)"
	agrees "$run" "$(measured "$run" write)" "$(sql "$db" "SELECT cause_thread_id, sum(w.end_ns - w.start_ns) / 1e9 FROM wait w
		JOIN event e ON e.id = w.event_id JOIN place p ON p.source_id = e.source_id
		WHERE p.location = 'mpi_file.c:$(line_of mpi_file 'LATE write')' GROUP BY 1 ORDER BY 2 DESC LIMIT 1" | tr '|' ' ')"
	agrees "$run, the finding" "$(measured "$run" write)" "$(found "$run" barrier "mpi_file.c:$(line_of mpi_file 'LATE write')")"
	is "$1: waits by line" "$(sql "$db" "SELECT waiting_ns = (SELECT sum(wait_ns) FROM collective c JOIN operation o ON o.id = c.operation_id
		WHERE o.name = 'MPI_File_write_at_all') FROM analysis_io WHERE location = 'mpi_file.c:$(line_of mpi_file 'LATE write')'")" 1
	is "$1: what completes requests" "$(sql "$db" "SELECT q.operation, count(*) FROM collective_request r
		JOIN event x ON x.id = r.post_event_id JOIN event y ON y.id = r.complete_event_id JOIN place q ON q.source_id = y.source_id
		GROUP BY 1 ORDER BY 1" | tr '\n' ' ')" "MPI_File_read_all_end|3 MPI_File_read_at_all_end|3 MPI_File_read_ordered_end|3 $(
	)MPI_File_write_all_end|3 MPI_File_write_at_all_end|3 MPI_File_write_ordered_end|3 MPI_Test|3 MPI_Wait|24 MPI_Waitall|6 "
	like "$1: in the report" "$(tr -s ' \n' ' ' <"$TMP/$run.report")" "Files -+ file .* mpi_file.c:$(line_of mpi_file 'LATE write') 15 "
}

each_mpi mpi_file files

# fortran MPI LAUNCHER SOURCE [REGEX]: calls with their lines, those that match
fortran() {
	local db=$TMP/fortran.db what
	what="$1, $(basename "$3")"
	rm -rf "$TMP/fortran" "$db"
	"mpif90.$1" -g -o "$TMP/program" "$3" || return
	timeout 60 "$gaspdb" record -o "$TMP/fortran" -- "$2" -np 2 "$TMP/program" "$TMP/data.f90" >"$TMP/out" 2>"$TMP/err"
	is "$what: record exits as the program does" $? 0
	"$gaspdb" import "$TMP/fortran" -o "$db" 2>"$TMP/err"
	is "$what: import exits 0" $? 0
	is "$what: calls, bytes, lines" "$(sql "$db" "SELECT o.name, count(*), coalesce(sum(bytes), '-'), s.line $named
		WHERE o.category = 'io' GROUP BY 1 ORDER BY s.line" | grep -E "${4:-.}")" "$(awk '/call MPI_File/ { match($0, /MPI_[A-Za-z_]*/)
			name = substr($0, RSTART, RLENGTH)
			print name "|2|" (name ~ /write/ ? 800 : name ~ /iread/ ? 400 : "-") "|" NR }' "$3" | grep -E "${4:-.}")"
	is "$what: the file" "$(sql "$db" "SELECT name, size FROM team WHERE kind = 'file'")" "$TMP/data.f90|2"
}

source=$TOP/tests/programs/mpi_file.f90
sed -e "/include 'mpif.h'/d" -e 's/^  implicit none/  use mpi_f08\n  implicit none/' \
	-e 's/, file, request, status(MPI_STATUS_SIZE)/\n  type(MPI_File) :: file\n  type(MPI_Request) :: request\n  type(MPI_Status) :: status/' \
	"$source" >"$TMP/f08.f90"
for pair in openmpi:mpirun.openmpi mpich:mpiexec.hydra; do
	if ! command -v "mpif90.${pair%:*}" >/dev/null || [ ! -e "$O/libgaspdb-${pair%:*}.so" ]; then
		skip "Fortran, ${pair%:*}" "not here"
		continue
	fi
	fortran "${pair%:*}" "${pair#*:}" "$source"
	# gfortran gives a call without a buffer the line of the block that it stands in.
	fortran "${pair%:*}" "${pair#*:}" "$TMP/f08.f90" 'open|write|read'
done
invariants
finish
