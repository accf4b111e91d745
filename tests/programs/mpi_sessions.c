/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sessions of MPI 4, of 3 ranks: mpi_sessions WHAT
 *   alone     no MPI_Init.  Rank 2 computes 0.6 s before it sends 8 bytes to
 *             rank 0, which waits; then rank 1 is 0.5 s late for a barrier
 *   self      each process has a session of mpi://SELF alone
 *   several   3 sessions, one after another, in one that is open all the time
 *             (MPICH 4.0 cannot start again after the last has ended); each
 *             has a communicator, and rank 0 sends 10, 20, 30 bytes to rank 1
 *   both      MPI_Init, then a session; rank 0 sends 4 bytes to rank 1 by
 *             MPI_COMM_WORLD, and 5 by the session's communicator
 *   after     the same, and the session ends after MPI_Finalize
 * Another MPI: exit status 77.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#if MPI_VERSION >= 4
static char bytes[100];
static int me;

static void sleep_s(double s)
{
	const struct timespec t = { 0, (long)(s * 1e9) };

	nanosleep(&t, NULL);
}

static MPI_Session open_session(void)
{
	MPI_Session session;

	MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
	return session;
}

static MPI_Comm communicator(MPI_Session session, const char *set,
			     const char *name)
{
	MPI_Group group;
	MPI_Comm comm;

	MPI_Group_from_session_pset(session, set, &group);
	MPI_Comm_create_from_group(group, name, MPI_INFO_NULL,
				   MPI_ERRORS_ARE_FATAL, &comm);
	MPI_Group_free(&group);
	MPI_Comm_rank(comm, &me);
	MPI_Comm_set_name(comm, name);
	return comm;
}

static void send(int n, MPI_Comm comm)
{
	if (me == 0)
		MPI_Send(bytes, n, MPI_BYTE, 1, n, comm);
	else if (me == 1)
		MPI_Recv(bytes, 100, MPI_BYTE, MPI_ANY_SOURCE, n, comm,
			 MPI_STATUS_IGNORE);
}

static void late(MPI_Comm comm)
{
	double begin;

	MPI_Barrier(comm);
	if (me == 2) {
		sleep_s(0.6);
		MPI_Send(bytes, 8, MPI_BYTE, 0, 8, comm); /* late sender */
	} else if (me == 0) {
		begin = MPI_Wtime();
		MPI_Recv(bytes, 8, MPI_BYTE, 2, 8, comm,
			 MPI_STATUS_IGNORE); /* waits for it */
		printf("fault: late-sender 2 seconds %.9f\n",
		       MPI_Wtime() - begin);
	}
	MPI_Allreduce(MPI_IN_PLACE, bytes, 4, MPI_BYTE, MPI_BOR, comm);
	if (me == 1)
		sleep_s(0.5);
	begin = MPI_Wtime();
	MPI_Barrier(comm);
	if (me == 0)
		printf("fault: late-barrier 1 seconds %.9f\n",
		       MPI_Wtime() - begin);
}

static void alone(void)
{
	MPI_Session session = open_session();
	MPI_Comm comm = communicator(session, "mpi://WORLD", "all");

	late(comm);
	MPI_Comm_free(&comm);
	MPI_Session_finalize(&session);
}

static void self(void)
{
	MPI_Session session = open_session();
	MPI_Comm comm = communicator(session, "mpi://SELF", "own");

	MPI_Sendrecv(bytes, 9, MPI_BYTE, 0, 9, bytes + 50, 9, MPI_BYTE, 0, 9,
		     comm, MPI_STATUS_IGNORE);
	MPI_Comm_free(&comm);
	MPI_Session_finalize(&session);
}

static void several(void)
{
	MPI_Session outer = open_session(), session;
	char name[20];
	MPI_Comm comm;

	for (int i = 1; i <= 3; i++) {
		session = open_session();
		snprintf(name, sizeof name, "round %d", i);
		comm = communicator(session, "mpi://WORLD", name);
		send(10 * i, comm);
		MPI_Comm_free(&comm);
		MPI_Session_finalize(&session);
	}
	MPI_Session_finalize(&outer);
}

static void both(int after)
{
	MPI_Session session;
	MPI_Comm comm;

	MPI_Init(NULL, NULL);
	session = open_session();
	comm = communicator(session, "mpi://WORLD", "the session's");
	send(4, MPI_COMM_WORLD);
	send(5, comm);
	MPI_Comm_free(&comm);
	if (after)
		MPI_Finalize();
	MPI_Session_finalize(&session);
	if (!after)
		MPI_Finalize();
}
#endif

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

#if MPI_VERSION >= 4
	if (!strcmp(what, "alone"))
		alone();
	else if (!strcmp(what, "self"))
		self();
	else if (!strcmp(what, "several"))
		several();
	else
		both(!strcmp(what, "after"));
	return 0;
#else
	(void)what;
	return 77;
#endif
}
