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

/* Just before MPI_Init; number: of a spawned world, 0: of the run's first, -1:
   not known; apart: the spawn's root is on another host. */
void gaspdb_mpi_clocks_starting(int number, bool apart);

/* A communicator of all processes of a world.  One at a time is sampled. */
struct gaspdb_mpi_clock_world {
	MPI_Comm comm; /* MPI_COMM_WORLD; of a program of sessions another */
	int first;     /* rank in the run of its rank 0; -1: not known */
	int number;    /* of a spawned world; 0: of the run's first */
};

/*
 * Just after MPI_Init, or the creation of the communicator, in each process of
 * the world: finds the leaders, and takes the first sample.  c NULL: this
 * process cannot lead.
 */
void gaspdb_mpi_clocks_begin(struct gaspdb_context *c,
			     struct gaspdb_mpi_clock_world world);
/* In MPI_Finalize, before MPI's: takes the last sample. c NULL: sampling
   ends without it. */
void gaspdb_mpi_clocks_end(struct gaspdb_context *c);

extern struct gaspdb_sampler gaspdb_mpi_sampler GASPDB_HIDDEN;
extern MPI_Comm gaspdb_mpi_sampled GASPDB_HIDDEN; /* MPI_COMM_NULL: none */

/* Before comm is freed by all its processes: the same as the end of MPI, if it
   is the one that is sampled. */
void gaspdb_mpi_clocks_free(struct gaspdb_context *c, MPI_Comm comm);

/*
 * After a collective of the sampled communicator.  All its processes must have
 * entered it before one leaves it: so none is waited for that waits for this
 * one.
 */
static inline void gaspdb_mpi_clocks_after(struct gaspdb_context *c,
					   uint64_t number)
{
	if (GASPDB_UNLIKELY(gaspdb_sampler_is_due(&gaspdb_mpi_sampler, number)))
		gaspdb_sampler_take(&gaspdb_mpi_sampler, c, number,
				    GASPDB_SAMPLE_SECONDS);
}

/* --- meeting.c ------------------------------------------------------------ */

/* The leaders, by rank. */
struct gaspdb_mpi_leaders {
	struct gaspdb_leaders l; /* first: the transport finds the others */
	MPI_Comm comm;		 /* MPI_COMM_NULL: this process is none */
	int *ranks;		 /* in the run */
	/* The transport's: the tag; the rank on comm of the one other leader,
	   -1: of each its number; buffers, which stay */
	int tag, other;
	struct gaspdb_leaders_message sent, received;
};
#define GASPDB_MPI_NO_LEADERS \
	{ .l.by = &gaspdb_mpi_transport, .comm = MPI_COMM_NULL, .other = -1 }

/*
 * Finds the leaders; a collective of the recorded processes of the world.
 * Returns NULL, or why there is no answer.
 */
const char *gaspdb_mpi_leaders_find(struct gaspdb_mpi_leaders *l,
				    const struct gaspdb_mpi_clock_world *world,
				    bool can_lead);
void gaspdb_mpi_leaders_free(struct gaspdb_mpi_leaders *l);

/* --- messages.c ----------------------------------------------------------- */

/* How leaders send: gaspdb_leaders as in gaspdb_mpi_leaders. */
extern const struct gaspdb_transport gaspdb_mpi_transport GASPDB_HIDDEN;

#define GASPDB_MPI_LINK_TAG 0x5ac4 /* meeting.c has others */

/* Waits for a request; false: not done until the deadline. */
bool gaspdb_mpi_clock_wait(MPI_Request *request, int64_t deadline,
			   MPI_Status *status);

/* Whether clocks are compared: as the option says. */
bool gaspdb_mpi_clocks_are_linked(void);

/* --- link.c --------------------------------------------------------------- */

/*
 * One sample between two worlds, just after a spawn: its root and its first
 * child compare their clocks over the communicator between them.  Each is called
 * only if the other side comes, too.  peer: the other's rank in the run; root:
 * the root's rank in its group.
 */
void gaspdb_mpi_clocks_link_child(struct gaspdb_context *c, MPI_Comm inter,
				  int peer);
void gaspdb_mpi_clocks_link_root(struct gaspdb_context *c, MPI_Comm inter,
				 int root, int peer);

#endif
