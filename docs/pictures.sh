#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# make pictures: the PNGs of docs/pictures, of pages of an example, of a made-up run of 64 ranks, and of a comparison.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
O=$(cd "${O:-$top/build}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=/dev/null
. "$top/examples/env.sh"
gaspdb=$O/gaspdb out=$top/docs/pictures
mkdir -p "$out"
cd "$work"
for name in a b; do
	timeout 120 "$gaspdb" record -o $name --report=$name.html -- mpirun.openmpi -np 4 "$O/examples/mpi_faults" >/dev/null 2>&1
done
"$gaspdb" compare a.db b.db --html compare.html
# 64 ranks, of which 37 is late by half a step, and 40 to 47 by a tenth.
awk 'BEGIN {
	step = 50000000
	print "thread 0..63 from=0 to=" 20 * step
	for (rank = 0; rank < 64; rank++)
		for (i = 0; i < 19; i++) {
			late = rank == 37 ? 25e6 : rank >= 40 && rank < 48 ? 5e6 + 1e5 * (rank % 8) : 3e5 * ((rank * 7 + i * 13) % 9)
			printf "at %d..%d thread %d solve.c:41 MPI_Allreduce bytes=8\n", i * step + 15e6 + late, i * step + 42e6 + 1e4 * rank, rank
		}
}' | "$O/tests/mkrun" - many
"$gaspdb" import many >/dev/null 2>&1
"$gaspdb" report many.db --html many.html
picture() { timeout 120 node "$top/tests/page/picture.js" "$@"; }
event=$("$gaspdb" shell --format=list a.db "SELECT event_id FROM wait WHERE kind = 'all-to-all' ORDER BY end_ns - start_ns DESC LIMIT 1" | tail -1)
window=$("$gaspdb" shell --format=list a.db "SELECT max(0, start_ns - 150000000) || '-' || (end_ns + 150000000) FROM wait WHERE event_id = $event LIMIT 1" | tail -1)
picture a.html "$out/verdict.png" 1280x860 "#t=$window&finding=1&event=$event"
picture a.html "$out/dark.png" 1280x860 dark "#t=$window&finding=1&event=$event"
picture a.html "$out/sections.png" 1280x1500 scroll
picture many.html "$out/ranks.png" 1280x760
picture compare.html "$out/compare.png" 1280x900
