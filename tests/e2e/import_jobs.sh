#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Imports with one thread and with several: the same bytes, the same words, whatever is wrong with the run or the machine.
# (Worked examples: reference/worked.py.)
. "$(dirname "$0")/../lib.sh"
cd "$TMP" || exit 1
jobs='1 2 4 7'

# script THREADS EVENTS: calls with arguments on each thread, one in another, and a message to the next rank
script() {
	awk -v threads="$1" -v n="$2" 'BEGIN {
		print "op get type=get model=MPI start=\"bytes:z peer:i where:p\" end=\"bytes:z state:i\""
		print "thread 0.." threads - 1
		for (r = 0; r < threads; r++)
			for (i = 0; i < n; i++) {
				t = 1000 * i + r
				if (i % 400 == 399)
					print "at " t " thread " r " block"
				print "at " t ".." t + 300 + i % 200 " thread " r " a.c:" 10 + i % 70 " get bytes=" i * i % 9973 " peer=" \
					(r + i) % threads " where=" 4096 + i * 8
				if (i % 10 == 0) {
					print "at " t + 600 ".." t + 610 " thread " r " b.c:" 10 + i % 7 " MPI_Send peer=" (r + 1) % threads " tag=1 bytes=8"
					print "at " t + 700 ".." t + 720 " thread " r " b.c:20 MPI_Recv peer=" (r + threads - 1) % threads " tag=1 bytes=8"
				}
			}
	}' >script
	"$O/tests/mkrun" script "$3"
}

# import JOBS RUN OPTION...: into n.db, what it says in err, without what depends on the moment
import() {
	local n=$1
	shift
	timeout -k 5 100 "$gaspdb" import --jobs="$n" -o "$n.db" --force "$@" 2>err.raw
	status=$?
	sed -E 's/[0-9]+\.db(\.tmp-[0-9a-f-]+)?/DB/g; s/, in [0-9].*//' err.raw >err
}

# same WHAT STATUS RUN: all numbers of jobs give one file, and say the same
same() {
	local what=$1 expected=$2 n told=
	shift 2
	rm -f ./*.db
	for n in $jobs; do
		import "$n" "$@"
		told+="$status "
		[ "$n" = 1 ] && cp err err.1
		cmp -s err err.1 || told+="other words of $n: $(cat err) "
		[ ! -e "$n.db" ] || cmp "$n.db" 1.db >cmp.out 2>&1 || told+="$(cat cmp.out) "
	done
	is "$what" "$told$(ls ./*.db 2>/dev/null | wc -l)" "$expected"
}

script 24 1500 many
script 1 20000 few
same "many logs" "0 0 0 0 4" many
is "they are all there" "$(sql 7.db "SELECT count(*), (SELECT count(*) FROM event_arg x JOIN argument a ON a.id = x.argument_id WHERE a.name = 'state')
	FROM event")" "$((24 * 1800))|$((24 * 1500))"
is "and nothing is wrong with the pages" "$(sql 7.db 'PRAGMA integrity_check')" ok
same "one log" "0 0 0 0 4" few
tar czf many.tar.gz many
same "an archive" "0 0 0 0 4" many.tar.gz

# --- many requests, some of which nothing completes ---
awk 'BEGIN {
	print "thread 0..3"
	for (i = 0; i < 5000; i++)
		for (r = 0; r < 4; r++) {
			t = 1000 * i + r
			at = " thread " r " a.c:"
			if (i % 500 == 499)
				print "at " t " thread " r " block"
			print "at " t ".." t + 20 at "10 MPI_Irecv posted_peer=" (r + 3) % 4 " posted_tag=1 limit=64 request=" 2 * i + 1
			print "at " t + 40 ".." t + 60 at "11 MPI_Isend peer=" (r + 1) % 4 " tag=1 bytes=64 request=" 2 * i + 2
			if (i % 100 != 50) {
				print "at " t + 400 ".." t + 500 + i % 90 at "12 MPI_Wait"
				print "  complete " 2 * i + 1 " receive peer=" (r + 3) % 4 " tag=1 bytes=64"
				print "  complete " 2 * i + 2
			}
			print "at " t + 700 ".." t + 720 at "13 MPI_Barrier"
		}
}' >script
"$O/tests/mkrun" script requests
logs=(requests/*.gasplog)
truncate -s "$(($(stat -c %s "${logs[1]}") - 5000))" "${logs[1]}"
same "many requests" "3 3 3 3 4" requests
is "complete what they may" "$(sql 7.db "SELECT count(*), sum(blocking), sum(complete_event_id IS NULL) FROM completion
	WHERE event_id IN (SELECT id FROM event WHERE thread_id <> 1)")" "$((3 * 5000 * 2))|0|$((3 * 50 * 2))"

is "and cost what they may" "$(sql 7.db "SELECT count(*) > 0, count(DISTINCT thread_id) FROM barrier_total")|$(sql 7.db "SELECT count(*) > 0
	FROM completion_waited")" "1|4|1"

# --- damage: blocks of zeros, a cut, a log that is gone, bytes of others, nothing but a header ---
cp -r many damaged
logs=(damaged/*.gasplog)
for i in 1 5 6 7 20; do
	dd if=/dev/zero of="${logs[i]}" bs=1 seek=$((3000 + 777 * i)) count=1500 conv=notrunc 2>/dev/null
done
truncate -s 9001 "${logs[2]}"
truncate -s 40 "${logs[3]}"
rm "${logs[9]}"
head -c 5000 "${logs[11]}" >>"${logs[10]}"
same "damaged logs" "3 3 3 3 4" damaged
is "are told" "$(sql 7.db "SELECT count(*) > 8, min(complete) FROM quality, thread WHERE severity = 'loss'")" "1|0"

# --- what fails ---
mkdir empty
same "an empty folder" "1 1 1 1 0" empty
cp -r few nothing && for log in nothing/*.gasplog; do truncate -s 20 "$log"; done
same "no log that can be read" "1 1 1 1 0" nothing
for limit in 8 400 1600; do
	told=
	for n in $jobs; do
		rm -f ./*.db*
		(ulimit -f $limit && exec timeout -k 5 100 "$gaspdb" import --jobs="$n" -o "$n.db" many 2>err)
		told+="$? $(ls ./*.db* 2>/dev/null | wc -l) $(grep -c '^gaspdb: cannot write' err); "
	done
	is "a limit of $limit KiB for files" "$told" "1 0 1; 1 0 1; 1 0 1; 1 0 1; "
done

# Without memory at any point: one line and exit 1, or it was enough.  (Sanitizers take terabytes.)
if [ -z "${SANITIZE:-}" ]; then
	bad= short=0
	for n in $jobs; do
		for limit in 24 26 28 30 32 34 36 38 40 44 48 52 56 64 80 100; do
			rm -f ./*.db*
			(ulimit -v $((limit * 1024)) && exec timeout -k 5 60 "$gaspdb" import --jobs="$n" -o "$n.db" many 2>err) 2>/dev/null
			case $?:$(wc -l <err):$(ls -A ./*.db* 2>/dev/null | wc -l) in
			0:2:1) ;; # done, and what to type next
			1:1:0) short=$((short + 1)) ;;
			127:*) ;; # not even the libraries
			*) bad+="$n jobs, $limit MiB: $(cat err) " ;;
			esac
		done
	done
	is "too little memory" "$bad" ""
	ok "is met" test $short -ge 4
fi

# --- a signal: the end is the signal's, and nothing is left ---
rm -f ./*.db*
bad= killed=0
script 8 12000 large
for n in 1 2 4; do
	for ms in 010 050 100 150 200 300 400; do
		timeout -k 5 60 "$gaspdb" import --jobs="$n" -o "$n.db" --force large 2>err &
		pid=$!
		sleep "0.$ms"
		# To the command, not to timeout.
		pkill -INT -P $pid 2>/dev/null
		wait $pid
		case $? in 130) killed=$((killed + 1)) ;; 0) ;; *) bad+="$n jobs after $ms ms: not the signal's end " ;; esac
		# One that came when all was done is too late.
		left=$(ls -A ./*.db* 2>/dev/null | tr '\n' ' ')
		[ -z "$left" ] || bad+=$([ "$left" = "./$n.db " ] && sql "$n.db" "SELECT '$ms ms: not whole' WHERE (SELECT count(*) FROM event) <> 115200" || echo "$left")
		rm -f ./*.db*
	done
done
is "interrupted" "$bad" ""
ok "in time" test $killed -ge 3

# --- threads: who replays, who read logs, and who writes pages ---
# threads WHERE [JOBS]: how many there were at most, of an import on the processors WHERE
threads() {
	rm -f threads
	timeout -k 5 100 taskset -c "$1" env GASPDB_TEST_THREADS="$TMP/threads" \
		ASAN_OPTIONS="${ASAN_OPTIONS:-}:verify_asan_link_order=0" LD_PRELOAD="$O/programs/threads.so" \
		"$gaspdb" import ${2:+--jobs=$2} -o t.db --force many 2>err
	cat threads
}
if where=$(taskset -cp $$ 2>/dev/null); then
	where=${where##* }
	for n in 1 2 4 7; do
		is "threads of --jobs=$n" "$(threads "$where" $n)" $((n == 1 ? 1 : 1 + (n - 1) + 1))
	done
	is "else as of all processors" "$(threads "$where")" "$(threads "$where" "$(nproc)")"
	is "that it may use" "$(threads "${where##*[,-]}")" 1
else
	skip "threads" "no taskset"
fi

# --- the option ---
for n in 0 -1 x 2x '' 1025; do
	"$gaspdb" import --jobs="$n" -o a.db few 2>err
	is "--jobs=$n is none" "$? $(grep -c "'$n' is no number of processors" err)" "2 1"
done
finish
