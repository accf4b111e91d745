/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Fortran.  Open MPI's Fortran library calls the PMPI_ functions, which pass us
 * by.  MPICH's calls the MPI_ functions, but for the mpi_f08 module: there only
 * the calls that have a buffer do, so that requests would be seen made and
 * never completed.  Such programs are recognised by their start, which is
 * recorded, as is their end; and the log says what is missing and the cure.
 */
#include <dlfcn.h>
#include <stddef.h>

#include "adapter.h"
#include "fortran.h"

static bool started_by_fortran;

#ifdef OPEN_MPI
#define CURE                                                                   \
	"Open MPI's Fortran library bypasses the functions of C; to record "   \
	"them, compile the program with MPICH (mpif90.mpich) and run it with " \
	"MPICH's mpiexec (mpiexec.hydra)"

bool gaspdb_mpi_tell_fortran(void)
{
	if (started_by_fortran)
		gaspdb_meta("not_seen", "this program's MPI calls are "
					"Fortran's and were not seen: " CURE);
	else if (dlsym(RTLD_DEFAULT, "mpi_send_"))
		gaspdb_meta("not_seen", "MPI calls of the program's Fortran "
					"parts, if any, were not seen: " CURE);
	return true;
}
#else
bool gaspdb_mpi_tell_fortran(void)
{
	if (started_by_fortran)
		gaspdb_meta("not_seen",
			    "this program's MPI calls are Fortran's, through "
			    "the mpi_f08 module, and were not seen: many of "
			    "them bypass the functions of C; to record them, "
			    "write 'use mpi' or include mpif.h");
	return !started_by_fortran;
}
#endif

/* --- the start and the end ------------------------------------------------ */

/* The Fortran library's own, which we stand before. */
static void *next(const char *name)
{
	void *f = dlsym(RTLD_NEXT, name);

	if (!f)
		gaspdb_complain("cannot find '%s' in the MPI library", name);
	return f;
}

/* error may be left out in calls through mpi_f08. */
static bool succeeded(const MPI_Fint *error)
{
	return !error || *error == MPI_SUCCESS;
}

static void init(const char *name, MPI_Fint *error,
		 struct gaspdb_mpi_call *call)
{
	void (*real)(MPI_Fint *) = (void (*)(MPI_Fint *))(size_t)next(name);

	started_by_fortran = true;
	gaspdb_mpi_starting(call);
	if (real)
		real(error);
	gaspdb_mpi_started(call, real && succeeded(error));
}

static void init_thread(const char *name, MPI_Fint *required,
			MPI_Fint *provided, MPI_Fint *error,
			struct gaspdb_mpi_call *call)
{
	void (*real)(MPI_Fint *, MPI_Fint *, MPI_Fint *) = (void (*)(
		MPI_Fint *, MPI_Fint *, MPI_Fint *))(size_t)next(name);

	started_by_fortran = true;
	gaspdb_mpi_starting(call);
	if (real)
		real(required, provided, error);
	gaspdb_mpi_started(call, real && succeeded(error));
}

static void finalize(const char *name, MPI_Fint *error,
		     struct gaspdb_mpi_call *call)
{
	void (*real)(MPI_Fint *) = (void (*)(MPI_Fint *))(size_t)next(name);

	gaspdb_mpi_ending(call);
	if (real)
		real(error);
	gaspdb_mpi_ended(call);
}

/* clang-format off */

#define INIT(name)                                                             \
void name(MPI_Fint *error);                                                    \
GASPDB_EXPORT void name(MPI_Fint *error)                                       \
{                                                                              \
	GASPDB_MPI_CALL_IF(true, INIT, "MPI_Init");                            \
	init(#name, error, &call);                                             \
}

#define INIT_THREAD(name)                                                      \
void name(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *error);            \
GASPDB_EXPORT void name(MPI_Fint *required, MPI_Fint *provided,                \
			MPI_Fint *error)                                       \
{                                                                              \
	GASPDB_MPI_CALL_IF(true, INIT, "MPI_Init_thread");                     \
	init_thread(#name, required, provided, error, &call);                  \
}

#define FINALIZE(name)                                                         \
void name(MPI_Fint *error);                                                    \
GASPDB_EXPORT void name(MPI_Fint *error)                                       \
{                                                                              \
	GASPDB_MPI_CALL_IF(true, FINALIZE, "MPI_Finalize");                    \
	finalize(#name, error, &call);                                         \
}

INIT(mpi_init_f08_)
INIT_THREAD(mpi_init_thread_f08_)
FINALIZE(mpi_finalize_f08_)

/* As Fortran compilers spell them. */
#ifdef OPEN_MPI
INIT(MPI_INIT)
INIT(mpi_init)
INIT(mpi_init_)
INIT(mpi_init__)
INIT_THREAD(MPI_INIT_THREAD)
INIT_THREAD(mpi_init_thread)
INIT_THREAD(mpi_init_thread_)
INIT_THREAD(mpi_init_thread__)
FINALIZE(MPI_FINALIZE)
FINALIZE(mpi_finalize)
FINALIZE(mpi_finalize_)
FINALIZE(mpi_finalize__)
#endif
/* clang-format on */
