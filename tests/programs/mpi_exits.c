/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mpi_exits HOW: an error handler that jumps out of the failing call ("jump"),
 * or aborts ("abort"); kill FILE SEED: the last rank calls barriers of its own
 * without end, the number of those done in FILE, until it is killed at a random
 * moment; the others wait for it.  "many N": each rank calls N barriers of its
 * own.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static jmp_buf back;

static void jump(MPI_Comm *comm, int *error, ...)
{
	(void)comm;
	(void)error;
	longjmp(back, 1);
}

static void give_up(MPI_Comm *comm, int *error, ...)
{
	(void)error;
	MPI_Abort(*comm, 3);
}

static __attribute__((noinline)) void fail(MPI_Comm_errhandler_function *f)
{
	volatile char frame[256] = "";
	MPI_Errhandler handler;

	MPI_Comm_create_errhandler(f, &handler);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
	MPI_Send((void *)(size_t)frame, 1, MPI_BYTE, 99, 1, MPI_COMM_WORLD);
	frame[0]++;
}

static void jumps(void)
{
	if (setjmp(back) == 0)
		fail(jump);
	for (int i = 0; i < 3; i++)
		MPI_Barrier(MPI_COMM_WORLD);
}

static void *kill_later(void *seed)
{
	srandom((unsigned)atoi(seed));
	nanosleep(&(struct timespec){ 0, random() % 20000000 }, NULL);
	kill(getpid(), SIGKILL);
	return NULL;
}

static void barriers(const char *path, char *seed)
{
	int fd = open(path, O_RDWR), rank, ranks;
	volatile long *done =
		mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	pthread_t killer;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank != ranks - 1)
		MPI_Barrier(MPI_COMM_WORLD);
	pthread_create(&killer, NULL, kill_later, seed);
	for (;;) {
		MPI_Barrier(MPI_COMM_SELF);
		++*done;
	}
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";

	MPI_Init(&argc, &argv);
	if (!strcmp(how, "jump"))
		jumps();
	else if (!strcmp(how, "abort"))
		fail(give_up);
	else if (!strcmp(how, "kill") && argc > 3)
		barriers(argv[2], argv[3]);
	else if (!strcmp(how, "many") && argc > 2)
		for (int n = atoi(argv[2]); n > 0; n--)
			MPI_Barrier(MPI_COMM_SELF);
	MPI_Finalize();
	return 0;
}
