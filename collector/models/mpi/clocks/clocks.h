/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Readings of the hosts' clocks.  The first process of each host is its leader.
 * After MPI_Init, in MPI_Finalize, and every few seconds after a collective of
 * MPI_COMM_WORLD, leaders exchange ping-pongs along the edges of a binomial
 * tree.  They use a communicator of their own; other processes are not
 * concerned.
 */
#ifndef GASPDB_COLLECTOR_MODELS_MPI_CLOCKS_CLOCKS_H
#define GASPDB_COLLECTOR_MODELS_MPI_CLOCKS_CLOCKS_H

#include <mpi.h>

#include "collector/base/compiler.h"
#include "collector/core/clocks/sampler.h"

/* --- sampling.c: the interface -------------------------------------------- */

/* Just before MPI_Init. */
void gaspdb_mpi_clocks_starting(void);
/*
 * Just after MPI_Init, in each process of the world: finds the leaders, and
 * takes the first sample.  c NULL: this process cannot lead.
 */
void gaspdb_mpi_clocks_begin(struct gaspdb_context *c);
/* In MPI_Finalize, before MPI's: takes the last sample. c NULL: sampling
   ends without it. */
void gaspdb_mpi_clocks_end(struct gaspdb_context *c);

extern struct gaspdb_sampler gaspdb_mpi_sampler GASPDB_HIDDEN;

/*
 * After a collective of MPI_COMM_WORLD.  All its processes must have entered it
 * before one leaves it: so none is waited for that waits for this one.
 */
static inline void gaspdb_mpi_clocks_after(struct gaspdb_context *c,
					   uint64_t number)
{
	if (GASPDB_UNLIKELY(gaspdb_sampler_is_due(&gaspdb_mpi_sampler, number)))
		gaspdb_sampler_take(&gaspdb_mpi_sampler, c, number,
				    GASPDB_SAMPLE_SECONDS);
}

/* --- meeting.c ------------------------------------------------------------ */

/* The leaders, by world rank. */
struct gaspdb_mpi_leaders {
	struct gaspdb_leaders l; /* first: the transport finds the others */
	MPI_Comm comm;		 /* MPI_COMM_NULL: this process is none */
	int *ranks;		 /* in MPI_COMM_WORLD */
};

/*
 * Finds the leaders; a collective of the recorded processes of the world.
 * Returns NULL, or why there is no answer.
 */
const char *gaspdb_mpi_leaders_find(struct gaspdb_mpi_leaders *l,
				    bool can_lead);
void gaspdb_mpi_leaders_free(struct gaspdb_mpi_leaders *l);

/* --- messages.c ----------------------------------------------------------- */

/* How leaders send: gaspdb_leaders as in gaspdb_mpi_leaders. */
extern const struct gaspdb_transport gaspdb_mpi_transport GASPDB_HIDDEN;

/* Waits for a request; false: not done until the deadline. */
bool gaspdb_mpi_clock_wait(MPI_Request *request, int64_t deadline,
			   MPI_Status *status);

#endif
