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
PLACE(mpi_##name##_)                                                           \
SAME(mpi_##name, mpi_##name##_)                                                \
SAME(mpi_##name##__, mpi_##name##_)                                            \
SAME(MPI_##NAME, mpi_##name##_)                                                \
PLACE(mpi_##name##_f08_)                                                       \
PLACE(mpi_##name##_f08ts_)

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

/* AT(name, NAME) of each function that is wrapped: fortran_names.awk. */
#include "fortran_names.h"
/* clang-format on */
