#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Marked statements, timed after optimization (Shende 2001, chapter 5), and #pragma pupc: where timers stand, how often they run, how long.
# Alone: a program's times are compared with its own clock.
. "$(dirname "$0")/../lib.sh"
programs=$TOP/tests/programs/statements
gaspcc=$O/gaspcc
plugin=$(echo "$O"/gaspdb-gcc-*.so)
if [ ! -e "$plugin" ]; then
	skip "statements" "gaspdb was built without g++ or gcc's plugin headers"
	finish
fi
cd "$TMP" || exit 1

# --- where timers stand among the optimized statements ---------------------------------------------------------------

# dump PASS COMPILER ARGUMENT...: the functions after a pass, without debug statements
dump() {
	local pass=$1
	shift
	rm -rf dump && mkdir dump
	(cd dump && "$@" -g "-fdump-tree-$([ "$pass" = gaspdb ] && echo all || echo "$pass")" -c -o out.o) || echo "fails"
	sed -n '/^{$/,/^}$/{/# DEBUG/d; s/ D\.[0-9]*//; p}' dump/*t."$pass"
}

# plain: a dump with blocks numbered in their order, those that only pass on left out, and the timers, too
plain() {
	awk '
	function target(b) { return body[b] != "" ? b : target(b in jump ? jump[b] : following[b]) }
	function flush_block(b, text, name) {
		text = body[b]
		if (!(b in jump) && body[b] !~ /\n *(goto <[^\n]*|return[^\n]*|resx [^\n]*|switch [^\n]*)\n$/ && b in following)
			jump[b] = following[b]
		if (b in jump && number[target(jump[b])] != number[b] + 1)
			text = text "  goto <bb " jump[b] ">\n"
		gsub(/ \[[^]]*\]/, "", text)
		printf "block %d\n", number[b]
		while (match(text, /<(bb |L)[0-9]+>/)) {
			name = substr(text, RSTART, RLENGTH)
			printf "%sblock %d", substr(text, 1, RSTART - 1), number[target(name in at ? at[name] : substr(name, 5, RLENGTH - 5))]
			text = substr(text, RSTART + RLENGTH)
		}
		printf "%s", text
	}
	function flush_function(i) {
		for (i = 1; i <= n_declared; i++)
			if (!(declared[i] in unused)) print "  void * " declared[i]
		for (i = 1; i <= n; i++)
			if (body[order[i]] != "") number[order[i]] = ++kept
		for (i = 1; i <= n; i++)
			if (body[order[i]] != "") flush_block(order[i])
		n = kept = n_declared = b = 0
		split("", body); split("", jump); split("", number); split("", unused); split("", following); split("", at)
	}
	/gaspdb_statement_(start|end|left)/ || !NF { next }
	/= __builtin_return_address \(0\)/ { unused[$1] = 1; next }
	/^  void \* _[0-9]+;$/ { sub(/;/, "", $3); declared[++n_declared] = $3; next }
	/^  <bb [0-9]+>/ { match($0, /[0-9]+/); following[b] = substr($0, RSTART, RLENGTH); b = following[b]; order[++n] = b; next }
	/^}/ { flush_function(); print; next }
	!b { print; next }
	/^  goto <bb [0-9]+>/ { match($0, /[0-9]+/); jump[b] = substr($0, RSTART, RLENGTH); next }
	/^<L[0-9]+>:/ { at[substr($1, 1, length($1) - 1)] = b; next }
	/PHI/ { gsub(/\([0-9]+\)/, "") } # the blocks that its values come from
	{ sub(/ \[tail call\]/, ""); body[b] = body[b] $0 "\n" }'
}

# timed COMPILER ARGUMENT...: the statements of a function, its temporaries by their order, and its timers
timed() {
	dump gaspdb "$@" "-fplugin=$plugin" | awk '
	/^  <bb/ { print "block"; begun = 1; next }
	!begun || /= __builtin_return_address/ || /^}/ || !NF { next }
	/gaspdb_statement_start/ { print "START"; next }
	/gaspdb_statement_end/ { print "END"; next }
	/^  (if|else)|goto/ { next }
	{
		gsub(/\(D\)/, "")
		line = ""
		while (match($0, /[A-Za-z]*[.0-9]*_[0-9]+/)) {
			name = substr($0, RSTART, RLENGTH)
			sub(/[.0-9]*_[0-9]+$/, "", name)
			if (name == "" || name == "ivtmp") {
				name = substr($0, RSTART, RLENGTH)
				if (!(name in t)) t[name] = "t" ++n_t
				name = t[name]
			}
			line = line substr($0, 1, RSTART - 1) name
			$0 = substr($0, RSTART + RLENGTH)
		}
		sub(/^ */, "", line)
		print line $0
	}' | sed '/^$/d' | paste -sd'\n'
}

is "figure 35: b - c, which both use, is inside, z*5 is not" "$(timed gcc -O2 "$programs/fig35.c")" "block
START
t1 = b - c;
t2 = t1 * a;
t3 = t2 + a;
x = t3;
t4 = t1 * d;
y = t4;
z = t3 + t4;
END
t5 = z * 5;
w = t5 + 6;
return w;"
is "figure 34: y + z is inside, and x, of which the last value alone is left" "$(timed gcc -O2 "$programs/fig34.c")" "block
START
y = y;
z = z;
t1 = y + z;
x = t1 + 499;
END
return x;"
is "where the loop stays: y + z is before it, once; the timer ends and starts in each iteration" \
	"$(timed gcc -O2 "$programs/fig34_kept.c")" "block
START
y = y;
z = z;
t1 = y + z;
t2 = (unsigned int) t1;
t3 = t2 + 500;
block
# t4 = PHI <t5(5), t2(2)>
t6 = (int) t4;
x ={v} t6;
END
t5 = t4 + 1;
block
START
block
t7 ={v} x;
return t7;"
if command -v gfortran >/dev/null; then
	is "figure 35 in Fortran" "$(timed gfortran -O2 "$programs/fig35.f90")" "block
START
t1 = b - c;
t2 = t1 * a;
t3 = t2 + a;
figure.x = t3;
t4 = t1 * d;
figure.y = t4;
z = t3 + t4;
END
t5 = z * 5;
t6 = t5 + 6;
*w = t6;
  return;"
	is "figure 34 in Fortran" "$(timed gfortran -O2 "$programs/fig34.f90")" "block
START
t1 = *y;
t2 = *z;
t3 = t1 + t2;
t4 = (unsigned int) t3;
t5 = t4 + 500;
block
# t6 = PHI <t7(5), t4(2)>
t8 = (integer(kind=4)) t6;
figure.x ={v} t8;
END
t7 = t6 + 1;
block
START
block
  return;"
else
	skip "Fortran" "no gfortran here"
fi

# inhibits_none WHAT COMPILER ARGUMENT...: the optimizers do the same with the plugin as without; then it adds timers, and changes nothing
inhibits_none() {
	local what=$1
	shift
	dump optimized "$@" >plain.txt
	dump optimized "$@" "-fplugin=$plugin" >marked.txt
	is "$what: the optimizers do the same" "$(diff plain.txt marked.txt | head -n 20)" ""
	dump gaspdb "$@" "-fplugin=$plugin" >timed.txt
	ok "$what: there are timers" grep -q gaspdb_statement_start timed.txt
	is "$what: all else is unchanged" "$(diff <(plain <plain.txt) <(plain <timed.txt) | head -n 20)" ""
}
inhibits_none "figure 35" gcc -O2 "$programs/fig35.c"
inhibits_none "figure 34" gcc -O2 "$programs/fig34.c"
inhibits_none "the same where the loop stays" gcc -O2 "$programs/fig34_kept.c"
inhibits_none "in C" gcc -O2 -I"$TOP/collector/include" "$programs/runs.c"
inhibits_none "in loops" gcc -O2 "$programs/loops.c"
command -v gfortran >/dev/null && inhibits_none "in Fortran" gfortran -O2 "$programs/runs.f90" &&
	inhibits_none "in loops of Fortran" gfortran -O2 "$programs/locals.f90"
command -v g++ >/dev/null && inhibits_none "in C++" g++ -O2 "$programs/throws.cpp"

# --- how often they run ----------------------------------------------------------------------------------------------

# run COMMAND...: record and import to run.db
run() {
	rm -rf run run.db
	timeout 100 "$gaspdb" record -o run -- "$@" >out 2>err
	"$gaspdb" import run -o run.db 2>import.err
}
# counts: each statement, how often it was executed
statements="event e JOIN source s ON s.id = e.source_id JOIN operation o ON o.id = s.operation_id AND o.type = 'user'"
counts() {
	sql run.db "SELECT o.name || ' ' || count(*) || ' ' || sum(e.open) FROM $statements GROUP BY o.name ORDER BY 1" | paste -sd, | sed 's/,/, /g'
}
# inside TYPE: of which operation of that type each statement is a part, the innermost
inside() {
	sql run.db "SELECT DISTINCT o.name || ' in ' || coalesce((SELECT CASE p.type WHEN 'user' THEN p.name ELSE u.function END
			FROM event up JOIN source u ON u.id = up.source_id JOIN operation p ON p.id = u.operation_id AND p.type = '$1'
			WHERE up.thread_id = e.thread_id AND up.id < e.id AND up.start_ns + up.duration_ns >= e.start_ns + e.duration_ns
			ORDER BY up.id DESC LIMIT 1), 'none')
		FROM $statements ORDER BY 1" | paste -sd, | sed 's/,/, /g'
}
for level in -O0 -O1 -O2 -O3; do
	"$gaspcc" --inst gcc $level -Wall -o runs "$programs/runs.c" -lpthread 2>err
	is "$level: compiles without a word" "$? $(cat err)" "0 "
	while read -r mode expected; do
		run ./runs "$mode"
		is "$level: $mode" "$(counts)" "$expected"
		[ "$mode" = nested ] && is "$level: nested ones are in each other" "$(inside user)" "inner in outer, outer in none, second in outer"
		[ "$mode" = recursion ] && is "$level: recursion, too" "$(inside user)" "recursion in none, recursion in recursion"
		case $mode in jump | left) is "$level: what comes after a longjmp is not in what it left" "$(inside user | grep -c 'after in none')" 1 ;; esac
	done <<-'MODES'
		loop body 10 0
		unrolled unrolled 3 0
		inlined calls what is inlined 1 0, twice 2 0
		early returns 6 0
		goto goto 6 0
		switch case 2 0
		nested inner 3 0, outer 1 0, second 3 0
		recursion recursion 5 0
		thread body 12 0
		jump after 2 0, jumps 2 0
		left after 1 0, is left 2 0
		off body 2 0, off 1 0
	MODES
	run ./runs none
	is "$level: none where #pragma pupc is off" "$(find run -name '*.gasplog' 2>/dev/null)" ""
	run ./runs around
	# Without optimization no mark tells an endless loop from one in the range.
	is "$level: around" "$(counts)" "all of the loop 2 0, ends the loop $([ $level = -O0 ] && echo 1 || echo 5) 0, while 2 0"
done
run ./runs loop
is "at the first line of the range, in its function" "$(sql run.db "SELECT DISTINCT s.function, s.line, s.file LIKE '%/runs.c' FROM $statements")" \
	"loop|$(awk '/"body"/ { print NR + 1 }' "$programs/runs.c")|1"
is "nothing is amiss" "$(sql run.db "SELECT kind FROM quality")" ""
run ./runs thread
is "each thread has its own" "$(sql run.db "SELECT group_concat(n, ' ') FROM (SELECT count(*) AS n FROM event GROUP BY thread_id)")" "4 4 4"
run ./runs busy
ok "times are those of the program, to 10 %" awk -v a="$(cat out)" -v b="$(sql run.db "SELECT sum(duration_ns) / 1e9 FROM $statements")" \
	'BEGIN { exit !(a >= 0.2 && b >= a && b < 1.1 * a) }'
is "each at least 20 ms" "$(sql run.db "SELECT count(*), min(duration_ns) >= 20000000 FROM $statements")" "10|1"
like "the report has it" "$("$gaspdb" report run.db)" "busy +runs\.c:[0-9]+ +1 +10 "
./runs busy >/dev/null
is "without a recording there is none" "$(find . -name '*.gasplog' ! -path './run/*' | wc -l)" 0
"$gaspcc" --inst --link gcc -O2 -o linked "$programs/runs.c" -lpthread
rm -rf run run.db
GASPDB_DIR=run ./linked loop
"$gaspdb" import run -o run.db 2>/dev/null
is "linked with the collector it records by itself" "$(counts)" "body 10 0"

# With functions: the statement is in its function.
"$gaspcc" --inst-functions gcc -O1 -fno-inline -o functions "$programs/runs.c" -lpthread
run ./functions left
is "beside functions" "$(sql run.db "SELECT o.type || ' ' || s.function || ' ' || count(*) || ' ' || sum(e.open) FROM event e
	JOIN source s ON s.id = e.source_id JOIN operation o ON o.id = s.operation_id GROUP BY o.id, s.function ORDER BY 1" | paste -sd, | sed 's/,/, /g')" \
	"function deep 6 0, function leave 2 0, function left 1 0, function main 1 0, function work 10 0, user leave 2 0, user left 1 0"
is "a statement is in its function" "$(inside function)" "after in left, is left in leave"

for level in -O0 -O2; do
	"$gaspcc" --inst gcc -fopenmp $level -o openmp "$programs/openmp.c"
	run ./openmp
	is "OpenMP, $level: a region's is one, in a region each thread has its own" \
		"$(counts) $(sql run.db "SELECT count(DISTINCT e.thread_id) FROM $statements WHERE o.name = 'in'")" "around 1 0, in 8 0 2"
done

for compiler in gcc "g++ -x c++"; do
	command -v "${compiler%% *}" >/dev/null || continue
	for level in -O0 -O1 -O2 -O3 -Os; do
		# shellcheck disable=SC2086
		"$gaspcc" --inst $compiler $level -o loops "$programs/loops.c" -lm
		run ./loops 17
		is "$compiler $level: several statements, and loops, are one execution" "$(counts)" \
			"again 17 0, body 17 0, cases 17 0, joined 17 0, nested 17 0, repeated 17 0, straight 17 0"
	done
done

# --- C++, Fortran, MPI -----------------------------------------------------------------------------------------------
if command -v g++ >/dev/null; then
	for level in -O0 -O2; do
		"$gaspcc" --inst g++ $level -Wall -o throws "$programs/throws.cpp"
		run ./throws
		is "C++, $level: exceptions, templates, a lambda" "$(counts)" "handler 2 0, lambda 1 0, passes 5 0, smooth 5 0, throws 5 0"
		is "C++, $level: none is in what was left" "$(inside user | grep -o 'in [a-z]*' | sort -u)" "in none"
	done
	is "the function has its class" "$(sql run.db "SELECT DISTINCT s.function FROM $statements WHERE o.name = 'smooth'")" "shape::field::smooth"
else
	skip "C++" "no g++ here"
fi
if command -v gfortran >/dev/null; then
	for level in -O0 -O2; do
		"$gaspcc" --inst gfortran $level -o fortran "$programs/runs.f90"
		run ./fortran
		is "Fortran, $level" "$(counts | sed 's/, the block [0-9]* 0$//')" \
			"Contribution of x, y and z 1 0, loop 1 0, step 5 0"
	done
	for level in -O0 -O1 -O2 -O3 -Os; do
		"$gaspcc" --inst gfortran $level -o locals "$programs/locals.f90"
		run ./locals 17
		is "Fortran, $level: several statements, and loops, are one execution" "$(counts)" "joined 17 0, nested 17 0, repeated 17 0, straight 17 0"
	done
fi
for pair in openmpi:mpirun.openmpi mpich:mpiexec.hydra; do
	if command -v "mpicc.${pair%:*}" >/dev/null; then
		"$gaspcc" --inst "mpicc.${pair%:*}" -O2 -o mpi "$programs/mpi.c"
		. "$TOP/examples/env.sh"
		run "${pair#*:}" -np 2 ./mpi
		is "${pair%:*}: a statement of each rank" "$(counts)" "step 10 0"
		is "${pair%:*}: and what it calls" "$(sql run.db "SELECT count(*) FROM $statements JOIN event c ON c.thread_id = e.thread_id
			AND c.start_ns >= e.start_ns AND c.start_ns + c.duration_ns <= e.start_ns + e.duration_ns JOIN source cs ON cs.id = c.source_id
			JOIN operation co ON co.id = cs.operation_id AND co.name = 'MPI_Allreduce'")" 10
	else
		skip "${pair%:*}" "not here"
	fi
done
finish
