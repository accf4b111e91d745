#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Imports that end badly leave nothing; file systems that can do little suffice.
source "$TOP/tests/lib.sh"
cd "$TMP" || exit 1
"$gaspdb" record -o run -- "$O/programs/gasp_killed" 20000 none 2>/dev/null
tar cJf run.tar.xz run
mkdir out
left() { ls -A out | tr '\n' ' '; }

# A limit on the size of files stands for a full disk: SIGXFSZ ignored, the write fails.
for input in run run.tar.xz; do
	(ulimit -f 64 && "$gaspdb" import $input -o out/a.db 2>err)
	is "a file that cannot grow: $input" "$? $(left)" "1 "
	like "is told" "$(cat err)" "^gaspdb: cannot write .*'(out|out/a.db)': (File too large|disk I/O error)$"
done
(ulimit -f 64 && TMPDIR=$TMP/out "$gaspdb" info run.tar.xz >/dev/null 2>err)
is "nor the temporary file of info" "$? $(left)" "1 "

# What is left of it when it is killed: import_disk.sh.
"$gaspdb" import run.tar.xz -o out/a.db 2>/dev/null
is "the next one works" "$?" 0
is "and is whole" "$(sql out/a.db 'PRAGMA integrity_check') $(sql out/a.db 'SELECT count(*) FROM event')" "ok 20001"
rm -f out/*

# No locks, no shared mappings, no files without a name: as on some network file systems.
if [ -r "$O/programs/poor_fs.so" ]; then
	export ASAN_OPTIONS=${ASAN_OPTIONS:-}:verify_asan_link_order=0
	for input in run run.tar.xz; do
		LD_PRELOAD=$O/programs/poor_fs.so "$gaspdb" import $input -o out/a.db --force 2>err
		is "a poor file system: $input" "$? $(left)" "0 a.db "
	done
	LD_PRELOAD=$O/programs/poor_fs.so "$gaspdb" record -o poor -- "$O/programs/gasp_killed" 20000 none 2>err
	is "a recording there" "$? $("$gaspdb" info poor 2>/dev/null | grep -c whole)" "0 1"
	for command in "report out/a.db" "info out/a.db" "analyze profile out/a.db" "info run.tar.xz" \
		"info poor" "shell out/a.db .tables" "import poor -o out/poor.db"; do
		# shellcheck disable=SC2086
		LD_PRELOAD=$O/programs/poor_fs.so "$gaspdb" $command >stdout 2>err
		is "$command" "$? $(grep -ciE 'lock|cannot|error' err)" "0 0"
	done
	is "what was recorded there is all there" "$(sql out/poor.db 'SELECT count(*), sum(bytes) FROM event')" \
		"$(sql out/a.db 'SELECT count(*), sum(bytes) FROM event')"
	rm -rf poor out/poor.db
fi

python3 -m zipfile -c run.zip run/
# Calls that a signal ends, or that do only part of what was asked.
if [ -r "$O/programs/interrupted.so" ]; then
	export ASAN_OPTIONS=${ASAN_OPTIONS:-}:verify_asan_link_order=0
	printf '00ff\t10\tf\ta.c\t1\t0\n' >run/lines.tsv
	"$gaspdb" import run -o out/whole.db 2>/dev/null
	for input in run run.tar.xz run.zip run/*.gasplog -; do
		LD_PRELOAD=$O/programs/interrupted.so "$gaspdb" import "$input" -o out/a.db --force <run.tar.xz 2>err
		is "with signals: ${input%%-*}" "$? $(sql out/a.db 'SELECT count(*), sum(bytes) FROM event')" \
			"0 $(sql out/whole.db 'SELECT count(*), sum(bytes) FROM event')"
	done
	rm -f run/lines.tsv out/whole.db
fi

# A stack of 64 KiB
if [ -z "${SANITIZE:-}" ]; then
	for input in run run.tar.xz run.zip; do
		for jobs in 1 4; do
			(ulimit -s 64 && "$gaspdb" import $input -o out/a.db --force --jobs=$jobs) 2>err
			is "on a small stack: $input, $jobs" "$? $(sql out/a.db 'SELECT count(*) FROM event')" "0 20001"
		done
	done
else
	skip "small stacks" "sanitizers take more"
fi

# The spool file has no name, and the archive's folders are not made.
"$gaspdb" import - -o out/b.db <run.tar.xz 2>/dev/null
is "from standard input" "$? $(left)" "0 a.db b.db "
"$gaspdb" import - <run.tar.xz 2>err
is "which needs -o" "$?" 2
is "the archive's database is the directory's" \
	"$(for t in thread operation source event event_arg profile quality category_time; do
		sql out/b.db "SELECT * FROM $t"; done | cksum)" \
	"$("$gaspdb" import run -o out/c.db 2>/dev/null
		for t in thread operation source event event_arg profile quality category_time; do
			sql out/c.db "SELECT * FROM $t"; done | cksum)"

# Several runs
"$gaspdb" record -o second -- "$O/programs/gasp_killed" 3 none 2>/dev/null
tar czf both.tgz run second
mkdir both && cp -r run second both/
for input in both.tgz both; do
	"$gaspdb" import $input 2>err
	is "several runs: $input" "$?" 2
	like "are listed" "$(cat err)" "^second +1 +1 +20[0-9]{2}-"
	"$gaspdb" info $input >stdout 2>err
	is "by info, too" "$? $(grep -c '^run \|^second ' err)" "2 3"
	(cd out && "$gaspdb" import ../$input --run=second 2>/dev/null)
	is "and one is chosen" "$? $(sql second.db 'SELECT count(*) FROM event')" "0 4"
	rm -f second.db
	like "info of it" "$("$gaspdb" info $input --run=second)" "^logs +1, .* 8 raw events$"
done

# Garbage in a zip file's entry, whose list is good: it is told, wherever.
told=0
for ((i = 1; i < 6; i++)); do
	python3 - run "$i" <<'PYTHON'
import os, sys, zipfile
with zipfile.ZipFile("damaged.zip", "w", zipfile.ZIP_DEFLATED) as z:
    for name in os.listdir(sys.argv[1]):
        z.write(os.path.join(sys.argv[1], name))
with open("damaged.zip", "r+b") as f:
    f.seek(os.path.getsize("damaged.zip") * int(sys.argv[2]) // 6)
    f.write(b"\xff" * 300)
PYTHON
	"$gaspdb" info damaged.zip >/dev/null 2>err
	grep -q "damaged archive at byte [0-9]*: entry 'run/.*gasplog': " err && told=$((told + 1))
done
is "a damaged entry of a zip file" $told 5
finish
