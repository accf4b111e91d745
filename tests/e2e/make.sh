#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What make says, and the demonstration: each command that it prints works where it is pasted.
source "$TOP/tests/lib.sh"
cd "$TOP" || exit 1
unset MAKEFLAGS MAKELEVEL MFLAGS # of a make that runs this

make help >"$TMP/help"
is "make help has a line for each target that one asks for" \
	"$(sed -nE 's/^make ([a-z-]+)  +.*/\1/p' "$TMP/help" | sort)" \
	"$(cat Makefile ./*/rules.mk ./*/*/rules.mk | sed -n 's/^\.PHONY: //p' | tr ' ' '\n' |
		grep -vx -e all -e advice-programs | sort)"
ok "it fits 130 columns" awk 'length > 130 { exit 1 }' "$TMP/help"

# A build of five steps, of which the fourth may fail.
cat >"$TMP/Makefile" <<'MAKE'
say = @printf '  %-8s %s\n' $(1) $(2)
all: 1 2 3 4 5
1 2 3 5:
	$(call say,CC,$@.c)
4: 3
	$(call say,CC,$@.c)
	@echo '4.c:1: warning: odd' >&2
	@$(if $(FAIL),echo '    1 | what is wrong' >&2; exit 7)
MAKE
quiet() { (cd "$TMP" && exec "$TOP/.ci/quiet-make" make "$@"); }
quiet >"$TMP/out" 2>"$TMP/err"
is "a quiet build: one line, and the compiler's" "$? $(cat "$TMP/out" "$TMP/err")" $'0 building: 5 steps\n4.c:1: warning: odd'
quiet FAIL=1 >"$TMP/out" 2>"$TMP/err"
is "one that fails" "$?" 2
is "says all that the compiler says" "$(sed -n 2,3p "$TMP/out")" $'4.c:1: warning: odd\n    1 | what is wrong'
like "and what make does" "$(tail -1 "$TMP/out")" '^make: \*\*\* .*: 4\] Error 7$'
on_terminal 80 "$TOP/.ci/quiet-make" make -f "$TMP/Makefile" | tr '\033' '\n' >"$TMP/out"
is "on a terminal it counts" "$(sed -n 's/^\[K//p' "$TMP/out")" \
	$'[1/5] CC       1.c\n[2/5] CC       2.c\n[3/5] CC       3.c\n[4/5] CC       4.c\n4.c:1: warning: odd\n[5/5] CC       5.c\n[5/5] built'
for group in build check; do
	GASPDB_NO_DEPS=1 .ci/deps $group >"$TMP/out" 2>&1
	is "the packages of the group $group are here" "$? $(cat "$TMP/out")" "0 "
done
.ci/deps nothing 2>"$TMP/err"
is "a group that there is not" "$? $(grep -c "no group 'nothing'" "$TMP/err")" "2 1"

# The demonstration, in a build folder of its own.
mkdir "$TMP/a build" && ln -s "$O"/gaspdb "$O"/*.so "$O"/examples "$TMP/a build"
if [ -x "$O/examples/mpi_faults" ] || [ -x "$O/examples/mpi_faults_mpich" ]; then
	O="$TMP/a build" timeout 300 examples/demo >"$TMP/demo" 2>&1 </dev/null
	is "the demonstration" "$?" 0
	is "reports on each program" "$(grep -c -e '--- What is worst' "$TMP/demo")" "$(grep -c '^== .*: record' "$TMP/demo")"
	# What one types, in order, and what a report names.  (also NAME): further analyses.
	sed -nE 's/^\$ //p; s/^ *(see|more): (.*)/\2/p' "$TMP/demo" | sed 's/ (also .*//' >"$TMP/commands"
	ok "there are many" test "$(wc -l <"$TMP/commands")" -gt 20
	while read -r command; do
		echo "$command </dev/null || echo \"\$? failed: \"${command@Q}"
	done <"$TMP/commands" >"$TMP/pasted"
	env -i PATH="$PATH" HOME="$TMP" TERM=dumb bash "$TMP/pasted" >"$TMP/out" 2>"$TMP/err"
	is "each command works where it is pasted" "$(grep ' failed: ' "$TMP/out")" ""
	is "and there is no other" "$(grep -c -e ' gaspdb: next:' -e 'try  */' "$TMP/demo")" 0
else
	skip "the demonstration" "no MPI here"
fi
finish
