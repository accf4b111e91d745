/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Data volume of a collective: the bytes that this process reads and writes.
 * Arguments that MPI ignores in the caller's role may hold anything, so macros
 * evaluate them only for the right role.  In all of them m is the communicator.
 */
#ifndef GASPDB_COLLECTOR_MODELS_MPI_FLOW_H
#define GASPDB_COLLECTOR_MODELS_MPI_FLOW_H

#include "collector/models/mpi/adapter.h"

struct gaspdb_mpi_flow {
	uint64_t sent, received;
};

#define FLOW(sent, received) \
	((struct gaspdb_mpi_flow){ (uint64_t)(sent), (uint64_t)(received) })

/* --- roles ---------------------------------------------------------------- */

enum gaspdb_mpi_role {
	GASPDB_MPI_ROOT,
	GASPDB_MPI_LEAF,
	GASPDB_MPI_BYSTANDER /* in the root's group of an intercommunicator */
};

enum gaspdb_mpi_role gaspdb_mpi_role(const struct gaspdb_mpi_comm *m, int root);
/* The root's world rank; -1: unknown. */
int gaspdb_mpi_root(const struct gaspdb_mpi_comm *m, int root);

#define ROOTED(at_root, at_leaf)                                   \
	(gaspdb_mpi_role(m, root) == GASPDB_MPI_ROOT   ? (at_root) \
	 : gaspdb_mpi_role(m, root) == GASPDB_MPI_LEAF ? (at_leaf) \
						       : FLOW(0, 0))

/* --- blocks --------------------------------------------------------------- */

#define BYTES(count, type) gaspdb_mpi_bytes((MPI_Count)(count), type)

#define IN_PLACE(buffer) ((buffer) == MPI_IN_PLACE)

/* The root's own block: it does not move if in place, and there is none between
   two groups. */
#define OWN(buffer, bytes) (IN_PLACE(buffer) || m->inter ? 0 : (bytes))

/* The rank whose block stays where it is; -1: none. */
#define STAYS(buffer) (IN_PLACE(buffer) ? m->rank : -1)

/* Number of blocks. */
#define BLOCKS(buffer) \
	(uint64_t)(gaspdb_mpi_comm_peers(m)->n - IN_PLACE(buffer))

/* Counts are int, or MPI_Count in calls whose names end with _c. */
struct gaspdb_mpi_counts {
	const int *narrow;
	const MPI_Count *wide;
};

static inline struct gaspdb_mpi_counts gaspdb_mpi_narrow(const int *counts)
{
	return (struct gaspdb_mpi_counts){ counts, NULL };
}

static inline struct gaspdb_mpi_counts gaspdb_mpi_wide(const MPI_Count *counts)
{
	return (struct gaspdb_mpi_counts){ NULL, counts };
}

#define COUNTS(counts) \
	_Generic((counts), const int *: gaspdb_mpi_narrow,                     \
		 const MPI_Count *: gaspdb_mpi_wide)(counts)

/* Bytes of the i-th block. */
uint64_t gaspdb_mpi_block(struct gaspdb_mpi_counts counts, int i,
			  MPI_Datatype type);
/* Bytes of n blocks of one type, or of one type each, except the block that
   stays. */
uint64_t gaspdb_mpi_sum(struct gaspdb_mpi_counts counts, int n, int stays,
			MPI_Datatype type);
uint64_t gaspdb_mpi_sum_each(struct gaspdb_mpi_counts counts, int n, int stays,
			     const MPI_Datatype *types);

#define BLOCK(counts, i, type) gaspdb_mpi_block(COUNTS(counts), i, type)

#define SUM(counts, type, buffer)                                   \
	gaspdb_mpi_sum(COUNTS(counts), gaspdb_mpi_comm_peers(m)->n, \
		       STAYS(buffer), type)
#define SUM_EACH(counts, types, buffer)                                  \
	gaspdb_mpi_sum_each(COUNTS(counts), gaspdb_mpi_comm_peers(m)->n, \
			    STAYS(buffer), types)

#endif
