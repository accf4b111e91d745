/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A program that handles its own errors: counting handlers on MPI_COMM_WORLD
 * and MPI_COMM_SELF, errors returned on a communicator of its own.  Its output
 * and its status are the same with and without recording.
 * Usage: mpi_handlers counted|fatal.  With "fatal" the predefined communicators
 * keep their handlers, which end the program, and no call is reported to them.
 */
#include <stdio.h>
#include <string.h>

#include <mpi.h>

static int calls, me;
static MPI_Comm own, none, other;
static int buffer[4];

static void handler(MPI_Comm *comm, int *code, ...)
{
	int rank;

	(void)comm;
	(void)code;
	calls++;
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
}

static void tell(const char *what, int rc)
{
	const int n = calls;
	int class = 0;

	MPI_Error_class(rc, &class);
	if (me == 0)
		printf("%s: class %d, handler %d\n", what, class, n);
	fflush(stdout);
	calls = 0;
}

static void on_own(void)
{
	MPI_Request q;

	tell("rank", MPI_Send(buffer, 1, MPI_INT, 1000, 0, own));
	tell("tag", MPI_Send(buffer, 1, MPI_INT, 0, -77, own));
	tell("count", MPI_Send(buffer, -5, MPI_INT, 0, 0, own));
	tell("type", MPI_Send(buffer, 1, MPI_DATATYPE_NULL, 0, 0, own));
	tell("type, irecv",
	     MPI_Irecv(buffer, 1, MPI_DATATYPE_NULL, 0, 0, own, &q));
	tell("type, allreduce", MPI_Allreduce(MPI_IN_PLACE, buffer, 1,
					      MPI_DATATYPE_NULL, MPI_SUM, own));
	tell("root", MPI_Bcast(buffer, 1, MPI_INT, 99, own));
#ifndef OPEN_MPI /* whose handles are pointers */
	tell("no type", MPI_Send(buffer, 1, 0x12345678, 0, 0, own));
	tell("a group for a type",
	     MPI_Send(buffer, 1, MPI_GROUP_EMPTY, 0, 0, own));
	tell("no type, ireduce", MPI_Ireduce(MPI_IN_PLACE, buffer, 1,
					     0x12345678, MPI_SUM, 0, own, &q));
#endif
}

static void on_window(void)
{
	MPI_Win w;

	MPI_Win_create(buffer, sizeof buffer, 1, MPI_INFO_NULL, own, &w);
	MPI_Win_set_errhandler(w, MPI_ERRORS_RETURN);
	MPI_Win_fence(0, w);
	tell("type, put",
	     MPI_Put(buffer, 1, MPI_INT, 0, 0, 1, MPI_DATATYPE_NULL, w));
#ifndef OPEN_MPI
	tell("no type, put",
	     MPI_Put(buffer, 1, MPI_INT, 0, 0, 1, 0x12345678, w));
	tell("no group", MPI_Win_post((MPI_Group)0xc8ffffff, 0, w));
#endif
	MPI_Win_fence(0, w);
	MPI_Win_free(&w);
}

/* A truncated message, whose status is not asked for. */
static void truncated(void)
{
	MPI_Request q[2];

	MPI_Irecv(buffer, 1, MPI_INT, me, 1, own, &q[0]);
	MPI_Isend(buffer + 1, 2, MPI_INT, me, 1, own, &q[1]);
	tell("truncated", MPI_Waitall(2, q, MPI_STATUSES_IGNORE));
}

/* Operations of the program's own, which end with a code of its own. */
static int query(void *state, MPI_Status *status)
{
	MPI_Status_set_elements(status, MPI_BYTE, 0);
	MPI_Status_set_cancelled(status, 0);
	return *(int *)state;
}

static int nothing(void *state)
{
	(void)state;
	return MPI_SUCCESS;
}

static int cancels(void *state, int complete)
{
	(void)state;
	(void)complete;
	return MPI_SUCCESS;
}

static void generalized(void)
{
	static int codes[] = { -77, 100000 };
	MPI_Request q;

	for (int i = 0; i < 2; i++) {
		MPI_Grequest_start(query, nothing, cancels, &codes[i], &q);
		MPI_Grequest_complete(q);
		const int rc = MPI_Wait(&q, MPI_STATUS_IGNORE), n = calls;

		if (me == 0)
			printf("own operation: %d, handler %d\n", rc, n);
		calls = 0;
	}
}

static void on_world(void)
{
	MPI_Request q = MPI_REQUEST_NULL;
	MPI_Comm world = MPI_COMM_WORLD;

	tell("null communicator", MPI_Barrier(MPI_COMM_NULL));
	tell("null communicator, dup", MPI_Comm_dup(MPI_COMM_NULL, &other));
	tell("null communicator, free", MPI_Comm_free(&none));
	tell("world, free", MPI_Comm_free(&world));
	tell("null window", MPI_Win_fence(0, MPI_WIN_NULL));
	tell("start", MPI_Start(&q));
	tell("cancel", MPI_Cancel(&q));
	tell("free", MPI_Request_free(&q));
#ifndef OPEN_MPI
	MPI_Comm gone;
	int flag;

	MPI_Comm_dup(MPI_COMM_WORLD, &other);
	gone = other;
	MPI_Comm_free(&other);
	tell("freed, barrier", MPI_Barrier(gone));
	tell("freed, iprobe", MPI_Iprobe(0, 0, gone, &flag, MPI_STATUS_IGNORE));
	tell("freed, split", MPI_Comm_split(gone, 0, 0, &other));
	tell("no communicator", MPI_Barrier((MPI_Comm)0x12345678));
	tell("no place", MPI_Barrier((MPI_Comm)0xc4ffffff));
#endif
	truncated();
	generalized();
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "counted";
	MPI_Errhandler h;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Comm_dup(MPI_COMM_WORLD, &own);
	MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
	none = MPI_COMM_NULL;
	if (!strcmp(how, "counted")) {
		MPI_Comm_create_errhandler(handler, &h);
		MPI_Comm_set_errhandler(MPI_COMM_WORLD, h);
		MPI_Comm_set_errhandler(MPI_COMM_SELF, h);
	}
	on_own();
	on_window();
	if (!strcmp(how, "counted"))
		on_world();
	/* The world is still what it was. */
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
