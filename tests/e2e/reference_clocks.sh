#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Clocks of several hosts: the bounds of every knot of constructed systems against tests/reference/clocks.py, to the nanosecond.
. "$TOP/tests/lib.sh"
GASPDB_CLOCK_SYSTEMS=$TMP/systems "$O/tests/test_hosts" >"$TMP/out" 2>&1 &&
	GASPDB_CLOCK_SYSTEMS=$TMP/systems "$O/tests/test_hosts_unread" >"$TMP/out" 2>&1
is "the systems were written" $? 0
is "the reference finds the same bounds" "$(PYTHONDONTWRITEBYTECODE=1 "$TOP/tests/reference/clocks.py" "$TMP/systems" | tail -3)" \
	"$(grep -c ^system "$TMP/systems") systems, some knots, 0 differ"
sed 's/^\(knot [1-9] .*[0-9]\)\([0-9]\)$/\19\2/' "$TMP/systems" >"$TMP/wrong"
like "and notes others" "$(PYTHONDONTWRITEBYTECODE=1 "$TOP/tests/reference/clocks.py" "$TMP/wrong" | tail -1)" ' [1-9][0-9]* differ$'
finish
