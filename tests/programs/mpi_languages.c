/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One program in five languages: this, mpi_languages.F90 (mpif.h, use mpi, use
 * mpi_f08) and mpi_languages.py do the same, of 3 ranks.  A comment with a
 * colon names the call on the line after it; tests/e2e/languages.sh has what
 * each call leaves in the database.  Usage: mpi_languages FILE
 */
#include <mpi.h>
#include <unistd.h>

#define WORLD MPI_COMM_WORLD
#define NONE  MPI_STATUS_IGNORE
#define LATE  60000 /* us */

static int me, left, right, a[30], b[30];
static MPI_Comm part;

static void blocking(void)
{
	MPI_Status status;
	MPI_Message message;

	if (me == 0) {
		usleep(LATE);
		/*: send */
		MPI_Send(a, 5, MPI_INT, 1, 11, WORLD);
		/*: probed */
		MPI_Send(a, 7, MPI_INT, 1, 17, WORLD);
		/*: matched */
		MPI_Send(a, 1, MPI_INT, 1, 18, WORLD);
	} else if (me == 1) {
		/*: recv */
		MPI_Recv(b, 8, MPI_INT, 0, 11, WORLD, NONE);
		/*: probe */
		MPI_Probe(MPI_ANY_SOURCE, 17, WORLD, &status);
		/*: recv-probed */
		MPI_Recv(b, 8, MPI_INT, status.MPI_SOURCE, 17, WORLD, &status);
		/*: mprobe */
		MPI_Mprobe(0, MPI_ANY_TAG, WORLD, &message, NONE);
		/*: mrecv */
		MPI_Mrecv(b, 8, MPI_INT, &message, &status);
		/*: ssend */
		MPI_Ssend(a, 3, MPI_INT, 2, 12, WORLD);
	} else {
		/*: wild */
		MPI_Recv(b, 8, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD,
			 &status);
	}
	/*: sendrecv */
	MPI_Sendrecv(a, 2, MPI_INT, right, 15, b, 8, MPI_INT, left, 15, WORLD,
		     &status);
	/*: replace */
	MPI_Sendrecv_replace(a, 6, MPI_INT, right, 16, MPI_ANY_SOURCE, 16,
			     WORLD, NONE);
	/*: null */
	MPI_Send(a, 1, MPI_INT, MPI_PROC_NULL, 20, WORLD);
}

static void non_blocking(void)
{
	MPI_Request r[2];
	MPI_Status status[2];
	int index;

	/*: irecv */
	MPI_Irecv(b, 8, MPI_INT, left, MPI_ANY_TAG, WORLD, &r[0]);
	/*: isend */
	MPI_Isend(a, 4, MPI_INT, right, 13, WORLD, &r[1]);
	/*: waitall */
	MPI_Waitall(2, r, status);
	/*: irecv-any */
	MPI_Irecv(b, 8, MPI_INT, MPI_ANY_SOURCE, 14, WORLD, &r[0]);
	/*: isend-2 */
	MPI_Isend(a, 2, MPI_INT, right, 14, WORLD, &r[1]);
	/*: waitany */
	MPI_Waitany(1, r, &index, NONE);
	/*: wait */
	MPI_Wait(&r[1], &status[0]);
	/*: irecv-cancelled */
	MPI_Irecv(b, 1, MPI_INT, left, 99, WORLD, &r[0]);
	/*: cancel */
	MPI_Cancel(&r[0]);
	/*: wait-cancelled */
	MPI_Wait(&r[0], NONE);
}

static void persistent(void)
{
	MPI_Request r[2];

	/*: recv-init */
	MPI_Recv_init(b, 8, MPI_INT, left, 19, WORLD, &r[0]);
	/*: send-init */
	MPI_Send_init(a, 3, MPI_INT, right, 19, WORLD, &r[1]);
	for (int i = 0; i < 2; i++) {
		/*: startall */
		MPI_Startall(2, r);
		/*: wait-started */
		MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
	}
	/*: start-recv */
	MPI_Start(&r[0]);
	/*: start-send */
	MPI_Start(&r[1]);
	/*: wait-recv */
	MPI_Wait(&r[0], NONE);
	/*: wait-send */
	MPI_Wait(&r[1], NONE);
	/*: free-recv */
	MPI_Request_free(&r[0]);
	/*: free-send */
	MPI_Request_free(&r[1]);
}

static void add(void *in, void *sum, int *n, MPI_Datatype *type)
{
	(void)type;
	for (int i = 0; i < *n; i++)
		((int *)sum)[i] += ((const int *)in)[i];
}

static void in_place(void)
{
	void *send = me == 2 ? MPI_IN_PLACE : a;
	void *recv = me == 2 ? MPI_IN_PLACE : b;

	/*: allreduce */
	MPI_Allreduce(MPI_IN_PLACE, a, 2, MPI_INT, MPI_SUM, WORLD);
	/*: gather */
	MPI_Gather(send, 2, MPI_INT, b, 2, MPI_INT, 2, WORLD);
	/*: scatter */
	MPI_Scatter(a, 2, MPI_INT, recv, 2, MPI_INT, 2, WORLD);
	/*: allgather */
	MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, b, 1, MPI_INT, WORLD);
	/*: alltoall */
	MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INT, b, 2, MPI_INT, WORLD);
	/*: reduce-scatter */
	MPI_Reduce_scatter_block(MPI_IN_PLACE, a, 2, MPI_INT, MPI_SUM, WORLD);
}

static void collectives(void)
{
	const int counts[3] = { 1, 2, 3 }, mine[3] = { me + 1, me + 1, me + 1 };
	const int places[3] = { 0, 4, 8 }, bytes[3] = { 0, 16, 32 };
	const int ones[3] = { 1, 1, 1 };
	const MPI_Datatype types[3] = { MPI_INT, MPI_INT, MPI_INT };
	MPI_Request r;
	MPI_Op op;

	if (me == 2)
		usleep(LATE);
	/*: barrier */
	MPI_Barrier(WORLD);
	/*: bcast */
	MPI_Bcast(a, 10, MPI_INT, 1, WORLD);
	/*: reduce */
	MPI_Reduce(a, b, 3, MPI_INT, MPI_SUM, 0, WORLD);
	in_place();
	/*: allgatherv */
	MPI_Allgatherv(a, me + 1, MPI_INT, b, counts, places, MPI_INT, WORLD);
	/*: alltoallv */
	MPI_Alltoallv(a, counts, places, MPI_INT, b, mine, places, MPI_INT,
		      WORLD);
	/*: alltoallw */
	MPI_Alltoallw(a, ones, bytes, types, b, ones, bytes, types, WORLD);
	/*: scan */
	MPI_Scan(a, b, 1, MPI_INT, MPI_SUM, WORLD);
	/*: exscan */
	MPI_Exscan(a, b, 1, MPI_INT, MPI_SUM, WORLD);
	MPI_Op_create(add, 1, &op);
	/*: allreduce-own */
	MPI_Allreduce(a, b, 2, MPI_INT, op, WORLD);
	MPI_Op_free(&op);
	/*: iallreduce */
	MPI_Iallreduce(a, b, 3, MPI_INT, MPI_MAX, WORLD, &r);
	/*: wait-allreduce */
	MPI_Wait(&r, NONE);
	/*: ibarrier */
	MPI_Ibarrier(WORLD, &r);
	/*: wait-barrier */
	MPI_Wait(&r, NONE);
	/*: allreduce-part */
	MPI_Allreduce(a, b, 1, MPI_INT, MPI_SUM, part);
}

static void datatypes(void)
{
	const int ones[2] = { 1, 1 };
	const MPI_Aint places[2] = { 0, 8 };
	const MPI_Datatype types[2] = { MPI_INT, MPI_DOUBLE };
	MPI_Datatype t;
	MPI_Aint at[2];

	MPI_Type_vector(3, 2, 4, MPI_INT, &t);
	MPI_Type_commit(&t);
	/*: vector */
	MPI_Sendrecv(a, 1, t, right, 21, b, 8, MPI_INT, left, 21, WORLD, NONE);
	MPI_Type_free(&t);
	MPI_Type_create_struct(2, ones, places, types, &t);
	MPI_Type_commit(&t);
	/*: struct */
	MPI_Sendrecv(a, 1, t, right, 22, b, 2, t, left, 22, WORLD, NONE);
	MPI_Type_free(&t);
	MPI_Get_address(&a[3], &at[0]);
	MPI_Get_address(&a[7], &at[1]);
	MPI_Type_create_hindexed(2, ones, at, MPI_INT, &t);
	MPI_Type_commit(&t);
	/*: bottom */
	MPI_Sendrecv(MPI_BOTTOM, 1, t, right, 23, b, 8, MPI_INT, left, 23,
		     WORLD, NONE);
	MPI_Type_free(&t);
}

static void communicators(void)
{
	const int size = 3, periodic = 1;
	MPI_Comm comm;

	/*: cart */
	MPI_Cart_create(WORLD, 1, &size, &periodic, 0, &comm);
	/*: name-cart */
	MPI_Comm_set_name(comm, "ring");
	/*: neighbor */
	MPI_Neighbor_allgather(a, 1, MPI_INT, b, 1, MPI_INT, comm);
	/*: free-cart */
	MPI_Comm_free(&comm);
	/*: dup */
	MPI_Comm_dup(part, &comm);
	/*: free-dup */
	MPI_Comm_free(&comm);
}

static void active_target(MPI_Win win)
{
	MPI_Group world, from, to;

	if (me == 1)
		usleep(LATE);
	/*: fence-1 */
	MPI_Win_fence(0, win);
	/*: put */
	MPI_Put(a, 3, MPI_INT, right, 1, 3, MPI_INT, win);
	/*: fence-2 */
	MPI_Win_fence(0, win);
	/*: get */
	MPI_Get(b, 2, MPI_INT, left, 0, 2, MPI_INT, win);
	/*: fence-3 */
	MPI_Win_fence(0, win);
	/*: accumulate */
	MPI_Accumulate(a, 1, MPI_INT, right, 5, 1, MPI_INT, MPI_SUM, win);
	/*: fence-4 */
	MPI_Win_fence(0, win);
	MPI_Comm_group(WORLD, &world);
	MPI_Group_incl(world, 1, &left, &from);
	MPI_Group_incl(world, 1, &right, &to);
	/*: post */
	MPI_Win_post(from, 0, win);
	/*: start */
	MPI_Win_start(to, 0, win);
	/*: put-started */
	MPI_Put(a, 1, MPI_INT, right, 4, 1, MPI_INT, win);
	/*: complete */
	MPI_Win_complete(win);
	/*: win-wait */
	MPI_Win_wait(win);
	MPI_Group_free(&world);
	MPI_Group_free(&from);
	MPI_Group_free(&to);
}

static void passive_target(MPI_Win win)
{
	MPI_Request r;

	/*: lock */
	MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, 0, win);
	/*: put-locked */
	MPI_Put(a, 1, MPI_INT, right, 6, 1, MPI_INT, win);
	/*: flush */
	MPI_Win_flush(right, win);
	/*: unlock */
	MPI_Win_unlock(right, win);
	/*: lock-all */
	MPI_Win_lock_all(0, win);
	/*: fetch */
	MPI_Fetch_and_op(a, b, MPI_INT, right, 7, MPI_SUM, win);
	/*: rput */
	MPI_Rput(a, 2, MPI_INT, right, 8, 2, MPI_INT, win, &r);
	/*: wait-rput */
	MPI_Wait(&r, NONE);
	/*: unlock-all */
	MPI_Win_unlock_all(win);
}

static void one_sided(void)
{
	static int memory[10];
	void *address;
	MPI_Win win;

	/*: win-create */
	MPI_Win_create(memory, 40, 4, MPI_INFO_NULL, WORLD, &win);
	active_target(win);
	passive_target(win);
	/*: win-free */
	MPI_Win_free(&win);
	/*: win-allocate */
	MPI_Win_allocate(16, 4, MPI_INFO_NULL, WORLD, &address, &win);
	/*: free-allocated */
	MPI_Win_free(&win);
	/*: alloc-mem */
	MPI_Alloc_mem(64, MPI_INFO_NULL, &address);
	/*: free-mem */
	MPI_Free_mem(address);
}

static void files(const char *path)
{
	const int mode = MPI_MODE_CREATE | MPI_MODE_RDWR;
	MPI_Request r;
	MPI_File f;

	/*: open */
	MPI_File_open(WORLD, path, mode, MPI_INFO_NULL, &f);
	/*: view */
	MPI_File_set_view(f, 8, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
	/*: write-all */
	MPI_File_write_at_all(f, 5 * me, a, 5, MPI_INT, NONE);
	/*: sync */
	MPI_File_sync(f);
	/*: barrier-files */
	MPI_Barrier(WORLD);
	/*: sync-2 */
	MPI_File_sync(f);
	/*: read */
	MPI_File_read_at(f, 5 * me, b, 2, MPI_INT, NONE);
	/*: iread */
	MPI_File_iread_at(f, 5 * me + 3, b, 2, MPI_INT, &r);
	/*: wait-read */
	MPI_Wait(&r, NONE);
	/*: close */
	MPI_File_close(&f);
}

int main(int argc, char **argv)
{
	/*: init */
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(WORLD, &me);
	right = (me + 1) % 3;
	left = (me + 2) % 3;
	/*: split */
	MPI_Comm_split(WORLD, me % 2, me, &part);
	/*: name */
	MPI_Comm_set_name(part, me % 2 ? "odd" : "even");
	blocking();
	non_blocking();
	persistent();
	collectives();
	datatypes();
	communicators();
	one_sided();
	files(argv[1]);
	MPI_Pcontrol(0);
	MPI_Barrier(WORLD); /* not recorded */
	MPI_Pcontrol(1);
	/*: free-part */
	MPI_Comm_free(&part);
	/*: end */
	MPI_Finalize();
	return 0;
}
