# SPDX-License-Identifier: BSD-2-Clause
# The functions of fortran_lines.c, AT(name, NAME) of each wrapped function, from the symbols of the adapter's other objects:
#   nm --defined-only OBJECT... | awk -f fortran_names.awk
# Functions with large counts (_c) have no Fortran name of their own; those that fortran.c has are left out.
$2 == "T" && $3 ~ /^MPI_[A-Z][a-z]/ && $3 !~ /_c$/ { wrapped[tolower(substr($3, 5))] = 1 }
$3 ~ /^mpi_.*_$/ { there[substr($3, 5, length($3) - 5)] = 1 }
END {
	for (name in wrapped)
		if (!(name in there))
			print "AT(" name ", " toupper(name) ")"
}
