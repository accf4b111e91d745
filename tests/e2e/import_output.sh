#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What stands where an import's database will, and beside it: SQLite's companions of an older file, other imports, what is no file.
. "$(dirname "$0")/../lib.sh"
cd "$TMP" || exit 1
"$gaspdb" record -o run -- "$O/programs/gasp_killed" 2000 none 2>/dev/null
mkdir out
left() { ls -A out | tr '\n' ' '; }
import() { timeout 60 "$gaspdb" import run "$@" 2>err; }
# the database is whole, and nothing of an older one is in it
whole() { sqlite3 out/a.db 'PRAGMA integrity_check; SELECT count(*) FROM event; SELECT count(*) FROM sqlite_schema WHERE name = '"'notes'" | xargs; }

# again SQL...: an older database, whose program ended with these statements still beside it
again() {
	rm -f out/*
	import -o out/a.db
	# It is killed so that it cannot tidy up.
	python3 - "$@" <<-'END'
		import os, sqlite3, sys
		db = sqlite3.connect("out/a.db", isolation_level=None)
		for statement in sys.argv[1:]:
		    db.execute(statement).fetchall()
		os._exit(0)
	END
}

again 'PRAGMA journal_mode = wal' 'CREATE TABLE notes(x)'
is "an older database and its log" "$(left)" "a.db a.db-shm a.db-wal "
import -o out/a.db
is "stay, without --force" "$? $(left)$(cat err)" "1 a.db a.db-shm a.db-wal gaspdb: 'out/a.db' already exists; --force replaces it"
import -o out/a.db --force
is "with it they go" "$? $(left)$(whole)" "0 a.db ok 2001 0"
"$gaspdb" report out/a.db >/dev/null 2>err
is "and the new one can be read" $? 0

# Pages go to the file before the end, which the journal undoes.
again 'PRAGMA cache_size = 1' 'PRAGMA cache_spill = 1' 'BEGIN' 'CREATE TABLE notes(x)' 'UPDATE event SET bytes = 7' 'DELETE FROM event_arg'
is "and its journal" "$(left)" "a.db a.db-journal "
import -o out/a.db --force
is "which goes, too" "$? $(left)$(whole)" "0 a.db ok 2001 0"

# Nothing but what is left
for companion in -wal -journal; do
	rm -f out/*
	echo something >out/a.db$companion
	import -o out/a.db
	is "a$companion alone" "$? $(left)$(cat err)" "1 a.db$companion gaspdb: 'out/a.db$companion' is left of an older database; --force removes it"
	import -o out/a.db --force
	is "and --force" "$? $(left)$(whole)" "0 a.db ok 2001 0"
done

# open SQL...: another program has the database open, until close
open() {
	rm -f out/*
	import -o out/a.db
	coproc python3 -c '
import sqlite3, sys
db = sqlite3.connect("out/a.db", isolation_level=None)
for statement in sys.argv[1:]:
    db.execute(statement).fetchone()
print("open", flush=True)
sys.stdin.read()' "$@"
	read -r <&"${COPROC[0]}"
}
close() {
	local input=${COPROC[1]} pid=$COPROC_PID
	exec {input}>&-
	wait "$pid"
}

open 'PRAGMA journal_mode = wal' 'CREATE TABLE notes(x)'
import -o out/a.db --force
is "a database that another program writes stays" "$? $(cat err)" "1 gaspdb: another program writes 'out/a.db', or may: close it first"
close
is "and is whole when that ends" "$(left)$(whole)" "a.db ok 2001 1"
open 'BEGIN IMMEDIATE' 'CREATE TABLE notes(x)'
import -o out/a.db --force
is "also without a log" "$? $(left)" "1 a.db a.db-journal "
close
open 'SELECT * FROM event'
import -o out/a.db --force
is "one that is only read can be replaced" "$? $(left)" "0 a.db "
close
is "and is whole" "$(whole)" "ok 2001 0"

# --- temporary files ---
rm -f out/*
here=$(cut -c 1-8 /proc/sys/kernel/random/boot_id)
: >"out/a.db.tmp-$here-00000001" # as if left behind
: >"out/a.db.tmp-$here-00000002"
import -o out/a.db
is "what killed imports have left goes" "$? $(left)" "0 a.db "
rm -f out/*
# What lives, or may, or is another's, stays.
for other in "a.db.tmp-$here-0000000g" "a.db.tmp-$here-000000001" "b.db.tmp-$here-00000001" a.db.tmp-00000000 \
	"a.db.tmp-$(tr 0-9a-f 1-9a-f0 <<<"$here")-00000001"; do
	: >"out/$other"
done
: >kept.file
ln -s ../kept.file "out/a.db.tmp-$here-00000002"
mkfifo "out/a.db.tmp-$here-00000003"
: >"out/a.db.tmp-$here-00000004"
ls -A out >before
exec {held}<"out/a.db.tmp-$here-00000004"
flock "$held"
import -o out/a.db
is "that of a living one, and what is no such file, stays" "$? $(ls -A out | grep -vx a.db)" "0 $(cat before)"
exec {held}<&-
rm out/a.db
import -o out/a.db
is "until that one is dead" "$? $(ls -A out | grep -vx a.db)" "0 $(grep -v 00000004 before)"
rm -f out/*
if unshare -rpf --mount-proc true 2>/dev/null; then
	for i in 1 2 3 4; do
		timeout 60 unshare -rpf --mount-proc "$gaspdb" import run -o out/a.db --force 2>"err.$i" &
		pids[i]=$!
	done
	told=
	for i in 1 2 3 4; do
		wait "${pids[i]}"
		told+="$? "
	done
	is "imports of one process number, each in a namespace of its own, do not meet" "$told$(left)$(whole)" "0 0 0 0 a.db ok 2001 0"
else
	skip "imports of one process number" "no namespaces here"
fi

# --- what is not to be written ---
cp -r run kept
tar cf kept.tar kept
cksum kept.tar kept/* >sums
for output in kept.tar "$(echo kept/*.gasplog)"; do
	for input in kept.tar kept "$(echo kept/*.gasplog)"; do
		case $input:$output in kept:kept.tar | *.gasplog:kept.tar) continue ;; esac
		timeout 60 "$gaspdb" import $input -o "$output" --force 2>err
		is "a recording is never replaced: $input by $output" "$? $(cat err)" "1 gaspdb: '$output' is a recording: it is not replaced"
	done
done
is "and is what it was" "$(cksum kept.tar kept/*)" "$(cat sums)"
import -o -
is "standard output is no file" "$? $(head -n 1 err)" "2 gaspdb: import: a database cannot be written to standard output"
rm -f out/*
for name in 'file:a.db?mode=ro' 'a?b%20#c&d.db' ':memory:' "a'b\"c.db"; do
	(cd out && timeout 60 "$gaspdb" import ../run -o "$name" 2>../err)
	is "a name that means more to SQLite: $name" "$? $(ls -A out)" "0 $name"
	(cd out && "$gaspdb" info "$name") >stdout 2>err
	is "and can be read" "$? $(cat err)$(grep -o '^events .*' stdout | tr -s ' ')" "0 events 2,001"
	rm -f out/*
done
deep=$TMP/$(printf 'd%.0s' {1..200})/$(printf 'd%.0s' {1..200})
mkdir -p "$deep"
at=$((${#deep} + 1 + 22)) # with the suffix of a temporary file
for ((n = 504 - at; n < 508 - at; n++)); do
	db=$deep/$(printf 'x%.0s' $(seq 1 $n))
	import -o "$db"
	is "a path of $((n + at)) bytes" "$? $(grep -o 'its path .*' err)" \
		"$([ $((n + at)) -le 504 ] && echo "0 " || echo "1 its path has $((n + at)) bytes, and SQLite takes 504 at most")"
done
import -o "$deep/$(printf 'x%.0s' {1..300}).db"
like "the reason is told, however long the name" "$(cat err)" "^gaspdb: cannot create '.*: File name too long$"
timeout 60 "$gaspdb" import run -o out/a.db <&- >&- 2>&-
is "without any stream" "$? $(left)$(whole)" "0 a.db ok 2001 0"
"$gaspdb" record -o closed -- sh -c 'test -e /proc/$$/fd/0; echo $? >status' <&- 2>err
is "nor is what is recorded given one" "$(cat status)" 1

# --- what is no file ---
rm -f out/*
mkfifo out/fifo
mkdir out/folder
ln -s folder/b.db out/link
for output in fifo:'no regular file' folder:'a folder' /dev/null:'no regular file'; do
	name=${output%%:*}
	[ "$name" = /dev/null ] || name=out/$name
	timeout 60 "$gaspdb" import nosuch -o "$name" --force 2>err
	is "which is told before anything is read: $name" "$? $(cat err)" "1 gaspdb: '$name' is ${output#*:}"
done
import -o out/link
is "a link is there, wherever it leads" "$? $(cat err)" "1 gaspdb: 'out/link' already exists; --force replaces it"
import -o out/link --force
is "--force replaces what it leads to; nothing: refused" "$? $(cat err)" "1 gaspdb: cannot create 'out/link': No such file or directory"
echo old >out/folder/b.db
import -o out/link --force
is "and it stays" "$? $(readlink out/link) $(ls -A out/folder) $(sql out/link 'SELECT count(*) FROM event')" "0 folder/b.db b.db 2001"
finish
