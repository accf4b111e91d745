/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mpi_neighbors FAULT, of 4 ranks: collectives among neighbours.
 *   blocking, begun, persistent  in a graph rank 1 receives from 0,
 *          which comes late, and 2 and 3 from each other; begun:
 *          MPI_Ineighbor_alltoallv, completed by MPI_Wait.  Prints `fault:
 *          FAULT 0 cases N seconds S`, S: from when rank 1 begins to wait to
 *          when rank 0 begins, by their own clock.  2 and 3 have other work
 *          for half of the time: what they wait in MPI_Finalize is another
 *          fault, and clearly less, but surely 0 and 1 come there last
 *   topologies  one communicator of each, whose names and members' neighbours
 *          the script knows; an empty block from a late neighbour
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "persistent.h"
#include "work.h"

#define ROUNDS 8
#define LATE   0.06 /* seconds */

static double mine[ROUNDS]; /* when rank 0 came, or rank 1 began to wait */
static int me;
static const int weights[] = { 1, 1, 1, 1 };

static MPI_Comm adjacent(int n_in, const int *in, int n_out, const int *out,
			 const char *name)
{
	MPI_Comm comm;

	MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, n_in, in, weights, n_out,
				       out, weights, MPI_INFO_NULL, 0, &comm);
	MPI_Comm_set_name(comm, name);
	return comm;
}

static MPI_Comm one_late(void)
{
	static const int from[] = { -1, 0, 3, 2 }, to[] = { 1, -1, 3, 2 };

	return adjacent(from[me] >= 0, &from[me], to[me] >= 0, &to[me], "late");
}

static void come(int i)
{
	if (me == 0)
		work(LATE);
	mine[i] = now();
}

static void blocking(MPI_Comm comm, int i)
{
	int all[4];

	come(i);
	MPI_Neighbor_allgather(&me, 1, MPI_INT, all, 1, /* LATE blocking */
			       MPI_INT, comm);
}

static void begun(MPI_Comm comm, int i)
{
	int all[4], counts[] = { 1 }, places[] = { 0 };
	MPI_Request request;

	come(i);
	MPI_Ineighbor_alltoallv(&me, counts, places, /* LATE begun */
				MPI_INT, all, counts, places, MPI_INT, comm,
				&request);
	MPI_Wait(&request, MPI_STATUS_IGNORE); /* WAIT begun */
}

static void persistent(MPI_Comm comm, int i)
{
	static MPI_Request request;
	static int all[4];

	if (i == 0)
		MPI_Neighbor_alltoall_init(&me, 1, MPI_INT, all, 1, MPI_INT,
					   comm, MPI_INFO_NULL, &request);
	come(i);
	MPI_Start(&request); /* LATE persistent */
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void tell(const char *fault)
{
	double others[ROUNDS], seconds = 0;

	if (me == 1)
		MPI_Send(mine, ROUNDS, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
	if (me != 0)
		return;
	MPI_Recv(others, ROUNDS, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD,
		 MPI_STATUS_IGNORE);
	for (int i = 0; i < ROUNDS; i++)
		if (mine[i] > others[i])
			seconds += mine[i] - others[i];
	printf("fault: %s 0 cases %d seconds %.6f\n", fault, ROUNDS, seconds);
}

/* --- topologies ----------------------------------------------------------- */

/* With loops, and one twice. */
static void loops(void)
{
	static const int in[][3] = { { 0, 0, 1 }, { 0 }, { 3, 0, 1 }, { 2 } },
			 out[][3] = { { 0, 0, 2 }, { 0, 2 }, { 3 }, { 2 } };
	static const int n_in[] = { 3, 0, 3, 1 }, n_out[] = { 3, 2, 1, 1 };

	adjacent(n_in[me], in[me], n_out[me], out[me], "loops");
}

/* Rank 0 tells all of 0 -> 1, 0 -> 2, 1 -> 2, 3 -> 0. */
static void told_by_one(void)
{
	static const int from[] = { 0, 1, 3 }, degrees[] = { 2, 1, 1 },
			 to[] = { 1, 2, 2, 0 };
	MPI_Comm comm;

	MPI_Dist_graph_create(MPI_COMM_WORLD, me ? 0 : 3, from, degrees, to,
			      weights, MPI_INFO_NULL, 0, &comm);
	MPI_Comm_set_name(comm, "one");
}

/* Two rows with an edge, two columns in a circle; its copy, and a circle of
   one. */
static void grids(void)
{
	static const int sizes[] = { 2, 2 }, circles[] = { 0, 1 },
			 one[] = { 1 };
	int in[4], out[4] = { 0 };
	MPI_Comm grid, copy, self;

	MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, circles, 0, &grid);
	MPI_Comm_set_name(grid, "grid");
	MPI_Comm_dup(grid, &copy);
	MPI_Comm_set_name(copy, "copy");
	MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, copy);
	MPI_Cart_create(MPI_COMM_SELF, 1, one, one, 0, &self);
	MPI_Comm_set_name(self, me ? "" : "self");
}

static void graph(void)
{
	static const int index[] = { 2, 3, 4, 6 },
			 edges[] = { 1, 3, 0, 3, 0, 2 };
	MPI_Comm comm;

	MPI_Graph_create(MPI_COMM_WORLD, 4, index, edges, 0, &comm);
	MPI_Comm_set_name(comm, "graph");
}

/* Rank 0, which is late, has a block for 3 and an empty one for 2, that
   receives from 1, too. */
static void empty_block(void)
{
	static const int in[] = { 0, 1 }, out[] = { 2, 3 }, places[] = { 0, 1 };
	static const int n_in[] = { 0, 0, 2, 1 }, n_out[] = { 2, 1, 0, 0 };
	const int gets[] = { me == 3, 1 }, sends[] = { me == 1, 1 };
	MPI_Comm comm = adjacent(n_in[me], in, n_out[me], out, "empty");
	int came[2], sent[] = { 0, 0 };

	if (me == 0)
		work(LATE);
	MPI_Neighbor_alltoallv(sent, sends, places, MPI_INT, came, gets, places,
			       MPI_INT, comm);
}

static void topologies(void)
{
	loops();
	told_by_one();
	empty_block();
	grids();
	graph();
}

int main(int argc, char **argv)
{
	const char *fault = argc > 1 ? argv[1] : "";
	MPI_Comm comm;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	if (!strcmp(fault, "topologies")) {
		topologies();
	} else {
		comm = one_late();
		for (int i = 0; i < ROUNDS; i++)
			(!strcmp(fault, "begun")	? begun
			 : !strcmp(fault, "persistent") ? persistent
							: blocking)(comm, i);
		if (me > 1)
			work(ROUNDS * LATE / 2);
		tell(fault);
	}
	MPI_Finalize();
	return 0;
}
