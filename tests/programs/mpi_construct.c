/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program of known construction, for 4 ranks: each part says what the
 * database must hold of it, and tests/e2e/mpi_construct.sh asks for just that.
 * Each part has tags of its own: part N uses tags from 10 N on.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks;
static char out[4096], in[4096];

static void check(int ok, const char *what)
{
	if (ok)
		return;
	fprintf(stderr, "rank %d: %s\n", rank, what);
	MPI_Abort(MPI_COMM_WORLD, 1);
}

static void send_bytes(int n, int to, int tag, MPI_Comm comm)
{
	MPI_Send(out, n, MPI_BYTE, to, tag, comm);
}

static void receive_bytes(int n, int from, int tag, MPI_Comm comm)
{
	MPI_Status status;
	int got;

	MPI_Recv(in, sizeof in, MPI_BYTE, from, tag, comm, &status);
	MPI_Get_count(&status, MPI_BYTE, &got);
	check(got == n, "a message of the wrong size came");
}

/* 1. 0 -> 1: 3 messages of 100 bytes, tag 11; Bsend 12, Ssend 13, Rsend 14. */
static void blocking(void)
{
	static char buffer[1000 + MPI_BSEND_OVERHEAD];
	void *detached;
	MPI_Request request;
	int size;

	if (rank == 0) {
		for (int i = 0; i < 3; i++)
			send_bytes(100, 1, 11, MPI_COMM_WORLD);
		MPI_Buffer_attach(buffer, sizeof buffer);
		MPI_Bsend(out, 110, MPI_BYTE, 1, 12, MPI_COMM_WORLD);
		MPI_Buffer_detach(&detached, &size);
		MPI_Ssend(out, 120, MPI_BYTE, 1, 13, MPI_COMM_WORLD);
		MPI_Recv(NULL, 0, MPI_BYTE, 1, 15, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
		MPI_Rsend(out, 130, MPI_BYTE, 1, 14, MPI_COMM_WORLD);
	} else if (rank == 1) {
		for (int i = 0; i < 3; i++)
			receive_bytes(100, 0, 11, MPI_COMM_WORLD);
		receive_bytes(110, 0, 12, MPI_COMM_WORLD);
		receive_bytes(120, 0, 13, MPI_COMM_WORLD);
		MPI_Irecv(in, 200, MPI_BYTE, 0, 14, MPI_COMM_WORLD, &request);
		MPI_Send(NULL, 0, MPI_BYTE, 0, 15, MPI_COMM_WORLD);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
}

/* 2. 1, 2, 3 -> 0: tag 20 + rank, 10 * rank ints, received by wildcards on a
   duplicate of the world. */
static void wildcards(MPI_Comm comm)
{
	if (rank > 0) {
		MPI_Send(out, 10 * rank, MPI_INT, 0, 20 + rank, comm);
		return;
	}
	for (int i = 1; i < ranks; i++)
		MPI_Recv(in, 100, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm,
			 MPI_STATUS_IGNORE);
}

/*
 * 3. Probes.  1 -> 2 tag 31, 70 bytes, Probe; 2 -> 3 tag 32, 71, Iprobe; 3 -> 0
 * tag 33, 72, Mprobe and Mrecv; 0 -> 3 tag 34, 73, Improbe and Imrecv; 1 -> 0
 * tag 35, 10 and then 20 bytes: the first is taken by Mprobe, received last.
 */
static void probes(MPI_Comm comm)
{
	MPI_Message message;
	MPI_Request request;
	MPI_Status status;
	int there = 0;

	if (rank == 1) {
		send_bytes(70, 2, 31, comm);
		send_bytes(10, 0, 35, comm);
		send_bytes(20, 0, 35, comm);
	} else if (rank == 2) {
		MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
		receive_bytes(70, status.MPI_SOURCE, status.MPI_TAG, comm);
		send_bytes(71, 3, 32, comm);
	} else if (rank == 3) {
		while (!there)
			MPI_Iprobe(2, 32, comm, &there, MPI_STATUS_IGNORE);
		receive_bytes(71, 2, 32, comm);
		send_bytes(72, 0, 33, comm);
		for (there = 0; !there;)
			MPI_Improbe(MPI_ANY_SOURCE, 34, comm, &there, &message,
				    MPI_STATUS_IGNORE);
		MPI_Imrecv(in, 100, MPI_BYTE, &message, &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	} else {
		MPI_Mprobe(3, MPI_ANY_TAG, comm, &message, &status);
		MPI_Mrecv(in, 100, MPI_BYTE, &message, MPI_STATUS_IGNORE);
		send_bytes(73, 3, 34, comm);
		MPI_Mprobe(1, 35, comm, &message, MPI_STATUS_IGNORE);
		receive_bytes(20, 1, 35, comm);
		MPI_Mrecv(in, 100, MPI_BYTE, &message, MPI_STATUS_IGNORE);
	}
}

/* 4. Persistent.  0 -> 1 tag 41, 50 bytes, 5 starts; tags 42 (60 bytes) and 43
   (61 bytes, from anybody) 2 starts each, together. */
static void persistent(void)
{
	MPI_Request r[3];

	if (rank == 0) {
		MPI_Send_init(out, 50, MPI_BYTE, 1, 41, MPI_COMM_WORLD, &r[0]);
		MPI_Send_init(out, 60, MPI_BYTE, 1, 42, MPI_COMM_WORLD, &r[1]);
		MPI_Ssend_init(out, 61, MPI_BYTE, 1, 43, MPI_COMM_WORLD, &r[2]);
	} else if (rank == 1) {
		MPI_Recv_init(in, 100, MPI_BYTE, 0, 41, MPI_COMM_WORLD, &r[0]);
		MPI_Recv_init(in + 100, 100, MPI_BYTE, 0, 42, MPI_COMM_WORLD,
			      &r[1]);
		MPI_Recv_init(in + 200, 100, MPI_BYTE, MPI_ANY_SOURCE, 43,
			      MPI_COMM_WORLD, &r[2]);
	} else {
		return;
	}
	for (int i = 0; i < 5; i++) {
		MPI_Start(&r[0]);
		MPI_Wait(&r[0], MPI_STATUS_IGNORE);
		MPI_Wait(&r[0], MPI_STATUS_IGNORE); /* inactive: completes nothing */
	}
	for (int i = 0; i < 2; i++) {
		MPI_Startall(2, r + 1);
		MPI_Waitall(3, r, MPI_STATUSES_IGNORE); /* r[0] is inactive */
	}
	for (int i = 0; i < 3; i++)
		MPI_Request_free(&r[i]);
}

/* 5. 2 -> 3: tags 51 .. 54 of 1 .. 4 bytes, four Isends alive at once; the
   receiver waits for a copy of its requests, in reverse order. */
static void duplicates(void)
{
	MPI_Request r[4], copy[4];

	for (int i = 0; i < 4; i++) {
		if (rank == 2)
			MPI_Isend(out, i + 1, MPI_BYTE, 3, 51 + i,
				  MPI_COMM_WORLD, &r[i]);
		else if (rank == 3)
			MPI_Irecv(in + 10 * i, 10, MPI_BYTE, 2, 51 + i,
				  MPI_COMM_WORLD, &r[i]);
	}
	for (int i = 0; i < 4; i++)
		copy[i] = r[3 - i];
	if (rank == 2)
		MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
	else if (rank == 3)
		MPI_Waitall(4, copy, MPI_STATUSES_IGNORE);
}

/* 6. 1 -> 0: tags 60 .. 69 of as many bytes, completed by Waitany, Testany,
   Waitsome, Testsome and Testall; 80 requests in one Waitall, tag 80. */
static void any_and_some(void)
{
	MPI_Request r[80];
	MPI_Status statuses[80];
	int n = 0, at, flag = 0, done, indices[10];

	for (int i = 0; i < 10; i++) {
		if (rank == 1)
			MPI_Isend(out, 60 + i, MPI_BYTE, 0, 60 + i,
				  MPI_COMM_WORLD, &r[i]);
		else if (rank == 0)
			MPI_Irecv(in + 100 * i, 100, MPI_BYTE, 1, 60 + i,
				  MPI_COMM_WORLD, &r[i]);
	}
	if (rank > 1)
		return;
	MPI_Waitany(10, r, &at, MPI_STATUS_IGNORE);
	while (!flag)
		MPI_Testany(10, r, &at, &flag, statuses);
	for (n = 2; n < 5; n += done)
		MPI_Waitsome(10, r, &done, indices, statuses);
	MPI_Testsome(10, r, &done, indices, MPI_STATUSES_IGNORE);
	for (flag = 0; !flag;)
		MPI_Testall(10, r, &flag, MPI_STATUSES_IGNORE);
	MPI_Waitany(10, r, &at, MPI_STATUS_IGNORE); /* none is left */
	check(at == MPI_UNDEFINED, "Waitany of nothing");
	MPI_Waitsome(10, r, &done, indices, MPI_STATUSES_IGNORE);
	check(done == MPI_UNDEFINED, "Waitsome of nothing");
	for (int i = 0; i < 80; i++) {
		if (rank == 1)
			MPI_Isend(out, i, MPI_BYTE, 0, 80, MPI_COMM_WORLD,
				  &r[i]);
		else
			MPI_Irecv(in, 100, MPI_BYTE, 1, 80, MPI_COMM_WORLD,
				  &r[i]);
	}
	MPI_Waitall(80, r, MPI_STATUSES_IGNORE);
}

/*
 * 9. Communicators.  The world split into {2, 0} and {3, 1}; in each 0 -> 1 tag
 * 91, 33 bytes, and on a duplicate 1 -> 0 tag 91, 34 bytes.  0 -> 1 tag 92 on
 * the world 100 bytes and on a duplicate 200, received in the other order.
 */
static void communicators(MPI_Comm comm, MPI_Comm *half)
{
	MPI_Request request;
	MPI_Comm twin;
	int own;

	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, half);
	MPI_Comm_idup(*half, &twin, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Comm_rank(*half, &own);
	if (own == 0) {
		send_bytes(33, 1, 91, *half);
		receive_bytes(34, 1, 91, twin);
	} else {
		receive_bytes(33, 0, 91, *half);
		send_bytes(34, 0, 91, twin);
	}
	MPI_Comm_free(&twin);
	if (rank == 0) {
		send_bytes(100, 1, 92, MPI_COMM_WORLD);
		send_bytes(200, 1, 92, comm);
	} else if (rank == 1) {
		receive_bytes(200, 0, 92, comm);
		receive_bytes(100, 0, 92, MPI_COMM_WORLD);
	}
}

/*
 * 10. {2, 0} and {3, 1} meet: 2 -> 1 tag 101, 24 bytes (local rank 0 to remote
 * rank 1), 3 -> 0 tag 102, 25 bytes; a barrier, and a broadcast of 40 bytes
 * from 2 to the other group; a barrier on a duplicate.  Merged, the first group
 * first: 2, 0, 3, 1: a sum
 * of 8 bytes, and 0 -> 3 tag 103, 26 bytes (rank 1 to rank 2).
 */
static void two_groups(MPI_Comm half)
{
	MPI_Comm inter, merged, copy;
	double x = rank, y;
	int own;

	MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank % 2 ? 2 : 3, 100,
			     &inter);
	MPI_Comm_rank(half, &own);
	if (rank == 2)
		send_bytes(24, 1, 101, inter);
	else if (rank == 1)
		receive_bytes(24, 0, 101, inter);
	else if (rank == 3)
		send_bytes(25, 1, 102, inter);
	else
		receive_bytes(25, MPI_ANY_SOURCE, 102, inter);
	MPI_Barrier(inter);
	MPI_Bcast(in, 40, MPI_BYTE,
		  rank == 2   ? MPI_ROOT
		  : rank == 0 ? MPI_PROC_NULL
			      : 0,
		  inter);
	MPI_Comm_dup(inter, &copy);
	MPI_Barrier(copy);
	MPI_Comm_free(&copy);
	MPI_Intercomm_merge(inter, rank % 2, &merged);
	MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, MPI_SUM, merged);
	if (rank == 0)
		send_bytes(26, 2, 103, merged);
	else if (rank == 3)
		receive_bytes(26, 1, 103, merged);
	MPI_Comm_free(&merged);
	MPI_Comm_free(&inter);
}

/* 11. Only 1 and 3 make a communicator of the two, twice: 3 -> 1 tag 110, 6
   bytes on the first, 7 on the second. */
static void by_members(void)
{
	static const int members[] = { 3, 1 };
	MPI_Group world, group;
	MPI_Comm pair[2];

	if (rank % 2 == 0)
		return;
	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_incl(world, 2, members, &group);
	for (int i = 0; i < 2; i++)
		MPI_Comm_create_group(MPI_COMM_WORLD, group, 7, &pair[i]);
	for (int i = 0; i < 2; i++)
		if (rank == 3)
			send_bytes(6 + i, 1, 110, pair[i]);
	for (int i = 1; i >= 0; i--)
		if (rank == 1)
			receive_bytes(6 + i, 0, 110, pair[i]);
	for (int i = 0; i < 2; i++)
		MPI_Comm_free(&pair[i]);
	MPI_Group_free(&group);
	MPI_Group_free(&world);
}

/*
 * 12. Requests that end otherwise.  3 cancels a receive of tag 121.  0 -> 1 tag
 * 122, 9 bytes, seen complete by Request_get_status and then waited for.  1 ->
 * 2 tag 123, 5 bytes, sent by a request that is freed.  2 -> 1 tag 124, 8
 * bytes: never received.
 */
static void odd_requests(void)
{
	MPI_Request request;
	MPI_Status status;
	int flag = 0;

	if (rank == 3) {
		MPI_Irecv(in, 8, MPI_BYTE, 0, 121, MPI_COMM_WORLD, &request);
		MPI_Cancel(&request);
		MPI_Wait(&request, &status);
		MPI_Test_cancelled(&status, &flag);
		check(flag, "the receive was not cancelled");
	} else if (rank == 0) {
		send_bytes(9, 1, 122, MPI_COMM_WORLD);
	} else if (rank == 1) {
		MPI_Irecv(in, 20, MPI_BYTE, MPI_ANY_SOURCE, 122, MPI_COMM_WORLD,
			  &request);
		while (!flag)
			MPI_Request_get_status(request, &flag,
					       MPI_STATUS_IGNORE);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		MPI_Isend(out, 5, MPI_BYTE, 2, 123, MPI_COMM_WORLD, &request);
		MPI_Request_free(&request);
	} else {
		receive_bytes(5, 1, 123, MPI_COMM_WORLD);
		send_bytes(8, 1, 124, MPI_COMM_WORLD);
	}
}

/* 13. Nothing comes of these: 6 operations with MPI_PROC_NULL on each rank. */
static void nobody(void)
{
	MPI_Request r[2];

	MPI_Send(out, 10, MPI_BYTE, MPI_PROC_NULL, 130, MPI_COMM_WORLD);
	MPI_Recv(in, 10, MPI_BYTE, MPI_PROC_NULL, 130, MPI_COMM_WORLD,
		 MPI_STATUS_IGNORE);
	MPI_Sendrecv(out, 10, MPI_BYTE, MPI_PROC_NULL, 130, in, 10, MPI_BYTE,
		     MPI_PROC_NULL, 130, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Isend(out, 10, MPI_BYTE, MPI_PROC_NULL, 130, MPI_COMM_WORLD, &r[0]);
	MPI_Irecv(in, 10, MPI_BYTE, MPI_PROC_NULL, 130, MPI_COMM_WORLD, &r[1]);
	MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}

/* 14. A ring to the right: tag 141, 16 ints; tag 142, 17 ints, in place. */
static void ring(void)
{
	int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;

	MPI_Sendrecv(out, 16, MPI_INT, right, 141, in, 100, MPI_INT, left, 141,
		     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Sendrecv_replace(in, 17, MPI_INT, right, 142, left, MPI_ANY_TAG,
			     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* 15. 0 -> 3 tag 151: a vector of 10 times 2 ints, 80 bytes, received as ints;
   1 -> 2 tag 152: 100 bytes into a buffer of 40, an error, 40 received. */
static void types_and_errors(void)
{
	MPI_Datatype vector;
	int error, class;

	MPI_Type_vector(10, 2, 4, MPI_INT, &vector);
	MPI_Type_commit(&vector);
	if (rank == 0) {
		MPI_Send(out, 1, vector, 3, 151, MPI_COMM_WORLD);
	} else if (rank == 3) {
		MPI_Recv(in, 40, MPI_INT, 0, 151, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
	} else if (rank == 1) {
		send_bytes(100, 2, 152, MPI_COMM_WORLD);
	} else {
		MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
		error = MPI_Recv(in, 40, MPI_BYTE, 1, 152, MPI_COMM_WORLD,
				 MPI_STATUS_IGNORE);
		MPI_Error_class(error, &class);
		check(class == MPI_ERR_TRUNCATE, "no truncation");
		MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
	}
	MPI_Type_free(&vector);
}

/*
 * 16. Collectives on a duplicate of the world of their own, in this order; the
 * script knows the bytes of each.
 */
static void collectives(void)
{
	int counts[4] = { 1, 2, 3, 4 }, offsets[4] = { 0, 1, 3, 6 };
	int ones[4] = { 1, 1, 1, 1 }, places[4] = { 0, 1, 2, 3 };
	int *a = (int *)out, *b = (int *)in, period = 1;
	MPI_Request r[3];
	MPI_Comm comm, line;

	MPI_Comm_dup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &comm);
	MPI_Barrier(comm);
	MPI_Bcast(a, 10, MPI_INT, 2, comm);
	MPI_Gather(a, 3, MPI_INT, b, 3, MPI_INT, 0, comm);
	MPI_Gatherv(a, counts[rank], MPI_INT, b, counts, offsets, MPI_INT, 1,
		    comm);
	MPI_Scatter(a, 2, MPI_INT, b, 2, MPI_INT, 3, comm);
	MPI_Scatterv(a, counts, offsets, MPI_INT, b, counts[rank], MPI_INT, 0,
		     comm);
	MPI_Allgather(a, 1, MPI_INT, b, 1, MPI_INT, comm);
	MPI_Allgatherv(a, counts[rank], MPI_INT, b, counts, offsets, MPI_INT,
		       comm);
	MPI_Alltoall(a, 2, MPI_INT, b, 2, MPI_INT, comm);
	MPI_Alltoallv(a, ones, places, MPI_INT, b, ones, places, MPI_INT, comm);
	MPI_Reduce(a, b, 4, MPI_INT, MPI_SUM, 0, comm);
	MPI_Allreduce(MPI_IN_PLACE, b, 6, MPI_INT, MPI_SUM, comm);
	MPI_Reduce_scatter(a, b, counts, MPI_INT, MPI_SUM, comm);
	MPI_Reduce_scatter_block(a, b, 2, MPI_INT, MPI_SUM, comm);
	MPI_Scan(a, b, 1, MPI_INT, MPI_SUM, comm);
	MPI_Exscan(a, b, 1, MPI_INT, MPI_SUM, comm);
	MPI_Ibarrier(comm, &r[0]);
	MPI_Ibcast(a, 25, MPI_INT, 1, comm, &r[1]);
	MPI_Iallreduce(a, b, 5, MPI_INT, MPI_SUM, comm, &r[2]);
	MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
	MPI_Cart_create(comm, 1, &ranks, &period, 0, &line);
	MPI_Neighbor_alltoall(a, 3, MPI_INT, b, 3, MPI_INT, line);
	MPI_Comm_free(&line);
	MPI_Comm_free(&comm);
}

/* 17. Two threads on ranks 0 and 1: thread k sends 10 messages of 7 + k bytes,
   tag 170 + k, 0 -> 1, on a communicator that only the main thread has used. */
struct job {
	MPI_Comm comm;
	int number;
	char buffer[16];
};

static void *worker(void *argument)
{
	struct job *job = argument;

	for (int i = 0; i < 10; i++) {
		if (rank == 0)
			MPI_Send(job->buffer, 7 + job->number, MPI_BYTE, 1,
				 170 + job->number, job->comm);
		else
			MPI_Recv(job->buffer, 16, MPI_BYTE, 0,
				 170 + job->number, job->comm,
				 MPI_STATUS_IGNORE);
	}
	return NULL;
}

static void threads(MPI_Comm comm)
{
	struct job jobs[2] = { { .comm = comm, .number = 0 },
			       { .comm = comm, .number = 1 } };
	pthread_t second;

	if (rank > 1)
		return;
	if (pthread_create(&second, NULL, worker, &jobs[1]))
		check(0, "no thread");
	worker(&jobs[0]);
	pthread_join(second, NULL);
}

/*
 * 18. Recording off and on.  0 -> 1 tag 180: 3 messages of 1 byte pass, then 2
 * of 2 and 3 bytes are recorded; one barrier passes and one is recorded.
 */
static void control(MPI_Comm comm)
{
	MPI_Pcontrol(0);
	for (int i = 0; i < 3; i++)
		if (rank == 0)
			send_bytes(1, 1, 180, comm);
		else if (rank == 1)
			receive_bytes(1, MPI_ANY_SOURCE, 180, comm);
	MPI_Barrier(comm);
	MPI_Pcontrol(1);
	for (int i = 2; i < 4; i++)
		if (rank == 0)
			send_bytes(i, 1, 180, comm);
		else if (rank == 1)
			receive_bytes(i, 0, 180, comm);
	MPI_Barrier(comm);
}

/* 19. Each puts 8 bytes to its right and gets 16 from its left; all add 1 to a
   counter of 0's. */
static void window(void)
{
	int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
	static long memory[8];
	long one = 1, before;
	MPI_Win win;

	MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL,
		       MPI_COMM_WORLD, &win);
	MPI_Win_fence(0, win);
	MPI_Put(out, 1, MPI_LONG, right, 1, 1, MPI_LONG, win);
	MPI_Get(in, 2, MPI_LONG, left, 2, 2, MPI_LONG, win);
	MPI_Win_fence(0, win);
	MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
	MPI_Fetch_and_op(&one, &before, MPI_LONG, 0, 0, MPI_SUM, win);
	MPI_Win_unlock(0, win);
	MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
	MPI_Comm comm, half;
	int level;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	check(ranks == 4 && level == MPI_THREAD_MULTIPLE,
	      "needs 4 ranks and threads");
	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	blocking();
	wildcards(comm);
	MPI_Barrier(comm); /* a probe of part 3 must not see part 2 */
	probes(comm);
	persistent();
	duplicates();
	any_and_some();
	communicators(comm, &half);
	two_groups(half);
	by_members();
	odd_requests();
	nobody();
	MPI_Barrier(MPI_COMM_WORLD);
	ring();
	types_and_errors();
	collectives();
	threads(comm);
	control(comm);
	window();
	MPI_Comm_free(&half);
	MPI_Comm_free(&comm);
	MPI_Finalize();
	return 0;
}
