#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# gaspdb analyze: which values of parameters are refused, and what mkanalyses.awk refuses to build.
source "$TOP/tests/lib.sh"
db=$TMP/run.db
"$TOP/tests/golden/make_db" "$db" "$TOP/tests/golden/run.sql" || exit 1

# refused MESSAGE ARGUMENTS...: exit 2, the message, and no rows
refused() {
	local message=$1 status
	shift
	"$gaspdb" analyze "$@" "$db" >"$TMP/out" 2>"$TMP/err"
	status=$?
	is "refused: $*" "$status $(wc -c <"$TMP/out")" "2 0"
	like "and why" "$(cat "$TMP/err")" "^gaspdb: $message"
}
accepted() {
	"$gaspdb" analyze "$@" "$db" >/dev/null 2>&1
	is "accepted: $*" "$?" 0
}

refused "invalid value 'WRONG' for --by: one of category\|operation\|line\|event\|work is needed$" load-imbalance --by=WRONG
refused "invalid value '' for --by: one of" load-imbalance --by=
refused "invalid value 'line\|' for --by: one of" load-imbalance '--by=line|'
refused "invalid value 'category\|line' for --by: one of" load-imbalance '--by=category|line'
refused "invalid value '2' for --nested: one of 0\|1 is needed$" operations --nested=2
refused "invalid value '-5' for --limit: at least -1 is needed$" waits --limit=-5
refused "invalid value '-3ms' for --min-wait: at least 0 is needed$" waits --min-wait=-3ms
refused "invalid value '-0.5' for --min-share: at least 0 is needed$" worst --min-share=-0.5
refused "invalid value '100' for --min-bytes: sizes are told apart in powers of two, so 0, 1, 2, 4, 8 \.\.\. 1KiB" \
	comm-matrix --min-bytes=100
refused "invalid value '-2' for --below-bytes: sizes are told" comm-matrix --below-bytes=-2
accepted comm-matrix --min-bytes=0 --below-bytes=64KiB
refused "invalid value 'nan' for --min-share: a number is needed$" worst --min-share=nan
refused "invalid value '7' for --thread: this run has 0, 1, 2, 3$" waits --thread=7
refused "invalid value '-1' for --cause: this run has 0, 1, 2, 3$" waits --cause=-1
refused "invalid value 'x' for --thread: a whole number is needed$" profile --thread=x
refused "invalid value 'lokc' for --kind: this run has all-to-all, barrier, late sender, lock$" waits --kind=lokc
refused "invalid value 'sned' for --type: this run has all_to_all, barrier, init, lock, put, receive, send, unlock, ...$" \
	profile --type=sned
refused "invalid value 'x' for --object: this run has counter$" lock-contention --object=x
accepted waits --thread=3
accepted waits '--kind=late sender'
accepted profile --type=send
accepted lock-contention --object=counter
for list in x 0,x '' , 1, 0,,1 -1 1-2 2..1 1.. ..1 1...2 1..2..3 ' 1' 99999999999999999999; do
	refused "invalid value '$list' for --threads: (numbers and ranges are needed, as 0,3..5|this run has 0, 1, 2, 3)$" \
		timeline "--threads=$list"
done
refused "invalid value '2,7' for --threads: this run has 0, 1, 2, 3$" timeline --threads=2,7
refused "invalid value '1..9' for --threads: this run has 0, 1, 2, 3$" timeline --threads=1..9
refused "invalid value '1h' for --from: a number is needed, or one with ns, us, ms or s$" timeline --from=1h
refused "invalid value '-1' for --from: at least 0 is needed$" timeline --from=-1
refused "invalid value 'nan' for --to: a number is needed" timeline --to=nan
accepted timeline --threads=0..1,3
events() {
	"$gaspdb" analyze timeline "$db" --format=csv "$@" 2>/dev/null | sed 1d | cut -d, -f12 | xargs
}
# MPI_Barrier of thread 0 is in [6, 8], of 1 in [7, 8], of 2 in [7.9, 8]; the user's phase of 0 in [1, 9]
for from in 6.5 6500ms 6500000us 6500000000ns; do
	is "a time is $from" "$(events --from=$from --to=7.5s)" "2 6 13"
done
is "threads are numbers and ranges" "$(events --from=7.9 --to=8 --threads=0..1) $(events --from=7.9 --to=8 --threads=1,2)" \
	"2 6 13 13 18"
"$TOP/tests/golden/make_db" "$TMP/empty.db"
"$gaspdb" analyze waits --kind=lock --thread=3 "$TMP/empty.db" >/dev/null 2>"$TMP/err"
is "of what a run has nothing of, any value" "$? $(cat "$TMP/err")" \
	"0 gaspdb: no rows: nothing of the kind was found, of any 'kind'"
"$gaspdb" analyze lock-contention --object=x "$TMP/empty.db" >/dev/null 2>"$TMP/err"
like "and which that is" "$(cat "$TMP/err")" "^gaspdb: no rows: nothing of the kind was found, of any 'object'$"
accepted load-imbalance --by=line
accepted load-imbalance --by=operation --quantity=bytes
accepted operations --nested=1
accepted efficiency --by=host
accepted efficiency --by=time --bins=4 --whole=1
refused "invalid value '5' for --bins: one of 1\|2\|4\|8\|16\|32\|64 is needed$" efficiency --by=time --bins=5
refused "invalid value '7' for --whole: one of 0\|1 is needed$" efficiency --whole=7
refused "invalid value '2' for --whole: one of 0\|1 is needed$" pop --whole=2
is "--list is the list" "$("$gaspdb" analyze --list)" "$("$gaspdb" analyze)"
accepted waits --limit=-1
accepted waits --limit=0
accepted worst --min-share=0.5
like "--help tells them" "$("$gaspdb" analyze --help load-imbalance | tr -s ' \n' ' ')" \
	" by TEXT - what is compared; [^(]*\(one of category\|operation\|line\|event\|work; default category\)"
"$gaspdb" shell "$db" '.analyze load-imbalance by=WRONG' >"$TMP/out" 2>"$TMP/err"
is "the shell, too" "$? $(wc -c <"$TMP/out")" "1 0"
like "and why" "$(cat "$TMP/err")" "invalid value 'WRONG' for --by"

# builds PARAM [GROUP]: does an analysis with that parameter pass mkanalyses.awk?
builds() {
	printf -- '-- summary: x\n-- group: %s\n-- param: %s\n-- column: a TEXT -  x\n--\n-- text\nSELECT :p AS a FROM t ORDER BY a;\n' \
		"${2-time}" "$1" >"$TMP/x.sql"
	LC_ALL=C awk -f "$TOP/sql/mkanalyses.awk" "$TMP/x.sql" 2>&1 >"$TMP/x.c" | sed 's/^.*sql:\([0-9]*\): /\1: /'
}
is "a list" "$(builds 'p TEXT - b  one of a|b: x')" ""
like "in the table" "$(tr -d '\n' <"$TMP/x.c")" '"x",[[:space:]]*"a\|b", NULL'
is "a least value" "$(builds 'p INTEGER - 0  at least -2: x')" ""
like "in the table" "$(tr -d '\n' <"$TMP/x.c")" '"x",[[:space:]]*NULL, "-2"'
is "a power of two" "$(builds 'p INTEGER B 0  power of two: x')" ""
like "in the table" "$(tr -d '\n' <"$TMP/x.c")" '"x",[[:space:]]*NULL, NULL, NULL, true'
is "a text as one" "$(builds 'p TEXT - a  power of two: x')" "3: param 'p' is no whole number, and no power of two"
is "a column" "$(builds 'p TEXT - NULL  found in a.b: x')" ""
like "in the table" "$(tr -d '\n' <"$TMP/x.c")" '"x",[[:space:]]*NULL, NULL, "a.b"'
is "a column and a default" "$(builds 'p TEXT - y  found in a.b: x')" "3: param 'p' is of the run, and has no default"
is "neither" "$(builds 'p TEXT - b  one of these')" ""
like "in the table" "$(tr -d '\n' <"$TMP/x.c")" '"one of these",[[:space:]]*NULL, NULL'
is "a default that is not in the list" "$(builds 'p TEXT - c  one of a|b: x')" "3: default of param 'p' is none of a|b"
is "a default below the least value" "$(builds 'p INTEGER - -3  at least -2: x')" "3: default of param 'p' is below -2"
is "no default" "$(builds 'p TEXT - NULL  one of a|b: x')" ""
is "an empty word" "$(builds 'p TEXT - a  one of a||b: x')" "3: an empty word in 'one of a||b'"
is "a list's column" "$(builds 'p TEXT - NULL  list of a.b: x')" ""
like "in the table" "$(tr -d '\n' <"$TMP/x.c")" '"x",[[:space:]]*NULL, NULL, "a.b", false, true'
is "a list of another type" "$(builds 'p INTEGER - NULL  list of a.b: x')" "3: param 'p' is a list, and so a TEXT"
is "a group that there is not" "$(builds 'p TEXT - NULL  x' other)" "2: there is no group 'other'"
is "no group" "$(sed -i /group/d "$TMP/x.sql"; LC_ALL=C awk -f "$TOP/sql/mkanalyses.awk" "$TMP/x.sql" 2>&1 >/dev/null |
	sed 's/.*sql://')" "2: no '-- group:' line"
is "a unit of no column" "$(builds 'p TEXT - NULL  x' >/dev/null; sed -i 's/a TEXT -/a TEXT :b/' "$TMP/x.sql"
	LC_ALL=C awk -f "$TOP/sql/mkanalyses.awk" "$TMP/x.sql" 2>&1 >/dev/null | sed 's/.*sql://')" \
	"4: the unit of column 'a' is of a column that is not there"
is "a text's least value" "$(builds 'p TEXT - a  at least 1: x')" "3: param 'p' is a text, and has no least value"

# On a terminal tables are cut to its width, elsewhere and in other formats they are not.
widest() {
	awk 'length > n { n = length } END { print n + 0 }'
}
ok "a terminal's table fits" test "$(on_terminal 100 "$gaspdb" analyze overhead "$db" | widest)" -le 100
ok "not through a pipe" test "$("$gaspdb" analyze overhead "$db" | widest)" -gt 100
words() { # without the lines below headings; one of empty values alone has single dashes
	sed -e '/^ *$/d' -e '/--/{/^[- ]*$/d;}' | tr -s ' \n' '\n'
}
is "one of which more than half of a text would be cut is whole" "$(on_terminal 100 "$gaspdb" analyze worst "$db" | words)" "$("$gaspdb" analyze worst "$db" 2>/dev/null | words)"
is "one of many columns, too" "$(on_terminal 100 "$gaspdb" analyze profile "$db" | words)" "$("$gaspdb" analyze profile "$db" 2>/dev/null | words)"
ok "in rows of several lines" test "$(on_terminal 100 "$gaspdb" analyze profile "$db" | widest)" -le 100
is "CSV is whole on a terminal" "$(on_terminal 100 "$gaspdb" analyze profile --format=csv "$db")" "$("$gaspdb" analyze profile --format=csv "$db")"
finish
