/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Collectives, each blocking, non-blocking and (MPI 4, and as an extension of
 * Open MPI 4) persistent, and with large counts (MPI 4).  One row of
 * COLLECTIVES makes all of them.  Each counts on its communicator, also while
 * recording is off: so all members come to the same number for it.
 */
#include "collector/base/environment.h"
#include "collector/models/mpi/clocks/clocks.h"
#include "collector/models/mpi/flow.h"

#ifdef OPEN_MPI
#include <mpi-ext.h> /* persistent ones, before MPI 4 */
#endif

/* --- arguments of START --------------------------------------------------- */

static void open_collective(struct gaspdb_mpi_call *call, MPI_Comm comm,
			    uint64_t *sequence)
{
	call->comm = gaspdb_mpi_comm_get(call->c, comm);
	*sequence = gaspdb_mpi_comm_count(call->comm);
}

/* --- barriers before collectives (GASPDB_SYNC_COLLECTIVES) ---------------- */

static bool synchronizes;

__attribute__((constructor)) static void load(void)
{
	synchronizes = gaspdb_env_asks("GASPDB_SYNC_COLLECTIVES");
}

static void time_barrier(const struct gaspdb_mpi_call *call, MPI_Comm comm)
{
	static const struct gaspdb_operation op = { GASPDB_EVENT_MPI_BARRIER,
						    "MPI_Barrier (sync)" };
	struct gaspdb_mpi_comm *m = gaspdb_mpi_comm_get(call->c, comm);

	gaspdb_start(call->c, &op, call->entry.pc, 2,
		     (uint64_t[]){ gaspdb_mpi_comm_id(m),
				   gaspdb_mpi_comm_count(m) });
	PMPI_Barrier(comm);
	gaspdb_end(call->c, &op, call->entry.pc, 0, NULL);
}

/* Called before each collective of the program, whether it is recorded here or
   not: another process may record it. */
static inline void synchronize(const struct gaspdb_mpi_call *call,
			       MPI_Comm comm)
{
	if (GASPDB_LIKELY(!synchronizes) ||
	    !(call->c || call->entry.unlogged) ||
	    !gaspdb_mpi_comm_is_valid(comm))
		return;
	if (call->c)
		time_barrier(call, comm);
	else
		PMPI_Barrier(comm);
}

/* Before collectives of a row's shape: a barrier needs none. */
#define SYNC_PLAIN()
#define SYNC_FREE()   synchronize(&call, comm)
#define SYNC_RADIAL() synchronize(&call, comm)

/* The shapes of START's arguments, but for the plain one. */
static void start_flow(const struct gaspdb_mpi_call *call, uint64_t sequence,
		       struct gaspdb_mpi_flow flow)
{
	gaspdb_mpi_start(call, 4,
			 (uint64_t[]){ gaspdb_mpi_comm_id(call->comm), sequence,
				       flow.sent, flow.received });
}

static void start_rooted(const struct gaspdb_mpi_call *call, uint64_t sequence,
			 int root, struct gaspdb_mpi_flow flow)
{
	int peer = gaspdb_mpi_root(call->comm, root);

	gaspdb_mpi_start(call, 5,
			 (uint64_t[]){ gaspdb_mpi_comm_id(call->comm), sequence,
				       (uint64_t)peer, flow.sent,
				       flow.received });
}

#if MPI_VERSION >= 4 || defined OMPI_HAVE_MPI_EXT_PCOLLREQ
static void start_made(const struct gaspdb_mpi_call *call, uint64_t sequence,
		       enum gaspdb_does does, int root,
		       struct gaspdb_mpi_flow flow)
{
	gaspdb_mpi_start(call, 6,
			 (uint64_t[]){ gaspdb_mpi_comm_id(call->comm), sequence,
				       does, (uint64_t)root, flow.sent,
				       flow.received });
}
#endif

/* clang-format off */

/* Whether no process leaves such a call before all have entered it, by the
   event's name: then it may be followed by a sample of the hosts' clocks. */
#define ALIGNS_BARRIER        true
#define ALIGNS_ALLREDUCE      (count > 0)
#define ALIGNS_ALLTOALL       (BYTES(recvcount, recvtype) > 0)
#define ALIGNS_BCAST          false
#define ALIGNS_GATHER         false
#define ALIGNS_SCATTER        false
#define ALIGNS_REDUCE         false
#define ALIGNS_ALLGATHER      false
#define ALIGNS_ALLTOALLV      false
#define ALIGNS_REDUCE_SCATTER false
#define ALIGNS_SCAN           false
#define ALIGNS_NEIGHBOR       false

/* START by the shape of the row; FLOW is evaluated where m is known. */
#define PLAIN(f)  gaspdb_mpi_start_plain(&call, sequence)
#define FREE(f)   start_flow(&call, sequence, m ? (f) : FLOW(0, 0))
#define RADIAL(f) start_rooted(&call, sequence, root, m ? (f) : FLOW(0, 0))

#define BLOCKING(ident, name, C, D, P, A, START, F)                            \
GASPDB_EXPORT int MPI_##name(P(C, D))                                          \
{                                                                              \
	GASPDB_MPI_CALL(ident, MPI_##name);                                    \
	const struct gaspdb_mpi_comm *m;                                       \
	uint64_t sequence;                                                     \
	int rc;                                                                \
                                                                               \
	SYNC_##START();                                                        \
	if (!call.c)                                                           \
		return GASPDB_MPI_PASS(MPI_##name)(A());                       \
	open_collective(&call, comm, &sequence);                               \
	m = call.comm;                                                         \
	(void)m;                                                               \
	START(F);                                                              \
	rc = PMPI_##name(A());                                                 \
	gaspdb_mpi_finish(&call, 0, NULL);                                     \
	if (comm == gaspdb_mpi_sampled && rc == MPI_SUCCESS && ALIGNS_##ident) \
		gaspdb_mpi_clocks_after(call.c, sequence);                     \
	return rc;                                                             \
}

#define NONBLOCKING(ident, name, C, D, P, A, START, F)                         \
GASPDB_EXPORT int MPI_##name(P(C, D), MPI_Request *request)                    \
{                                                                              \
	GASPDB_MPI_CALL(ident, MPI_##name);                                    \
	struct gaspdb_mpi_request r = { .kind = GASPDB_MPI_COLLECTIVE };       \
	const struct gaspdb_mpi_comm *m;                                       \
	uint64_t sequence;                                                     \
	int rc;                                                                \
                                                                               \
	if (!call.c)                                                           \
		return GASPDB_MPI_PASS(MPI_##name)(A(), request);              \
	open_collective(&call, comm, &sequence);                               \
	m = call.comm;                                                         \
	(void)m;                                                               \
	START(F);                                                              \
	rc = PMPI_##name(A(), request);                                        \
	return gaspdb_mpi_posted(&call, rc, request, &r);                      \
}

/* The same for persistent ones, by the event's name. */
#define MADE_PLAIN(does, f)                                                    \
	start_made(&call, sequence, does, -1, FLOW(0, 0))
#define MADE_FREE(does, f)                                                     \
	start_made(&call, sequence, does, -1, m ? (f) : FLOW(0, 0))
#define MADE_RADIAL(does, f)                                                   \
	start_made(&call, sequence, does, gaspdb_mpi_root(m, root),            \
		   m ? (f) : FLOW(0, 0))

#define DOES_BARRIER        GASPDB_DOES_barrier
#define DOES_BCAST          GASPDB_DOES_broadcast
#define DOES_GATHER         GASPDB_DOES_gather
#define DOES_SCATTER        GASPDB_DOES_scatter
#define DOES_REDUCE         GASPDB_DOES_reduce
#define DOES_ALLGATHER      GASPDB_DOES_all_to_all
#define DOES_ALLTOALL       GASPDB_DOES_all_to_all
#define DOES_ALLREDUCE      GASPDB_DOES_all_to_all
#define DOES_REDUCE_SCATTER GASPDB_DOES_all_to_all
#define DOES_ALLTOALLV      GASPDB_DOES_exchange
#define DOES_SCAN           GASPDB_DOES_scan
#define DOES_NEIGHBOR       GASPDB_DOES_neighbor

/* Each start of the request is an instance; its number is the request's. */
#define PERSISTENT(MPI, PMPI, event, name, C, D, P, A, START, F)               \
GASPDB_EXPORT int MPI##_##name(P(C, D), MPI_Info info, MPI_Request *request)   \
{                                                                              \
	GASPDB_MPI_CALL(COLLECTIVE_INIT, MPI##_##name);                        \
	struct gaspdb_mpi_request r = { .kind = GASPDB_MPI_COLLECTIVE,         \
					.persistent = true };                  \
	const struct gaspdb_mpi_comm *m;                                       \
	uint64_t sequence;                                                     \
	int rc;                                                                \
                                                                               \
	if (!call.c)                                                           \
		return GASPDB_MPI_PASS(MPI##_##name)(A(), info, request);      \
	open_collective(&call, comm, &sequence);                               \
	m = call.comm;                                                         \
	(void)m;                                                               \
	MADE_##START(DOES_##event, F);                                         \
	rc = PMPI##_##name(A(), info, request);                                \
	return gaspdb_mpi_posted(&call, rc, request, &r);                      \
}

/*
 * ROW(event, its I-event, name, I-name, parameters, arguments, shape, flow).
 * Parameters are given the types of counts and of displacements.
 */
#define COLLECTIVES(ROW)                                                       \
ROW(BCAST, IBCAST, Bcast, Ibcast, P_BCAST, A_BCAST, RADIAL,                    \
    ROOTED(FLOW(BYTES(count, type), 0), FLOW(0, BYTES(count, type))))          \
ROW(GATHER, IGATHER, Gather, Igather, P_GATHER, A_GATHER, RADIAL,              \
    ROOTED(FLOW(OWN(sendbuf, BYTES(sendcount, sendtype)),                      \
		BLOCKS(sendbuf) * BYTES(recvcount, recvtype)),                 \
	   FLOW(BYTES(sendcount, sendtype), 0)))                               \
ROW(GATHER, IGATHER, Gatherv, Igatherv, P_GATHERV, A_GATHERV, RADIAL,          \
    ROOTED(FLOW(OWN(sendbuf, BYTES(sendcount, sendtype)),                      \
		SUM(recvcounts, recvtype, sendbuf)),                           \
	   FLOW(BYTES(sendcount, sendtype), 0)))                               \
ROW(SCATTER, ISCATTER, Scatter, Iscatter, P_SCATTER, A_SCATTER, RADIAL,        \
    ROOTED(FLOW(BLOCKS(recvbuf) * BYTES(sendcount, sendtype),                  \
		OWN(recvbuf, BYTES(recvcount, recvtype))),                     \
	   FLOW(0, BYTES(recvcount, recvtype))))                               \
ROW(SCATTER, ISCATTER, Scatterv, Iscatterv, P_SCATTERV, A_SCATTERV, RADIAL,    \
    ROOTED(FLOW(SUM(sendcounts, sendtype, recvbuf),                            \
		OWN(recvbuf, BYTES(recvcount, recvtype))),                     \
	   FLOW(0, BYTES(recvcount, recvtype))))                               \
ROW(REDUCE, IREDUCE, Reduce, Ireduce, P_REDUCE, A_REDUCE, RADIAL,              \
    ROOTED(FLOW(OWN(sendbuf, BYTES(count, type)), BYTES(count, type)),         \
	   FLOW(BYTES(count, type), 0)))                                       \
ROW(ALLGATHER, IALLGATHER, Allgather, Iallgather, P_ALLGATHER, A_ALLGATHER,    \
    FREE,                                                                      \
    FLOW(IN_PLACE(sendbuf) ? BYTES(recvcount, recvtype)                        \
			   : BYTES(sendcount, sendtype),                       \
	 BLOCKS(sendbuf) * BYTES(recvcount, recvtype)))                        \
ROW(ALLGATHER, IALLGATHER, Allgatherv, Iallgatherv, P_ALLGATHERV,              \
    A_ALLGATHERV, FREE,                                                        \
    FLOW(IN_PLACE(sendbuf) ? BLOCK(recvcounts, m->rank, recvtype)              \
			   : BYTES(sendcount, sendtype),                       \
	 SUM(recvcounts, recvtype, sendbuf)))                                  \
ROW(ALLTOALL, IALLTOALL, Alltoall, Ialltoall, P_ALLGATHER, A_ALLGATHER, FREE,  \
    FLOW(BLOCKS(sendbuf) * (IN_PLACE(sendbuf)                                  \
				    ? BYTES(recvcount, recvtype)               \
				    : BYTES(sendcount, sendtype)),             \
	 BLOCKS(sendbuf) * BYTES(recvcount, recvtype)))                        \
ROW(ALLTOALLV, IALLTOALLV, Alltoallv, Ialltoallv, P_ALLTOALLV, A_ALLTOALLV,    \
    FREE,                                                                      \
    FLOW(IN_PLACE(sendbuf) ? SUM(recvcounts, recvtype, sendbuf)                \
			   : SUM(sendcounts, sendtype, sendbuf),               \
	 SUM(recvcounts, recvtype, sendbuf)))                                  \
ROW(ALLREDUCE, IALLREDUCE, Allreduce, Iallreduce, P_ALLREDUCE, A_ALLREDUCE,    \
    FREE, FLOW(BYTES(count, type), BYTES(count, type)))                        \
ROW(REDUCE_SCATTER, IREDUCE_SCATTER, Reduce_scatter, Ireduce_scatter,          \
    P_REDUCE_SCATTER, A_REDUCE_SCATTER, FREE,                                  \
    FLOW(gaspdb_mpi_sum(COUNTS(recvcounts), m->local.n, -1, type),             \
	 BLOCK(recvcounts, m->rank, type)))                                    \
ROW(REDUCE_SCATTER, IREDUCE_SCATTER, Reduce_scatter_block,                     \
    Ireduce_scatter_block, P_ALLREDUCE, A_ALLREDUCE, FREE,                     \
    FLOW((uint64_t)m->local.n * BYTES(count, type), BYTES(count, type)))       \
ROW(SCAN, ISCAN, Scan, Iscan, P_ALLREDUCE, A_ALLREDUCE, FREE,                  \
    FLOW(BYTES(count, type), BYTES(count, type)))                              \
ROW(SCAN, ISCAN, Exscan, Iexscan, P_ALLREDUCE, A_ALLREDUCE, FREE,              \
    FLOW(BYTES(count, type), m->rank ? BYTES(count, type) : 0))                \
ROW(NEIGHBOR, INEIGHBOR, Neighbor_allgather, Ineighbor_allgather,              \
    P_ALLGATHER, A_ALLGATHER, FREE,                                            \
    FLOW(m->destinations ? BYTES(sendcount, sendtype) : 0,                     \
	 (uint64_t)m->sources * BYTES(recvcount, recvtype)))                   \
ROW(NEIGHBOR, INEIGHBOR, Neighbor_allgatherv, Ineighbor_allgatherv,            \
    P_ALLGATHERV, A_ALLGATHERV, FREE,                                          \
    FLOW(m->destinations ? BYTES(sendcount, sendtype) : 0,                     \
	 gaspdb_mpi_sum(COUNTS(recvcounts), m->sources, -1, recvtype)))        \
ROW(NEIGHBOR, INEIGHBOR, Neighbor_alltoall, Ineighbor_alltoall, P_ALLGATHER,   \
    A_ALLGATHER, FREE,                                                         \
    FLOW((uint64_t)m->destinations * BYTES(sendcount, sendtype),               \
	 (uint64_t)m->sources * BYTES(recvcount, recvtype)))                   \
ROW(NEIGHBOR, INEIGHBOR, Neighbor_alltoallv, Ineighbor_alltoallv,              \
    P_ALLTOALLV, A_ALLTOALLV, FREE,                                            \
    FLOW(gaspdb_mpi_sum(COUNTS(sendcounts), m->destinations, -1, sendtype),    \
	 gaspdb_mpi_sum(COUNTS(recvcounts), m->sources, -1, recvtype)))        \
ROW(NEIGHBOR, INEIGHBOR, Neighbor_alltoallw, Ineighbor_alltoallw,              \
    P_NEIGHBOR_ALLTOALLW, A_ALLTOALLW, FREE,                                   \
    FLOW(gaspdb_mpi_sum_each(COUNTS(sendcounts), m->destinations, -1,          \
			     sendtypes),                                       \
	 gaspdb_mpi_sum_each(COUNTS(recvcounts), m->sources, -1, recvtypes)))  \
ROW(ALLTOALLV, IALLTOALLV, Alltoallw, Ialltoallw, P_ALLTOALLW, A_ALLTOALLW,    \
    FREE,                                                                      \
    FLOW(IN_PLACE(sendbuf) ? SUM_EACH(recvcounts, recvtypes, sendbuf)          \
			   : SUM_EACH(sendcounts, sendtypes, sendbuf),         \
	 SUM_EACH(recvcounts, recvtypes, sendbuf)))

#define P_BARRIER(C, D) MPI_Comm comm
#define A_BARRIER() comm
#define P_BCAST(C, D)                                                          \
	void *buffer, C count, MPI_Datatype type, int root, MPI_Comm comm
#define A_BCAST() buffer, count, type, root, comm
#define P_ALLGATHER(C, D)                                                      \
	const void *sendbuf, C sendcount, MPI_Datatype sendtype,               \
		void *recvbuf, C recvcount, MPI_Datatype recvtype,             \
		MPI_Comm comm
#define A_ALLGATHER()                                                          \
	sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm
#define P_GATHER(C, D)                                                         \
	const void *sendbuf, C sendcount, MPI_Datatype sendtype,               \
		void *recvbuf, C recvcount, MPI_Datatype recvtype, int root,   \
		MPI_Comm comm
#define A_GATHER()                                                             \
	sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm
#define P_SCATTER P_GATHER
#define A_SCATTER A_GATHER
#define P_GATHERV(C, D)                                                        \
	const void *sendbuf, C sendcount, MPI_Datatype sendtype,               \
		void *recvbuf, const C recvcounts[], const D displs[],         \
		MPI_Datatype recvtype, int root, MPI_Comm comm
#define A_GATHERV()                                                            \
	sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,   \
		root, comm
#define P_SCATTERV(C, D)                                                       \
	const void *sendbuf, const C sendcounts[], const D displs[],           \
		MPI_Datatype sendtype, void *recvbuf, C recvcount,             \
		MPI_Datatype recvtype, int root, MPI_Comm comm
#define A_SCATTERV()                                                           \
	sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype,   \
		root, comm
#define P_ALLGATHERV(C, D)                                                     \
	const void *sendbuf, C sendcount, MPI_Datatype sendtype,               \
		void *recvbuf, const C recvcounts[], const D displs[],         \
		MPI_Datatype recvtype, MPI_Comm comm
#define A_ALLGATHERV()                                                         \
	sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,   \
		comm
#define P_ALLTOALLV(C, D)                                                      \
	const void *sendbuf, const C sendcounts[], const D senddispls[],       \
		MPI_Datatype sendtype, void *recvbuf, const C recvcounts[],    \
		const D recvdispls[], MPI_Datatype recvtype, MPI_Comm comm
#define A_ALLTOALLV()                                                          \
	sendbuf, sendcounts, senddispls, sendtype, recvbuf, recvcounts,        \
		recvdispls, recvtype, comm
#define P_ALLTOALLW(C, D)                                                      \
	const void *sendbuf, const C sendcounts[], const D senddispls[],       \
		const MPI_Datatype sendtypes[], void *recvbuf,                 \
		const C recvcounts[], const D recvdispls[],                    \
		const MPI_Datatype recvtypes[], MPI_Comm comm
#define A_ALLTOALLW()                                                          \
	sendbuf, sendcounts, senddispls, sendtypes, recvbuf, recvcounts,       \
		recvdispls, recvtypes, comm
#define P_NEIGHBOR_ALLTOALLW(C, D) P_ALLTOALLW(C, MPI_Aint)
#define P_REDUCE(C, D)                                                         \
	const void *sendbuf, void *recvbuf, C count, MPI_Datatype type,        \
		MPI_Op operation, int root, MPI_Comm comm
#define A_REDUCE() sendbuf, recvbuf, count, type, operation, root, comm
#define P_ALLREDUCE(C, D)                                                      \
	const void *sendbuf, void *recvbuf, C count, MPI_Datatype type,        \
		MPI_Op operation, MPI_Comm comm
#define A_ALLREDUCE() sendbuf, recvbuf, count, type, operation, comm
#define P_REDUCE_SCATTER(C, D)                                                 \
	const void *sendbuf, void *recvbuf, const C recvcounts[],              \
		MPI_Datatype type, MPI_Op operation, MPI_Comm comm
#define A_REDUCE_SCATTER() sendbuf, recvbuf, recvcounts, type, operation, comm

/* --- the calls ------------------------------------------------------------ */

#define SMALL_COUNTS(event, ievent, name, iname, P, A, START, F)               \
	BLOCKING(event, name, int, int, P, A, START, F)                        \
	NONBLOCKING(ievent, iname, int, int, P, A, START, F)

SMALL_COUNTS(BARRIER, IBARRIER, Barrier, Ibarrier, P_BARRIER, A_BARRIER, PLAIN,)
COLLECTIVES(SMALL_COUNTS)

#if MPI_VERSION >= 4
#define LARGE_COUNTS(event, ievent, name, iname, P, A, START, F)               \
	BLOCKING(event, name##_c, MPI_Count, MPI_Aint, P, A, START, F)         \
	NONBLOCKING(ievent, iname##_c, MPI_Count, MPI_Aint, P, A, START, F)
#define INIT(event, ievent, name, iname, P, A, START, F)                       \
	PERSISTENT(MPI, PMPI, event, name##_init, int, int, P, A, START, F)    \
	PERSISTENT(MPI, PMPI, event, name##_init_c, MPI_Count, MPI_Aint, P, A, \
		   START, F)

COLLECTIVES(LARGE_COUNTS)
PERSISTENT(MPI, PMPI, BARRIER, Barrier_init, int, int, P_BARRIER, A_BARRIER,
	   PLAIN,)
COLLECTIVES(INIT)
#elif defined OMPI_HAVE_MPI_EXT_PCOLLREQ
#define INIT(event, ievent, name, iname, P, A, START, F)                       \
	PERSISTENT(MPIX, PMPIX, event, name##_init, int, int, P, A, START, F)

PERSISTENT(MPIX, PMPIX, BARRIER, Barrier_init, int, int, P_BARRIER, A_BARRIER,
	   PLAIN,)
COLLECTIVES(INIT)
#endif
/* clang-format on */
