#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# record --io: calls on files by POSIX, stdio and Fortran, with their bytes, places, files and errors; what is not the program's,
# and what is no file, is not recorded.
. "$(dirname "$0")/../lib.sh"
. "$TOP/tests/faults.sh"
. "$TOP/examples/env.sh"
source=$TOP/tests/programs/mpi_posix_io.c

# By the program: the call, how often each of 2 ranks makes it, and its bytes (-: it moves none); without the writes that make rank 0 late, and
# without printf, whose text differs.
cat >"$TMP/calls" <<'END'
close 16 -
creat 1 -
dprintf 1 5
fclose 2 -
fdatasync 1 -
fdopen 1 -
fflush 2 -
fgets 1 6
fopen 2 -
fprintf 1 7
fputs 3 14
fread 1 200
freopen 1 -
fseek 1 -
fsync 1 -
ftruncate 2 -
fwrite 2 160
getdelim 1 8
getline 1 6
lseek 2 -
open 10 -
openat 1 -
pread 2 7
preadv 1 20
preadv2 1 0
puts 1 5
pwrite 4 808
pwritev 1 11
pwritev2 1 7
read 1 64
readv 1 50
rewind 2 -
vfprintf 1 8
write 11 358
writev 1 60
END

# The errors of each rank: EBADF, EINVAL, ENOENT.
cat >"$TMP/errors" <<'END'
fopen|2
ftruncate|22
open|2
pread|22
write|9
END

# Where calls with an offset begin, and what was asked for; of lseek where it ends.
cat >"$TMP/places" <<'END'
fread|limit|300
lseek|offset|10
lseek|offset|500
pread|limit|100
pread|limit|9
pread|offset|-1
pread|offset|3000
preadv2|limit|20
preadv2|offset|3007
preadv|limit|20
preadv|offset|2000
pwritev2|offset|3000
pwritev|offset|2000
read|limit|64
readv|limit|50
END

named="FROM event e JOIN source s ON s.id = e.source_id JOIN operation o ON o.id = s.operation_id"
posix="o.category = 'io' AND o.name NOT LIKE 'MPI%'"
argument="JOIN event_arg v ON v.id BETWEEN e.id << 6 AND (e.id << 6) + 63 JOIN argument a ON a.id = v.argument_id"

# The files of each rank R, in the folder; the calls and bytes of some.
files() { # FOLDER
	local r
	printf '%s|%s\n' "$1" 4:0 "$1/early" 4:256
	for r in 0 1; do
		printf '%s|%s\n' "$1/absent.$r" 2:0 "$1/at.$r" 3:16 "$1/copies.$r" 10:15 "$1/creat.$r" 3:64 "$1/data.$r" 22:359 \
			"$1/dprintf.$r" 3:5 "$1/fdopen.$r" 3:4 "$1/freopen.$r" 3:4 "$1/handler.$r" 3:3 "$1/made.$r" 2:32 \
			"$1/stream.$r" 15:401 "$1/thread.$r" 5:768
	done
}

# looks WHAT DATABASE FOLDER: the calls of the program
looks() {
	local what=$1 db=$2 folder=$3
	is "$what: calls and bytes" "$(sql "$db" "SELECT p.operation, sum(u.calls), sum(u.bytes) FROM file_use u
		JOIN place p ON p.source_id = u.source_id LEFT JOIN team t ON t.id = u.team_id WHERE p.operation NOT LIKE 'MPI%'
		AND p.operation <> 'printf' AND NOT (p.operation = 'pwrite' AND t.name GLOB '*/late.?')
		GROUP BY 1 ORDER BY 1")" "$(awk '{ print $1 "|" 2 * $2 "|" 2 * $3 }' "$TMP/calls")"
	is "$what: errors" "$(sql "$db" "SELECT o.name, v.value, count(*), coalesce(sum(e.bytes), 0) $named $argument AND a.name = 'errno'
		WHERE v.value <> 0 GROUP BY 1, 2 ORDER BY 1")" "$(sed 's/$/|2|0/' "$TMP/errors")"
	is "$what: places" "$(sql "$db" "SELECT DISTINCT o.name, a.name, v.value $named $argument
		WHERE a.name IN ('offset', 'limit') AND ($posix) AND o.name NOT IN ('fgets', 'pwrite', 'fseek', 'rewind')" | LC_ALL=C sort)" \
		"$(LC_ALL=C sort "$TMP/places")"
	is "$what: files" "$(sql "$db" "SELECT CASE WHEN t.name GLOB '*/made.*' THEN substr(t.name, 1, length(t.name) - 7) ELSE t.name END,
		sum(u.calls) || ':' || sum(u.bytes) FROM file_use u JOIN team t ON t.id = u.team_id JOIN place p ON p.source_id = u.source_id
		WHERE p.operation NOT LIKE 'MPI%' AND t.name NOT LIKE 'std%' AND t.name NOT GLOB '*/late.?' GROUP BY 1" | LC_ALL=C sort)" \
		"$(files "$folder" | LC_ALL=C sort)"
	is "$what: the thread has its calls" "$(sql "$db" "SELECT t.rank, count(*) $named JOIN thread t ON t.id = e.thread_id
		WHERE e.thread_id NOT IN (SELECT e.thread_id $named WHERE o.name = 'MPI_Init') GROUP BY 1")" "$(printf '0|5\n1|5')"
	is "$what: nothing of a child, and nothing of what MPI-IO calls" \
		"$(sql "$db" "SELECT name, count(*) FROM team WHERE name GLOB '*/child.?' OR name GLOB '*/mpi.?' GROUP BY 1")" \
		"$(printf '%s|1\n' "$folder/mpi.0" "$folder/mpi.1")"
	is "$what: standard output by its name" "$(sql "$db" "SELECT p.operation, sum(u.bytes) FROM file_use u
		JOIN team t ON t.id = u.team_id AND t.name = 'stdout' JOIN place p ON p.source_id = u.source_id
		JOIN thread h ON h.id = u.thread_id AND h.rank = 1 GROUP BY 1")" "$(printf 'printf|10\nputs|5')"
	is "$what: the logs are whole" "$(sql "$db" "SELECT kind FROM quality WHERE severity = 'loss'")" ""
}

mpi() { # MPI LAUNCHER
	local run=posix_$1 db=$TMP/posix_$1.db folder=$TMP/files.$1 line
	mkdir "$folder"
	export GASPDB_IO=1
	record "$run" "$2" -np 2 "$O/programs/$1/mpi_posix_io" "$folder"
	unset GASPDB_IO
	looks "$1" "$db" "$folder"
	is "$1: files are made as they were" "$(stat -c %a "$folder/copies.0")" 640
	line=$(line_of mpi_posix_io LATE)
	is "$1: lines" "$(sql "$db" "SELECT DISTINCT p.location FROM place p WHERE p.operation IN ('pread', 'fread') AND
		p.source_id IN (SELECT source_id FROM file_use WHERE bytes > 0)" | sort)" "$(
		grep -n '/\* SHORT \*/' "$source" | sed 's/:.*//; s/^/mpi_posix_io.c:/' | sort)"
	agrees "$run" "$(measured "$run" barrier)" "$(found "$run" barrier "mpi_posix_io.c:$(line_of mpi_posix_io barrier)")"
	is "$1: the finding says what the late rank did" "$("$gaspdb" analyze worst "$TMP/$run.served.db" --limit=-1 --min-share=0 --format=csv |
		sqlite3 -batch -noheader :memory: '.import --csv /dev/stdin worst' "SELECT reason FROM worst
		WHERE kind = 'barrier' AND location = 'mpi_posix_io.c:$(line_of mpi_posix_io barrier)'")" "pwrite at mpi_posix_io.c:$line"
	like "$1: in the report" "$(tr -s ' \n' ' ' <"$TMP/$run.report")" "Files -+ file .*/late.0 pwrite mpi_posix_io.c:$line "

	# As an option, with callers, and only some.
	timeout 60 "$gaspdb" record --io --stack=4 --only=pread,fread -o "$TMP/some" -- "$2" -np 2 "$O/programs/$1/mpi_posix_io" "$folder" \
		>"$TMP/out" 2>"$TMP/err"
	is "$1: record --io --stack exits as the program does" $? 0
	"$gaspdb" import -f "$TMP/some" -o "$TMP/some.db" 2>"$TMP/err"
	is "$1: the callers of a call" "$(sql "$TMP/some.db" "SELECT DISTINCT p.operation, q.function FROM callpath c
		JOIN place p ON p.source_id = c.source_id JOIN callpath u ON u.id = c.parent_id JOIN place q ON q.source_id = u.source_id
		WHERE q.operation = 'caller' AND p.operation IN ('pread', 'fread') ORDER BY 1, 2")" \
		"$(printf 'fread|stream_reading\npread|failing\npread|reading')"
	is "$1: only these" "$(sql "$TMP/some.db" "SELECT DISTINCT o.name $named ORDER BY 1" | tr '\n' ' ')" "fread pread "
	rm -rf "$TMP/some"*

	# Without it, nothing; LD_PRELOAD has one library.
	rm -rf "$TMP/off"
	timeout 60 "$gaspdb" record -o "$TMP/off" -- "$2" -np 2 "$O/programs/$1/mpi_posix_io" "$folder" >"$TMP/out" 2>"$TMP/err"
	"$gaspdb" import -f "$TMP/off" -o "$TMP/off.db" 2>"$TMP/err"
	is "$1: without --io none is recorded" "$(sql "$TMP/off.db" "SELECT count(*) $named WHERE $posix")" 0
	rm -rf "$TMP/off"*

	# The checking variants that -D_FORTIFY_SOURCE takes.
	command -v "mpicc.$1" >/dev/null || { skip "$1, fortified" "no compiler wrapper of this name"; return; }
	"mpicc.$1" -std=gnu2x -w -g -O2 -D_FORTIFY_SOURCE=2 -I"$TOP/tests/programs" -o "$TMP/fortified" "$source" -lpthread
	is "$1: the fortified program calls" "$(nm -u "$TMP/fortified" | grep -oE '__[a-z]+_(chk|2)\b' | grep -vE 'snprintf|stack' | sort |
		tr '\n' ' ')" "__dprintf_chk __fgets_chk __fprintf_chk __fread_chk __open_2 __pread_chk __printf_chk __read_chk __vfprintf_chk "
	mkdir "$TMP/more.$1"
	GASPDB_IO=1 record "fortified_$1" "$2" -np 2 "$TMP/fortified" "$TMP/more.$1"
	looks "$1, fortified" "$TMP/fortified_$1.db" "$TMP/more.$1"
}

each_mpi mpi_posix_io mpi

# --- Fortran: its library's calls, at the program's lines ---
cat >"$TMP/io.f90" <<'END'
program io
  use mpi
  implicit none
  integer :: ierror, i, x
  call MPI_Init(ierror)
  open(10, file='f.data', form='formatted', status='replace') ! OPEN
  do i = 1, 3000
    write(10, '(i6)') i ! WRITE
  end do
  flush(10) ! WRITE
  rewind(10)
  read(10, *) x ! READ
  if (x /= 1) stop 3
  close(10) ! CLOSE
  call MPI_Finalize(ierror)
end program
END
for pair in openmpi:mpirun.openmpi mpich:mpiexec.hydra; do
	mpi=${pair%:*}
	if ! command -v "mpif90.$mpi" >/dev/null || [ ! -e "$O/libgaspdb-$mpi.so" ]; then
		skip "Fortran, $mpi" "not here"
		continue
	fi
	"mpif90.$mpi" -g -o "$TMP/program" "$TMP/io.f90" && cd "$TMP" || exit
	GASPDB_IO=1 record "fortran_$mpi" "${pair#*:}" -np 1 "$TMP/program"
	is "Fortran, $mpi: bytes by line" "$(sql "$TMP/fortran_$mpi.db" "SELECT iif(p.operation = 'read', 'READ', upper(p.operation)), p.location,
		iif(p.operation = 'read', min(sum(u.bytes), 1), sum(u.bytes)) FROM file_use u JOIN team t ON t.id = u.team_id AND t.name = 'f.data'
		JOIN place p ON p.source_id = u.source_id WHERE p.operation IN ('open', 'write', 'read', 'close') GROUP BY p.operation
		ORDER BY 1")" "$(printf '%s\n' "CLOSE|io.f90:$(grep -n '! CLOSE' io.f90 | cut -d: -f1)|0" \
		"OPEN|io.f90:$(grep -n '! OPEN' io.f90 | cut -d: -f1)|0" "READ|io.f90:$(grep -n '! READ' io.f90 | cut -d: -f1)|1" \
		"WRITE|io.f90:$(grep -n '! WRITE' io.f90 | head -1 | cut -d: -f1)|21000")"
	is "Fortran, $mpi: all writes at the program's lines" "$(sql "$TMP/fortran_$mpi.db" "SELECT count(*) FROM file_use u
		JOIN team t ON t.id = u.team_id AND t.name = 'f.data' JOIN place p ON p.source_id = u.source_id
		WHERE p.operation = 'write' AND p.location NOT IN ('io.f90:$(grep -n '! WRITE' io.f90 | sed 's/:.*//' | paste -sd' ' |
			sed "s/ /', 'io.f90:/")')")" 0
done

# --- OpenSHMEM; and programs of neither ---
if command -v oshcc >/dev/null && [ -e "$O/libgaspdb-oshmem.so" ]; then
	cat >"$TMP/s.c" <<'END'
#include <shmem.h>
#include <stdio.h>
int main(void)
{
	FILE *f;

	shmem_init();
	f = fopen("s.data", "w");
	fprintf(f, "%s", "12345678");
	fputs("123\n", f);
	fclose(f);
	shmem_finalize();
	return 0;
}
END
	cd "$TMP" && oshcc -g -o s s.c
	GASPDB_IO=1 record shmem oshrun -np 1 ./s
	is "OpenSHMEM: bytes of a file" "$(sql "$TMP/shmem.db" "SELECT sum(u.calls), sum(u.bytes) FROM file_use u
		JOIN team t ON t.id = u.team_id AND t.name = 's.data'")" "4|12"
else
	skip "OpenSHMEM" "not here"
fi
cd "$TMP" && rm -rf plain
timeout 60 "$gaspdb" record --io -o plain -- cat /etc/hostname >out 2>err
is "a program without a runtime runs" "$? $(cat out)" "0 $(cat /etc/hostname)"
like "why nothing is recorded" "$(cat err)" "--io records calls on files in programs of MPI and OpenSHMEM only"
is "LD_PRELOAD has a second library" "$("$gaspdb" record --io -o plain -- sh -c 'echo $LD_PRELOAD $GASPDB_IO' 2>/dev/null)" \
	"$(readlink -f "$O")/libgaspdb-preload.so:$(readlink -f "$O")/libgaspdb-io.so 1"
is "without --io" "$("$gaspdb" record -o plain -- sh -c 'echo $LD_PRELOAD $GASPDB_IO' 2>/dev/null)" \
	"$(readlink -f "$O")/libgaspdb-preload.so"
invariants
finish
