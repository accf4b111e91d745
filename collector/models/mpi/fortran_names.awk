# SPDX-License-Identifier: BSD-2-Clause
# The functions of fortran_lines.c, from the symbols of the adapter's other objects: AT(name, NAME) of each wrapped function,
# LARGE(name) of each that has a variant with large counts (_c).
#   nm --defined-only OBJECT... | awk -f fortran_names.awk
# Those that fortran.c has are left out.
$2 == "T" && $3 ~ /^MPIX?_[A-Z][a-z].*_c$/ { large[tolower(substr($3, 1, length($3) - 2))] = 1 }
$2 == "T" && $3 ~ /^MPIX?_[A-Z][a-z]/ && $3 !~ /_c$/ { wrapped[tolower($3)] = 1 }
$3 ~ /^mpi_.*_$/ { there[substr($3, 1, length($3) - 1)] = 1 }
END {
	for (name in wrapped)
		if (!(name in there))
			print "AT(" name ", " toupper(name) ")"
	for (name in large)
		print "LARGE(" name ")"
}
