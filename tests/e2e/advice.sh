#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The words of the findings: all are in docs/advice.md, and advice that may break a program says when it holds.
source "$TOP/tests/lib.sh"

advice() {
	sqlite3 -batch -noheader :memory: ".read $TOP/sql/advice.sql" "$@"
}

is "docs/advice.md lists all advice, with its conditions" \
	"$(sed -n '/^| finding | model |/,/^$/p' "$TOP/docs/advice.md" | sed -e 1,2d -e '/^$/d')" "$(advice ".read $TOP/tests/advice/list.sql")"
is "each has a row for any model, once" "$(advice "SELECT words FROM advice GROUP BY words HAVING total(model IS NULL) <> 1")" ""
is "the meaning and the analysis stand there" \
	"$(advice "SELECT words FROM advice WHERE (model IS NULL) <> (meaning IS NOT NULL AND more IS NOT NULL)")" ""
is "models have one row each" "$(advice "SELECT words FROM advice GROUP BY words, model HAVING count(*) > 1")" ""
is "what changes the program has a condition" \
	"$(advice "SELECT words FROM advice WHERE holds_when IS NULL AND advice NOT LIKE 'see %'")" ""

# holds WORDS MODEL PATTERN: its condition is like that
holds() {
	is "$1 ($2): $3" "$(advice "SELECT holds_when LIKE '$3' FROM advice WHERE words = '$1' AND coalesce(model, 'any') = '$2'")" 1
}
holds "late receiver" any "%leaves the buffer alone until MPI_Wait%"
holds "late receiver" any "%MPI_Irecv without MPI_Test in the work helps only with a progress thread%"
holds "late sender" any "%does not use the buffer%"
holds "fine-grained put" OpenSHMEM "%sources stay unchanged until the quiet%"
holds "fine-grained put contiguous" OpenSHMEM "%no fence orders them%"
holds "fine-grained get strided" OpenSHMEM "%only where it is one operation of the library%"
holds "fine-grained put strided" OpenSHMEM "%only where it is one operation of the library%"
holds "fine-grained get" UPC "%strict accesses stay strict%"
holds "local access" UPC "%strict accesses stay strict%"
holds "frequent barriers" OpenSHMEM "%shmem_sync only where no put is pending%"
holds "back-to-back barriers" any "%no load or store of shared memory%"
for model in any UPC OpenSHMEM; do
	holds "lock" $model "%only if all accesses to the word become atomic%"
done
holds "lock" MPI "%only if all accesses to the word become atomic%"
holds "lock attempt" any "%to prevent a deadlock%"
holds "late signal" OpenSHMEM "%no put is moved across a fence%"
holds "drain" OpenSHMEM "%none is moved across a fence%"
holds "no overlap at once" MPI "%progress thread%"
is "no advice to move or split for who is always late" "$(advice "SELECT words, model FROM advice
	WHERE words IN ('barrier', 'all-to-all') AND (advice LIKE '%move%' OR advice LIKE '%split%' OR advice LIKE '%Ibarrier%'
	OR advice LIKE '%non-blocking%')")" ""
is "OpenSHMEM's collectives by name" "$(advice "SELECT advice LIKE '%shmem_broadcast%shmem_alltoall%shmem_fcollect%' FROM advice
	WHERE words = 'hand-made collective' AND model = 'OpenSHMEM'")" 1
is "polling is waiting for the writer" "$(advice "SELECT count(*) FROM advice
	WHERE words = 'polling' AND advice LIKE '%the writer is late%' AND advice NOT LIKE '%let the owner write a word%'")" 3
# What a model's users are advised: its own row, or that for any model.  Some kinds only one model has.
foreign() { # MODEL WORDS-OF-OTHERS
	is "$1: in its own words" "$(advice "SELECT a.words || ': ' || x.column1 FROM advice a
		LEFT JOIN advice m ON m.words = a.words AND m.model = '$1'
		JOIN (VALUES $2) x ON coalesce(m.advice, a.advice) || iif(m.words IS NULL, coalesce(a.holds_when, ''),
			coalesce(m.holds_when, '')) || a.meaning LIKE '%' || x.column1 || '%' ESCAPE '~'
		WHERE a.model IS NULL AND a.words NOT LIKE 'late sender%' AND a.words NOT LIKE 'late receiver%'
			AND a.words NOT LIKE 'late neighbour%' AND a.words NOT IN ('late post', 'early wait', 'late complete', 'barrier of a window')")" ""
}
foreign UPC "('MPI~_'), ('shmem'), ('quiet'), ('nbi'), ('wait~_until'), (' PE '), ('rank ')"
foreign OpenSHMEM "(' MPI~_'), ('(MPI~_'), ('upc~_'), ('shared pointer'), ('strict')"
foreign MPI "('shmem'), ('upc~_'), ('quiet'), ('strict'), ('symmetric'), (' PE ')"
finish
