#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Arguments are read where the ABI puts them, where that is known, and by va_arg elsewhere: both record the same.
. "$(dirname "$0")/../lib.sh"
rows="SELECT o.symbol, s.line, e.open, e.bytes, e.peer, (SELECT group_concat(a.name || '=' || ifnull(v.value, 'NULL'))
	FROM event_arg v JOIN argument a ON a.id = v.argument_id WHERE v.id >> 6 = e.id AND a.name <> 'local')
	FROM event e JOIN source s ON s.id = e.source_id JOIN operation o ON o.id = s.operation_id ORDER BY e.id"

# record NAME PRELOADED [ARGUMENT]
record() {
	GASPDB_DIR=$TMP/$1 LD_PRELOAD=$2 "$O/programs/gasp_events" ${3:-} >/dev/null
	imports "$TMP/$1" -o "$TMP/$1.db" 2>/dev/null
	sql "$TMP/$1.db" "$rows" >"$TMP/$1.rows"
}
record usual ''
record portable "$O/portable/libgaspdb.so"
for named in 1 2 3 4 5 6; do
	record list$named '' $named
done
record portable3 "$O/portable/libgaspdb.so" 3
is "all events are there" "$(wc -l <"$TMP/portable.rows")" "$(sql "$TMP/usual.db" "SELECT count(*) FROM event")"
is "and the same, with the same arguments" "$(diff "$TMP/usual.rows" "$TMP/portable.rows")" ""
for named in 1 2 3 4 5 6; do
	is "by gasp_event_notifyVA from a function of $named named parameters, too" \
		"$(diff "$TMP/usual.rows" "$TMP/list$named.rows")" ""
done
is "by gasp_event_notifyVA and va_arg, too" "$(diff "$TMP/usual.rows" "$TMP/portable3.rows")" ""
finish
