#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Messages of a log with damaged blocks: none is paired with another's, those after the block are paired all the same if
# that can be known, and no wait is made up.
. "$(dirname "$0")/../lib.sh"
. "$TOP/examples/env.sh"
cd "$TMP" || exit 1

# damage FILE PARTS...: a byte of it, so many sixteenths of its length from its begin
damage() {
	local file=$1 part size
	shift
	size=$(stat -c %s "$file")
	for part; do
		printf '\125\252' | dd of="$file" bs=1 seek=$((size * part / 16)) conv=notrunc 2>/dev/null
	done
}

# Of each message of damaged.db which of its channel's sends and receives it has, as the program made them: by whole.db's
# table p2p, which nothing has paired yet.  Also what was not recorded: by sender and receiver
truth="ATTACH 'file:whole.db?mode=ro' AS whole;
CREATE TEMP TABLE sends AS SELECT thread_id AS thread, posted_ns AS ns, tag, row_number() OVER (PARTITION BY thread_id, peer,
	tag ORDER BY id) AS n, peer FROM whole.p2p WHERE direction = 'send';
CREATE TEMP TABLE receives AS SELECT thread_id AS thread, posted_ns AS ns, tag, row_number() OVER (PARTITION BY thread_id, peer,
	tag ORDER BY id) AS n, peer FROM whole.p2p WHERE direction = 'receive';
CREATE INDEX temp.s ON sends(thread, tag, ns);
CREATE INDEX temp.r ON receives(thread, tag, ns);
CREATE INDEX temp.k ON receives(thread, peer, tag, n);
CREATE TEMP TABLE pairs AS SELECT s.n AS sent, r.n AS received, m.order_uncertain AS uncertain FROM main.message m
	LEFT JOIN sends s ON s.thread = m.sender AND s.tag = m.tag AND s.ns = m.sent_ns
	LEFT JOIN receives r ON r.thread = m.receiver AND r.tag = m.tag AND r.ns = m.posted_ns;
CREATE TEMP TABLE lost AS SELECT s.n FROM sends s JOIN receives r ON r.thread = s.peer AND r.peer = s.thread AND r.tag = s.tag
	AND r.n = s.n WHERE EXISTS (SELECT 1 FROM main.gap g WHERE g.kind = 'damage'
		AND ((g.thread_id = s.thread AND s.ns BETWEEN g.start_ns + 1 AND g.end_ns - 1)
		OR (g.thread_id = r.thread AND r.ns BETWEEN g.start_ns + 1 AND g.end_ns - 1)));"

# look NAME LOG PARTS [LOG PARTS]: a copy with damage in these logs, imported
look() {
	rm -rf damaged
	cp -r "$mpi" damaged
	while [ $# -gt 0 ]; do
		# shellcheck disable=SC2086 # a list
		damage "damaged/$1" $2
		shift 2
	done
	imports damaged -o damaged.db --force 2>err
	status=$?
}

no_others() {
	is "$mpi, $1: no message is another's" "$(sql damaged.db "$truth SELECT count(*) FROM pairs WHERE sent IS NOT received")" 0
	is "$mpi, $1: nor a wait for a sender" "$(sql damaged.db "ATTACH 'file:whole.db?mode=ro' AS whole;
		SELECT count(*) FROM (SELECT thread_id, end_ns, cause_thread_id FROM main.wait WHERE kind = 'late sender' EXCEPT
			SELECT thread_id, end_ns, cause_thread_id FROM whole.wait WHERE kind = 'late sender')")" 0
}

check() {
	local launcher=$2 program=$O/programs/$1/mpi_alike first second status
	mpi=$1
	timeout 100 "$gaspdb" record -o "$mpi" -- "$launcher" -np 3 "$program" 2500 2>/dev/null
	imports "$mpi" -o whole.db --force 2>/dev/null
	is "$mpi: whole, all are matched" "$? $(sql whole.db "SELECT count(*), sum(order_uncertain) FROM message")" "0 30000|0"
	first=$(sql whole.db "SELECT file FROM thread WHERE rank = 1")
	second=$(sql whole.db "SELECT file FROM thread WHERE rank = 2")
	for part in 4 9 13; do
		look "$first" $part
		is "$mpi, block at $part/16: exit status" $status 3
		no_others "block at $part/16"
		# A call that was cut where the damage begins is both or neither.
		ok "$mpi, block at $part/16: but what was lost, all are matched" \
			[ "$(sql damaged.db "$truth SELECT abs(30000 - (SELECT count(*) FROM lost) - count(*)) < 4
				AND sum(uncertain) = 0 FROM pairs")" = 1 ]
	done
	look "$first" "4 12"
	no_others "two places"
	ok "$mpi, two places: those before are matched" [ "$(sql damaged.db "SELECT count(*) FROM message")" -gt 12000 ]
	look "$first" 9 "$second" 10
	no_others "both sides"
	ok "$mpi, both sides: those with the third are matched" [ "$(sql damaged.db "SELECT count(*) FROM message")" -gt 16000 ]
	ok "$mpi, both sides: coverage tells" \
		[ "$(sql damaged.db "SELECT sum(operations) > 3000 FROM p2p_total WHERE outcome = 'unmatched'")" = 1 ]
}

each_mpi mpi_alike check
finish
