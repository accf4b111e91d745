#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The command line: help, man page and completion say the same; what is wrong is refused.
source "$TOP/tests/lib.sh"
man=$TOP/cli/gaspdb.1
# The page's text, without the macros.
plain() { sed 's/\\-/-/g; s/\\e/\\/g' "$man"; }

is "version" "$("$gaspdb" --version)" "gaspdb $(cat "$TOP/VERSION")"
like "help lists the commands" "$("$gaspdb" --help)" "^  import +convert a run into one SQLite file"
is "the man page's synopses are the commands'" \
	"$(plain | sed -n '/^\.SH SYNOPSIS/,/^\.SH DESC/{/^gaspdb /p}' | grep -v -e ' --help$' -e ' --version$')" \
	"$("$gaspdb" --list=synopses)"
is "every command has its section in the man page" \
	"$(plain | sed -n 's/^\.SS //p')" "$("$gaspdb" --list=commands)"

# A command's options in the man page: pairs of lines after .TP in its section.
man_options() {
	plain | awk -v name="$1" '/^\.S[SH]/ { on = $1 == ".SS" && $2 == name }
		on && /^\.TP/ { getline option; getline doc; printf "%s\t%s\n", option, doc }'
}
for command in $("$gaspdb" --list=commands); do
	is "$command: --help begins with its synopsis" "$("$gaspdb" "$command" --help | head -1)" \
		"usage: $("$gaspdb" --list=synopses | grep "^gaspdb $command\b")"
	is "$command: the man page's options are its own" "$(man_options "$command")" \
		"$("$gaspdb" --list=options:"$command")"
	is "$command: 'gaspdb help' is --help" "$("$gaspdb" help "$command")" "$("$gaspdb" "$command" --help)"
	is "$command: what its options do stands in one column" "$("$gaspdb" --list=options:"$command" | cut -f2 |
		while read -r doc; do "$gaspdb" "$command" --help | awk -v doc="$doc" 'index($0, doc) { print index($0, doc) }'
		done | sort -u | wc -l)" 1
	ok "$command: --help fits 100 columns" awk 'length > 100 { exit 1 }' <("$gaspdb" "$command" --help)
	"$gaspdb" "$command" --no-such-option >"$TMP/out" 2>"$TMP/err"
	is "$command: an unknown option is a usage error" "$? $(wc -c <"$TMP/out")" "2 0"
	like "$command: which it names" "$(cat "$TMP/err")" "^gaspdb: $command: unknown option '--no-such-option'$"
done

"$gaspdb" >"$TMP/out" 2>"$TMP/err"
is "no command is a usage error" "$? $(wc -c <"$TMP/out")" "2 0"
"$gaspdb" imprt >"$TMP/out" 2>"$TMP/err"
is "so is one that there is not" "$?" 2
like "a near one is proposed" "$(cat "$TMP/err")" "did you mean 'import'"
# proposes NAME ARGUMENT...: a mistake in which NAME is what was meant
proposes() {
	local name=$1 err
	shift
	err=$("$gaspdb" "$@" 2>&1 >"$TMP/out")
	is "'$*': $name is proposed" "$? $(wc -c <"$TMP/out") $(grep -o "did you mean '.*'?" <<<"$err")" \
		"2 0 did you mean '$name'?"
}
proposes lock-contention analyze lock_contentoin x.db
proposes waits analyze waist
proposes waits analyze --help wats
proposes --limit analyze waits x.db --limt=3
proposes --min-wait analyze waits x.db --min_wiat=3
proposes --max-log-size record --max_log_sise=1M true
proposes --force import --forec x
proposes MPI_Send events mpi_sendd
proposes shmem_put events shmem_long_put
"$gaspdb" analyze nothing 2>"$TMP/err"
is "nothing is proposed where nothing is near" "$? $(cat "$TMP/err")" \
	"2 gaspdb: there is no analysis 'nothing'; 'gaspdb analyze' lists them"
"$gaspdb" analyze x.db threads 2>"$TMP/err"
is "the file before the analysis" "$? $(head -1 "$TMP/err")" \
	"2 gaspdb: analyze: the analysis comes before the file"
is "'gaspdb help' tells of an analysis too" "$("$gaspdb" help analyze waits)" "$("$gaspdb" analyze --help waits)"
for arguments in "report" "report a b" "info" "import" "shell" "analyze threads" "record" "import -o" \
	"compare a" "compare a b c" "compare --by=file a b" "compare --limit=x a b" \
	"analyze --format=xml threads x" "shell --format=xml x" "analyze nothing x.db" "report --help=x"; do
	# shellcheck disable=SC2086
	"$gaspdb" $arguments >"$TMP/out" 2>"$TMP/err"
	is "'$arguments' is a usage error" "$? $(wc -c <"$TMP/out")" "2 0"
done

for command in report info "shell -" "analyze threads"; do
	# shellcheck disable=SC2086
	"$gaspdb" ${command% -} "$TMP/nothing.db" 2>"$TMP/err"
	is "$command: a file that is not there fails" "$?" 1
	like "$command: the error names file and cause" "$(cat "$TMP/err")" \
		"^gaspdb: cannot open '$TMP/nothing.db': No such file or directory$"
done
echo "no database" >"$TMP/text"
"$gaspdb" info "$TMP/text" 2>"$TMP/err"
is "info: a file that is nothing known fails" "$? $(cat "$TMP/err")" \
	"1 gaspdb: '$TMP/text' is neither a run directory, nor an archive of one, nor a log, or it is cut: it has only 12 bytes"
for command in report shell "analyze threads"; do
	# shellcheck disable=SC2086
	"$gaspdb" $command "$TMP/text" </dev/null 2>"$TMP/err"
	is "$command: a file that is no database fails" "$? $(cat "$TMP/err")" \
		"1 gaspdb: '$TMP/text' is not a gaspdb database"
done
sqlite3 "$TMP/other.db" 'CREATE TABLE x(a)'
"$gaspdb" report "$TMP/other.db" 2>"$TMP/err"
is "another program's database too" "$? $(cat "$TMP/err")" "1 gaspdb: '$TMP/other.db' is not a gaspdb database"
"$TOP/tests/golden/make_db" "$TMP/new.db" <(echo "PRAGMA user_version = 999;")
"$gaspdb" report "$TMP/new.db" 2>"$TMP/err"
is "a newer schema fails" "$?" 1
like "and says what to do" "$(cat "$TMP/err")" "schema version 999.*use a newer gaspdb"
mkdir "$TMP/run"
"$gaspdb" report "$TMP/run" 2>"$TMP/err"
is "a folder fails" "$?" 1
like "and a run directory is told to be imported" "$(cat "$TMP/err")" "gaspdb import $TMP/run"

"$TOP/tests/golden/make_db" "$TMP/empty.db"
# Options have dashes; underscores do as well, and are mentioned nowhere.
for name in min-share min_share; do
	"$gaspdb" analyze worst "$TMP/empty.db" --$name=2 >/dev/null 2>"$TMP/err"
	is "--$name" "$? $(grep -c 'no rows' "$TMP/err")" "0 1"
	err=$("$gaspdb" analyze waits "$TMP/empty.db" --$name=2 2>&1)
	is "--$name where there is none" "$? $(grep -o "no parameter '[^']*'" <<<"$err")" "2 no parameter 'min-share'"
	err=$("$gaspdb" analyze worst "$TMP/empty.db" --$name=x 2>&1)
	is "--$name=x" "$? $(grep -o "for --[^:]*:" <<<"$err")" "2 for --min-share:"
done
is "--max_size of record" "$("$gaspdb" record --max_size=3M -o "$TMP/size" sh -c 'echo $GASPDB_MAX_RUN_SIZE' 2>/dev/null)" 3145728
for analysis in $("$gaspdb" --list=analyses); do
	"$gaspdb" analyze --help "$analysis" | sed '/^SQL:/,$d' | grep -E -e '--[a-z]+_' && echo "# $analysis"
done >"$TMP/out"
is "no help has an option with an underscore" "$(cat "$TMP/out")" ""
is "nor has a page" "$(grep -nE -e '--[a-z-]+_[a-z]' "$TOP"/README.md "$TOP"/docs/*.md "$TOP"/*/README.md <(plain))" ""
"$gaspdb" analyze >/dev/full 2>"$TMP/err"
is "a full disk is noticed" "$? $(cat "$TMP/err")" \
	"1 gaspdb: cannot write to standard output: No space left on device"
for command in report info "analyze threads" "shell"; do
	# shellcheck disable=SC2086
	"$gaspdb" $command "$TMP/empty.db" </dev/null >"$TMP/out" 2>"$TMP/err"
	is "$command: an empty database is no error" "$?" 0
done
mkdir "$TMP/a folder" && cp "$TMP/empty.db" "$TMP/a folder/50% done?#.db"
"$gaspdb" shell "$TMP/a folder/50% done?#.db" "SELECT 1" >/dev/null
is "any file name will do" "$?" 0
chmod 500 "$TMP/a folder"
is "nothing is left beside the database" "$(ls "$TMP/a folder")" "50% done?#.db"

# What events there are
bad=0
for event in $("$gaspdb" --list=events); do
	"$gaspdb" events "$event" | head -1 | grep -q "^$event: ." || { echo "# $event"; bad=$((bad + 1)); }
done
is "every event is described" "$bad" 0
is "the list of events has them all" "$("$gaspdb" events | grep -c '^  [A-Z]')" "$("$gaspdb" --list=events | wc -l)"
like "an event by its short name" "$("$gaspdb" events upc_memget)" "^GASP_UPC_MEMGET: "
like "the events of a model" "$("$gaspdb" events OpenSHMEM)" "^  SHMEM_INIT "
"$gaspdb" events nothing >"$TMP/out" 2>"$TMP/err"
is "an event that there is not" "$? $(wc -c <"$TMP/out")" "2 0"

# bash completion, called as bash calls it
complete_words() {
	PATH=$(dirname "$gaspdb"):$PATH bash -c 'source "$0"; shift 0; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
		_gaspdb gaspdb 2>/dev/null; echo "${COMPREPLY[*]}"' "$TOP/cli/completion.bash" "$@"
}
is "completion: commands" "$(complete_words gaspdb a)" analyze
is "completion: analyses" "$(complete_words gaspdb analyze comm-)" comm-matrix
is "completion: options" "$(complete_words gaspdb import --f)" --force
is "completion: formats" "$(complete_words gaspdb analyze --format = c)" "csv column"
is "completion: what is compared" "$(complete_words gaspdb compare --by = f)" function
is "completion: parameters" "$(complete_words gaspdb analyze profile --lim)" --limit=
is "completion: with dashes" "$(complete_words gaspdb analyze worst --min)" --min-share=
is "completion: none with underscores" "$(complete_words gaspdb analyze worst --min_)" ""
is "completion: their values" "$(complete_words gaspdb analyze overlap --by = t)" thread
is "completion: values with blanks" "$(complete_words gaspdb analyze avoidable-accesses --kind = re)" "repeated get"
is "completion: what there is help of" "$(complete_words gaspdb help ana)" analyze
finish
