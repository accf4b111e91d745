# SPDX-License-Identifier: GPL-3.0-or-later
# For tests of pages in a browser: sourced after tests/lib.sh; without d3, node or Chromium the test is skipped.
if ! [ -s "$O/html/page.html" ]; then
	skip "pages" "built without d3"
	finish
fi
for tool in node chromium; do
	command -v $tool >/dev/null || { skip "pages" "no $tool"; finish; }
done
# see TASK PAGE [ARGUMENT...]: what tests/page/page.js sees, in the file seen
see() { timeout 200 node "$TOP/tests/page/page.js" "$@" >seen 2>&1; }
# seen NAME: its values, one a line
seen() { sed -n "s/^$1=//p" seen; }
quiet() { is "$1: no console message, no request" "$(seen failed)$(seen messages) $(seen requests)" " 1"; }
