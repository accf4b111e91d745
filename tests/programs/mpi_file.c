/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mpi_file PATH, of 3 ranks: all ways to read and write a file.  Rank 1 comes
 * late to each of ROUNDS calls of MPI_File_write_at_all.  Prints `fault: write
 * 1 cases N seconds S`, S: what the two others wait there by their own clocks.
 * What each call moves, and where, is known to the script.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "work.h"

enum { RANKS = 3, N = 1000, ROUNDS = 5, BLOCK = N * sizeof(int) };

#define LATE 0.06 /* seconds */

static int me, data[2 * N];
static double came[ROUNDS];

static void print_fault(void)
{
	double all[RANKS][ROUNDS], seconds = 0;

	MPI_Gather(came, ROUNDS, MPI_DOUBLE, all, ROUNDS, MPI_DOUBLE, 0,
		   MPI_COMM_WORLD);
	for (int i = 0; i < ROUNDS; i++)
		seconds += 2 * all[1][i] - all[0][i] - all[2][i];
	if (me == 0)
		printf("fault: write 1 cases %d seconds %.9f\n", ROUNDS, seconds);
}

/* Each rank's block of a round, in bytes. */
static void late(MPI_File file)
{
	for (int i = 0; i < ROUNDS; i++) {
		MPI_Offset at = (i * RANKS + me) * BLOCK;

		MPI_Barrier(MPI_COMM_WORLD);
		if (me == 1)
			work(LATE);
		came[i] = now();
		MPI_File_write_at_all(file, at, data, N, MPI_INT, /* LATE write */
				      MPI_STATUS_IGNORE);
	}
}

/* In a view of ints behind the first 100 bytes. */
static void blocking(MPI_File file)
{
	MPI_Status status;
	int count;

	MPI_File_set_view(file, 100, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
	MPI_File_write_at(file, 10 * me, data, 10, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_read_at(file, 10 * me, data, 7, MPI_INT, &status);
	MPI_Get_count(&status, MPI_INT, &count);
	if (count != 7)
		exit(3);
	MPI_File_read_at_all(file, 10 * me, data, 9, MPI_INT,
			     MPI_STATUS_IGNORE);
	MPI_File_seek(file, 20 * me, MPI_SEEK_SET);
	MPI_File_write(file, data, 20, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_seek(file, 20 * me, MPI_SEEK_SET);
	MPI_File_read(file, data, 20, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_seek(file, 20 * me, MPI_SEEK_SET);
	MPI_File_write_all(file, data, 3, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_seek(file, 20 * me, MPI_SEEK_SET);
	MPI_File_read_all(file, data, 2, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
	/* It has ROUNDS * RANKS blocks: half of this read is there. */
	MPI_File_read_at(file, ROUNDS * RANKS * BLOCK - BLOCK, data, 2 * N,
			 MPI_INT, MPI_STATUS_IGNORE); /* SHORT */
}

static void test(MPI_Request *request)
{
	int done = 0;

	while (!done)
		MPI_Test(request, &done, MPI_STATUS_IGNORE);
}

static void nonblocking(MPI_File file)
{
	MPI_Request requests[2];

	MPI_File_iwrite_at(file, me * BLOCK, data, N, MPI_INT, &requests[0]);
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE); /* WAIT */
	MPI_File_iread_at(file, me * BLOCK, data, 11, MPI_INT, &requests[0]);
	test(&requests[0]);
	MPI_File_seek(file, me * BLOCK, MPI_SEEK_SET);
	MPI_File_iwrite(file, data, 12, MPI_INT, &requests[0]);
	MPI_File_iread_at(file, (me + RANKS) * BLOCK, data + N, 13, MPI_INT,
			  &requests[1]);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); /* WAITALL */
	MPI_File_iread(file, data, 14, MPI_INT, &requests[0]);
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
	MPI_File_iwrite_at_all(file, me * BLOCK, data, 15, MPI_INT,
			       &requests[0]);
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
	MPI_File_iread_at_all(file, me * BLOCK, data, 16, MPI_INT,
			      &requests[0]);
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
	MPI_File_iwrite_all(file, data, 17, MPI_INT, &requests[0]);
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
	MPI_File_seek(file, 0, MPI_SEEK_SET);
	MPI_File_iread_all(file, data, 18, MPI_INT, &requests[0]);
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
}

static void split(MPI_File file)
{
	MPI_File_write_at_all_begin(file, me * BLOCK, data, 21, MPI_INT);
	MPI_File_write_at_all_end(file, data, MPI_STATUS_IGNORE);
	MPI_File_read_at_all_begin(file, me * BLOCK, data, 22, MPI_INT);
	MPI_File_read_at_all_end(file, data, MPI_STATUS_IGNORE);
	MPI_File_seek(file, 0, MPI_SEEK_SET);
	MPI_File_write_all_begin(file, data, 23, MPI_INT);
	MPI_File_write_all_end(file, data, MPI_STATUS_IGNORE);
	MPI_File_seek(file, 0, MPI_SEEK_SET);
	MPI_File_read_all_begin(file, data, 24, MPI_INT);
	MPI_File_read_all_end(file, data, MPI_STATUS_IGNORE);
}

/* With the file pointer that all share. */
static void shared(MPI_File file)
{
	MPI_Request request;

	MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
	MPI_File_write_shared(file, data, 31, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_iwrite_shared(file, data, 32, MPI_INT, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_File_write_ordered(file, data, 33, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_write_ordered_begin(file, data, 34, MPI_INT);
	MPI_File_write_ordered_end(file, data, MPI_STATUS_IGNORE);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
	MPI_File_read_shared(file, data, 35, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_iread_shared(file, data, 36, MPI_INT, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_File_read_ordered(file, data, 37, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_read_ordered_begin(file, data, 38, MPI_INT);
	MPI_File_read_ordered_end(file, data, MPI_STATUS_IGNORE);
}

/* Each rank by itself: one file for all of them. */
static void alone(const char *path)
{
	MPI_File file;

	MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_RDONLY, MPI_INFO_NULL,
		      &file);
	MPI_File_read(file, data, 41, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_close(&file);
}

#if MPI_VERSION >= 4
static void large(MPI_File file)
{
	MPI_File_write_at_c(file, me * BLOCK, data, 51, MPI_INT,
			    MPI_STATUS_IGNORE);
	MPI_File_read_at_all_c(file, me * BLOCK, data, 52, MPI_INT,
			       MPI_STATUS_IGNORE);
}
#endif

int main(int argc, char **argv)
{
	char own[4096];
	MPI_File file;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	if (MPI_File_open(MPI_COMM_WORLD, "/nowhere/to/be/found",
			  MPI_MODE_RDONLY, MPI_INFO_NULL, &file) == MPI_SUCCESS)
		return 4;
	MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR,
		      MPI_INFO_NULL, &file);
	MPI_File_set_size(file, 0);
	late(file);
	blocking(file);
	MPI_File_sync(file);
	nonblocking(file);
	split(file);
	shared(file);
#if MPI_VERSION >= 4
	large(file);
#endif
	MPI_File_set_atomicity(file, 1);
	MPI_File_preallocate(file, 10);
	MPI_File_close(&file);
	MPI_Barrier(MPI_COMM_WORLD);
	alone(argv[1]);
	print_fault();
	snprintf(own, sizeof own, "%s", argv[1]);
	if (me == 0)
		MPI_File_delete(own, MPI_INFO_NULL);
	MPI_Finalize();
	return 0;
}
