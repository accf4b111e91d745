/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls in the callback of an attribute, within MPI_Comm_free, and within
 * MPI_Finalize.  Rank 0 joins a barrier there, and sends a message, before it
 * sends three more with 100 ms before each.
 */
#include <mpi.h>
#include <stddef.h>
#include <unistd.h>

static int buffer, rank;

static void send_one(void)
{
	MPI_Send(&buffer, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
}

static int at_free(MPI_Comm comm, int key, void *value, void *extra)
{
	(void)comm;
	(void)key;
	(void)value;
	(void)extra;
	send_one();
	return MPI_Barrier(MPI_COMM_WORLD);
}

static int at_end(MPI_Comm comm, int key, void *value, void *extra)
{
	(void)comm;
	(void)key;
	(void)value;
	(void)extra;
	if (rank == 0)
		send_one();
	else
		MPI_Recv(&buffer, 1, MPI_INT, 0, 5, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
	return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
	MPI_Comm comm;
	int key;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_end, &key, NULL);
	MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
	MPI_Comm_dup(MPI_COMM_SELF, &comm);
	if (rank == 0) {
		MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_free, &key,
				       NULL);
		MPI_Comm_set_attr(comm, key, NULL);
	} else {
		MPI_Recv(&buffer, 1, MPI_INT, 0, 5, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
		MPI_Barrier(MPI_COMM_WORLD);
	}
	MPI_Comm_free(&comm);
	for (int i = 0; i < 3; i++) {
		if (rank == 0) {
			usleep(100000);
			send_one();
		} else {
			MPI_Recv(&buffer, 1, MPI_INT, 0, 5, MPI_COMM_WORLD,
				 MPI_STATUS_IGNORE);
		}
		MPI_Barrier(MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return 0;
}
