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
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "collector/base/compiler.h"
#include "collector/core/collector.h"

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

/* Number of the collective from which on a sample is due; UINT64_MAX: none. */
extern atomic_uint_least64_t gaspdb_mpi_clocks_due GASPDB_HIDDEN;

void gaspdb_mpi_clocks_sample(struct gaspdb_context *c, uint64_t number);

/*
 * After a collective of MPI_COMM_WORLD.  All its processes must have entered it
 * before one leaves it: so none is waited for that waits for this one.
 */
static inline void gaspdb_mpi_clocks_after(struct gaspdb_context *c,
					   uint64_t number)
{
	if (GASPDB_UNLIKELY(number >= atomic_load_explicit(
						&gaspdb_mpi_clocks_due,
						memory_order_relaxed)))
		gaspdb_mpi_clocks_sample(c, number);
}

/* --- meeting.c ------------------------------------------------------------ */

/* The leaders, by world rank. */
struct gaspdb_mpi_leaders {
	MPI_Comm comm; /* MPI_COMM_NULL: this process is none */
	int me, n;
	int *ranks; /* in MPI_COMM_WORLD */
};

/*
 * Finds the leaders; a collective of the recorded processes of the world.
 * Returns NULL, or why there is no answer.
 */
const char *gaspdb_mpi_leaders_find(struct gaspdb_mpi_leaders *l,
				    bool can_lead);
void gaspdb_mpi_leaders_free(struct gaspdb_mpi_leaders *l);

/* --- messages.c ----------------------------------------------------------- */

enum gaspdb_mpi_clock_word {
	GASPDB_MPI_CLOCK_READY = 1, /* below me all have come to number */
	GASPDB_MPI_CLOCK_PLAN,	    /* values: whether to measure; next number */
	GASPDB_MPI_CLOCK_PING,
	GASPDB_MPI_CLOCK_PONG, /* values: ticks of receipt and of reply */
	GASPDB_MPI_CLOCK_STOP
};

struct gaspdb_mpi_clock_message {
	uint64_t word, number, value[2];
};

/* A deadline from now on, of CLOCK_MONOTONIC. */
int64_t gaspdb_mpi_clock_deadline(unsigned seconds);
/* Waits for a request; false: not done until the deadline. */
bool gaspdb_mpi_clock_wait(MPI_Request *request, int64_t deadline,
			   MPI_Status *status);
/* Both false: an error, too late, or another word came than expected, such as
   STOP. */
bool gaspdb_mpi_clock_send(const struct gaspdb_mpi_leaders *l, int to,
			   struct gaspdb_mpi_clock_message *m,
			   int64_t deadline);
bool gaspdb_mpi_clock_receive(const struct gaspdb_mpi_leaders *l, int from,
			      enum gaspdb_mpi_clock_word word, uint64_t number,
			      struct gaspdb_mpi_clock_message *m,
			      int64_t deadline);
/* Sends a STOP message to the neighbours in the tree: sampling ends. */
void gaspdb_mpi_clock_stop(const struct gaspdb_mpi_leaders *l);

/* The tree: a leader's parent (-1: the root), and its children, the i-th at
   me + 2^i. */
static inline int gaspdb_mpi_clock_parent(const struct gaspdb_mpi_leaders *l)
{
	return l->me ? l->me & (l->me - 1) : -1;
}

static inline int gaspdb_mpi_clock_child(const struct gaspdb_mpi_leaders *l,
					 int i)
{
	const int bit = i < 30 ? 1 << i : 0;

	return bit && !(l->me & ((bit << 1) - 1)) && l->n - l->me > bit
		       ? l->me + bit
		       : -1;
}

/* --- readings.c ----------------------------------------------------------- */

/* The ping-pongs of one sample, by all leaders; false: not complete. */
bool gaspdb_mpi_clock_measure(const struct gaspdb_mpi_leaders *l,
			      struct gaspdb_context *c, uint64_t number);

#endif
