/* SPDX-License-Identifier: BSD-2-Clause */
/* Programs whose MPI calls are Fortran's. */
#ifndef GASPDB_MPI_FORTRAN_H
#define GASPDB_MPI_FORTRAN_H

#include <stdbool.h>

/*
 * Tells the log what will not be seen, if anything (META not_seen).  Returns
 * whether the C calls that do come by are worth recording.
 */
bool gaspdb_mpi_tell_fortran(void);

#endif
