#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# An operation that nobody has heard of takes part by its type: the worked scripts with made-up operations find the same.
. "$TOP/tests/lib.sh"
scripts=()
for file in "$TOP"/tests/worked/*.run; do
	case ${file##*/} in
	delays_team_sets.run) continue ;; # two reasons of equal time, told in the order of their names
	wait_values.run) continue ;;      # a line's operations, listed in that order
	wrong_pair.run) continue ;;       # a synchronous send is known by its name
	esac
	scripts+=("$file")
done
is "made-up operations count as those that they stand for" \
	"$(PYTHONDONTWRITEBYTECODE=1 timeout 800 "$TOP/tests/unheard.py" "${scripts[@]}" 2>&1)" ""
finish
