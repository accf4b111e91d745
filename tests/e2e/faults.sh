#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The examples' built-in faults: the report names the line and the thread, and its seconds are those that the program
# measured by its own clock, within 10 %.
# Alone: its programs need the processors.
. "$(dirname "$0")/../lib.sh"
. "$TOP/tests/faults.sh"

shmem_faults() {
	local f=shmem_faults late lock put puts

	record $f oshrun -np 4 "$O/examples/$f"
	late=$f.c:$(line_of $f "WAIT late-pe") lock=$f.c:$(line_of $f "WAIT contended-lock")
	put=$f.c:$(line_of $f "FAULT fine-grained-put")
	agrees "late PE" "$(measured $f late-pe)" "$(found $f barrier "$late")"
	agrees "contended lock" "$(measured $f contended-lock)" \
		"$(found $f lock "$lock" | cut -d' ' -f1) $("$gaspdb" analyze lock-contention "$TMP/$f.db" --format=csv |
			sqlite3 -batch -noheader :memory: '.import --csv /dev/stdin l' 'SELECT sum(wait_ns) / 1e9 FROM l')"
	agrees_but "fine-grained put" "$(measured $f fine-grained-put)" "$(found $f 'fine-grained put' "$put")" \
		"$(sed -n 's/^fault: fine-grained-put .* disturbed \([0-9.]*\) .*/\1/p' "$TMP/$f.out")"
	reported $f "$late" 2
	reported $f "$lock" 1
	reported $f "$put" 3
	puts=$((3 * 64 * 256 / 128 * $(sed -n 's/^fault: fine-grained-put 3 frames \([0-9]*\) .*/\1/p' "$TMP/$f.out")))
	is "fine-grained put: all of them, to one PE" "$(sql "$TMP/$f.db" "
		SELECT sum(operations), sum(bytes), group_concat(DISTINCT t.peer) FROM traffic t JOIN source s ON s.id = t.source_id
		WHERE s.line = ${put##*:}")" "$puts|$((puts * 128))|0"
}

shmem_tables() {
	local f=shmem_tables signal step poll

	record $f oshrun -np 4 "$O/examples/$f"
	signal=$f.c:$(line_of $f "LATE late-signal") step=$f.c:$(line_of $f "WAIT unbalanced-work")
	poll=$f.c:$(line_of $f "FAULT polling")
	agrees "late signal" "$(measured $f late-signal)" "$(found $f 'late signal' "$signal")"
	agrees "unbalanced work" "$(measured $f unbalanced-work)" "$(found $f barrier "$step")"
	is "polling: the thread, and all gets but the last" "$("$gaspdb" analyze worst "$TMP/$f.db" --min-share=0 --limit=-1 \
		--format=csv | sqlite3 -batch -noheader :memory: '.import --csv /dev/stdin w' "
		SELECT thread || ' ' || (cases + 1) FROM w WHERE kind = 'polling' AND location = '$poll'")" \
		"$(sed -n 's/^fault: polling \([0-9]*\) gets \([0-9]*\)$/\1 \2/p' "$TMP/$f.out")"
	reported $f "$f.c:$(line_of $f "WAIT late-signal")" 2
	reported $f "$step" 3
	like "$f: the late signal comes first, or what makes it late" "$(awk '/^  2\. / { exit } /^  1\. / { first = 1 } first' \
		"$TMP/$f.worst" | tr -s ' \n' ' ')" "^ 1\. (late signal at|imbalance: .* late signal at)"
}

shmem_progress() {
	local f=shmem_progress get door

	record $f oshrun -np 2 "$O/examples/$f"
	get=$f.c:$(line_of $f "FAULT no-progress") door=$f.c:$(line_of $f "FAULT back-to-back")
	agrees "no progress" "$(measured $f no-progress)" "$(found $f 'no progress' "$get")"
	reported $f "$get" 1
	# On a loaded machine the owner may wait longer for the reader, which is late because of its gets.
	like "$f: its target comes first, or what waits for the reader" "$(tr -s ' \n' ' ' <"$TMP/$f.worst")" \
		" 1\. (no progress at |late signal at .* because: shmem_getmem at $get .* 2\. no progress at )"
	# Of those that the program counts one of the PEs may lose its processor between two clock readings of the one and the other.
	is "back to back: the barriers, but for a few" "$("$gaspdb" analyze barrier-cost "$TMP/$f.db" --format=csv |
		sqlite3 -batch -noheader :memory: '.import --csv /dev/stdin b' "
		SELECT back_to_back BETWEEN 0.8 * $(sed -n 's/^fault: back-to-back calls //p' "$TMP/$f.out") AND 200, barriers, advice LIKE 'leave one%'
		FROM b WHERE location = '$door'")" "1|200|0"
	is "$f: but plain stores may lie between them: none is called needless" "$(sql "$TMP/$f.db" "SELECT count(*) FROM loss
		WHERE kind = 'back-to-back barriers'")" 0
}

shmem_busy() {
	local f=shmem_busy get

	record $f oshrun -np 2 "$O/examples/$f"
	get=$f.c:$(line_of $f "FAULT no-progress")
	agrees "no progress of a busy target" "$(measured $f no-progress)" "$(found $f 'no progress' "$get")"
	reported $f "$get" 1
	# On a loaded machine the painter may wait longer to be served itself, when it completes its puts.
	like "$f: its target comes first, or what it waits for itself" "$(tr -s ' \n' ' ' <"$TMP/$f.worst")" \
		" 1\. (no progress at |drain at $f.c:$(line_of $f "LATE stroke") .* 2\. no progress at )"
}

mpi_faults() { # NAME LAUNCHER...
	local f=$1 late arrival receiver

	shift
	record "$f" "$@" -np 4 "$O/examples/$f"
	late=mpi_faults.c:$(line_of mpi_faults "LATE late-sender")
	arrival=mpi_faults.c:$(line_of mpi_faults "WAIT late-arrival")
	receiver=mpi_faults.c:$(line_of mpi_faults "LATE late-receiver")
	agrees "$f: late sender" "$(measured "$f" late-sender)" "$(found "$f" 'late sender' "$late")"
	agrees "$f: late arrival" "$(measured "$f" late-arrival)" "$(found "$f" all-to-all "$arrival")"
	agrees "$f: late receiver" "$(measured "$f" late-receiver)" "$(found "$f" 'late receiver' "$receiver")"
	reported "$f" "$late" 1
	reported "$f" "$arrival" 3
	reported "$f" "$receiver" 2
	is "$f: all messages are matched" \
		"$(sql "$TMP/$f.db" "SELECT count(*) FROM quality WHERE kind LIKE 'unmatched%'")" 0
}

mpi_overlap() { # NAME LAUNCHER...
	local f=$1 none some

	shift
	record "$f" "$@" -np 2 "$O/examples/$f"
	none=mpi_overlap.c:$(line_of mpi_overlap "FAULT no-overlap") some=mpi_overlap.c:$(line_of mpi_overlap "FAULT overlap")
	"$gaspdb" analyze overlap "$TMP/$f.db" --by=thread --format=csv >"$TMP/$f.csv"
	overlap() {
		sqlite3 -batch -noheader :memory: ".import --csv $TMP/$f.csv o" "SELECT $2 FROM o WHERE location = '$1'" | tr '|' ' '
	}
	agrees "$f: no overlap" "$(measured "$f" no-overlap)" "$(overlap "$none" "thread, exposed_ns / 1e9")"
	is "$f: none of it overlaps" "$(overlap "$none" "ratio < 10, operations, bytes, completed_by, completed_at, unfinished")" \
		"1 20 $((20 << 22)) MPI_Wait mpi_overlap.c:$(line_of mpi_overlap "WAIT no-overlap") 0"
	agrees "$f: overlap" "$(measured "$f" overlap)" "$(overlap "$some" "thread, overlapped_ns / 1e9")"
	is "$f: what completes it" "$(overlap "$some" "completed_by, completed_at, unfinished")" \
		"MPI_Wait mpi_overlap.c:$(line_of mpi_overlap "WAIT overlap") 0"
}

mpi_windows() { # NAME LAUNCHER...
	local f=$1 place=mpi_windows.c

	shift
	record "$f" "$@" -np 3 "$O/examples/$f"
	agrees "$f: late post" "$(measured "$f" late-post)" "$(found "$f" 'late post' "$place:$(line_of mpi_windows "LATE late-post")")"
	agrees "$f: early wait" "$(measured "$f" early-wait)" \
		"$(found "$f" 'early wait' "$place:$(line_of mpi_windows "WAIT early-wait")")"
	agrees "$f: late complete" "$(measured "$f" late-complete)" \
		"$(found "$f" 'late complete' "$place:$(line_of mpi_windows "WAIT late-complete")")"
	agrees "$f: late fence" "$(measured "$f" late-fence)" "$(found "$f" barrier "$place:$(line_of mpi_windows "WAIT late-fence")")"
	is "$f: every epoch has its other side" \
		"$(sql "$TMP/$f.db" "SELECT count(*) FROM quality WHERE kind = 'unmatched epoch'")" 0
}

mpi_locks() { # NAME LAUNCHER...
	local f=$1 alone shared

	shift
	record "$f" "$@" -np 3 "$O/examples/$f"
	alone=mpi_locks.c:$(line_of mpi_locks "HOLD held-alone") shared=mpi_locks.c:$(line_of mpi_locks "HOLD held-shared")
	agrees "$f: held alone" "$(measured "$f" held-alone)" "$(found "$f" lock "$alone")"
	agrees "$f: held by all" "$(measured "$f" held-shared)" "$(found "$f" lock "$shared")"
	ok "$f: the lock held alone comes first" awk -v line="$alone" '
		/^  [0-9]+\. / { first = /^  1\. lock at/ }
		first && index($0, line " ") { found = 1 }
		END { exit !found }' "$TMP/$f.worst"
	reported "$f" "$alone" 1
	is "$f: who shares it does not wait" "$(sql "$TMP/$f.db" "
		SELECT count(*) FROM wait w JOIN source s ON s.id = (SELECT source_id FROM event WHERE id = w.cause_event_id)
		WHERE s.line = $(line_of mpi_locks "HOLD shared")")" 0
	is "$f: rank 0's part only" "$("$gaspdb" analyze lock-holders "$TMP/$f.db" --format=csv | cut -d, -f1-2 | sort -u)" \
		"$(printf '2,1\nwaiter,holder')"
	is "$f: contended" "$(sql "$TMP/$f.db" "SELECT count(*), count(DISTINCT object), sum(contended_ns > 5e8) FROM lock_use")" "6|1|2"
}

if [ -x "$O/examples/shmem_faults" ]; then shmem_faults; else skip "OpenSHMEM" "not here"; fi
if [ -x "$O/examples/shmem_tables" ]; then shmem_tables; fi
if [ -x "$O/examples/shmem_progress" ]; then shmem_progress; fi
if [ -x "$O/examples/shmem_busy" ]; then shmem_busy; fi
if [ -x "$O/examples/mpi_faults" ]; then mpi_faults mpi_faults mpirun; else skip "Open MPI" "not here"; fi
if [ -x "$O/examples/mpi_faults_mpich" ]; then mpi_faults mpi_faults_mpich mpiexec.hydra; else skip "MPICH" "not here"; fi
if [ -x "$O/examples/mpi_overlap" ]; then mpi_overlap mpi_overlap mpirun; fi
if [ -x "$O/examples/mpi_overlap_mpich" ]; then mpi_overlap mpi_overlap_mpich mpiexec.hydra; fi
if [ -x "$O/examples/mpi_windows" ]; then mpi_windows mpi_windows mpirun; fi
if [ -x "$O/examples/mpi_windows_mpich" ]; then mpi_windows mpi_windows_mpich mpiexec.hydra; fi
if [ -x "$O/examples/mpi_locks" ]; then mpi_locks mpi_locks mpirun; fi
if [ -x "$O/examples/mpi_locks_mpich" ]; then mpi_locks mpi_locks_mpich mpiexec.hydra; fi
invariants
finish
