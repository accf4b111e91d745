/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Validity of handles and error codes, checked without reaching the program's
 * error handlers: MPI reports a query with an unknown handle to the handler of
 * MPI_COMM_WORLD or MPI_COMM_SELF, which counts the call or ends the program.
 * Open MPI's handles are pointers; its queries refuse null ones and freed
 * communicators.  MPICH's are numbers with the kind of object: datatypes and
 * groups are checked by kind, communicators and groups also by MPICH's tables.
 * Otherwise a call on a communicator of the adapter's own decides, which
 * returns the error.
 */
#include <stdio.h>

#include "collector/models/mpi/adapter.h"

#ifdef OPEN_MPI

bool gaspdb_mpi_comm_is_valid(MPI_Comm comm)
{
	/* Both conversions read a table and raise no error. */
	return comm && comm != MPI_COMM_NULL &&
	       PMPI_Comm_f2c(PMPI_Comm_c2f(comm)) == comm;
}

bool gaspdb_mpi_group_is_valid(MPI_Group group)
{
	return group && group != MPI_GROUP_NULL;
}

void gaspdb_mpi_valid_init(MPI_Group self)
{
	(void)self;
}

void gaspdb_mpi_valid_fini(void)
{
}

/* Classes are codes too; other codes come from MPI_Add_error_code, and an
   attribute holds the last. */
static bool code_is_valid(int code)
{
	int *last = NULL, found = 0;

	if (code <= MPI_ERR_LASTCODE)
		return code >= 0;
	PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &found);
	return found && code <= *last;
}

#else

/* A communicator of this process alone, made before the program has threads,
   error handlers or attributes. */
static MPI_Comm own = MPI_COMM_NULL;

/* Makes a communicator of this process, where MPI_COMM_SELF may not exist. */
static bool make_own(MPI_Group self, int number, MPI_Comm *made)
{
#if MPI_VERSION >= 4
	char name[64];

	if (self != MPI_GROUP_NULL) {
		snprintf(name, sizeof name, "gaspdb %d", number);
		return PMPI_Comm_create_from_group(self, name, MPI_INFO_NULL,
						   MPI_ERRORS_RETURN,
						   made) == MPI_SUCCESS;
	}
#endif
	(void)self, (void)number;
	return PMPI_Comm_dup(MPI_COMM_SELF, made) == MPI_SUCCESS;
}

/*
 * MPICH reuses the lowest free handle.  The last of a few is kept, so that the
 * program's communicators have their usual handles, and a freed one is not
 * ours.
 */
void gaspdb_mpi_valid_init(MPI_Group self)
{
	enum { FEW = 8 };
	MPI_Comm made[FEW];
	int n = 0;

	while (n < FEW && make_own(self, n, &made[n]))
		n++;
	if (n == 0)
		return;
	own = made[--n];
	while (n > 0)
		PMPI_Comm_free(&made[--n]);
	PMPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
}

bool gaspdb_mpi_comm_is_valid(MPI_Comm comm)
{
	int result;

	return own != MPI_COMM_NULL &&
	       gaspdb_mpi_is_of_kind(comm, MPI_COMM_NULL) &&
	       PMPI_Comm_compare(own, comm, &result) == MPI_SUCCESS;
}

/* An MPICH built without checks of arguments refuses nothing. */
static bool checks_arguments(void)
{
	int bytes;

	return PMPI_Pack_size(-1, MPI_BYTE, own, &bytes) != MPI_SUCCESS;
}

/* The call always fails, but checks the group first, with an error class of its
   own. */
static bool is_known_group(MPI_Group group)
{
	int rc, class = MPI_ERR_GROUP;

	if (own == MPI_COMM_NULL)
		return false;
	if (!checks_arguments())
		return true;
	rc = PMPI_Comm_create_group(own, group, -1, NULL);
	PMPI_Error_class(rc, &class);
	return class != MPI_ERR_GROUP;
}

/*
 * Groups beyond the first few are not in a table of fixed size, and take the
 * slower test.  The last accepted one is cached: its place in the table stays.
 */
bool gaspdb_mpi_group_is_valid(MPI_Group group)
{
	static const unsigned indirect = 3;
	static _Atomic MPI_Group accepted = MPI_GROUP_NULL;

	if (!gaspdb_mpi_is_of_kind(group, MPI_GROUP_NULL))
		return false;
	if ((unsigned)group >> 30 != indirect || group == accepted)
		return true;
	if (!is_known_group(group))
		return false;
	accepted = group;
	return true;
}

void gaspdb_mpi_valid_fini(void)
{
	if (own != MPI_COMM_NULL)
		PMPI_Comm_free(&own);
}

/* MPICH reads the class from any number. */
static bool code_is_valid(int code)
{
	(void)code;
	return true;
}

#endif

int gaspdb_mpi_error_class(int code)
{
	int class = MPI_ERR_UNKNOWN;

	if (code == MPI_SUCCESS)
		return MPI_SUCCESS;
	if (code_is_valid(code))
		PMPI_Error_class(code, &class);
	return class;
}
