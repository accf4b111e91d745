#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The examples of tests/worked: each a script of a run, and in comments what must be found in it.
# Long.
. "$TOP/tests/lib.sh"

PYTHONDONTWRITEBYTECODE=1 "$TOP/tests/reference/worked.py" ${GASPDB_TEST_QUICK:+--quick} "$TOP"/tests/worked/*.run || tap_failed=1

is "every column of every analysis is asserted" "$(PYTHONDONTWRITEBYTECODE=1 "$TOP/tests/columns.py")" ''

# What a script cannot say is told, with its place.
refused() {
	printf '%b' "$1" >"$TMP/bad"
	is "refused: ${2#*: }" "$("$O/tests/mkrun" "$TMP/bad" "$TMP/run" 2>&1)" "$TMP/bad:$2"
}
refused 'thread 0\nat 5..3 thread 0 a.c:1 MPI_Send\n' '2:4: it ends before it begins'
refused 'at 5 thread 0 a.c:1 MPI_Send\n' "1:13: there is no thread 0"
refused 'thread 0\nat 1..2 thread 0 a.c:1 MPI_Sent\n' "2:24: there is no operation 'MPI_Sent'"
refused 'thread 0\nat 1..2 thread 0 a.c:1 MPI_Send to=1\n' "2:33: 'MPI_Send' has no argument 'to'"
refused 'thread 0\nat 1..2 thread 0 a.c:1 MPI_Send peer=x\n' "2:38: 'x' is no number, team, segment or entity"
refused 'thread 0 rnak=1\n' "1:10: there is no setting 'rnak' here"
refused 'threads 0\n' "1:1: 'threads' begins no line"
refused 'thread 0\nat 0..5 thread 0 a.c:1 MPI_Send\nat 1..6 thread 0 a.c:1 MPI_Send\n' \
	"3:4: 'MPI_Send' crosses the one of line 2: their ends cannot be told apart"
refused 'thread 0\nat 0..5 thread 0 a.c:1 MPI_Wait\n  completed 1\n' "3:3: 'completed' begins no indented line"
printf 'thread 0\n%s\n' "$(seq -f 'at %g0 thread 0 a.c:1 user:x' 40000)" >"$TMP/bad"
like "refused: a block that no log can hold" "$("$O/tests/mkrun" "$TMP/bad" "$TMP/run" 2>&1)" \
	"^$TMP/bad:32[0-9]{3}:26: a block has at most 65536 bytes: 'at T thread ID block' begins another$"
printf 'thread 0\n%s\n' "$(seq 1030 | sed 's,.*,at & thread 0 a.c:& MPI_Barrier,')" >"$TMP/bad"
is "refused: more lines than a log of these has" "$("$O/tests/mkrun" "$TMP/bad" "$TMP/run" 2>&1)" \
	"$TMP/bad:1025:27: a log has at most 1023 operations at lines"
refused 'op "a b\n' '1:4: quote without end'
finish
