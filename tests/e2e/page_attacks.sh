#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# gaspdb report --html: damaged and hostile databases, and files that cannot be written.
source "$TOP/tests/lib.sh"
cd "$TMP" || exit 1
if ! [ -s "$O/html/page.html" ]; then
	skip "pages" "built without d3"
	finish
fi

# Messages, waits, nested calls, a lock: each table that the page reads has rows.
awk 'BEGIN {
	print "thread 0..2 from=0 to=3000000"
	for (i = 0; i < 20; i++) {
		t = 100000 * i
		print "at " t + 10000 ".." t + 20000 " thread 0 a.c:5 MPI_Send peer=1 tag=7 bytes=4096"
		print "at " t ".." t + 20000 " thread 1 a.c:6 MPI_Recv peer=0 tag=7 bytes=4096"
		for (r = 0; r < 3; r++)
			print "at " t + 50000 + 10000 * r ".." t + 90000 " thread " r " a.c:1" i % 3 " MPI_Allreduce bytes=8"
	}
}' >script
"$O/tests/mkrun" script made
"$gaspdb" import made >/dev/null 2>&1

# --- databases ---
# damage NAME SQL: a page of the database changed so, in pages/; what the command did in did.  A page, or one line that names the file.
mkdir pages
damage() {
	local status
	cp made.db "$1.db"
	sqlite3 "$1.db" "PRAGMA foreign_keys = off; $2" || { echo "$1: no such change" >>did; return; }
	timeout 60 "$gaspdb" report "$1.db" --html "pages/$1.html" >out 2>err
	status=$?
	case $status in
	0) [ -s "pages/$1.html" ] ;;
	1) [ ! -e "pages/$1.html" ] && grep -q "'$1.db'" err ;;
	*) false ;;
	esac && [ "$(cat out err | wc -l)" = 1 ] && return
	echo "$1: $status $(head -c 500 err)" >>did
}
most=9223372036854775807
damage times_text "UPDATE event SET start_ns = 'abc', duration_ns = 'x' WHERE id % 7 = 1"
damage times_blob "UPDATE event SET start_ns = x'00ff', duration_ns = x'' WHERE id % 7 = 1"
damage start_huge "UPDATE event SET start_ns = $most - 7 WHERE id = 5"
damage duration_huge "UPDATE event SET duration_ns = $most WHERE id = 5"
damage duration_negative "UPDATE event SET duration_ns = -1000 WHERE id % 3 = 0"
damage before_start "UPDATE event SET start_ns = start_ns - 100000000000 WHERE id % 3 = 0"
damage all_long "UPDATE event SET start_ns = 1 << 60, duration_ns = 1 << 60"
damage waits_long "UPDATE wait SET start_ns = -(1 << 60), end_ns = 1 << 60"
damage waits_whole_run "UPDATE wait SET start_ns = 0, end_ns = 3000000"
damage waits_huge "UPDATE wait SET start_ns = -$most, end_ns = $most, cause_ns = $most"
damage waits_backward "UPDATE wait SET start_ns = end_ns, end_ns = start_ns - 1000"
damage waits_elsewhere "UPDATE wait SET event_id = $most - id, cause_event_id = -5, cause_thread_id = 1234567"
damage threads_unbounded "UPDATE thread SET first_ns = -$most, last_ns = $most"
damage threads_backward "UPDATE thread SET first_ns = last_ns, last_ns = first_ns"
damage threads_text "UPDATE thread SET first_ns = 'a', last_ns = 'b', rank = 'r', number = 'n', host = x'ff00ff', model = 5, complete = 'c'"
damage threads_turned "UPDATE event SET thread_id = 1000 - thread_id; UPDATE thread SET id = 1000 - id"
damage threads_unknown "UPDATE event SET thread_id = 777 WHERE id % 5 = 0"
damage threads_none "DELETE FROM thread"
damage events_overflow "UPDATE thread SET first_event = -$most, last_event = $most"
damage events_none "DELETE FROM profile_total; DELETE FROM wait_total; DELETE FROM bin; DELETE FROM wait; DELETE FROM event"
damage ids_huge "UPDATE event SET id = id + (1 << 62) WHERE thread_id = (SELECT max(thread_id) FROM event)"
damage sources_unknown "UPDATE event SET source_id = 999999 WHERE id % 2"
damage sources_negative "UPDATE event SET source_id = -4"
damage sources_none "DELETE FROM source"
damage parents_cyclic "UPDATE event SET parent_id = id + 1 WHERE id % 2 = 0; UPDATE event SET parent_id = id - 1 WHERE id % 2 = 1"
damage paths_cyclic "UPDATE callpath SET parent_id = id"
damage lines_huge "UPDATE source SET line = iif(id % 2, $most, -5)"
damage names_script "UPDATE source SET function = '<script>window.hacked = 1</script><!--',
	file = '</script><!-- ]]> ' || char(8232, 0, 65) || '<img src=x onerror=window.hacked=1>';
	UPDATE meta SET value = '</title></script><!-- <img src=x onerror=window.hacked=1>' WHERE key IN ('run_name', 'program');
	UPDATE thread SET host = '<b>]]></b>'"
damage names_utf8 "UPDATE source SET file = CAST(x'fffec328' AS TEXT), function = CAST(x'80c0af00e28028' AS TEXT)"
damage names_long "UPDATE source SET file = printf('%.*c', 1000000, 'f'), function = printf('%.*c', 1000000, '/') WHERE id = 2"
damage names_blob "UPDATE source SET file = x'3c00ff', function = x'00', line = 'abc'"
damage profile_text "UPDATE profile_total SET total_ns = 'x', self_ns = $most, calls = -1, bytes = $most, min_ns = '', max_ns = x'00'"
damage bins_huge "UPDATE bin SET start_ns = $most - start_ns, time_ns = -1"
damage messages_strange "UPDATE message SET sender = 99999, receiver = -1, sent_ns = $most, received_ns = -$most, bytes = -1, tag = 't'"
damage path_huge "UPDATE critical_path SET start_ns = -$most, end_ns = $most, thread_id = 55555"
damage arguments_huge "UPDATE event_arg SET value = $most - id, argument_id = 9999"
damage meta_none "DELETE FROM meta"
damage all_at_once "UPDATE thread SET first_ns = 0, last_ns = 0; UPDATE event SET start_ns = 0, duration_ns = 0; UPDATE wait SET start_ns = 0, end_ns = 0, cause_ns = 0"
# Events beyond those that the page has, by what the file claims, with ids that no memory has bits for.
cp made.db claims.db
sqlite3 claims.db "PRAGMA foreign_keys = off; UPDATE thread SET last_event = first_event + 400000;
	UPDATE event SET id = id + (1 << 55) WHERE thread_id = 2"
is "ids that are no numbers of events" "$("$gaspdb" report claims.db --html pages/claims.html 2>&1; echo $? pages/claims*)" \
	"gaspdb: ids of events are out of range: 'claims.db' is damaged
1 pages/claims*"
cp made.db million.db
sqlite3 million.db "PRAGMA foreign_keys = off; INSERT INTO thread(id, rank, number, first_ns, last_ns, complete)
	SELECT value, value, 0, 0, 1000, 1 FROM generate_series(10, 1000006)"
is "a million threads" "$("$gaspdb" report million.db --html pages/million.html 2>&1; echo $? pages/million*)" \
	"gaspdb: 'million.db' has 1000000 ranks: a page shows at most 200000
1 pages/million*"

# --- comparisons ---
# compare NAME [SQL]: with a database changed so, on either side
compare() {
	local status pair
	[ $# = 1 ] || { cp made.db "$1.db" && sqlite3 "$1.db" "PRAGMA foreign_keys = off; $2"; } || echo "$1: no such change" >>did
	for pair in "made.db $1.db" "$1.db made.db"; do
		timeout 60 "$gaspdb" compare $pair --html "pages/two_$1.html" >out 2>err
		status=$?
		case $status in
		0) [ -s "pages/two_$1.html" ] ;;
		1) [ ! -e "pages/two_$1.html" ] && grep -q "'$1.db'" err ;;
		*) false ;;
		esac && [ "$(cat out err | wc -l)" = 1 ] && continue
		echo "two_$1: $status $(head -c 500 err)" >>did
	done
}
compare names "UPDATE source SET function = '<script>window.hacked = 1</script><!--', file = '</script><!-- ]]><img src=x onerror=window.hacked=1>';
	UPDATE operation SET name = '</script><img src=x onerror=window.hacked=1>'; UPDATE thread SET host = '<b>]]></b>';
	UPDATE meta SET value = '</title></script><img src=x onerror=window.hacked=1>' WHERE key IN ('run_name', 'program')"
compare nulls "UPDATE source SET file = NULL, line = NULL, function = NULL; UPDATE thread SET rank = NULL, host = NULL, first_ns = NULL, last_ns = NULL"
compare meta_none "DELETE FROM meta"
compare numbers "UPDATE profile_total SET self_ns = $most, total_ns = $most; UPDATE wait_total SET time_ns = $most; UPDATE root_cause SET time_ns = $most,
	direct_ns = -$most; UPDATE category_time SET time_ns = $most"
compare texts "UPDATE profile_total SET self_ns = 'x', total_ns = x'00'; UPDATE root_cause SET time_ns = 'abc'; UPDATE category_time SET time_ns = 'x'"
compare times "UPDATE thread SET first_ns = -$most, last_ns = $most"
compare events_none "DELETE FROM profile_total; DELETE FROM wait_total; DELETE FROM bin; DELETE FROM wait; DELETE FROM event"
compare no_profile "DROP TABLE profile_total"
compare no_path "DROP TABLE critical_path"
echo "no database" >text.db
compare text
sqlite3 other.db "CREATE TABLE a(b)"
compare other
compare missing
head -c 100000 made.db >short.db
compare short
ok "of hostile names a page" test -s pages/two_names.html
is "of a damaged file a page, or one line that names it" "$(cat did 2>/dev/null)" ''
ok "of most a page" test "$(find pages -name '*.html' | wc -l)" -ge 24
if command -v node >/dev/null && command -v chromium >/dev/null; then
	timeout 400 node "$TOP/tests/page/open.js" pages/*.html >seen 2>&1
	is "which opens without a message" "$(awk 'NF != 2 || $2 != "ready"' seen)" ''
	is "each of them" "$(wc -l <seen)" "$(find pages -name '*.html' | wc -l)"
else
	skip "they open" "no node or chromium"
fi

# --- files ---
"$gaspdb" report made.db --html made.html 2>err
is "it says what it wrote" "$(cat err)" "gaspdb: made.html: $(stat -c %s made.html | awk '{ printf "%.1f KiB", $1 / 1024 }'); open it in a browser"
"$gaspdb" report made.db --html /dev/stdout 2>err | cmp - made.html >differs 2>&1
is "a pipe gets the same page, without a word" "$(cat differs err)" ''
ok "devices stay" test -L /dev/stdout
is "a folder" "$("$gaspdb" report made.db --html pages 2>&1)" "gaspdb: cannot write 'pages': Is a directory"
is "a folder that is not there" "$("$gaspdb" report made.db --html none/x.html 2>&1)" "gaspdb: cannot write 'none/x.html': No such file or directory"
ln -s made.html link.html
echo old >made.html
"$gaspdb" report made.db --html link.html 2>/dev/null
is "a link leads to the page" "$(readlink link.html) $(head -c 15 made.html)" "made.html <!DOCTYPE html>"
if [ -w /dev/full ]; then
	is "a full disk" "$("$gaspdb" report made.db --html /dev/full 2>&1; echo $?)" "gaspdb: cannot write '/dev/full': No space left on device
1"
fi
is "a limit of file size" "$(ulimit -f 100; "$gaspdb" report made.db --html small.html 2>&1; echo $?)" "gaspdb: cannot write 'small.html': File too large
1"
cp made.html before.html
(ulimit -f 100; "$gaspdb" report made.db --html made.html 2>/dev/null)
ok "a page that cannot be written leaves the former one" cmp -s made.html before.html

# With less and less memory: an error in one line, or the page.
bad=
for ((mib = 200; mib > 40; mib -= 12)); do
	said=$(ulimit -v $((1024 * mib)); "$gaspdb" report made.db --html memory.html 2>&1)
	status=$?
	case $status:$said in
	0:*KiB*) rm memory.html ;;
	1:*"out of memory"* | 127:*) ;;
	*) bad+="$mib MiB: $status $said; " ;;
	esac
done
is "without memory: an error" "$bad" ''

# interrupt SIGNAL: a signal as soon as the unfinished file is there
interrupt() {
	local pid
	env --default-signal=INT "$gaspdb" report large.db --html cut.html 2>/dev/null &
	pid=$!
	while kill -0 $pid 2>/dev/null && ! compgen -G 'cut.html.*' >/dev/null; do :; done
	kill -"$1" $pid
	wait $pid
	echo "$? $(echo cut.html*)"
}
awk 'BEGIN {
	print "thread 0..3"
	for (i = 0; i < 20000; i++) {
		for (r = 0; i % 500 == 499 && r < 4; r++)
			print "at " 100 * i - 1 " thread " r " block"
		for (r = 0; r < 4; r++)
			print "at " 100 * i + r ".." 100 * i + 50 " thread " r " b.c:" 10 + i % 50 " MPI_Barrier"
	}
}' >script
"$O/tests/mkrun" script large
"$gaspdb" import large >/dev/null 2>&1
is "Ctrl-C leaves nothing" "$(interrupt INT)" "130 cut.html*"
is "nor does SIGTERM" "$(interrupt TERM)" "143 cut.html*"
is "nothing is left beside any page" "$(find . -name '*.html.*')" ''
finish
