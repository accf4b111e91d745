#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Random runs: what gaspdb finds in them, row by row, against tests/reference, to the nanosecond.
# Long.
# REFERENCE_SEEDS=N: how many; REFERENCE_FIRST=N: from which seed on, else 1: the same code passes every day.
. "$TOP/tests/lib.sh"
seeds=${REFERENCE_SEEDS:-$([ -n "${SANITIZE:-}" ] && echo 100 || echo 300)}
first=${REFERENCE_FIRST:-1}
echo "# REFERENCE_FIRST=$first"
compare() {
	PYTHONDONTWRITEBYTECODE=1 "$TOP/tests/reference/compare.py" "$@"
}
ok "$seeds random runs from $first on agree with the reference" compare "$first" "$seeds"
ok "so do larger ones, of which more is missing" compare --large "$first" $((seeds / 10))
finish
