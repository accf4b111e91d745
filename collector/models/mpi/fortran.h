/* SPDX-License-Identifier: BSD-2-Clause */
/* Support for MPI programs in Fortran. */
#ifndef GASPDB_COLLECTOR_MODELS_MPI_FORTRAN_H
#define GASPDB_COLLECTOR_MODELS_MPI_FORTRAN_H

#include <stdbool.h>

/* Logs (META not_seen) the calls that will not be recorded, if any.  Returns
   whether the calls of C are worth recording. */
bool gaspdb_mpi_emit_fortran(void);

/* Any Fortran function: none has more arguments. */
typedef void gaspdb_mpi_fortran_fn(void *, void *, void *, void *, void *,
				   void *, void *, void *, void *, void *,
				   void *, void *, void *, void *);

/* MPI's function of a name, from its slot (handover.h), which is filled if
   empty.  NULL, after a complaint: there is none. */
gaspdb_mpi_fortran_fn *gaspdb_mpi_fortran_next(gaspdb_mpi_fortran_fn **slot,
					       const char *name);

#endif
