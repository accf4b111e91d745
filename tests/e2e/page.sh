#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# gaspdb report --html in a real browser: what a reader does, and what is then seen.
source "$TOP/tests/lib.sh"
cd "$TMP" || exit 1
source "$TOP/tests/page/lib.sh"

# Ranks 0 and 1 wait in two all-to-alls for rank 2, 300 and 100, then 200 and 100 us; rank 1 waits 100 us for a message of rank 0.
"$O/tests/mkrun" - made <<'SCRIPT'
thread 0..2 from=0 to=3000000
at 100000..200000 thread 0 a.c:5 MPI_Send peer=1 tag=7 bytes=4096
at 0..200000 thread 1 a.c:6 MPI_Recv peer=0 tag=7 bytes=4096
at 500000..1000000 thread 0 a.c:10 MPI_Allreduce bytes=8
at 700000..1000000 thread 1 a.c:10 MPI_Allreduce bytes=8
at 800000..1000000 thread 2 a.c:10 MPI_Allreduce bytes=8
at 1500000..2000000 thread 0 a.c:10 MPI_Allreduce bytes=8
at 1600000..2000000 thread 1 a.c:10 MPI_Allreduce bytes=8
at 1700000..2000000 thread 2 a.c:10 MPI_Allreduce bytes=8
SCRIPT
"$gaspdb" import made >/dev/null 2>&1
"$gaspdb" report made.db --html made.html
ok "the page is one file" test -s made.html
is "whose address is nowhere else" "$(grep -oE '(src|href)="[^"]*"' made.html | sort -u)" 'href="data:,"'
"$gaspdb" report --format=json made.db >made.json

see look made.html
quiet look
is "it opens" "$(seen state)" ready
is "its headline" "$(seen headline)" "Rank 2 keeps the others waiting at a.c:10"
is "as many findings as in the report" "$(seen finding | wc -l)" \
	"$(sql made.db "SELECT count(*) FROM analysis_worst WHERE number IS NOT NULL")"
is "with their amounts" "$(seen finding | cut -d'|' -f2,6 | sed 's/ in .*//')" \
	"$(sql made.db "SELECT kind || '|' || printf('%.1f µs', lost_ns / 1e3) FROM analysis_worst WHERE number IS NOT NULL")"
cp seen first

# The worst instance: the event is that of rank 0 that waits 300 us, and it is in view.
see finding made.html 1
quiet finding
event() { sql made.db "SELECT event_id FROM events WHERE operation = '$1' AND rank = $2 ORDER BY start_s LIMIT 1 OFFSET ${3:-0}"; }
is "show leads to the longest wait" "$(seen event)" "$(event MPI_Allreduce 0)"
is "in view" "$(seen window | awk -F- '{ print ($1 <= 500000 && $2 >= 800000) }')" 1
is "whose panel" "$(seen details)" MPI_Allreduce
is "says who caused it" "$(seen cause)" "Caused by rank 2"
is "C leads to the late call" "$(seen 'cause event')" "$(event MPI_Allreduce 2)"
is "N to the next instance" "$(seen next)" "$(event MPI_Allreduce 0 1) 1"

see partner made.html "#event=$(event MPI_Send 0)"
quiet partner
is "the clicked call in the URL" "$(seen details)" MPI_Send
is "M leads to the receive" "$(seen partner)" "$(event MPI_Recv 1)"
is "and back" "$(seen back)" "$(event MPI_Send 0)"
like "its arguments" "$(seen arguments)" "tag *7"

# From 600 us to 900 us: rank 0 300, rank 1 200, rank 2 100 us in the call; of these 200 and 100 waiting; computing 300 us.
see sums made.html '#i=600000-900000'
quiet sums
is "an interval's sums" "$(seen place)" "MPI_Allreduce|a.c:10|600,000|300,000|2|16"
is "its computing" "$(seen computing)" "300.0 µs"
is "its waiting and the cause" "$(seen waits)" "all-to-all|rank 2||300.0 µs"
see sums made.html '#i=600000-900000&threads=1'
is "of rank 1" "$(seen place)" "MPI_Allreduce|a.c:10|200,000|100,000|1|8"

see matrix made.html
quiet tables
is "the matrix: sent 0 to 1; waited for 0 and 2" "$(seen pair)" "0|1|4,096|1|100,000
2|0|0|0|500,000
2|1|0|0|200,000"
is "its sums are those of comm-matrix" "$(seen pair | tr -d , | awk -F'|' '{ n += $3 } END { print n }')" \
	"$(sql made.db "SELECT sum(bytes) FROM analysis_comm_matrix")"
is "balance" "$(seen balance | grep -c 'MPI_')" 3
is "the call tree: all, main and the calls" "$(seen call | grep -E 'MPI_Allreduce')" "MPI_Allreduce|a.c:10|2,200,000|700,000|6|48"
is "lines" "$(seen line | head -1)" "a.c:10|2,200,000|700,000|48|6"

# The sections below follow the same interval and threads; Escape leads back to the whole run.
see matrix made.html
for section in pair balance call line; do seen $section >whole.$section; done
see follow made.html '#i=600000-900000&threads=1'
quiet follow
is "balance of the choice" "$(seen balance)" "|computing|0|100,000|100,000|rank 1|100,000|rank 1
a.c:10|MPI_Allreduce|0|200,000|200,000|rank 1|200,000|rank 1"
is "its call tree" "$(seen calls)" "rank 1||300,000|100,000|0|8
MPI_Allreduce|a.c:10|200,000|100,000|1|8
computing||100,000|0|0|0"
is "its matrix" "$(seen pair)" "2|1|0|0|100,000"
is "its lines" "$(seen source)" "a.c:10|200,000|100,000|8|1"
for section in balance calls messages source; do
	like "$section says it" "$(seen "$section says")" "0.000600 s to 0.000900 s, rank 1$"
	is "$section has its chips" "$(seen "$section chips")" "0.000600 s to 0.000900 s× / rank 1×"
done
is "nothing chosen: no chips" "$(seen chips)" true
# Rank 0 is in the call all of the 300 us, rank 1 computes 100, rank 2 200: of these 300 their mean is 100.
see follow made.html '#i=600000-900000'
is "efficiency of an interval" "$(seen efficiency)" "what the ranks could compute|300,000|all of the time
lost communicating and waiting|100,000|communication 66.7 %
lost to uneven work|100,000|load balance 50.0 %
used: mean computation|100,000|parallel efficiency 33.3 %"
is "sizes: two calls of 8 bytes begin in it" "$(seen sizes)" "8|0|2"
is "their durations, 300 and 200 us" "$(seen durations)" "131,072|1
262,144|1"
for section in efficiency sizes durations; do
	like "$section says it" "$(seen "$section says")" "0.000600 s to 0.000900 s, all 3 ranks$"
done
is "the whole run's sizes" "$(seen 'whole sizes')" "8|0|6
4,096|1|0"
is "its durations" "$(seen 'whole durations')" "65,536|1
131,072|2
262,144|5"
see follow made.html '#i=600000-900000&threads=1'
is "the whole run's balance" "$(seen 'whole balance')" "$(cat whole.balance)"
is "its call tree" "$(seen 'whole calls')" "$(cat whole.call)"
is "its matrix" "$(seen 'whole messages')" "$(cat whole.pair)"
is "its lines" "$(seen 'whole source')" "$(cat whole.line)"
see follow made.html '#i=0-300000'
is "an interval with a message" "$(seen pair)" "0|1|4,096|1|100,000"
is "its lines" "$(seen source)" "a.c:6|200,000|100,000|4,096|1
a.c:5|100,000|0|4,096|1"
see follow made.html '#threads=1'
is "a rank: what it sends, gets and waits for" "$(seen pair)" "0|1|4,096|1|100,000
2|1|0|0|200,000"
is "its lines" "$(seen source)" "a.c:10|700,000|200,000|16|2
a.c:6|200,000|100,000|4,096|1"

# Rank 0 is in a user event from 100 to 900 us, and in it from 200 to 500 us in a call in which it waits 200 us; rank 1 in none.
"$O/tests/mkrun" - phases <<'SCRIPT'
thread 0..1 from=0 to=1000000
at 100000..900000 thread 0 b.c:3 user:step
at 200000..500000 thread 0 b.c:4 MPI_Allreduce bytes=8
at 400000..500000 thread 1 b.c:4 MPI_Allreduce bytes=8
SCRIPT
"$gaspdb" import phases >/dev/null 2>&1
"$gaspdb" report phases.db --html phases.html
see follow phases.html '#i=0-800000'
quiet phases
is "user events are in the call tree, with computing of their own" "$(seen calls | tail -n +2)" "computing||800,000|0|0|0
step|b.c:3|700,000|200,000|1|8
computing||400,000|0|0|0
MPI_Allreduce|b.c:4|300,000|200,000|1|8
MPI_Allreduce|b.c:4|100,000|0|1|8"
is "also of the whole run" "$(seen 'whole calls' | cut -d'|' -f1,3 | tail -n +2)" "computing|1,100,000
step|800,000
computing|500,000
MPI_Allreduce|300,000
MPI_Allreduce|100,000"

# Of a collective call: which one it is, who came last.
see collective made.html "#event=$(event MPI_Allreduce 0 1)"
quiet collective
is "which collective it is" "$(seen fact | grep -E '^(which|members|came last)')" "which|number 2 on world
members|3
came last|rank 2, 200.0 µs after the first "
is "its communicator by name" "$(seen fact | grep '^team')" "team|world"
is "from there to the last one" "$(seen last)" "$(event MPI_Allreduce 2 1)"
see collective made.html "#event=$(event MPI_Send 0)"
is "a rank by name" "$(seen fact | grep '^peer' | sort -u)" "peer|rank 1"

# After line 2 300 us of computing before line 6; after that 100 us before the next line 2.
printf '%s\n' 1 2 3 4 5 6 7 8 >b.c
touch -d 2001-01-01 b.c
"$O/tests/mkrun" - braces <<'SCRIPT'
thread 0..1 from=0 to=1000000
at 100000..200000 thread 0 b.c:2 MPI_Barrier
at 100000..200000 thread 1 b.c:2 MPI_Barrier
at 500000..600000 thread 0 b.c:6 MPI_Barrier
at 500000..600000 thread 1 b.c:6 MPI_Barrier
at 700000..800000 thread 0 b.c:2 MPI_Barrier
at 700000..800000 thread 1 b.c:2 MPI_Barrier
SCRIPT
"$gaspdb" import braces >/dev/null 2>&1
"$gaspdb" report braces.db --html braces.html
see braces braces.html
quiet braces
is "computing between two lines" "$(seen brace)" "computing after line 2, before line 6|600.0 µs computing"
is "as a brace from the one to the other" "$(seen drawn)" "b.c:2 b.c:3 b.c:4 b.c:5 b.c:6"
see braces braces.html '#i=100000-300000&threads=1'
is "of the choice" "$(seen brace)" "computing after line 2, before line 6|100.0 µs computing"

# Keys: the worst wait is rank 0's; the call after 1 ms in the row below is rank 1's second one.
see keyboard made.html
quiet keyboard
is "Enter shows a finding" "$(seen finding)" 1
is "Tab leads from the last finding to the time line" "$(seen 'after the findings') $(seen ring)" "time line: a row for each rank 2px"
is "Enter to the first call in view" "$(seen Enter)" "$(event MPI_Allreduce 0)"
is "down to the next row's" "$(seen ArrowDown)" "$(event MPI_Allreduce 1)"
is "right to the next call" "$(seen ArrowRight)" "$(event MPI_Allreduce 1 1)"
is "each picture has a label" "$(seen labels)" true

# 18 ranks, the even ones on one host; each sends to the next.
awk 'BEGIN { for (r = 0; r < 18; r++) printf "thread %d host=%s from=0 to=1000000\n", r, r % 2 ? "beta" : "alpha"
	for (r = 0; r < 18; r++) printf "at 100000..200000 thread %d h.c:1 MPI_Send peer=%d tag=1 bytes=%d\n", r, (r + 1) % 18, 10 * (r + 1)
	for (r = 0; r < 18; r++) printf "at 300000..400000 thread %d h.c:2 MPI_Recv peer=%d tag=1 bytes=%d\n", r, (r + 17) % 18, 10 * ((r + 17) % 18 + 1)
}' >hosts.txt
"$O/tests/mkrun" hosts.txt hosts
"$gaspdb" import hosts >/dev/null 2>&1
"$gaspdb" report hosts.db --html hosts.html
see hosts hosts.html
quiet hosts
is "beyond 16 rows ranks of a host are together" "$(seen rank | cut -d'|' -f1 | paste -sd' ')" "0 2 4 6 8 10 12 14 16 1 3 5 7 9 11 13 15 17"
is "hosts: sums of their ranks" "$(seen host)" "alpha|beta|810|9|0
beta|alpha|900|9|0"
is "a click on a host's line folds its rows, another unfolds them" "$(seen folded) $(seen unfolded)" "0 "

see search made.html a.c:6
quiet search
like "search finds a line" "$(seen hits)" "^a.c:6 MPI_Recv"
like "and its longest call" "$(seen chosen)" "event $(event MPI_Recv 1)"
see search made.html 'rank 2'
is "a rank, which is pinned" "$(seen chosen)" "thread 2, pinned 2"

see mouse made.html
quiet mouse
is "W zooms" "$(seen 'zoomed in' | awk -F- '{ print $2 - $1 }')" 1800000
is "D moves by 15 %" "$(seen moved | awk -F- '{ print $1 - 600000 }')" 270000
is "0 shows the whole run" "$(seen whole)" ""
ok "the wheel zooms" test "$(seen wheel)" -lt 1500000
is "a drag on the axis chooses all of the run" "$(seen interval)" 0-3000000
is "a drag on labels chooses ranks" "$(seen threads)" 0.1
is "Escape chooses nothing" "$(seen escaped)" ,
is "? shows the keys" "$(seen help)" true

see theme made.html
is "light and dark have contrast" "$(seen theme) $(seen 'other theme') $(seen contrast | paste -sd' ')" "light dark true true"

# Without scripts: the report, word for word.
see noscript made.html
is "without scripts: the report" "$(sed 's/[[:space:]]*$//' seen | sed '/^$/d')" "$("$gaspdb" report made.db | sed 's/[[:space:]]*$//; /^$/d')"

# Names are text.
"$O/tests/mkrun" - hostile <<'SCRIPT'
thread 0..1 from=0 to=1000
at 0..80 thread 0 "</script><img src=x onerror=window.hacked=1>.c":1 C_FUNC signature="<script>window.hacked=1</script>"
at 100..300 thread 0 x.c:2 MPI_Barrier
at 250..300 thread 1 x.c:2 MPI_Barrier
SCRIPT
if "$gaspdb" import hostile >/dev/null 2>&1; then
	"$gaspdb" report hostile.db --html hostile.html
	see look hostile.html
	quiet hostile
	is "hostile names stay text" "$(seen state) $(seen scripts) $(seen elements)" "ready none ran 0"
else
	ok "hostile names are imported" false
fi

# tests/worked/entities.run has the sums.
"$O/tests/mkrun" "$TOP/tests/worked/entities.run" entities
"$gaspdb" import entities -o entities.db 2>/dev/null
"$gaspdb" report entities.db --html entities.html 2>/dev/null
see entities entities.html
quiet entities
is "entities with their time and waiting" "$(seen entity)" "$(printf '%s\n' 'domain / left|9|455|30' 'domain / right|8|205|0' 'task|7|180|0')"
is "what the first row says" "$(seen hover)" "domain / left: 455 ns, 30 ns of it waiting"
is "by an attribute, that of an entity above too" "$(seen level)" "$(printf '%s\n' '0|17|660|30' 'without level|7|180|0')"
is "of which the first process's value counts" "$(seen owner)" "$(printf '%s\n' 'alice|9|455|30' 'bob|8|205|0' 'without owner|7|180|0')"
see entities made.html
is "a run without entities says so" "$(seen entity)" ""
finish
