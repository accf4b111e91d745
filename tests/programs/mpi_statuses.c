/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mpi_statuses, of 2 ranks: completions whose status MPI may not have set.
 * Messages, each way:
 *   tag 0    8 bytes, a receive of MPI_PROC_NULL's at the same time
 *   tag 1    5 of at most 20 bytes, twice by persistent requests
 *   tag 2    3 bytes: the first MPI_Startall of its two requests is refused
 * and with MPI 4, by MPI_Isendrecv,
 *   tag 6    8 bytes, completed by MPI_Waitall
 *   tag 0    16 bytes, completed by MPI_Test, named
 *   tag 8    20 bytes, MPI_Isendrecv_replace, from anyone: the other end may
 *            not be known
 */
#include <mpi.h>
#include <stdio.h>

#define WORLD MPI_COMM_WORLD

static char in[64], out[64];
static int me;

static void plain(void)
{
	MPI_Request r[3];

	MPI_Irecv(in, 8, MPI_BYTE, MPI_PROC_NULL, 0, WORLD, &r[0]);
	MPI_Irecv(in, 8, MPI_BYTE, !me, 0, WORLD, &r[1]);
	MPI_Isend(out, 8, MPI_BYTE, !me, 0, WORLD, &r[2]);
	MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
}

static void persistent(void)
{
	MPI_Request r[2];
	int done;

	MPI_Recv_init(in, 20, MPI_BYTE, !me, 1, WORLD, &r[0]);
	MPI_Send_init(out, 5, MPI_BYTE, !me, 1, WORLD, &r[1]);
	for (int i = 0; i < 2; i++) {
		MPI_Startall(2, r);
		MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
		MPI_Testall(2, r, &done, MPI_STATUSES_IGNORE); /* inactive */
	}
	MPI_Request_free(&r[0]);
	MPI_Request_free(&r[1]);
}

static void refused(void)
{
	MPI_Request r[3] = { [1] = MPI_REQUEST_NULL };

	MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	MPI_Recv_init(in, 3, MPI_BYTE, !me, 2, WORLD, &r[0]);
	MPI_Send_init(out, 3, MPI_BYTE, !me, 2, WORLD, &r[2]);
	if (MPI_Startall(3, r) == MPI_SUCCESS)
		printf("it was not refused\n");
	r[1] = r[2];
	MPI_Startall(2, r);
	MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
	MPI_Request_free(&r[0]);
	MPI_Request_free(&r[1]);
}

#if MPI_VERSION >= 4
static void both(void)
{
	MPI_Request r;
	int done = 0;

	MPI_Isendrecv(out, 8, MPI_BYTE, !me, 6, in, 8, MPI_BYTE, !me, 6, WORLD,
		      &r);
	MPI_Waitall(1, &r, MPI_STATUSES_IGNORE);
	MPI_Isendrecv(out, 16, MPI_BYTE, !me, 0, in, 16, MPI_BYTE, !me, 0,
		      WORLD, &r);
	while (!done)
		MPI_Test(&r, &done, MPI_STATUS_IGNORE);
	MPI_Isendrecv_replace(in, 20, MPI_BYTE, !me, 8, MPI_ANY_SOURCE, 8,
			      WORLD, &r);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
}
#endif

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(WORLD, &me);
	plain();
	persistent();
	refused();
#if MPI_VERSION >= 4
	both();
	if (me == 0)
		printf("MPI 4\n");
#endif
	MPI_Finalize();
	return 0;
}
