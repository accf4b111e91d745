/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Spawned processes, started by 2 ranks: mpi_spawn WHAT
 *   late      both spawn 2 children.  Child 1 computes 0.6 s before it sends 8
 *             bytes to parent 0, which waits for them; then child 0 is 0.5 s
 *             late for a barrier of all four, which wait in it
 *   apart     rank r spawns r + 1 children, at the same time as the other, and
 *             sends 10 * (r + 1) bytes to each
 *   multiple  both spawn 1 + 2 children of two command lines; in the merged
 *             communicator each rank sends 7 bytes to the next
 *   nested    both spawn a child, and that spawns one; parent 0 sends 20 bytes
 *             to the child, that 30 bytes to its own
 *   again     both spawn one child 3 times, and rank 0 sends 40 bytes to each
 *   connect   rank 1 connects to rank 0 by a port, and sends 60 bytes
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static char bytes[100];
static char *self;
static int me;

static void sleep_s(double s)
{
	const struct timespec t = { 0, (long)(s * 1e9) };

	nanosleep(&t, NULL);
}

static MPI_Comm spawn(char *program, const char *what, int n, MPI_Comm comm)
{
	char text[20];
	char *argv[] = { text, NULL };
	MPI_Comm children = MPI_COMM_NULL;

	snprintf(text, sizeof text, "%s", what);
	MPI_Comm_spawn(program, argv, n, MPI_INFO_NULL, 0, comm, &children,
		       MPI_ERRCODES_IGNORE);
	return children;
}

static void send(int n, int to, MPI_Comm comm)
{
	MPI_Send(bytes, n, MPI_BYTE, to, n, comm);
}

static void receive(MPI_Comm comm)
{
	MPI_Recv(bytes, 100, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, comm,
		 MPI_STATUS_IGNORE);
}

/* --- late ----------------------------------------------------------------- */

static void all_meet(MPI_Comm all)
{
	double begin = MPI_Wtime();

	MPI_Barrier(all);
	if (me == 0)
		printf("fault: child-barrier 2 seconds %.9f\n",
		       MPI_Wtime() - begin);
}

static void late_parent(void)
{
	MPI_Comm children = spawn(self, "late", 2, MPI_COMM_WORLD), all;
	double begin;

	MPI_Intercomm_merge(children, 0, &all);
	MPI_Barrier(all);
	if (me == 0) {
		begin = MPI_Wtime();
		MPI_Recv(bytes, 8, MPI_BYTE, 1, 8, children,
			 MPI_STATUS_IGNORE); /* waits for the child */
		printf("fault: late-child 3 seconds %.9f\n",
		       MPI_Wtime() - begin);
	}
	MPI_Barrier(all);
	all_meet(all);
	MPI_Comm_free(&all);
	MPI_Comm_disconnect(&children);
}

static void late_child(MPI_Comm parents)
{
	MPI_Comm all;

	MPI_Intercomm_merge(parents, 1, &all);
	MPI_Barrier(all);
	if (me == 1) {
		sleep_s(0.6);
		MPI_Send(bytes, 8, MPI_BYTE, 0, 8, parents); /* late child */
	}
	MPI_Barrier(all);
	if (me == 0)
		sleep_s(0.5);
	MPI_Barrier(all);
	MPI_Comm_free(&all);
	MPI_Comm_disconnect(&parents);
}

/* --- others --------------------------------------------------------------- */

static void apart_parent(void)
{
	MPI_Comm children = spawn(self, "apart", me + 1, MPI_COMM_SELF);

	for (int i = 0; i <= me; i++)
		send(10 * (me + 1), i, children);
	MPI_Comm_disconnect(&children);
}

static void ring(MPI_Comm inter, int high)
{
	MPI_Comm all;
	int rank, n;

	MPI_Intercomm_merge(inter, high, &all);
	MPI_Comm_rank(all, &rank);
	MPI_Comm_size(all, &n);
	MPI_Sendrecv(bytes, 7, MPI_BYTE, (rank + 1) % n, 7, bytes + 50, 7,
		     MPI_BYTE, (rank + n - 1) % n, 7, all, MPI_STATUS_IGNORE);
	MPI_Comm_free(&all);
}

static void multiple_parent(void)
{
	char text[] = "multiple";
	char *argv[] = { text, NULL }, **argvs[] = { argv, argv };
	char *commands[] = { self, self };
	MPI_Info infos[] = { MPI_INFO_NULL, MPI_INFO_NULL };
	MPI_Comm children;

	/* Only the root's arguments count. */
	if (me == 1)
		MPI_Comm_spawn_multiple(2, commands, argvs, (int[]){ 1, 2 },
					infos, 1, MPI_COMM_WORLD, &children,
					MPI_ERRCODES_IGNORE);
	else
		MPI_Comm_spawn_multiple(0, NULL, NULL, NULL, NULL, 1,
					MPI_COMM_WORLD, &children,
					MPI_ERRCODES_IGNORE);
	ring(children, 0);
	MPI_Comm_disconnect(&children);
}

static void one_each(const char *what, int n)
{
	MPI_Comm children = spawn(self, what, 1, MPI_COMM_WORLD);

	if (me == 0)
		send(n, 0, children);
	MPI_Comm_disconnect(&children);
}

static void connect_ranks(void)
{
	char port[MPI_MAX_PORT_NAME] = "";
	MPI_Comm other;

	if (me == 0)
		MPI_Open_port(MPI_INFO_NULL, port);
	MPI_Bcast(port, sizeof port, MPI_CHAR, 0, MPI_COMM_WORLD);
	if (me == 0) {
		MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other);
		receive(other);
		MPI_Close_port(port);
	} else {
		MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other);
		send(60, 0, other);
	}
	MPI_Comm_disconnect(&other);
}

static void parent(const char *what)
{
	if (!strcmp(what, "late"))
		late_parent();
	else if (!strcmp(what, "apart"))
		apart_parent();
	else if (!strcmp(what, "multiple"))
		multiple_parent();
	else if (!strcmp(what, "nested"))
		one_each("nested", 20);
	else if (!strcmp(what, "connect"))
		connect_ranks();
	else
		for (int i = 0; i < 3; i++)
			one_each("again", 40);
}

static void child(const char *what, MPI_Comm parents)
{
	if (!strcmp(what, "late")) {
		late_child(parents);
		return;
	}
	if (!strcmp(what, "multiple"))
		ring(parents, 1);
	else
		receive(parents);
	if (!strcmp(what, "nested"))
		one_each("last", 30);
	MPI_Comm_disconnect(&parents);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	MPI_Comm parents;

	MPI_Init(&argc, &argv);
	self = argv[0];
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Comm_get_parent(&parents);
	if (parents == MPI_COMM_NULL)
		parent(what);
	else
		child(what, parents);
	MPI_Finalize();
	return 0;
}
