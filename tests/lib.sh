# SPDX-License-Identifier: GPL-3.0-or-later
# For the test scripts: source it, call the functions below, end with `finish`.  TAP on stdout.
# $O the build folder, $TOP the checkout, $TMP a folder of the script's own.
set -u
TMP=$(mktemp -d)
trap 'rm -rf "$TMP"' EXIT
gaspdb=$O/gaspdb
tap_count=0 tap_failed=0

# ok DESCRIPTION COMMAND...: the command succeeds
ok() {
	local what=$1
	shift
	tap_count=$((tap_count + 1))
	if "$@"; then
		echo "ok $tap_count - $what"
	else
		tap_failed=$((tap_failed + 1))
		echo "not ok $tap_count - $what"
	fi
}

# is DESCRIPTION GOT EXPECTED
is() {
	tap_count=$((tap_count + 1))
	if [ "$2" = "$3" ]; then
		echo "ok $tap_count - $1"
	else
		tap_failed=$((tap_failed + 1))
		echo "not ok $tap_count - $1"
		printf '# got:      %s\n# expected: %s\n' "$2" "$3"
		case $2$3 in
		*$'\n'*) diff -U0 --label got <(printf '%s\n' "$2") --label expected <(printf '%s\n' "$3") | sed 's/^/# /' ;;
		esac
	fi
}

# like DESCRIPTION TEXT EXTENDED-REGEX
like() {
	tap_count=$((tap_count + 1))
	if printf '%s\n' "$2" | grep -qE -e "$3"; then
		echo "ok $tap_count - $1"
	else
		tap_failed=$((tap_failed + 1))
		echo "not ok $tap_count - $1"
		printf '# text:    %s\n# pattern: %s\n' "$2" "$3"
	fi
}

# Views that no file has.
derived="analysis_|\\b($(sed -n 's/^CREATE VIEW \([a-z_]*\).*/\1/p' "$TOP/sql/derived.sql" "$TOP/sql/advice.sql" | paste -sd'|'))\\b"

# stock FILE QUERY...: with the stock sqlite3, and the views of analyses.sql and tests/views.sql where a query has the name of one
stock() {
	if [[ "${*:2}" =~ named_ ]]; then
		sqlite3 -batch -noheader -cmd ".read $O/analyses.sql" -cmd ".read $TOP/tests/views.sql" "$@"
	elif [[ "${*:2}" =~ $derived ]]; then
		sqlite3 -batch -noheader -init "$O/analyses.sql" "$@"
	else
		sqlite3 -batch -noheader "$@"
	fi
}

# sql FILE QUERY: with the stock sqlite3, one record a line, columns by |.  One that fails prints a line, too: nothing
# might be what is expected.
sql() {
	stock "file:$1?mode=ro" "$2" || {
		echo "the query failed"
		return 1
	}
}

# invariants_of FILE: what holds of every run holds in that database
invariants_of() {
	is "invariants hold in ${1#"$TMP"/}" \
		"$(cat "$TOP/tests/totals.sql" "$TOP/tests/invariants.sql" <(sqlite3 -batch "$1" <"$TOP/tests/types.sql") |
			sqlite3 -batch -noheader -init "$O/analyses.sql" "file:$1?mode=ro" 2>&1)" ''
}

# served PROGRAM: PROGRAM.served.db, as if no thread had been without a processor: what a program measures itself contains
# that, too, and findings do not
served() {
	cp "$TMP/$1.db" "$TMP/$1.served.db"
	stock "$TMP/$1.served.db" "DELETE FROM unserved; DELETE FROM unserved_share; DELETE FROM wait_unserved;
		DELETE FROM category_time WHERE category = 'no processor'; -- of targets
		UPDATE path_wait AS p SET time_ns = CAST(round(p.time_ns / s.part) AS INTEGER) FROM (
			SELECT w.kind, w.cause_thread_id AS thread_id, x.spot, 1.0 - 1.0 * sum(w.unserved_ns) / sum(w.time_ns) AS part
			FROM wait_total w JOIN spot x ON x.source_id = coalesce(w.cause_source_id, w.source_id)
			WHERE NOT w.below_error GROUP BY 1, 2, 3) s
		WHERE p.kind = s.kind AND p.thread_id IS s.thread_id AND p.source_id = s.spot AND s.part BETWEEN 0.01 AND 0.9999;
		UPDATE wait_total SET unserved_ns = 0; DELETE FROM loss_total; INSERT INTO loss_total SELECT * FROM loss_line;"
}

# invariants: so they do in each database of the script's
invariants() {
	local db
	for db in "$TMP"/*.db "$TMP"/*/*.db; do
		case $db in *.served.db) continue ;; esac
		[ -e "$db" ] && invariants_of "$db"
	done
}

# imports RUN [-o FILE] [OPTION...]: gaspdb import, and its exit status; invariants hold in what it made (of a program that is
# let run until it is killed there may be millions of events: too many for SQL)
imports() {
	local status i db=${1##*/}.db
	"$gaspdb" import "$@"
	status=$?
	for ((i = 1; i < $#; i++)); do
		[ "${!i}" = -o ] && db=${*:i+1:1}
	done
	case $status in
	0 | 3)
		[ "$(sqlite3 "$db" 'SELECT max(id) > 200000 FROM event')" = 1 ] ||
			invariants_of "$db"
		;;
	esac
	return $status
}

# analyze_all FILE: prints all analyses of it, by the shell; after one that fails by another shell.  Fails with the exit status
# of a shell that ends otherwise.
analyze_all() {
	local file=$1 status line
	# shellcheck disable=SC2046
	set -- $("$gaspdb" --list=analyses)
	while [ $# -gt 0 ]; do
		printf '.analyze %s\n' "$@" | timeout 60 "$gaspdb" shell "$file" 2>"$TMP/shell.err"
		status=$?
		cat "$TMP/shell.err" >&2
		[ $status -le 1 ] || return $status
		[ $status -eq 1 ] || return 0
		line=$(sed -n 's/^gaspdb: line \([0-9]*\): .*/\1/p' "$TMP/shell.err" | head -n 1)
		shift "${line:-1}"
	done
}

# skip DESCRIPTION WHY
skip() {
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $1 # SKIP $2"
}

# each_mpi PROGRAM FUNCTION ARGS...: FUNCTION MPI LAUNCHER ARGS..., for both MPIs that there are
each_mpi() {
	local pair
	for pair in openmpi:mpirun.openmpi mpich:mpiexec.hydra; do
		if [ -x "$O/programs/${pair%:*}/$1" ]; then
			"$2" "${pair%:*}" "${pair#*:}" "${@:3}"
		else
			skip "$1, ${pair%:*}" "not here"
		fi
	done
}

# in_pty ROWS COMMAND...: what the command writes to a terminal of ROWS rows of 80 columns; 0: of a size that it does not tell
in_pty() {
	python3 - "$@" <<'PYTHON' | tr -d '\r'
import fcntl, os, pty, struct, sys, termios
rows, *command = sys.argv[1:]
pid, terminal = pty.fork()
if not pid:
    if rows != "0":
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", int(rows), 80, 0, 0))
    os.execv(command[0], command)
try:
    while chunk := os.read(terminal, 4096):
        sys.stdout.buffer.write(chunk)
except OSError:  # its other end is closed
    pass
os.waitpid(pid, 0)
PYTHON
}

# on_terminal COLUMNS COMMAND...: what the command writes to a terminal of so many columns, but for stderr
on_terminal() {
	COLUMNS=$1 in_pty 0 /bin/sh -c 'exec "$@" 2>/dev/null' sh "${@:2}"
}

# on_screen COMMAND...: what it writes to one of 24 rows of 80 columns
on_screen() {
	(unset COLUMNS && in_pty 24 "$@")
}

finish() {
	echo "1..$tap_count"
	[ "$tap_failed" -eq 0 ]
	exit
}
