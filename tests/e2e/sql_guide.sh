#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Each SELECT of docs/sql.md gives what is so by construction, of a worked example; and the names that it says are gone are.
source "$TOP/tests/lib.sh"

for name in imbalance lock comm_matrix; do
	"$O/tests/mkrun" "$TOP/tests/worked/$name.run" "$TMP/$name"
	"$gaspdb" import "$TMP/$name" -o "$TMP/$name.db" 2>/dev/null
done
# The statements, each in a file of its own: 1, 2 ...
awk -v to="$TMP/" '/^```sql$/ { n++; file = to n; next } /^```$/ { file = "" } file { print >file }' "$TOP/docs/sql.md"

at=0
# answers EXAMPLE ROW...: the next statement, of that example
answers() {
	at=$((at + 1))
	is "question $at: $(tr '\n' ' ' <"$TMP/$at" | cut -c1-70)" "$(sql "$TMP/$1.db" "$(cat "$TMP/$at")")" "$(printf '%s\n' "${@:2}")"
}
answers imbalance 1.72e-06
# Rank 0 receives for 312 and sums for 18, four times; rank 1 sends for 10 and sums for 20; rank 2 sums for 330.
answers imbalance '0|4.0e-07|1.32e-06' '1|1.6e-06|1.2e-07' '2|4.0e-07|1.32e-06'
answers imbalance 'MPI_Allreduce|a.c:4|12|3|1.472e-06' 'MPI_Recv|a.c:3|4|1|1.248e-06' 'MPI_Send|a.c:2|4|1|4.0e-08'
# At the sum rank 2 waits 312 for rank 0, and rank 1 waits 2.
answers imbalance 'all-to-all|a.c:4|0|a.c:4|8|1.256e-06' 'late sender|a.c:3|1|a.c:2|4|1.2e-06'
answers imbalance '2|all-to-all|1.0e-07|3.12e-07|0' '2|all-to-all|5.3e-07|3.12e-07|0'
answers imbalance '1|0|4|32'
answers imbalance 'a.c:2|a.c:3|1.2e-08'
answers imbalance '0|receive|4|32' '1|send|4|32'
answers imbalance 'world|MPI_Allreduce|a.c:4|4|1.256e-06'
answers imbalance '0|4'
answers imbalance 'MPI_Recv|a.c:3|5.3e-07' 'MPI_Allreduce|a.c:4|8.42e-07'
answers imbalance '1|4.0e-07|1'
answers imbalance '3|3'
answers lock '0|1|1.47e-07|0.0' '1|1|5.7e-08|1.38e-07' '2|1|1.2e-08|1.85e-07' '3|1|1.1e-08|1.92e-07' '4|1|1.0e-08|0.0'
answers comm_matrix '0|1|put|3|4112' '1|0|atomic|1|8' '1|0|get|1|5000' '2|1|get|1|64' '2|2|get|1|0' '2|3|put|1|64'
# It has no call stacks; tests/e2e/call_stacks.sh has.
answers imbalance
is "sixteen questions" "$at $(grep -c '^```sql' "$TOP/docs/sql.md")" "16 16"

# What a table or view of the new names is called, and the old ones.
for name in call call_at waiting sends_and_receives lock_uses analysis_worst loss spots; do
	is "no $name" "$(sqlite3 "$TMP/lock.db" "SELECT count(*) FROM sqlite_schema WHERE name = '$name'")" 0
done
is "a name has one meaning: the same words in the views for people" "$(sqlite3 "$TMP/lock.db" "
	SELECT v.column1, group_concat(c.column1) FROM (VALUES ('events'), ('waits'), ('transfers'), ('locks')) v,
	(VALUES ('rank'), ('thread_id'), ('thread_number'), ('start_s'), ('duration_s'), ('operation'), ('location'), ('caller')) c
	WHERE c.column1 NOT IN (SELECT name FROM pragma_table_info(v.column1)) GROUP BY 1")" ''
is "sent and received bytes have a direction" "$(sqlite3 "$TMP/imbalance.db" "SELECT direction, sum(bytes) FROM events
	WHERE operation <> 'MPI_Allreduce' GROUP BY 1; SELECT direction, bytes FROM lines WHERE operation = 'MPI_Recv'" | xargs)" \
	"received|32 sent|32 received|32"
is "a communicator has its name everywhere" "$(sqlite3 "$TMP/imbalance.db" "SELECT DISTINCT communicator FROM messages
	UNION ALL SELECT DISTINCT communicator FROM transfers UNION ALL SELECT DISTINCT communicator FROM collectives
	UNION ALL SELECT DISTINCT communicator FROM waits UNION ALL SELECT DISTINCT communicator FROM events" | xargs)" \
	"world world world world world"
like "the shell describes a view's columns" "$("$gaspdb" shell "$TMP/lock.db" '.schema waits')" "^  cause_rank, +-- of the thread that it waited for; NULL: unknown$"
finish
