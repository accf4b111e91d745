#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# gaspdb report: how it fits a terminal, what it calls things, and where it says why there is nothing.
source "$TOP/tests/lib.sh"
cd "$TMP" || exit 1
run() { # NAME <SCRIPT
	"$O/tests/mkrun" - "$1" && "$gaspdb" import "$1" -o "$1.db" >/dev/null 2>&1
}
analyze() { "$gaspdb" analyze "$@" --format=csv 2>err | tail -n +2; }
section() { "$gaspdb" report "$2" | sed -n "/^--- $1 /,/^$/p"; }
worst() { "$gaspdb" report --section=worst "$1"; }
summary() { "$gaspdb" report --section=summary "$1" | tr -s ' \n' ' '; }

# Widths
"$TOP/tests/golden/make_db" run.db "$TOP/tests/golden/run.sql"
# Commands to be copied stay in a line.
widest() { awk '!/^ +(more|see): / && length > n { n = length } END { print n + 0 }'; }
for width in 60 66 80 97; do
	is "a report on $width columns" "$(on_terminal $width "$gaspdb" report run.db | widest)" $width
	is "a comparison" "$(on_terminal $width "$gaspdb" compare run.db run.db | widest)" $width
	is "which says all" "$(on_terminal $width "$gaspdb" report run.db | grep -c "try:")" 5
	is "and all locations" "$(on_terminal $width "$gaspdb" report run.db | sed -n '/Hot lines/,/more:/p' | grep -c 'libsolve.so+0x1234\|[a-z]*\.c:[0-9]')" 8
done
is "never more than 100" "$(on_terminal 300 "$gaspdb" report run.db | widest)" 100
is "nor less than 60" "$(on_terminal 20 "$gaspdb" report run.db | widest)" 60
is "of a pipe COLUMNS says nothing" "$(COLUMNS=70 "$gaspdb" report run.db | widest)" 100
is "the help of an analysis" "$(on_terminal 72 "$gaspdb" analyze --help worst | sed '/^SQL:/,$d' | widest)" 72
for analysis in $("$gaspdb" --list=analyses); do
	"$gaspdb" analyze --help "$analysis" | sed '/^SQL:/,$d'
done >help
is "all of them in 100 columns" "$(widest <help)" 100
is "without marks, and what is written of the SQL" "$(grep -c '\*\*\|a spot is\|in table spread\|the largest most_ns' help)" 0
cp run.db ./-run.db
is "a name that looks like an option" "$("$gaspdb" report -- -run.db | grep -c 'gaspdb analyze [a-z-]* ./-run.db')" \
	"$("$gaspdb" report run.db | grep -c 'gaspdb analyze [a-z-]* run.db')"

# Functions by their names, and computation before all
run functions <<'SCRIPT'
thread 0..1 model=OpenSHMEM from=0 to=100
at 0..80 thread 0 s.c:1 C_FUNC signature=solve
at 0..20 thread 1 s.c:1 C_FUNC signature=solve
at 20..30 thread 1 k.c:2 C_FUNC signature=kernel
at 90..95 thread 0 b.c:1 shmem_quiet
at 60..95 thread 1 b.c:1 shmem_quiet
SCRIPT
is "by operation" "$(analyze load-imbalance functions.db --by=operation | cut -d, -f1,2)" $'solve,100\nshmem_quiet,40\nkernel,10'
is "by line" "$(analyze load-imbalance functions.db --by=line | cut -d, -f1,2)" $'solve s.c:1,100\nshmem_quiet b.c:1,40\nkernel k.c:2,10'
like "in the report, computation first" "$(section 'Load imbalance' functions.db | tr -s ' \n' ' ')" \
	"least PE computation 31.6 % .* solve s.c:1 75.0 % .* kernel k.c:2 100 %"

analyze call-tree functions.db --root=9999 >out
is "a call path that there is not" "$(wc -c <out) $(cat err)" "0 gaspdb: invalid value '9999' for --root: this run has 1, 2, 3"
is "one that there is" "$(analyze call-tree functions.db --root=1 | cut -d, -f1)" solve

# A split phase is a barrier, and told of once
run split <<'SCRIPT'
thread 0..1 model=UPC from=0 to=100
at 0..1 thread 0 b.c:1 upc_notify
at 5..61 thread 0 b.c:2 upc_wait
at 60..61 thread 1 b.c:1 upc_notify
at 61..62 thread 1 b.c:2 upc_wait
SCRIPT
is "with the barriers" "$(section Barriers split.db | grep -c '^  upc_notify')" 1
is "and not with the collective operations" "$(section 'Collective operations' split.db)" ""

# Killed: what the records do not tell is not told, and where they end is
run killed <<'SCRIPT'
thread 0..1 cut=1000
at 10..900 thread 0 k.c:1 MPI_Wait
at 950.. thread 0 k.c:2 MPI_Barrier
at 10..20 thread 1 k.c:1 MPI_Wait
at 940.. thread 1 k.c:3 MPI_Bcast
SCRIPT
like "a run that was cut" "$(summary killed.db)" "^ 2 ranks, MPI, 1 host at least 940 ns "
like "of which the path knows a part" "$(section 'Critical path' killed.db)" "Of the .* that were recorded"
is "and where it was cut" "$(section 'Calls open at the end' killed.db | grep -c '^  MPI_Barrier  *k.c:2 \|^  MPI_Bcast  *k.c:3 ')" 2
like "for how long is not known" "$(section 'Calls open at the end' killed.db | tr -s ' \n' ' ')" "ended, which does not tell for how long;"
is "one that ended has no such calls" "$(section 'Calls open at the end' functions.db)" ""
like "and took what it took" "$(summary functions.db)" "^ 2 PEs, OpenSHMEM, 1 host 100 ns "

# Windows without names
lock() { # WINDOW FROM
	echo "at $2..$(($2 + 1)) thread 0 l.c:1 MPI_Win_lock window=1 team=$1 peer=1 exclusive=1"
	echo "at $(($2 + 5))..$(($2 + 6)) thread 0 l.c:2 MPI_Win_unlock window=1 team=$1 peer=1 completes=1"
}
run windows <<SCRIPT
thread 0..1 from=0 to=100
team a ordinal=0 kind=window members=0..1
team b ordinal=1 kind=window members=0..1
$(lock a 10)
$(lock b 20)
SCRIPT
names="SELECT name FROM lock_name ORDER BY 1"
is "by the program's names" "$(sql windows.db "$names")" $'a of rank 1\nb of rank 1'
sqlite3 windows.db "UPDATE team SET name = NULL WHERE kind = 'window'"
is "by their number, if they have none" "$(sql windows.db "$names")" $'window 1 of rank 1\nwindow 2 of rank 1'
run window <<SCRIPT
thread 0..1 from=0 to=100
team other ordinal=0 kind=dup members=0..1
team a ordinal=1 kind=window members=0..1
$(lock a 10)
SCRIPT
sqlite3 window.db "UPDATE team SET name = NULL WHERE kind = 'window'"
is "of one, without a number" "$(sql window.db "$names")" 'the window of rank 1'

# Nothing between init and finalize
run stretch <<'SCRIPT'
thread 0..1 from=0 to=100
at 0..10 thread 0 a.c:1 MPI_Init
at 20..30 thread 0 a.c:2 MPI_Finalize
at 0..50 thread 1 a.c:1 MPI_Init
at 60..70 thread 1 a.c:2 MPI_Finalize
SCRIPT
for arguments in pop 'efficiency --by=host' 'efficiency --by=run' 'efficiency --by=time'; do
	# shellcheck disable=SC2086
	is "$arguments: no rows" "$(analyze $arguments stretch.db)" ""
	like "and why" "$(cat err)" "^gaspdb: no rows: no time lies between .*--whole=1"
done
is "all of it has some" "$(analyze pop stretch.db --whole=1 | wc -l)" 5
is "of events nothing was found" "$(analyze efficiency stretch.db --by=event)$(head -1 err)" \
	"gaspdb: no rows: nothing of the kind was found"
run moment <<'SCRIPT'
thread 0 from=0 to=0
at 0 thread 0 a.c:4 user:mark
SCRIPT
is "a run of no time has no times by category" "$(section 'Time by category' moment.db)" ""

# Of several threads, whose figure it is; times as people read them
run delivery <<'SCRIPT'
thread 0..2 model=OpenSHMEM from=0 to=100000000
segment heap
at 0..100 thread 2 p.c:1 SHMEM_PUT peer=0 object=heap bytes=8
at 200..300 thread 2 p.c:1 SHMEM_PUT peer=1 object=heap bytes=8
at 400..500 thread 2 p.c:1 SHMEM_PUT peer=1 object=heap+64 bytes=8
at 0..40000000 thread 0 w.c:1 shmem_wait_until object=heap value=1
at 100..50000000 thread 1 w.c:1 shmem_wait_until object=heap value=1
SCRIPT
like "whose" "$(worst delivery.db)" "^     PE 1: 1 of 1 words were seen late$"
run pairs <<SCRIPT
thread 0..1 model=OpenSHMEM from=0 to=800000000
$(for i in $(seq 0 9); do for t in 0 1; do
	echo "at $((i * 52000000))..$((i * 52000000 + 40000000)) thread $t b.c:1 shmem_barrier"
done; done)
SCRIPT
# Whose fault it is: of two that come late by turns nobody's
run turns <<'SCRIPT'
ranks 2
thread 0..1 from=0 to=1000
at 100..160 thread 0 w.c:1 MPI_Barrier
at 160..160 thread 1 w.c:1 MPI_Barrier
at 340..340 thread 0 w.c:1 MPI_Barrier
at 300..340 thread 1 w.c:1 MPI_Barrier
at 500..550 thread 0 w.c:2 MPI_Barrier
at 550..550 thread 1 w.c:2 MPI_Barrier
at 750..750 thread 0 w.c:2 MPI_Barrier
at 700..750 thread 1 w.c:2 MPI_Barrier
at 850..900 thread 0 w.c:3 MPI_Barrier
at 900..900 thread 1 w.c:3 MPI_Barrier
SCRIPT
worst turns.db >worst
like "by turns, one more" "$(cat worst)" "^     2 ranks cause it, rank 1 most .60.0 %.$"
like "by turns, both alike" "$(cat worst)" "^     2 ranks cause it equally$"
like "always the same" "$(cat worst)" "^     rank 1 computes 25 ns more there than the ranks' mean$"

# Late to a first half, for which nobody waits: 60 of the 60 that the barrier after it waits are of before
run carried <<'SCRIPT'
thread 0..1 model=UPC from=0 to=1000
at 0..2 thread 0 b.upc:1 upc_notify
at 60..62 thread 1 b.upc:1 upc_notify
at 70..72 thread 0 b.upc:2 upc_wait
at 130..132 thread 1 b.upc:2 upc_wait
at 75..140 thread 0 b.upc:3 upc_barrier
at 135..140 thread 1 b.upc:3 upc_barrier
SCRIPT
like "why it is late is not known" "$(worst carried.db)" \
	"^     100 % of it is unexplained$"

# What it takes, and what of that could be saved: 16 gets of 1000 ns become one
run saving <<SCRIPT
thread 0..1 model=OpenSHMEM from=0 to=20000
segment heap
$(for i in $(seq 0 15); do
	echo "at $((i * 1000))..$((i * 1000 + 1000)) thread 0 g.c:1 SHMEM_GET peer=1 object=heap+$((i * 8)) bytes=8"
done)
at 17000..18000 thread 0 l.c:1 SHMEM_GET peer=0 object=heap bytes=8
SCRIPT
worst saving.db >worst
like "what of it could be saved" "$(cat worst)" "^     takes 16.0 us, 40.0 % of all PEs' time; about 15.0 us of that could be saved$"
like "all" "$(cat worst)" "^     takes 1.0 us, 2.5 % of all PEs' time; all of that could be saved$"
like "times" "$(worst pairs.db)" "^     PE 0: on average 40.0 ms each, 12.0 ms apart$"

# Nothing is worst: 9 of 1,000 ns of both threads, and of the run
run nothing <<'SCRIPT'
thread 0..1 from=0 to=1000
at 500..510 thread 0 r.c:1 MPI_Recv peer=1 tag=1 bytes=8
at 509..510 thread 1 s.c:1 MPI_Send peer=0 tag=1 bytes=8
SCRIPT
like "where nothing is found it is said" "$(worst nothing.db)" "^  Nothing is found that takes 1 % "

# Ranks of several threads: of which one a thread is, and no more of the path than is known
run hybrid <<'SCRIPT'
ranks 2
thread 0 rank=0 number=0 from=0 to=1000
thread 1 rank=0 number=1 from=0 to=800
thread 2 rank=1 number=0 from=0 to=1000
thread 3 rank=1 number=1 from=0 to=800
at 700..710 thread 1 s.c:1 MPI_Send peer=1 tag=1 bytes=8
at 100..715 thread 3 r.c:1 MPI_Recv peer=0 tag=1 bytes=8
SCRIPT
like "a thread's rank" "$(worst hybrid.db)" "^     thread 1 of rank 0 computes 303 ns more there than "
like "why nothing is said of the run's length" "$(worst hybrid.db)" "^  Threads of one rank wait for each other where nothing is"
is "nor is it" "$("$gaspdb" report hybrid.db | grep -c -i -e 'fixing \(this\|it\) saves' -e 'removing it would' -e 'can shorten the run')" 0
like "what the matrix calls processes" "$(section 'Traffic between ranks' hybrid.db | tr -s '\n ' ' ')" "; ranks by their first threads from/to 0 2 "

# The summary.  Rank 1 computes 1600 of 1720 ns, all of them 800 on average; the others wait 2115 for it (tests/worked/imbalance.run).
{ cat "$TOP/tests/worked/imbalance.run"; echo 'meta 0 program /opt/heat2d'; echo 'meta 0 runtime "Open MPI v4.1.4"'; } >imbalance.script
run imbalance <imbalance.script
summary imbalance.db >summary
like "what ran" "$(cat summary)" "^ heat2d 3 ranks, MPI \(Open MPI 4.1.4\), 1 host 1.7 us parallel efficiency 46.5 % 1\. "
like "who, where, and who waits" "$(cat summary)" \
	" 1\. rank 1 computes 800 ns more than the mean after a\.c:4, before the next :2; the others wait 2.1 us for it at a\.c:3 \(MPI_Recv\), :4 \(MPI_Allreduce\)\. "
like "what it saves" "$(cat summary)" " Fixing it saves at most 1.2 us \(72.6 %\) of the run; equal shares of the work, about 800 ns\. "
like "and what the data lack" "$(cat summary)" " Data complete\. $"
# Each lead of the summary is not told a second time on the page.
is "nothing twice" "$("$gaspdb" report imbalance.db | grep -c 'more than the mean\|more there than')" 1
is "alone the findings say all" "$(worst imbalance.db | grep -c 'rank 1 computes 800 ns more there than')" 1
summary nothing.db >summary
like "where nothing is found, what was looked at" "$(cat summary)" "Nothing is found that takes 1 % of all ranks' time .* no costly access, and no known waiting \(waiting in test loops is not measured\)"
summary moment.db >summary
is "no efficiency is made up" "$(grep -c efficiency summary)" 0
summary killed.db >summary
like "that ranks were killed" "$(cat summary)" "Data incomplete: 2 of 2 ranks have no whole log"
run hung <"$TOP/tests/worked/finalize_hung.run"
is "where it hangs stands before all causes" "$("$gaspdb" report hung.db | grep -m 1 -e '^--- ' -e '^  1\. ')" \
	"$(section 'Where it hangs' hung.db | head -1)"

# One section, or several
is "two, in the report's order" "$("$gaspdb" report --section=threads,pop --section=messages imbalance.db | sed -n 's/^--- \(.*\) -*$/\1/p' |
	sed 's/ -*$//')" $'Ranks\nEfficiencies (POP)\nMessages'
is "as they are in the whole" "$("$gaspdb" report --section=pop imbalance.db)" "$(printf '\n'; section 'Efficiencies (POP)' imbalance.db | sed '$d')"
"$gaspdb" report --section=wrost imbalance.db >out 2>err
is "one that there is not" "$? $(wc -c <out) $(grep -o "there is no section .*" err)" \
	"2 0 there is no section 'wrost'; did you mean 'worst'? 'gaspdb report --section=list' lists them"
like "one without anything says so" "$("$gaspdb" report --section=lock-contention imbalance.db)" "^  nothing of the kind in this run$"
is "the list has them all" "$("$gaspdb" report --section=list | awk '{ print $1 }' | sort | uniq -d | wc -l)" 0
for name in $("$gaspdb" report --section=list | awk '{ print $1 }'); do
	"$gaspdb" report --section="$name" run.db >out 2>err || echo "$name: $(cat err)"
	[ -s out ] || echo "$name: nothing"
done >failed
is "and each can be had" "$(cat failed)" ""

# Many ranks: rank 7 of 24 computes most and is waited for, rank 20 least; the first ones are like the rest.
{
	echo 'thread 0..23 from=0 to=1000'
	for r in $(seq 0 23); do
		echo "at $((r == 7 ? 900 : r == 20 ? 100 : 500))..910 thread $r a.c:1 MPI_Barrier"
	done
} >many.script
run many <many.script
"$gaspdb" report --section=threads many.db >many.report
is "of many those with most and least" "$(awk '$1 == 7 || $1 == 20' many.report | wc -l)" 2
like "most" "$(cat many.report)" "^ +7 .* most computing, least waiting, finding 1$"
like "least" "$(cat many.report)" "^ +20 .* least computing, most waiting$"
is "not more than a few" "$(grep -c '^ *[0-9]' many.report) $(grep -c '^  \.\.\. and 22 more ranks$' many.report)" "2 1"
like "and how to see all" "$(cat many.report)" "^  more: gaspdb analyze threads many.db$"

# What members of a run are called
named() { # MODEL BARRIER
	run "$1" <<SCRIPT
thread 0..1 model=$1 from=0 to=1000
at 100..900 thread 0 a.c:1 $2
at 890..900 thread 1 a.c:1 $2
SCRIPT
	"$gaspdb" report "$1.db" >"$1.report"
	"$gaspdb" import --force "$1" -o "$1.db" 2>"$1.import"
	like "$1: import calls them $3" "$(cat "$1.import")" "^gaspdb: $1.db: 2 $3, 2 events "
	like "$1: info of the logs" "$("$gaspdb" info "$1")" "^at this rate .* of logs an hour for 2 $3; "
	like "$1: info of the database" "$("$gaspdb" info "$1.db")" "^$3 +2$"
}
named MPI MPI_Barrier ranks
named OpenSHMEM shmem_barrier PEs
named UPC upc_barrier threads
like "ranks" "$(cat MPI.report)" "^--- Ranks -"
like "PEs" "$(cat OpenSHMEM.report)" "^--- PEs -"
like "threads" "$(cat UPC.report)" "^--- Threads -"
is "MPI has neither threads nor PEs" "$(grep -v 'gaspdb analyze' MPI.report | grep -c -e '\bthreads\?\b' -e '\bPEs\?\b')" 0
is "OpenSHMEM neither threads nor ranks" "$(grep -v 'gaspdb analyze' OpenSHMEM.report | grep -c -e '\bthreads\?\b' -e '\branks\?\b')" 0
is "UPC neither ranks nor PEs" "$(grep -c -e '\branks\?\b' -e '\bPEs\?\b' UPC.report)" 0
is "the logs' list names the process" "$(for model in MPI OpenSHMEM UPC; do "$gaspdb" info "$model" | sed -n 's/^ *\([A-Za-z]*\) .* a second .*/\1/p'; done | xargs)" \
	"rank PE thread"
is "60 columns hold a row of the ranks" "$(on_terminal 60 "$gaspdb" report --section=threads MPI.db | grep -cE '^ +[01] .* yes$')" 2
# What an import notes of one of them is in these words wherever it is read.
run lost <<'SCRIPT'
thread 0..1 model=MPI from=0 to=100
at 10..20 thread 0 s.c:1 MPI_Send peer=1 tag=7 bytes=8
SCRIPT
is "a detail, in the table" "$(sql lost.db "SELECT detail FROM quality WHERE kind = 'unmatched send'")" "to rank 1, tag 7"
is "by an analysis" "$(analyze quality lost.db --kind='unmatched send' | cut -d, -f7-8)" '"to rank 1, tag 7"'
like "in the report" "$("$gaspdb" report --section=quality lost.db)" "^ +to rank 1, tag 7$"
like "in info" "$("$gaspdb" info lost.db)" "unmatched send .* to rank 1, tag 7 "
like "in the shell" "$("$gaspdb" shell lost.db '.analyze quality')" "unmatched send .* to rank 1, tag 7 "
like "compare" "$("$gaspdb" compare OpenSHMEM.db OpenSHMEM.db)" "time of all PEs"
like "of two models" "$("$gaspdb" compare OpenSHMEM.db UPC.db)" "time of all threads"

# Through a pager, where the screen does not hold it
export PAGER='sed s/^/paged:/'
on_screen "$gaspdb" report run.db >paged
is "all of it goes through the pager, in the screen's width" "$(grep -vc '^paged:' paged) $(sed 's/^paged://' paged | widest)" "0 80"
is "and is what is printed without" "$(sed 's/^paged://' paged)" "$(on_screen "$gaspdb" report --no-pager run.db)"
is "what the screen holds does not" "$(on_screen "$gaspdb" report --section=summary run.db | grep -c paged:)" 0
is "nor what goes elsewhere" "$("$gaspdb" report run.db | grep -c paged:)" 0
PAGER='head -1'
is "who leaves early ends nothing" "$(on_screen "$gaspdb" report run.db)" "gaspdb report of run.db"
unset PAGER
finish
