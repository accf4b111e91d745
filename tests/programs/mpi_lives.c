/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ends and beginnings that are not the usual ones: mpi_lives HOW
 *   spawn   each of two ranks sends 10 bytes to the one process they spawn
 *   abort   rank 1 aborts with 3, while the others wait for it
 *   exit    no MPI_Finalize, exit status 4
 *   errors  calls with wrong arguments, whose errors the program handles
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static char bytes[10];

static void child(MPI_Comm parent)
{
	int n;

	MPI_Comm_remote_size(parent, &n);
	for (int i = 0; i < n; i++)
		MPI_Recv(bytes, 10, MPI_BYTE, MPI_ANY_SOURCE, 1, parent,
			 MPI_STATUS_IGNORE);
	MPI_Barrier(parent);
	MPI_Comm_disconnect(&parent);
}

static void spawn(char *program)
{
	char *argv[] = { "spawn", NULL };
	MPI_Comm children;

	MPI_Comm_spawn(program, argv, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD,
		       &children, MPI_ERRCODES_IGNORE);
	MPI_Send(bytes, 10, MPI_BYTE, 0, 1, children);
	MPI_Barrier(children);
	MPI_Comm_disconnect(&children);
}

static void expect(int error, int class, const char *what)
{
	int found;

	MPI_Error_class(error, &found);
	if (found == class)
		return;
	printf("%s: error class %d instead of %d\n", what, found, class);
	MPI_Abort(MPI_COMM_WORLD, 1);
}

/* The errors are those that MPI alone would have found. */
static void errors(void)
{
	MPI_Request request;
	int n = 1;

	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	expect(MPI_Send(bytes, 1, MPI_BYTE, 99, 1, MPI_COMM_WORLD),
	       MPI_ERR_RANK, "rank");
	expect(MPI_Send(bytes, -1, MPI_BYTE, 0, 1, MPI_COMM_WORLD),
	       MPI_ERR_COUNT, "count");
	expect(MPI_Send(bytes, 1, MPI_DATATYPE_NULL, 0, 1, MPI_COMM_WORLD),
	       MPI_ERR_TYPE, "type");
	expect(MPI_Send(bytes, 1, MPI_BYTE, 0, -7, MPI_COMM_WORLD), MPI_ERR_TAG,
	       "tag");
	expect(MPI_Send(bytes, 1, MPI_BYTE, 0, 1, MPI_COMM_NULL), MPI_ERR_COMM,
	       "communicator");
	expect(MPI_Irecv(bytes, 1, MPI_BYTE, 99, 1, MPI_COMM_WORLD, &request),
	       MPI_ERR_RANK, "receive");
	expect(MPI_Bcast(bytes, 1, MPI_BYTE, 99, MPI_COMM_WORLD), MPI_ERR_ROOT,
	       "root");
	request = MPI_REQUEST_NULL;
	expect(MPI_Waitall(n, &request, MPI_STATUSES_IGNORE), MPI_SUCCESS,
	       "no request");
	expect(MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE), MPI_SUCCESS,
	       "no requests");
}

static void give_up(void)
{
	/* Long enough for the others to be in their barrier. */
	const struct timespec t = { .tv_nsec = 300000000 };

	nanosleep(&t, NULL);
	MPI_Abort(MPI_COMM_WORLD, 3);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	MPI_Comm parent;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_get_parent(&parent);
	if (parent != MPI_COMM_NULL)
		child(parent);
	else if (!strcmp(how, "spawn"))
		spawn(argv[0]);
	else if (!strcmp(how, "errors"))
		errors();
	else if (!strcmp(how, "abort") && rank == 1)
		give_up();
	else if (!strcmp(how, "exit"))
		exit(4);
	if (!strcmp(how, "abort"))
		MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
