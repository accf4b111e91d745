/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Persistent collectives, which Open MPI 4 has by other names. */
#ifndef GASPDB_TESTS_PERSISTENT_H
#define GASPDB_TESTS_PERSISTENT_H

#if MPI_VERSION < 4 && defined OPEN_MPI
#include <mpi-ext.h>

#define MPI_Allreduce_init	   MPIX_Allreduce_init
#define MPI_Barrier_init	   MPIX_Barrier_init
#define MPI_Bcast_init		   MPIX_Bcast_init
#define MPI_Neighbor_alltoall_init MPIX_Neighbor_alltoall_init
#define MPI_Reduce_init		   MPIX_Reduce_init
#define MPI_Scan_init		   MPIX_Scan_init
#endif

#endif
