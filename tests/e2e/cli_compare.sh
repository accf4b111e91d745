#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# gaspdb compare: runs of known differences.  The expected figures follow from the scripts; times are in ns.
source "$TOP/tests/lib.sh"
cd "$TMP" || exit 1

# run NAME: the database NAME.db of the script on stdin
run() {
	rm -rf run
	"$O/tests/mkrun" - run && "$gaspdb" import run -o "$1.db" --force 2>/dev/null
}
# barrier NAME LATE...: a run of 1 ms in which thread 0 waits at a.c:10 for LATE us for thread 1
barrier() {
	run "$1" <<-SCRIPT
		thread 0..1 from=0 to=1000000
		at 100000..$((100000 + 1000 * $2)) thread 0 a.c:10 MPI_Barrier
		at $((100000 + 1000 * $2))..$((100000 + 1000 * $2)) thread 1 a.c:10 MPI_Barrier
	SCRIPT
}
# rows COLUMNS WHERE ARGUMENTS...: of the CSV, in its order
rows() {
	local columns=$1 where=$2
	shift 2
	"$gaspdb" compare --format=csv --limit=-1 "$@" 2>err >csv || return
	sqlite3 :memory: '.import --csv csv c' "SELECT $columns FROM c WHERE $where"
}
# exits STATUS ARGUMENTS...: of compare, whose stderr is in err
exits() {
	local status=$1
	shift
	"$gaspdb" compare "$@" >out 2>err
	is "exit status: $*" "$?" "$status"
}

# Thread 1's receive comes 80 us earlier, and waits that much longer; all after line 10 moved down by five lines.
run a <<'SCRIPT'
thread 0..1 from=0 to=1000000
at 100000..200000 thread 0 /home/me/src/a.c:10 MPI_Barrier
at 150000..200000 thread 1 /home/me/src/a.c:10 MPI_Barrier
at 300000..320000 thread 0 /home/me/src/a.c:20 MPI_Send peer=1 tag=5 bytes=100
at 290000..330000 thread 1 /home/me/src/a.c:30 MPI_Recv peer=0 tag=5 bytes=100
SCRIPT
run b <<'SCRIPT'
thread 0..1 from=0 to=1500000
at 100000..200000 thread 0 /build/a.c:10 MPI_Barrier
at 150000..200000 thread 1 /build/a.c:10 MPI_Barrier
at 300000..320000 thread 0 /build/a.c:25 MPI_Send peer=1 tag=5 bytes=100
at 210000..330000 thread 1 /build/a.c:35 MPI_Recv peer=0 tag=5 bytes=100
SCRIPT
is "the run" "$(rows "name, a, b, difference, change, of_run" "section = 'run' AND unit = 'ns'" a.db b.db)" \
	'run time|1000000|1500000|500000|50.0|
time of all threads|2000000|3000000|1000000|50.0|50.0
waiting|60000|140000|80000|133.33333333333334|4.0'
is "the imbalance is the analysis'" "$(rows "a, b" "section = 'run' AND name = 'imbalance'" a.db b.db)" \
	"$(for db in a b; do stock $db.db "SELECT printf('%!.17g', imbalance_pct) FROM analysis_load_imbalance WHERE what = 'computation'"
	done | paste -sd'|')"
is "categories and their shares" \
	"$(rows "name, a, b, difference, a_share, b_share" "section = 'category'" a.db b.db)" \
	'computation|1790000|2710000|920000|89.5|90.33333333333333
communication|60000|140000|80000|3.0|4.666666666666667
synchronization|150000|150000|0|7.5|5.0'
is "waiting by kind" "$(rows "name, a, b" "section = 'wait'" a.db b.db)" $'late sender|10000|90000\nbarrier|50000|50000'
is "by what was waited for" "$(rows "name, operation, location, was, a, b" "section = 'cause' AND name <> 'imbalance'" a.db b.db)" \
	$'late sender|MPI_Send|a.c:25|a.c:20|10000|90000\nbarrier|MPI_Barrier|a.c:10||50000|50000'
is "by where it began" "$(rows "name, operation, location, was, a, b" "section = 'cause' AND name = 'imbalance'" a.db b.db)" \
	'imbalance|MPI_Barrier|a.c:10||50000|50000'
is "lines, though they moved and the folder is another" \
	"$(rows "operation, location, was, state, a, b, of_run" "section = 'line'" a.db b.db)" \
	'MPI_Recv|a.c:35|a.c:30||40000|120000|4.0
MPI_Barrier|a.c:10|||150000|150000|0.0
MPI_Send|a.c:25|a.c:20||20000|20000|0.0'
is "operations" "$(rows "name, difference" "section = 'operation'" a.db b.db)" \
	$'MPI_Recv|80000\nMPI_Barrier|0\nMPI_Send|0'
is "the other way round" "$(rows "operation, location, was, difference, change" "section = 'line' AND difference <> 0" b.db a.db)" \
	'MPI_Recv|a.c:30|a.c:35|-80000|-66.66666666666667'
is "a run and itself" "$(rows "count(*)" "CAST(difference AS REAL) <> 0 OR state <> '' OR was <> ''" a.db a.db)" 0
like "noise is not known" "$(cat err)" "^gaspdb: One run of each: .*not known"
is "which each row says" "$(rows "DISTINCT noise" 1 a.db b.db)" unknown

"$gaspdb" compare a.db b.db >page 2>err
is "the page" "$? $(wc -c <err)" "0 0"
like "has the differences" "$(cat page)" "^  MPI_Recv +a.c:35 \(was 30\) +40.0 us +120.0 us +\+80.0 us +\+200.0 % +\+4.0 %$"
like "and the runs" "$(cat page)" "^  A +a.db +2 +1.0 ms"
ok "it fits 100 columns" awk 'length > 100 { exit 1 }' page
like "--limit" "$("$gaspdb" compare --limit=1 a.db b.db)" "^  \.\.\. 2 more"
is "--limit of rows" "$("$gaspdb" compare --limit=1 --format=csv a.db b.db 2>/dev/null | cut -d, -f1 | paste -sd' ')" \
	"section run category wait cause line operation"
"$gaspdb" compare --format=json a.db b.db >json 2>/dev/null
is "JSON" "$(sqlite3 :memory: "SELECT sum(value ->> 'difference') FROM json_each(CAST(readfile('json') AS TEXT))
	WHERE value ->> 'section' = 'line'")" 80000

# Neighbouring calls move by one line, so that most of the lines are there in both; one call comes, one goes.
calls() { # NAME LINE:US...
	local at=0 part
	{
		echo "thread 0 from=0 to=1000000"
		for part in "${@:2}"; do
			echo "at $at..$((at + 1000 * ${part#*:})) thread 0 ${file-a.c}:${part%:*} MPI_${op-Wait}"
			at=$((at + 100000))
		done
	} | run "$1"
}
calls a 110:1 111:2 112:3 200:4
calls b 111:1 112:2 113:3 201:4
is "neighbours that moved" "$(rows "location, was, difference" "section = 'line'" a.db b.db)" \
	$'a.c:201|a.c:200|0\na.c:113|a.c:112|0\na.c:112|a.c:111|0\na.c:111|a.c:110|0'
calls b 110:1 111:2 112:3 150:7 200:4
is "a line that is new" "$(rows "location, was, state, a, b, change" "section = 'line' AND difference <> 0" a.db b.db)" \
	'a.c:150||new|0|7000|'
is "and gone" "$(rows "location, was, state, a, b, change" "section = 'line' AND difference <> 0" b.db a.db)" \
	'a.c:150||gone|7000|0|-100.0'
like "the page says so" "$("$gaspdb" compare a.db b.db)" "^  MPI_Wait +a.c:150 +0 s +7.0 us +\+7.0 us +new"
calls b 110:1 112:3 117:9 205:4
is "what is left follows in order" "$(rows "location, was, difference" "section = 'line' AND was <> ''" a.db b.db)" \
	$'a.c:117|a.c:111|7000\na.c:205|a.c:200|0'
is "--by=operation" "$(rows "operation, location, a, b" "section = 'line'" --by=operation a.db b.db)" 'MPI_Wait||10000|17000'
sqlite3 a.db "UPDATE source SET function = iif(line = 200, 'finish', 'step')"
sqlite3 b.db "UPDATE source SET function = iif(line = 205, 'finish', 'step')"
is "--by=function" "$(rows "operation, location, function, a, b" "section = 'line'" --by=function a.db b.db)" \
	$'MPI_Wait|step in a.c|step|6000|13000\nMPI_Wait|finish in a.c|finish|4000|4000'
is "functions move by themselves" "$(rows "location, was" "section = 'line' AND function = 'finish'" a.db b.db)" 'a.c:205|a.c:200'
# A function that is called otherwise is the same where its lines are; of one that only moved, nothing is.
sqlite3 b.db "UPDATE source SET function = 'end' WHERE line = 205"
is "another function at another line" "$(rows "location, function, state" "section = 'line' AND function IN ('end', 'finish')" a.db b.db)" \
	$'a.c:200|finish|gone\na.c:205|end|new'
sqlite3 b.db "UPDATE source SET line = 200 WHERE line = 205"
is "another name for the lines of a function" \
	"$(rows "location, function, was, state, a, b" "section = 'line' AND function IN ('end', 'finish')" a.db b.db)" 'a.c:200|end|||4000|4000'
exits 0 a.db b.db --fail-if='line:a.c:200>5%'
sqlite3 b.db "UPDATE source SET function = NULL WHERE line = 200"
is "or none" "$(rows "location, was, state, a, b" "section = 'line' AND location = 'a.c:200'" a.db b.db)" 'a.c:200|||4000|4000'
is "by functions they are two" "$(rows "location, state" "section = 'line' AND state <> ''" --by=function a.db b.db)" \
	$'finish in a.c|gone\na.c|new'
sqlite3 b.db "UPDATE source SET function = 'finish', line = 205 WHERE line = 200"
is "functions" "$(rows "name, a, b" "section = 'function'" a.db b.db)" $'step|6000|13000\nfinish|4000|4000'

# Files of one name in two folders are told apart, in all runs if in one
two() { # NAME US_X US_Y
	run "$1" <<-SCRIPT
		thread 0 from=0 to=1000000
		at 0..$((1000 * $2)) thread 0 $4/x/u.c:5 MPI_Wait
		at 500000..$((500000 + 1000 * $3)) thread 0 $4/y/u.c:5 MPI_Wait
	SCRIPT
}
two a 1 2 /p
two b 4 2 /q/r
is "files of one name" "$(rows "location, difference" "section = 'line'" a.db b.db)" $'x/u.c:5|3000\ny/u.c:5|0'
file=/s/y/u.c calls b 5:3
is "in one of the runs" "$(rows "location, state, difference" "section = 'line'" a.db b.db)" $'y/u.c:5||1000\nx/u.c:5|gone|-1000'
exits 4 a.db b.db --fail-if='line:y/u.c:5>10%'
exits 0 a.db b.db --fail-if='line:x/u.c:5>10%'
exits 4 a.db b.db --fail-if='line:/elsewhere/y/u.c:5>10%'

# Two threads and four: sums by thread
run b <<'SCRIPT'
thread 0..3 from=0 to=1000000
at 100000..180000 thread 0 a.c:10 MPI_Barrier
at 100000..180000 thread 1 a.c:10 MPI_Barrier
at 100000..180000 thread 2 a.c:10 MPI_Barrier
at 180000..180000 thread 3 a.c:10 MPI_Barrier
SCRIPT
barrier a 60
is "by thread, where their numbers differ" "$(rows "section, name, a, b" "section IN ('run', 'wait') AND unit = 'ns'" a.db b.db)" \
	$'run|run time|1000000|1000000\nrun|time of all threads|1000000|1000000\nrun|waiting|30000|60000\nwait|barrier|30000|60000'
like "which is told" "$(cat err)" "^gaspdb: The numbers of ranks differ: .* divided"
like "on the page" "$("$gaspdb" compare a.db b.db)" "^  The numbers of ranks differ"
like "and what it makes of the sum" "$("$gaspdb" compare a.db b.db)" "^  time of a rank +1.0 ms +1.0 ms"
is "nowhere is it called all of them" "$("$gaspdb" compare a.db b.db | grep -c "all ranks")" 0

# Repeated runs: medians, and the median distance from them.  100 105 110: 105 +- 5; 128 130 150: 130 +- 2.
for us in 100 105 110 120 121 128 130 131 141 150; do barrier $us $us; done
noise() { rows "a, a_mad, b, b_mad, noise" "section = 'line'" "$1" "$2"; }
is "beyond the noise: 25 > 3 x 3.8, and apart" "$(noise 110.db,100.db,105.db 128.db,150.db,130.db)" "105000|5000|130000|2000|beyond"
is "within: apart, but 21 < 3 x 10" "$(noise 100.db,120.db,110.db 121.db,131.db,141.db)" "110000|10000|131000|10000|within"
is "within: not apart" "$(noise 100.db,100.db,128.db 121.db,121.db,121.db)" "100000|0|121000|0|within"
is "an even number of runs" "$(noise 100.db,110.db 128.db,150.db,130.db,130.db)" "105000|5000|130000|1000|beyond"
is "one run against several" "$(noise 100.db 128.db,130.db,131.db)" "100000||130000|1000|beyond"
cp 100.db 'x,y.db'
is "a name with a comma" "$(noise x,y.db 100.db)" "100000||100000||unknown"
file=b.c op=Probe calls other 7:50
is "a run without the line spent nothing in it" \
	"$(rows "location, a, state" "section = 'line'" 100.db,other.db,other.db 100.db)" $'b.c:7|50000|gone\na.c:10|0|'
"$gaspdb" compare 110.db,100.db,105.db 128.db,150.db,130.db >page
like "the page has it all" "$(cat page)" "^  MPI_Barrier +a.c:10 +105.0 us +130.0 us +3.6 % +\+25.0 us +\+23.8 % \* +\+1.[23] %$"
ok "it fits 100 columns" awk 'length > 100 { exit 1 }' page

# Conditions: 25 us of 105 are 23.8 %
slower="110.db,100.db,105.db 128.db,150.db,130.db"
for condition in 'line:a.c:10>20%' 'waiting>20%' 'wait:barrier>24us' 'category:synchronization>23.8%' \
	'operation:MPI_Barrier > 20 %' 'line:src/a.c:10>0'; do
	# shellcheck disable=SC2086
	exits 4 $slower --fail-if="$condition"
	like "which is told" "$(cat err)" "^gaspdb: $condition: (MPI_Barrier )?130.0 us, was 105.0 us$"
done
for condition in 'line:a.c:10>24%' 'waiting>26us' 'time>0%' 'category:computation>0'; do
	# shellcheck disable=SC2086
	exits 0 $slower --fail-if="$condition"
done
# shellcheck disable=SC2086
exits 4 $slower --fail-if='time>5%' --fail-if='waiting>5%'
exits 0 100.db,120.db,110.db 121.db,131.db,141.db --fail-if='waiting>1%'
like "within the noise is no failure, but told" "$(cat err)" "^gaspdb: waiting>1%: 131.0 us, was 110.0 us; but within the noise$"
exits 4 100.db 121.db --fail-if='waiting>20%'
exits 0 121.db 100.db --fail-if='waiting>0%'
exits 4 other.db 100.db --fail-if='line:a.c:10>1000%'
exits 0 100.db other.db --fail-if='line:a.c:10>0'
# Thread 0 computes 1000 - 800 us, thread 1 1000: maximum 1000, average 600, imbalance 40 % x 2; none before.
barrier none 0
barrier uneven 800
exits 4 none.db uneven.db --fail-if='imbalance>79%'
exits 0 none.db uneven.db --fail-if='imbalance>81%'
exits 0 100.db 121.db --fail-if='wait:lock>5%' --fail-if='wait:late sender>1us'
for condition in 'line:a.c:11>5%' 'line:other.c:10>5%' 'wait:lokc>5%' 'category:nothing>5%' 'operation:MPI_Send>1ms' 'function:f>1%'; do
	exits 2 100.db 121.db --fail-if="$condition"
	like "names nothing" "$(cat err)" "^gaspdb: '$condition' names nothing that is in either run$"
done
for condition in 'time' 'time>' 'time>x' 'time>-1%' 'time>nan%' 'time<5%' '>5%' 'speed>5%' 'line:a.c>5%' 'line:a.c:x>5%' \
	'wait:>5%' 'imbalance>1ms' 'timer>5%' 'time>5' 'waiting>1000'; do
	exits 2 100.db 121.db --fail-if="$condition"
	like "is no condition" "$(cat err)" "^gaspdb: compare: '$condition' "
	is "and nothing is compared" "$(wc -c <out)" 0
done

# A file under another name, in which lines have moved, beside one that stays; of two such files nobody knows which is which.
files() { # NAME FILE:LINE...: a receive of 1000 ns at each place, and one at the file that stays
	local name=$1 at=1000 place
	shift
	{
		echo "thread 0 from=0 to=100000"
		for place in common.c:1 "$@"; do
			echo "at $at..$((at + 1000)) thread 0 $place MPI_Recv peer=-1"
			at=$((at + 5000))
		done
	} | run "$name"
}
files heat heat.c:10 heat.c:20
files fast fast.c:13 fast.c:23
files both fast.c:13 quick.c:23
is "a renamed file" "$(rows "location, was, state, a, b" "section = 'line' ORDER BY location" heat.db fast.db)" \
	'common.c:1|||1000|1000
fast.c:13|heat.c:10||1000|1000
fast.c:23|heat.c:20||1000|1000'
like "as people read it" "$("$gaspdb" compare heat.db fast.db)" "fast.c:13 \(was heat.c:10\)"
exits 0 heat.db fast.db --fail-if='line:fast.c:13>1ns'
exits 0 heat.db fast.db --fail-if='line:heat.c:10>1ns'
exits 2 heat.db fast.db --fail-if='line:heat.c:13>1ns'
is "one of two is none" "$(rows "location, was, state" "section = 'line' AND location <> 'common.c:1' ORDER BY location" heat.db both.db)" \
	'fast.c:13||new
heat.c:10||gone
heat.c:20||gone
quick.c:23||new'

# Files that are none, or not ours
exits 1 100.db nothing.db
like "which is named" "$(cat err)" "^gaspdb: cannot open 'nothing.db'"
exits 1 100.db,text 100.db
echo text >text
exits 1 100.db 100.db,text
is "and why" "$(cat err)" "gaspdb: 'text' is not a gaspdb database"
"$TOP/tests/golden/make_db" old.db <(echo "PRAGMA user_version = 0;")
exits 1 old.db 100.db
like "an older schema" "$(cat err)" "'old.db' was made by an older gaspdb; import the run again$"
"$TOP/tests/golden/make_db" empty.db
exits 0 empty.db 100.db
exits 0 empty.db empty.db
run missing <<'SCRIPT'
thread 0 from=0 to=1000
thread 1 missing
at 10..20 thread 0 a.c:1 MPI_Wait
SCRIPT
"$gaspdb" compare missing.db 100.db >out 2>err
like "data that is missing is told" "$(cat err)" "^gaspdb: 'missing.db': 1 of 2 ranks has no whole log"
cp 100.db hostile.db
sqlite3 hostile.db "UPDATE source SET file = 'x' || char(27) || '[2J/' || char(27) || '.c', function = char(155)"
"$gaspdb" compare hostile.db 100.db >out 2>err
is "nothing that a terminal obeys" "$(LC_ALL=C grep -cP '[\x00-\x09\x0b-\x1f\x7f]' out err | paste -sd' ')" "out:0 err:0"
finish
