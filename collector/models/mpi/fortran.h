/* SPDX-License-Identifier: BSD-2-Clause */
/* Programs whose MPI calls are Fortran's. */
#ifndef GASPDB_MPI_FORTRAN_H
#define GASPDB_MPI_FORTRAN_H

#include <stdbool.h>

/*
 * Tells the log what will not be seen, if anything (META not_seen).  Returns
 * whether the C calls that do come by are worth recording.
 */
bool gaspdb_mpi_emit_fortran(void);

/* Any function of Fortran's: none has more arguments. */
typedef void gaspdb_mpi_fortran_fn(void *, void *, void *, void *, void *,
				   void *, void *, void *, void *, void *,
				   void *, void *, void *, void *);

/* MPI's function of that name, from its slot (handover.h), which is filled
   where it is empty.  NULL, after a complaint: there is none. */
gaspdb_mpi_fortran_fn *gaspdb_mpi_fortran_next(gaspdb_mpi_fortran_fn **slot,
					       const char *name);

#endif
