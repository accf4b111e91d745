# SPDX-License-Identifier: BSD-2-Clause
# From the event tables: the tag of each event in the gasp_upc.h at hand, which may lack some.
# Output: TAG(tag macro, event) for those it has.
/^EVENT\(/ {
	match($0, /\([A-Z_0-9]+/)
	ident = substr($0, RSTART + 1, RLENGTH - 1)
	printf "#ifdef GASP_%s\nTAG((GASP_%s), GASPDB_EVENT_%s)\n#endif\n", ident, ident, ident
}
END { print "#undef TAG" }
