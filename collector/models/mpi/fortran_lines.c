/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Places of MPI calls in Fortran programs.  Fortran's functions call those of
 * C, whose caller is a line of MPI's library: so each notes its own caller
 * first.  All arguments are addresses, and each function here reads the
 * greatest number of any; reading more than were passed does no harm on the
 * existing machines.
 */
#include "collector/models/mpi/adapter.h"
#include "collector/models/mpi/fortran.h"

/* clang-format off */

/* A function under the names that compilers use, and those of the mpi_f08
   module: Open MPI's, and MPICH's without and with buffers. */
#define AT(name, NAME)                                                         \
PLACE(mpi_##name##_)                                                           \
SAME(mpi_##name, mpi_##name##_)                                                \
SAME(mpi_##name##__, mpi_##name##_)                                            \
SAME(MPI_##NAME, mpi_##name##_)                                                \
PLACE(mpi_##name##_f08_)                                                       \
PLACE(mpi_##name##_f08ts_)

#define PLACE(name)                                                            \
gaspdb_mpi_fortran_fn name;                                                    \
GASPDB_EXPORT void name(void *a, void *b, void *c, void *d, void *e, void *f,  \
			void *g, void *h, void *i, void *j, void *k, void *l,  \
			void *m, void *n)                                      \
{                                                                              \
	extern gaspdb_mpi_fortran_fn *gaspdb_next_##name GASPDB_HIDDEN;        \
	gaspdb_mpi_fortran_fn *next =                                          \
		gaspdb_mpi_fortran_next(&gaspdb_next_##name, #name);           \
	struct gaspdb_place outer;                                             \
                                                                               \
	if (!next)                                                             \
		return;                                                        \
	gaspdb_place_note(GASPDB_CALLER, &outer);                              \
	next(a, b, c, d, e, f, g, h, i, j, k, l, m, n);                        \
	gaspdb_place_restore(&outer);                                          \
}

#define SAME(name, as)                                                         \
extern gaspdb_mpi_fortran_fn name GASPDB_EXPORT __attribute__((alias(#as)));

AT(abort, ABORT) AT(accumulate, ACCUMULATE) AT(allgather, ALLGATHER)
AT(allgather_init, ALLGATHER_INIT) AT(allgatherv, ALLGATHERV)
AT(allgatherv_init, ALLGATHERV_INIT) AT(alloc_mem, ALLOC_MEM)
AT(allreduce, ALLREDUCE) AT(allreduce_init, ALLREDUCE_INIT)
AT(alltoall, ALLTOALL) AT(alltoall_init, ALLTOALL_INIT)
AT(alltoallv, ALLTOALLV) AT(alltoallv_init, ALLTOALLV_INIT)
AT(alltoallw, ALLTOALLW) AT(alltoallw_init, ALLTOALLW_INIT)
AT(barrier, BARRIER) AT(barrier_init, BARRIER_INIT) AT(bcast, BCAST)
AT(bcast_init, BCAST_INIT) AT(bsend, BSEND) AT(bsend_init, BSEND_INIT)
AT(buffer_attach, BUFFER_ATTACH) AT(buffer_detach, BUFFER_DETACH)
AT(cancel, CANCEL) AT(cart_create, CART_CREATE) AT(cart_sub, CART_SUB)
AT(comm_accept, COMM_ACCEPT) AT(comm_connect, COMM_CONNECT)
AT(comm_create, COMM_CREATE) AT(comm_create_from_group, COMM_CREATE_FROM_GROUP)
AT(comm_create_group, COMM_CREATE_GROUP) AT(comm_disconnect, COMM_DISCONNECT)
AT(comm_dup, COMM_DUP) AT(comm_dup_with_info, COMM_DUP_WITH_INFO)
AT(comm_free, COMM_FREE) AT(comm_idup, COMM_IDUP)
AT(comm_idup_with_info, COMM_IDUP_WITH_INFO) AT(comm_join, COMM_JOIN)
AT(comm_set_name, COMM_SET_NAME) AT(comm_spawn, COMM_SPAWN)
AT(comm_spawn_multiple, COMM_SPAWN_MULTIPLE) AT(comm_split, COMM_SPLIT)
AT(comm_split_type, COMM_SPLIT_TYPE) AT(compare_and_swap, COMPARE_AND_SWAP)
AT(dist_graph_create, DIST_GRAPH_CREATE)
AT(dist_graph_create_adjacent, DIST_GRAPH_CREATE_ADJACENT) AT(exscan, EXSCAN)
AT(exscan_init, EXSCAN_INIT) AT(fetch_and_op, FETCH_AND_OP)
AT(file_close, FILE_CLOSE) AT(file_delete, FILE_DELETE)
AT(file_iread, FILE_IREAD) AT(file_iread_all, FILE_IREAD_ALL)
AT(file_iread_at, FILE_IREAD_AT) AT(file_iread_at_all, FILE_IREAD_AT_ALL)
AT(file_iread_shared, FILE_IREAD_SHARED) AT(file_iwrite, FILE_IWRITE)
AT(file_iwrite_all, FILE_IWRITE_ALL) AT(file_iwrite_at, FILE_IWRITE_AT)
AT(file_iwrite_at_all, FILE_IWRITE_AT_ALL)
AT(file_iwrite_shared, FILE_IWRITE_SHARED) AT(file_open, FILE_OPEN)
AT(file_preallocate, FILE_PREALLOCATE) AT(file_read, FILE_READ)
AT(file_read_all, FILE_READ_ALL) AT(file_read_all_begin, FILE_READ_ALL_BEGIN)
AT(file_read_all_end, FILE_READ_ALL_END) AT(file_read_at, FILE_READ_AT)
AT(file_read_at_all, FILE_READ_AT_ALL)
AT(file_read_at_all_begin, FILE_READ_AT_ALL_BEGIN)
AT(file_read_at_all_end, FILE_READ_AT_ALL_END)
AT(file_read_ordered, FILE_READ_ORDERED)
AT(file_read_ordered_begin, FILE_READ_ORDERED_BEGIN)
AT(file_read_ordered_end, FILE_READ_ORDERED_END)
AT(file_read_shared, FILE_READ_SHARED) AT(file_seek, FILE_SEEK)
AT(file_seek_shared, FILE_SEEK_SHARED)
AT(file_set_atomicity, FILE_SET_ATOMICITY) AT(file_set_size, FILE_SET_SIZE)
AT(file_set_view, FILE_SET_VIEW) AT(file_sync, FILE_SYNC)
AT(file_write, FILE_WRITE) AT(file_write_all, FILE_WRITE_ALL)
AT(file_write_all_begin, FILE_WRITE_ALL_BEGIN)
AT(file_write_all_end, FILE_WRITE_ALL_END) AT(file_write_at, FILE_WRITE_AT)
AT(file_write_at_all, FILE_WRITE_AT_ALL)
AT(file_write_at_all_begin, FILE_WRITE_AT_ALL_BEGIN)
AT(file_write_at_all_end, FILE_WRITE_AT_ALL_END)
AT(file_write_ordered, FILE_WRITE_ORDERED)
AT(file_write_ordered_begin, FILE_WRITE_ORDERED_BEGIN)
AT(file_write_ordered_end, FILE_WRITE_ORDERED_END)
AT(file_write_shared, FILE_WRITE_SHARED)
AT(free_mem, FREE_MEM) AT(gather, GATHER) AT(gather_init, GATHER_INIT)
AT(gatherv, GATHERV) AT(gatherv_init, GATHERV_INIT) AT(get, GET)
AT(get_accumulate, GET_ACCUMULATE) AT(graph_create, GRAPH_CREATE)
AT(iallgather, IALLGATHER) AT(iallgatherv, IALLGATHERV)
AT(iallreduce, IALLREDUCE) AT(ialltoall, IALLTOALL) AT(ialltoallv, IALLTOALLV)
AT(ialltoallw, IALLTOALLW) AT(ibarrier, IBARRIER) AT(ibcast, IBCAST)
AT(ibsend, IBSEND) AT(iexscan, IEXSCAN) AT(igather, IGATHER)
AT(igatherv, IGATHERV) AT(improbe, IMPROBE) AT(imrecv, IMRECV)
AT(ineighbor_allgather, INEIGHBOR_ALLGATHER)
AT(ineighbor_allgatherv, INEIGHBOR_ALLGATHERV)
AT(ineighbor_alltoall, INEIGHBOR_ALLTOALL)
AT(ineighbor_alltoallv, INEIGHBOR_ALLTOALLV)
AT(ineighbor_alltoallw, INEIGHBOR_ALLTOALLW)
AT(intercomm_create, INTERCOMM_CREATE)
AT(intercomm_create_from_groups, INTERCOMM_CREATE_FROM_GROUPS)
AT(intercomm_merge, INTERCOMM_MERGE) AT(iprobe, IPROBE) AT(irecv, IRECV)
AT(ireduce, IREDUCE) AT(ireduce_scatter, IREDUCE_SCATTER)
AT(ireduce_scatter_block, IREDUCE_SCATTER_BLOCK) AT(irsend, IRSEND)
AT(iscan, ISCAN) AT(iscatter, ISCATTER) AT(iscatterv, ISCATTERV)
AT(isend, ISEND) AT(isendrecv, ISENDRECV)
AT(isendrecv_replace, ISENDRECV_REPLACE) AT(issend, ISSEND) AT(mprobe, MPROBE)
AT(mrecv, MRECV) AT(neighbor_allgather, NEIGHBOR_ALLGATHER)
AT(neighbor_allgather_init, NEIGHBOR_ALLGATHER_INIT)
AT(neighbor_allgatherv, NEIGHBOR_ALLGATHERV)
AT(neighbor_allgatherv_init, NEIGHBOR_ALLGATHERV_INIT)
AT(neighbor_alltoall, NEIGHBOR_ALLTOALL)
AT(neighbor_alltoall_init, NEIGHBOR_ALLTOALL_INIT)
AT(neighbor_alltoallv, NEIGHBOR_ALLTOALLV)
AT(neighbor_alltoallv_init, NEIGHBOR_ALLTOALLV_INIT)
AT(neighbor_alltoallw, NEIGHBOR_ALLTOALLW)
AT(neighbor_alltoallw_init, NEIGHBOR_ALLTOALLW_INIT) AT(pcontrol, PCONTROL)
AT(precv_init, PRECV_INIT) AT(probe, PROBE) AT(psend_init, PSEND_INIT)
AT(put, PUT) AT(raccumulate, RACCUMULATE) AT(recv, RECV)
AT(recv_init, RECV_INIT) AT(reduce, REDUCE) AT(reduce_init, REDUCE_INIT)
AT(reduce_scatter, REDUCE_SCATTER)
AT(reduce_scatter_block, REDUCE_SCATTER_BLOCK)
AT(reduce_scatter_block_init, REDUCE_SCATTER_BLOCK_INIT)
AT(reduce_scatter_init, REDUCE_SCATTER_INIT) AT(request_free, REQUEST_FREE)
AT(request_get_status, REQUEST_GET_STATUS) AT(rget, RGET)
AT(rget_accumulate, RGET_ACCUMULATE) AT(rput, RPUT) AT(rsend, RSEND)
AT(rsend_init, RSEND_INIT) AT(scan, SCAN) AT(scan_init, SCAN_INIT)
AT(scatter, SCATTER) AT(scatter_init, SCATTER_INIT) AT(scatterv, SCATTERV)
AT(scatterv_init, SCATTERV_INIT) AT(send, SEND) AT(send_init, SEND_INIT)
AT(sendrecv, SENDRECV) AT(sendrecv_replace, SENDRECV_REPLACE)
AT(session_init, SESSION_INIT) AT(ssend, SSEND) AT(ssend_init, SSEND_INIT)
AT(start, START) AT(startall, STARTALL) AT(test, TEST) AT(testall, TESTALL)
AT(testany, TESTANY) AT(testsome, TESTSOME) AT(wait, WAIT) AT(waitall, WAITALL)
AT(waitany, WAITANY) AT(waitsome, WAITSOME) AT(win_allocate, WIN_ALLOCATE)
AT(win_allocate_shared, WIN_ALLOCATE_SHARED) AT(win_attach, WIN_ATTACH)
AT(win_complete, WIN_COMPLETE) AT(win_create, WIN_CREATE)
AT(win_create_dynamic, WIN_CREATE_DYNAMIC) AT(win_detach, WIN_DETACH)
AT(win_fence, WIN_FENCE) AT(win_flush, WIN_FLUSH)
AT(win_flush_all, WIN_FLUSH_ALL) AT(win_flush_local, WIN_FLUSH_LOCAL)
AT(win_flush_local_all, WIN_FLUSH_LOCAL_ALL) AT(win_free, WIN_FREE)
AT(win_lock, WIN_LOCK) AT(win_lock_all, WIN_LOCK_ALL) AT(win_post, WIN_POST)
AT(win_start, WIN_START) AT(win_sync, WIN_SYNC) AT(win_test, WIN_TEST)
AT(win_unlock, WIN_UNLOCK) AT(win_unlock_all, WIN_UNLOCK_ALL)
AT(win_wait, WIN_WAIT)
	/* clang-format on */
