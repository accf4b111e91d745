/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Places of MPI calls in Fortran programs.  Fortran's functions call those of
 * C, whose caller is a line of MPI's library: so each notes its own caller
 * first.  All arguments are addresses, and each function here reads the
 * greatest number of any; reading more than were passed does no harm on the
 * existing machines.
 */
#include "collector/models/mpi/adapter.h"
#include "collector/models/mpi/fortran.h"

/* clang-format off */

/* A function under the names that compilers use, and those of the mpi_f08
   module: Open MPI's, and MPICH's without and with buffers. */
#define AT(name, NAME)                                                         \
ANY_CASE(name, NAME)                                                           \
PLACE(name##_f08_)                                                             \
PLACE(name##_f08ts_)

/* MPICH's names of its variant with large counts. */
#define LARGE(name)                                                            \
PLACE(name##_f08_large_)                                                       \
PLACE(name##_f08ts_large_)

#define ANY_CASE(name, NAME)                                                   \
PLACE(name##_)                                                                 \
SAME(name, name##_)                                                            \
SAME(name##__, name##_)                                                        \
SAME(NAME, name##_)

#define PLACE(name)                                                            \
gaspdb_mpi_fortran_fn name;                                                    \
GASPDB_EXPORT void name(void *a, void *b, void *c, void *d, void *e, void *f,  \
			void *g, void *h, void *i, void *j, void *k, void *l,  \
			void *m, void *n)                                      \
{                                                                              \
	extern gaspdb_mpi_fortran_fn *gaspdb_next_##name GASPDB_HIDDEN;        \
	gaspdb_mpi_fortran_fn *next =                                          \
		gaspdb_mpi_fortran_next(&gaspdb_next_##name, #name);           \
	struct gaspdb_place outer;                                             \
                                                                               \
	if (!next)                                                             \
		return;                                                        \
	gaspdb_place_note(GASPDB_CALLER, &outer);                              \
	next(a, b, c, d, e, f, g, h, i, j, k, l, m, n);                        \
	gaspdb_place_restore(&outer);                                          \
}

#define SAME(name, as)                                                         \
extern gaspdb_mpi_fortran_fn name GASPDB_EXPORT __attribute__((alias(#as)));

/* Open MPI's names of module mpi for procedures that return a C pointer. */
ANY_CASE(mpi_alloc_mem_cptr, MPI_ALLOC_MEM_CPTR)
ANY_CASE(mpi_win_allocate_cptr, MPI_WIN_ALLOCATE_CPTR)
ANY_CASE(mpi_win_allocate_shared_cptr, MPI_WIN_ALLOCATE_SHARED_CPTR)

/* Each function that is wrapped: fortran_names.awk. */
#include "fortran_names.h"
/* clang-format on */
