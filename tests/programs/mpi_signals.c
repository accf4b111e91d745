/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mpi_signals HOW N: communicators, requests, messages that pass unrecorded,
 * probes and windows are used; when the collector takes the N-th lock of its
 * tables (0: each) a signal comes, while the lock is held, and its handler does
 * HOW:
 *
 *	abort, exit, _exit, signal   the process ends: status 7, by SIGABRT
 *	calls     MPI and pupc calls of its own, and the program goes on
 *	fork      a child ends, and the program goes on
 *	jump      out of the lock; the program goes on without MPI
 *
 * Without the collector none comes.  "done", the number of signals and that of
 * locks are written at the end.  tests/e2e/signals.sh looks.
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <pupc.h>

#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *how;
static volatile int taken, nth, signals;
static volatile bool counting, each, handling;
static sigjmp_buf before;

/* A function of the collector's, which is there when MPI has been called. */
static void *collectors(const char *name)
{
	void *library = dlopen("libgaspdb.so", RTLD_NOLOAD | RTLD_LAZY);

	return library ? dlsym(library, name) : NULL;
}

static void call_pupc(void)
{
	__typeof__(pupc_control) *control =
		(__typeof__(control))collectors("pupc_control");
	__typeof__(pupc_create_event) *create =
		(__typeof__(create))collectors("pupc_create_event");
	__typeof__(pupc_event_atomic) *atomic =
		(__typeof__(atomic))collectors("pupc_event_atomic");

	if (!control)
		return;
	control(control(0));
	atomic(create("handler", "%d"), 1);
}

/* The collector's, which this stands before. */
extern bool gaspdb_lock_enter(void *lock);

bool gaspdb_lock_enter(void *lock)
{
	static bool (*next)(void *);
	bool got;

	if (!next)
		next = (__typeof__(next))collectors("gaspdb_lock_enter");
	got = next(lock);
	if (handling || !counting)
		return got;
	taken++;
	if (each || taken == nth)
		raise(SIGUSR1);
	return got;
}

static void make_calls(void)
{
	MPI_Request requests[2];
	MPI_Comm comm;
	int in = 0, out = 42, flag;

	MPI_Comm_dup(MPI_COMM_SELF, &comm);
	MPI_Irecv(&in, 1, MPI_INT, 0, 1, comm, &requests[0]);
	MPI_Isend(&out, 1, MPI_INT, 0, 1, comm, &requests[1]);
	MPI_Iprobe(0, 2, comm, &flag, MPI_STATUS_IGNORE);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	MPI_Barrier(comm);
	MPI_Comm_free(&comm);
	call_pupc();
	if (in != out)
		_exit(8);
}

static void handler(int number)
{
	pid_t child;
	int status;

	(void)number;
	signals++;
	handling = true;
	if (!strcmp(how, "abort"))
		MPI_Abort(MPI_COMM_WORLD, 7);
	if (!strcmp(how, "exit"))
		exit(7);
	if (!strcmp(how, "_exit"))
		_exit(7);
	if (!strcmp(how, "signal"))
		abort();
	if (!strcmp(how, "calls"))
		make_calls();
	if (!strcmp(how, "jump"))
		siglongjmp(before, 1);
	if (!strcmp(how, "fork")) {
		child = fork();
		if (!child)
			_exit(3);
		if (waitpid(child, &status, 0) != child || status != 3 << 8)
			_exit(8);
	}
	handling = false;
}

static void work(void)
{
	MPI_Request request, persistent;
	MPI_Message message;
	MPI_Comm comm;
	MPI_Win win;
	int in = 0, out = 1, memory = 0;

	MPI_Comm_dup(MPI_COMM_SELF, &comm);
	MPI_Comm_set_name(comm, "own");
	MPI_Irecv(&in, 1, MPI_INT, 0, 0, comm, &request);
	MPI_Send(&out, 1, MPI_INT, 0, 0, comm);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Recv_init(&in, 1, MPI_INT, 0, 0, comm, &persistent);
	MPI_Start(&persistent);
	MPI_Send(&out, 1, MPI_INT, 0, 0, comm);
	MPI_Wait(&persistent, MPI_STATUS_IGNORE);
	MPI_Request_free(&persistent);
	MPI_Isend(&out, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
	MPI_Mprobe(0, 0, MPI_COMM_SELF, &message, MPI_STATUS_IGNORE);
	MPI_Mrecv(&in, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Pcontrol(0);
	MPI_Irecv(&in, 1, MPI_INT, 0, 0, comm, &request);
	MPI_Send(&out, 1, MPI_INT, 0, 0, comm);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Pcontrol(1);
	/* Not with all of Open MPI's transports. */
	MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
	if (MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, comm,
			   &win) == MPI_SUCCESS) {
		MPI_Win_fence(0, win);
		MPI_Put(&out, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
		MPI_Win_fence(0, win);
		MPI_Win_free(&win);
	}
	MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
	how = argc > 2 ? argv[1] : "nothing";
	nth = argc > 2 ? atoi(argv[2]) : -1;
	each = nth == 0;
	signal(SIGUSR1, handler);
	MPI_Init(&argc, &argv);
	counting = true;
	if (!sigsetjmp(before, 1))
		work();
	counting = handling = false;
	work();
	MPI_Finalize();
	printf("done %d of %d\n", signals, taken);
	return 0;
}
