/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Readings of the hosts' clocks in OpenSHMEM programs.  Open MPI's OpenSHMEM has
 * MPI below it, started before shmem_init returns: so the MPI adapter's sampling
 * is used, and no symmetric memory.  Words in symmetric memory would have to be
 * allocated by shmem_malloc, which moves the program's own objects; static data
 * of a library that is preloaded are not symmetric.  Other OpenSHMEMs are not
 * sampled.
 */
#ifndef GASPDB_COLLECTOR_MODELS_SHMEM_CLOCKS_H
#define GASPDB_COLLECTOR_MODELS_SHMEM_CLOCKS_H

#include "collector/models/shmem/api.h"

/* The same condition is in the Makefile (SHMEM_CLOCKS_SRC). */
#if defined OSHMEM_SPEC_VERSION && __has_include(<mpi.h>)
#include "collector/models/mpi/clocks/clocks.h"

#define GASPDB_SHMEM_ON_MPI

/* Whether the program has started MPI itself: then the MPI adapter samples. */
static inline bool gaspdb_shmem_mpi_is_programs(void)
{
	int started = 0;

	PMPI_Initialized(&started);
	return started;
}

#define gaspdb_shmem_clocks_starting() gaspdb_mpi_clocks_starting(0, false)
#define gaspdb_shmem_clocks_begin(c)     \
	gaspdb_mpi_clocks_begin(         \
		c, (struct gaspdb_mpi_clock_world){ MPI_COMM_WORLD, 0, 0 })
#define gaspdb_shmem_clocks_after(c, n) gaspdb_mpi_clocks_after(c, n)
#define gaspdb_shmem_clocks_end(c)     gaspdb_mpi_clocks_end(c)
#else
static inline bool gaspdb_shmem_mpi_is_programs(void)
{
	return true;
}

#define gaspdb_shmem_clocks_starting()	((void)0)
#define gaspdb_shmem_clocks_begin(c)	((void)(c))
#define gaspdb_shmem_clocks_after(c, n) ((void)(c), (void)(n))
#define gaspdb_shmem_clocks_end(c)	((void)(c))
#endif

#endif
