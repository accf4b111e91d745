#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What others can do to a recording: files in the place of logs, directories that are theirs, programs with more rights.
. "$(dirname "$0")/../lib.sh"
cd "$TMP" || exit 1
chmod 711 "$TMP"
mkdir -m 755 lib
cp "$O/programs/gasp_waits" "$O/libgaspdb.so" lib
waits=$TMP/lib/gasp_waits
export LD_LIBRARY_PATH=$TMP/lib
N=60000 # fills several pieces of a log
# Under "setpriv --ruid" the loader believes no LD_LIBRARY_PATH.
gcc -I"$TOP/collector/include" -o lib/rooted "$TOP/tests/programs/gasp_waits.c" -L"$O" -lgaspdb -Wl,-rpath,"$TMP/lib"

# --- another file in the place of the log, while the program waits ---
# replaced HOW PRELOADED: HOW is run in the run directory with $log, the log's name; status, output and lines on stderr
replaced() {
	rm -rf run victim out
	printf 'precious' >victim
	mkfifo go
	GASPDB_DIR=$TMP/run LD_PRELOAD=$2 timeout 60 "$waits" $N <go >out 2>err &
	exec 7>go
	until grep -q ready out 2>/dev/null; do sleep 0.05; done
	(cd run && log=$(echo *.gasplog) && eval "$1")
	echo >&7
	exec 7>&-
	wait $!
	status=$?
	rm go
	is "$3: status and output are the program's own" "$status $(tr '\n' ' ' <out)" "5 ready done "
	is "$3: one line" "$(wc -l <err)" 1
	like "$3: which says why" "$(cat err)" "$4"
	is "$3: what it leads to is as it was" "$(cat victim)" precious
}
why="^gaspdb: recording stops: log '.*': another file has taken its place$"
replaced 'rm $log; ln -s ../victim $log' '' "a symbolic link" "$why"
replaced 'rm $log; ln ../victim $log' '' "a hard link" "$why"
replaced 'rm $log; mkfifo $log' '' "a pipe" "$why"
replaced 'mv $log moved; cp moved $log' '' "a copy" "$why"
is "a copy: it has not grown" "$(cmp run/moved run/*.gasplog | wc -l)" 1
replaced 'cd ..; mv run theirs; mkdir run; ln -s $TMP/victim run/$log' '' "a directory" "$why"
replaced 'rm $log' '' "nothing" "No such file or directory$"
replaced 'rm $log; ln -s ../victim $log' "$O/programs/poor_fs.so" "a symbolic link, log not mapped" "$why"

# --- rights ---
modes() { # DIRECTORY: its mode, and those of what is in it
	echo "$(stat -c %a "$1") $(find "$1" -mindepth 1 -printf '%m\n' | sort -u | tr '\n' ' ')"
}
for mask in 000 022 077 277 777; do
	rm -rf run
	(umask $mask && echo | GASPDB_DIR=$TMP/run "$waits" 10 >/dev/null)
	is "umask $mask: only the user has rights, by the collector" "$(modes run)" "700 600 "
done
for mask in 000 022 077; do
	rm -rf run
	(umask $mask && timeout 60 "$gaspdb" record -o run -- sh -c 'umask 077; touch $GASPDB_DIR/own' 2>/dev/null)
	is "umask $mask: only the user has rights, by record" "$(modes run)" "700 600 "
done
hello() {
	local mask
	for mask in 000 077; do
		rm -rf run run.db
		(umask $mask && timeout 60 "$gaspdb" record -o run -- "$2" -np 2 "$O/programs/$1/mpi_hello" >/dev/null 2>&1)
		is "$1, umask $mask: logs, lines and facts" "$(modes run) $(ls run | sed 's/.*\.gasplog/log/' | sort | uniq -c | tr -s ' \n' ' ')" \
			"700 600   1 lines.tsv 2 log 1 run.txt "
	done
}
each_mpi mpi_hello hello
(umask 027 && rm -rf run && echo | GASPDB_DIR=$TMP/run "$waits" 10 >/dev/null; "$gaspdb" import run -o run.db)
is "a database has the rights that the umask leaves" "$(stat -c %a run.db)" 640

# --- what record leaves beside logs follows no link ---
printf precious >victim
rm -rf run
timeout 60 "$gaspdb" record -o run -- sh -c 'ln -s ../victim run/run.txt; ln -s ../victim run/lines.tsv.tmp; ln -s ../victim run/probe' 2>/dev/null
is "record writes through no link" "$? $(cat victim)" "0 precious"
rm -rf run theirs
timeout 60 "$gaspdb" record -o run -- sh -c 'mv run theirs; mkdir run' 2>err
is "a run directory that is another one at the end" "$? $(ls -A run) $(wc -l <err)" "0  1"
like "a run directory that is another one at the end: it is said" "$(cat err)" "is not the directory that was made"
mkdir own
ln -s own link
for name in link link/; do
	echo | GASPDB_DIR=$TMP/$name "$waits" 10 >/dev/null 2>err
	is "the run directory is a link, '$name': nothing is made" "$? $(ls own) $(wc -l <err)" "5  1"
done

# --- other users ---
if [ "$(id -u)" != 0 ] || ! setpriv --reuid=65534 --clear-groups true 2>/dev/null; then
	skip "directories of other users, programs with more rights" "not root"
	finish
fi
# refused WHO COMMAND...: the run directory is $TMP/theirs
refused() {
	echo | GASPDB_DIR=$TMP/theirs timeout 60 "${@:2}" "$waits" 10 >out 2>err
	is "$1: the program's status and output, no file, one line" \
		"$? $(tr '\n' ' ' <out) $(ls -A theirs) $(wc -l <err)" "5 ready done   1"
	like "$1: why" "$(cat err)" "^gaspdb: nothing is recorded: run directory '$TMP/theirs': it belongs to another user$"
}
rm -rf theirs
mkdir -m 777 theirs
refused "a user, root's directory" setpriv --reuid=65534 --clear-groups
chown 65534 theirs
refused "root, a user's directory" env
refused "a user, another user's directory" setpriv --reuid=65533 --clear-groups
timeout 60 "$gaspdb" record -o theirs -- true 2>err
is "record into another user's directory" "$? $(ls -A theirs)" "2 "
chmod 700 theirs
echo | GASPDB_DIR=$TMP/theirs setpriv --reuid=65534 --clear-groups "$waits" 10 >/dev/null
is "a user, the own directory" "$? $(ls theirs | wc -l)" "5 1"

# More rights than the user who starts it: real and effective user differ.
mkdir -m 777 open
for dir in "$TMP/open/run" ""; do
	(cd open && echo | env ${dir:+GASPDB_DIR="$dir"} GASPDB_ONLY="$(printf 'x%.0s' {1..9000})" GASPDB_MAX_LOG_SIZE=none PMI_RANK=0 \
		setpriv --ruid=65534 --clear-groups timeout 60 "$TMP/lib/rooted" 10 >../out 2>../err)
	is "a privileged program: status, output, no file, no word" \
		"$? $(tr '\n' ' ' <out) $(ls -A open) $(cat err)" "5 privileged done   "
done
cp lib/rooted open/setuid
chown 65534 open/setuid
chmod 4755 open/setuid
echo | GASPDB_DIR=$TMP/open/run timeout 60 open/setuid 10 >out 2>err
status=$?
if grep -q ready out; then
	skip "a set-user-id program" "set-user-id has no effect here"
else
	is "a set-user-id program: status, output, no file, no word" \
		"$status $(tr '\n' ' ' <out) $(ls -A open) $(cat err)" "5 privileged done  setuid "
fi
finish
