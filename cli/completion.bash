# SPDX-License-Identifier: GPL-3.0-or-later
# Completion of gaspdb for bash.  What there is, the command itself tells.

# The options of a command, as --name or --name=
_gaspdb_options() {
	"$1" --list="options:$2" 2>/dev/null | cut -f1 | sed -n 's/.*\(--[a-z-]*\)\(=\{0,1\}\).*/\1\2/p'
}

# The analysis that the command line names, if it does
_gaspdb_analysis() {
	local word name
	for word in "${COMP_WORDS[@]:2}"; do
		for name in $("$1" --list=analyses 2>/dev/null); do
			[ "$word" = "$name" ] && echo "$name" && return
		done
	done
}

# The values of an analysis' parameter --name, one a line, if they are known
_gaspdb_values() {
	local name=${2#--}
	"$1" --list="parameters:$(_gaspdb_analysis "$1")" 2>/dev/null | sed -n "s/^$name\t//p" | tr '|' '\n'
}

_gaspdb_words() {
	local command=$1 sub=$2 cur=$3 analysis
	case $sub:$cur in
	*:-*)
		_gaspdb_options "$command" "$sub"
		if [ "$sub" = analyze ]; then
			analysis=$(_gaspdb_analysis "$command")
			[ -z "$analysis" ] || "$command" --list="parameters:$analysis" 2>/dev/null | cut -f1 | sed 's/.*/--&=/'
		fi
		;;
	help:*) [ "$COMP_CWORD" -gt 2 ] || "$command" --list=commands 2>/dev/null ;;
	analyze:*) [ -n "$(_gaspdb_analysis "$command")" ] || "$command" --list=analyses 2>/dev/null ;;
	events:*) "$command" --list=events 2>/dev/null ;;
	esac
}

_gaspdb() {
	local command=$1 cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} sub=${COMP_WORDS[1]-}
	COMPREPLY=()
	if [ "$COMP_CWORD" -eq 1 ]; then
		mapfile -t COMPREPLY < <(compgen -W "$("$command" --list=commands 2>/dev/null) help --help --version" -- "$cur")
		return
	fi
	# bash parts --format=csv at the =
	if [ "$cur" = = ]; then
		cur=
	elif [ "$prev" = = ]; then
		prev=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	if [ "$prev" = --format ]; then
		mapfile -t COMPREPLY < <(compgen -W "$("$command" --list=formats 2>/dev/null)" -- "$cur")
		return
	fi
	if [ "$sub:$prev" = compare:--by ]; then
		mapfile -t COMPREPLY < <(compgen -W "line function operation" -- "$cur")
		return
	fi
	if [ "$sub" = analyze ] && [[ $prev == --* ]]; then
		mapfile -t COMPREPLY < <(IFS=$'\n' && compgen -W "$(_gaspdb_values "$command" "$prev")" -- "$cur")
		[ "${#COMPREPLY[@]}" -eq 0 ] || compopt -o filenames 2>/dev/null # quotes blanks
		return
	fi
	if [ "$prev" = --only ] || [ "$prev" = --except ]; then
		mapfile -t COMPREPLY < <(compgen -W "$("$command" --list=events 2>/dev/null)" -- "$cur")
		return
	fi
	mapfile -t COMPREPLY < <(compgen -W "$(_gaspdb_words "$command" "$sub" "$cur")" -- "$cur")
	[[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace 2>/dev/null
	case $sub:$cur in
	*:-* | help:*) return ;;
	analyze:*) [ "${#COMPREPLY[@]}" -eq 0 ] || return ;;
	record:*) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -c -- "$cur") ;;
	esac
	mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$cur")
	compopt -o filenames 2>/dev/null
}

complete -F _gaspdb gaspdb
