/* SPDX-License-Identifier: BSD-2-Clause */
/* Sizes of the data that a collective moves: see flow.h. */
#include "collector/models/mpi/flow.h"

enum gaspdb_mpi_role gaspdb_mpi_role(const struct gaspdb_mpi_comm *m, int root)
{
	if (!m->inter)
		return root == m->rank ? GASPDB_MPI_ROOT : GASPDB_MPI_LEAF;
	if (root == MPI_ROOT)
		return GASPDB_MPI_ROOT;
	return root == MPI_PROC_NULL ? GASPDB_MPI_BYSTANDER : GASPDB_MPI_LEAF;
}

int gaspdb_mpi_root(const struct gaspdb_mpi_comm *m, int root)
{
	const struct gaspdb_mpi_ranks *own;

	if (!m || !m->inter || root != MPI_ROOT)
		return gaspdb_mpi_comm_peer(m, root);
	own = &m->local;
	return own->list ? own->list[m->rank]
			 : own->start + m->rank * own->stride;
}

/* A count; 0 without a list, which MPI refuses. */
static MPI_Count count_at(struct gaspdb_mpi_counts counts, int i)
{
	if (counts.narrow)
		return counts.narrow[i];
	return counts.wide ? counts.wide[i] : 0;
}

uint64_t gaspdb_mpi_block(struct gaspdb_mpi_counts counts, int i,
			  MPI_Datatype type)
{
	return gaspdb_mpi_bytes(count_at(counts, i), type);
}

uint64_t gaspdb_mpi_sum(struct gaspdb_mpi_counts counts, int n, int stays,
			MPI_Datatype type)
{
	MPI_Count sum = 0;

	for (int i = 0; i < n; i++)
		if (i != stays)
			sum += count_at(counts, i);
	return gaspdb_mpi_bytes(sum, type);
}

uint64_t gaspdb_mpi_sum_each(struct gaspdb_mpi_counts counts, int n, int stays,
			     const MPI_Datatype *types)
{
	uint64_t sum = 0;

	for (int i = 0; types && i < n; i++)
		if (i != stays)
			sum += gaspdb_mpi_bytes(count_at(counts, i), types[i]);
	return sum;
}
