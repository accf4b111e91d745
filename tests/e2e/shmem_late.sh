#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# PEs of several threads that wait for each other's signals: who is late is a thread.
. "$(dirname "$0")/../lib.sh"
. "$TOP/tests/faults.sh"
. "$TOP/examples/env.sh"

if [ ! -x "$O/programs/oshmem/shmem_late" ]; then
	skip "OpenSHMEM" "not here"
	finish
fi
record late oshrun -np 2 "$O/programs/oshmem/shmem_late"
for fault in put atomic; do
	agrees "$fault" "$(measured late "$fault")" "$(found late "late signal" "shmem_late.c:$(line_of shmem_late "LATE $fault")")"
done
like "the report names the thread and its PE" "$(cat "$TMP/late.report")" "^  1\. thread 2 of PE 0 (computes|is waited for)"
is "nothing is amiss" "$(sql "$TMP/late.db" "SELECT DISTINCT kind FROM quality WHERE severity <> 'note'")" ""
invariants
finish
