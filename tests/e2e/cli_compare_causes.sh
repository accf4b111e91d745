#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# gaspdb compare by finding: what accesses, completion and targets cost, at their lines.  Each pair of runs differs in one of them.
source "$TOP/tests/lib.sh"
cd "$TMP" || exit 1

# run NAME: the database NAME.db of the script on stdin
run() {
	rm -rf run
	"$O/tests/mkrun" - run && "$gaspdb" import run -o "$1.db" --force 2>/dev/null
}
# causes: of a and b
causes() {
	"$gaspdb" compare --format=csv --limit=-1 a.db b.db 2>/dev/null >csv
	sqlite3 :memory: '.import --csv csv c' "SELECT name, operation, location, was, a, b, difference FROM c WHERE section = 'cause'"
}
# exits STATUS CONDITION
exits() {
	"$gaspdb" compare a.db b.db --fail-if="$2" >out 2>err
	is "exit status: $2" "$?" "$1"
}
head="segment heap
thread 0..1 model=OpenSHMEM from=0 to=1000000"

# N puts of 8 bytes side by side, 10 ns each
puts() {
	echo "$head"
	for ((i = 0; i < $1; i++)); do
		echo "at $((100 * i))..$((100 * i + 10)) thread 0 a.c:5 SHMEM_PUT peer=1 object=heap+$((8 * i)) bytes=8"
	done
}
puts 16 | run a
puts 32 | run b
is "small puts" "$(causes)" 'fine-grained put|shmem_put|a.c:5||160|320|160'
exits 4 'line:a.c:5>99%'
like "which is told" "$(cat err)" "^gaspdb: line:a.c:5>99%: shmem_put 320 ns, was 160 ns$"
exits 0 'line:a.c:5>100%'
puts 15 | run a
is "less than sixteen are none" "$(causes)" 'fine-grained put|shmem_put|a.c:5||0|320|320'
# A new one was 0.
for condition in 'finding>319ns' 'finding>1000%' 'finding:fine-grained put>319ns' 'finding:fine-grained put:a.c:5>100%' \
	'finding:fine-grained put:src/a.c:5>0'; do
	exits 4 "$condition"
	like "which is told" "$(cat err)" "^gaspdb: $condition: fine-grained put at a.c:5 .shmem_put.: 320 ns, was 0 s$"
done
for condition in 'finding>320ns' 'finding:barrier>0' 'finding:no progress:a.c:5>0' 'finding:fine-grained put > 1us'; do
	exits 0 "$condition"
	is "nothing is told" "$(grep -c finding err)" 0
done
for condition in 'finding:fine-grained>0' 'finding:fine-grained put:a.c:6>0' 'finding:barrier:b.c:5>0' 'finding::a.c:5>0'; do
	exits 2 "$condition"
	like "names nothing" "$(cat err)" "^gaspdb: '$condition' names nothing that is in either run$"
done
for condition in 'finding:>0' 'findings>0' 'finding:polling:a.c>0' 'finding:polling:>0' 'finding:polling>5'; do
	exits 2 "$condition"
	like "is no condition" "$(cat err)" "^gaspdb: compare: '$condition' "
done
like "on the page" "$("$gaspdb" compare a.db b.db)" "^  fine-grained put +a.c:5 +0 s +320 ns +\+320 ns +new"

# N gets of one word, 10 ns each: all but the last poll; three or less are read again
gets() {
	echo "$head"
	for ((i = 0; i < $1; i++)); do
		echo "at $((100 * i))..$((100 * i + 10)) thread 0 a.c:6 SHMEM_GET peer=1 object=heap bytes=8"
	done
}
gets 10 | run a
gets 20 | run b
is "polling" "$(causes)" 'polling|shmem_get|a.c:6||90|190|100'
exits 4 'line:a.c:6>50%'
gets 2 | run a
gets 4 | run b
is "repeated gets" "$(causes)" 'repeated get|shmem_get|a.c:6||10|30|20'

# A call that begins 100 bytes, N times for 1 ns, and a quiet of NS right after it
pending() { # OPERATION N NS
	echo "$head"
	for ((i = 0; i < $2; i++)); do
		echo "at $i..$((i + 1)) thread 0 a.c:7 $1 peer=1 object=heap+$((100 * i)) bytes=100"
	done
	echo "at $i..$((i + $3)) thread 0 a.c:8 shmem_quiet"
}
pending SHMEM_PUT 1 50 | run a
pending SHMEM_PUT 1 80 | run b
is "drain" "$(causes)" 'drain|shmem_put|a.c:7||50|80|30'
exits 4 'line:a.c:8>59%'
pending SHMEM_PUT_NBI 4 40 | run a
pending SHMEM_PUT_NBI 4 60 | run b
is "no overlap" "$(causes)" "no overlap|shmem_put_nbi|a.c:7||44|64|20"

# Thirty gets of 10 ns while their target is in a call, and thirty that last 5 ns longer than it takes to enter one, after NS
starved() {
	echo "$head"
	echo "at 0..1600 thread 0 a.c:9 shmem_quiet"
	for ((i = 0; i < 30; i++)); do
		local at=$((2000 + 1000 * i))
		echo "at $((50 * i))..$((50 * i + 10)) thread 1 a.c:10 SHMEM_GET peer=0 object=heap+$((512 * i)) bytes=300"
		echo "at $at..$((at + $1 + 5)) thread 1 a.c:10 SHMEM_GET peer=0 object=heap+$((512 * (30 + i))) bytes=300"
		echo "at $((at + $1))..$((at + $1 + 5)) thread 0 a.c:9 shmem_quiet"
	done
}
starved 35 | run a
starved 70 | run b
is "no progress" "$(causes)" 'no progress|shmem_get|a.c:10||1050|2100|1050'

# Seven of eight processes add to a word of process 5, for NS
hot() {
	echo "$head" | sed 's/0..1/0..7/'
	for thread in 0 1 2 3 4 6 7; do
		echo "at 0..$1 thread $thread a.c:11 SHMEM_ATOMIC peer=5 object=heap bytes=8"
	done
}
hot 10 | run a
hot 30 | run b
is "hot owner" "$(causes)" 'hot owner|shmem_atomic|a.c:11||70|210|140'
exits 4 'line:a.c:11>199%'
exits 0 'line:a.c:11>200%'

# A line that moves takes its findings along
puts 16 | run a
puts 32 | sed 's/a.c:5 /a.c:50 /' | run b
is "moved" "$(causes)" 'fine-grained put|shmem_put|a.c:50|a.c:5|160|320|160'
finish
