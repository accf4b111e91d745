/* SPDX-License-Identifier: BSD-2-Clause */
/* MPI-IO, which is not recorded: the log notes, once, that the program opens
   files. */
#include <stdatomic.h>

#include "collector/models/mpi/adapter.h"

GASPDB_EXPORT int MPI_File_open(MPI_Comm comm, const char *name, int mode,
				MPI_Info info, MPI_File *file)
{
	static atomic_flag reported = ATOMIC_FLAG_INIT;
	extern __typeof__(MPI_File_open) *gaspdb_next_MPI_File_open
		GASPDB_HIDDEN;
	struct gaspdb_entry entry = GASPDB_ENTRY(gaspdb_next_MPI_File_open);

	gaspdb_entry_pass(&entry);
	if (!atomic_flag_test_and_set_explicit(&reported, memory_order_relaxed))
		gaspdb_meta("not_seen",
			    "MPI-IO: the program opens files by MPI_File_open, "
			    "and all calls of MPI_File_* count as computation");
	return (entry.to_other ? gaspdb_next_MPI_File_open
			       : PMPI_File_open)(comm, name, mode, info, file);
}
