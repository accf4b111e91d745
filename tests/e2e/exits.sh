#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# However a program ends, what it did until then is there; and it ends as it would without us.
. "$(dirname "$0")/../lib.sh"
program=$O/programs/gasp_exits
cd "$TMP" || exit 1
exec 2>"$TMP/shell" # bash tells of killed programs

# run HOW N: recorded and imported; its status, output, and what import says
preload=
run() {
	rm -rf run run.db
	LD_PRELOAD=$preload GASPDB_DIR=$TMP/run timeout 60 "$program" "$1" "$2" >out 2>err </dev/null
	status=$?
	imports run -o run.db 2>import
	imported=$?
}

# steps: for each thread: are all its steps there, from the first to the last, is its log whole, how many starts are open
steps() {
	sql run.db "SELECT min(v) || '-' || max(v) || CASE count(DISTINCT v) WHEN max(v) - min(v) + 1 THEN '' ELSE ' not all' END,
			CASE complete WHEN 1 THEN 'whole' ELSE 'no end' END, (SELECT sum(open) FROM event WHERE thread_id = t)
		FROM (SELECT e.thread_id AS t, a.value AS v FROM event e JOIN source s ON s.id = e.source_id
			JOIN operation o ON o.id = s.operation_id AND o.name = 'step' JOIN event_arg a ON a.id >> 6 = e.id WHERE a.value > 0)
		JOIN thread ON thread.id = t GROUP BY t ORDER BY ifnull(rank, 1e9), number, min(v), max(v) DESC" | tr '\n' ' '
}

quality() {
	sql run.db "SELECT kind || ifnull(': ' || detail, '') FROM quality WHERE kind NOT IN ('open event', 'unknown thread number') ORDER BY 1" | tr '\n' ' '
}

# ends WHAT HOW N STATUS IMPORTED STEPS: no word on stderr
ends() {
	run "$2" "$3"
	is "$1: the program's end is its own" "$status $(cat out err)" "$4 "
	is "$1: what it did is there" "$imported $(steps)" "$5 $6 "
}

# 30000 steps fill several pieces of a log
N=30000
ends "return" return $N 0 0 "1-$N|whole|1"
ends "exit" exit $N 3 0 "1-$N|whole|1"
ends "quick_exit" quick_exit $N 3 3 "1-$N|no end|1"
ends "_exit" _exit $N 3 3 "1-$N|no end|1"
ends "abort" abort $N 134 3 "1-$N|no end|1"
ends "SIGSEGV" segv $N 139 3 "1-$N|no end|1"
ends "SIGSEGV, handled" own_segv $N 7 3 "1-$N|no end|1"
ends "SIGKILL" kill $N 137 3 "1-$N|no end|1"
is "SIGKILL: the log is named, and what of it" "$(sql run.db "SELECT q.kind, q.severity, t.file = q.file FROM quality q
	JOIN thread t ON t.id = q.thread_id WHERE q.severity = 'loss'")" "no end block|loss|1"
for n in 0 1 2; do
	run kill $n
	is "SIGKILL after $n steps" "$status $imported $(steps)" "137 3 $([ $n = 0 ] || echo "1-$n|no end|1 ")"
done

ends "fork: both go on" fork $N 0 0 "1-$((2 * N))|whole|1 1001-$((1000 + N))|whole|0"
is "fork: the child is no rank, and has its own user event too" \
	"$(sql run.db "SELECT count(*), sum(a.value), t.rank IS NULL, m.value = (SELECT pid FROM thread WHERE id <> t.id)
	FROM event e JOIN source s ON s.id = e.source_id JOIN operation o ON o.id = s.operation_id AND o.name = 'own'
	JOIN event_arg a ON a.id >> 6 = e.id JOIN thread t ON t.id = e.thread_id
	JOIN thread_meta m ON m.thread_id = t.id AND m.key = 'forked_from'")" "5|15|1|1"
like "fork: and that is said" "$(quality)" "^forked process: "
preload=$O/programs/poor_fork.so
ends "fork: where memory is not wiped for the child" fork $N 0 0 "1-$((2 * N))|whole|1 1001-$((1000 + N))|whole|0"
ends "children that do nothing: there, too" idle_forks $N 0 0 "1-$((2 * N))|whole|1"
preload=
ends "fork while recording is off" fork_off 10 0 3 "1-10|whole|1 1001-1010|no end|0"
ends "children that do nothing" idle_forks $N 0 0 "1-$((2 * N))|whole|1"
is "children that do nothing leave nothing" "$(ls run | wc -l)" 1
ends "vfork" vfork $N 0 0 "1-$((2 * N))|whole|1"
ends "vfork before any event" first_in_vfork $N 0 0 "1-$((2 * N))|whole|1 1-10|whole|0"
ends "posix_spawn, system" spawn $N 0 0 "1-$((2 * N))|whole|1"
run exec $N
is "exec: the program's end is its own" "$status $(cat out err)" "0 "
is "exec: both programs are there, and the first was not cut off" "$imported $(steps)" "0 1-$N|whole|1 1-7|whole|1 "
like "exec: and that is said" "$(quality)" "^another program"
ends "exec of what is not recorded" exec_other $N 0 3 "1-$N|no end|1"

ends "all descriptors closed" closefrom $N 0 0 "1-$((2 * N))|whole|1"
ends "all descriptors taken" dup2 $N 0 0 "1-$((2 * N))|whole|1"
ends "another working directory" chdir $N 0 0 "1-$((2 * N))|whole|1"
run umask $N
is "a umask that allows nothing" "$status $(cat out err) $imported $(steps)" "0  0 1-$N|whole|1 "
if [ "$(id -u)" = 0 ] && setpriv --reuid=65534 --clear-groups true 2>/dev/null; then
	mkdir -m 777 open && cp "$program" "$O/libgaspdb.so" open
	GASPDB_DIR=$TMP/open/run LD_LIBRARY_PATH=$TMP/open setpriv --reuid=65534 --clear-groups timeout 60 open/gasp_exits umask $N >out 2>err
	chmod 711 "$TMP"
	rm -rf open/run
	GASPDB_DIR=$TMP/open/run LD_LIBRARY_PATH=$TMP/open setpriv --reuid=65534 --clear-groups timeout 60 open/gasp_exits umask $N >out 2>err
	status=$?
	rm -f run.db
	imports open/run -o run.db 2>import
	is "the same, without root's rights" "$status $(cat out err) $? $(steps)" "0  0 1-$N|whole|1 "
else
	skip "the same, without root's rights" "not root"
fi

# --- threads ---
ends "threads outlive main" pthread_exit $N 0 0 "1-$N|whole|1 1-$((2 * N))|whole|0"
ends "no key left for the ends of threads" keys $N 0 0 "1-$N|whole|1 1-$N|whole|0"
ends "a later destructor's events" destructor $N 0 0 "1-$N|whole|1 1-$((2 * N))|whole|0"
run detached $N
is "threads that write while the process exits: its end is its own" "$status $(cat out err)" "0 "
is "each one's log is whole" "$imported $(steps | sed -E 's/1-[0-9]+\|/1-n|/g')" "0 1-n|whole|1 1-n|whole|0 1-n|whole|0 1-n|whole|0 "
run cancel $N
is "threads cancelled at any instruction: its end is its own" "$status $(cat out err)" "0 "
is "each one's log is whole but for the event being written" \
	"$(steps | sed -E 's/1-[0-9]+\|/1-n|/g') $(sql run.db "SELECT max(count) FROM quality WHERE kind = 'lost events'")" \
	"1-n|whole|1 $(printf '1-n|whole|0 %.0s' $(seq 20)) 1"

# --- signal handlers ---
run handlers $N
is "events of handlers are there, or counted as lost" "$status $(cat err)
$(sql run.db "SELECT (SELECT count(*) FROM event_arg WHERE value = -1) + ifnull(sum(count), 0) FROM quality WHERE kind = 'lost events'")
$(steps)" "0 
$(cat out)
1-$((2 * N))|whole|1 "
for how in jumps jumps_apart; do
	run $how $N
	is "$how: handlers jump out of events: each costs one at most, and what comes after is there" "$status $(cat err) $imported $(sql run.db "
		SELECT 21 * $N - count(*) <= $(cat out), sum(a.value > 20 * $N), min(t.complete) FROM event e JOIN thread t ON t.id = e.thread_id
		JOIN event_arg a ON a.id >> 6 = e.id WHERE a.value BETWEEN 1 AND 21 * $N") $(quality | grep -c damage)" "0  3 1|$N|1 0"
done
run exit_in_handler $N
is "exit in a handler: the program's end is its own" "$status $(cat out err)" "5 "
like "exit in a handler: the log is whole" "$(steps)" "^1-[0-9]+\|whole\|1 $"

GASPDB_DIR=$TMP/unchanged timeout 60 "$O/programs/gasp_unchanged" $N >out 2>err
is "nothing of the process is changed: descriptors, threads, children, signals, limits, umask, environment, errno" "$? $(cat out err)" "0 "

# --- 100 random kills ---
seed=$RANDOM
echo "# seed $seed"
rm -rf run run.db
GASPDB_DIR=$TMP/run timeout 100 "$O/programs/gasp_kills" $seed 100 3 | sort >returned
imports run -o run.db 2>import
is "100 random kills: import says that logs have no end" "$? $(quality | tr -d ' ' | sed 's/noendblock//g')" "3 "
sql run.db "SELECT t.tid, count(*), max(a.value) FROM event e JOIN thread t ON t.id = e.thread_id
	JOIN event_arg a ON a.id >> 6 = e.id JOIN argument n ON n.id = a.argument_id AND n.name = 'arg1' GROUP BY t.id" | sort >recorded
is "100 random kills: 300 threads" "$(wc -l <returned) $(wc -l <recorded)" "300 300"
is "100 random kills: at most the event being written is missing" \
	"$(paste -d'|' returned recorded | awk -F'|' '$1 != $3 || $4 != $5 || $4 < $2 || $4 > $2 + 1')" ""
# A program that has closed stderr and got its number for a file of its own: the file is its own.  "many" creates user
# events until there are no tags.
cat >reuse.c <<'C'
#include <fcntl.h>
#include <gasp.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	gasp_context_t c;

	if (strstr(argv[1], "reused")) {
		close(2);
		if (open("data", O_CREAT | O_TRUNC | O_WRONLY, 0600) != 2)
			return 9;
	}
	c = gasp_init(GASP_MODEL_UPC, 0, 0);
	while (strstr(argv[1], "many"))
		gasp_create_event(c, "e", "");
	return argc - 2;
}
C
gcc -I"$TOP/collector/include" -o reuse reuse.c -L"$O" -lgaspdb -Wl,-rpath,"$O"
for how in "one 0 1 0" "one-reused 0 0 0" "many 134 1 0" "many-reused 134 0 0"; do
	set -- $how
	dir=/proc/none
	[ "${1%%-*}" = one ] || dir=$TMP/many.$1
	: >data
	GASPDB_DIR=$dir timeout 60 ./reuse "$1" 2>err
	is "stderr, $1: status, lines there, bytes in the program's own file" "$? $(wc -l <err) $(stat -c %s data)" "$2 $3 $4"
done
finish
