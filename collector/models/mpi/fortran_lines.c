/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where a Fortran program calls MPICH.  Its Fortran functions call the MPI_
 * functions of C, which would see a line of MPICH's library: so each notes its
 * caller on the way.  Fortran passes addresses only, and a caller that passes
 * fewer than the most that any takes does no harm on the machines that there
 * are: what is read besides is not looked at.
 */
#include <dlfcn.h>

#include "adapter.h"

#ifndef OPEN_MPI

_Thread_local const void *gaspdb_mpi_fortran_pc;

typedef void function(void *, void *, void *, void *, void *, void *, void *,
		      void *, void *, void *, void *, void *, void *, void *);

static function *find(const char *name)
{
	void *f = dlsym(RTLD_NEXT, name);

	if (!f)
		gaspdb_complain("cannot find '%s' in the MPI library", name);
	return (function *)(size_t)f;
}

/* clang-format off */
#define AT(name)                                                               \
function name;                                                                 \
GASPDB_EXPORT void name(void *a, void *b, void *c, void *d, void *e, void *f,  \
			void *g, void *h, void *i, void *j, void *k, void *l,  \
			void *m, void *n)                                      \
{                                                                              \
	static function *next;                                                 \
                                                                               \
	if (!next)                                                             \
		next = find(#name);                                            \
	if (!next)                                                             \
		return;                                                        \
	gaspdb_mpi_fortran_pc = GASPDB_CALLER;                                 \
	next(a, b, c, d, e, f, g, h, i, j, k, l, m, n);                        \
	gaspdb_mpi_fortran_pc = NULL;                                          \
}

AT(mpi_abort_) AT(mpi_accumulate_) AT(mpi_allgather_) AT(mpi_allgather_init_)
AT(mpi_allgatherv_) AT(mpi_allgatherv_init_) AT(mpi_alloc_mem_)
AT(mpi_allreduce_) AT(mpi_allreduce_init_) AT(mpi_alltoall_)
AT(mpi_alltoall_init_) AT(mpi_alltoallv_) AT(mpi_alltoallv_init_)
AT(mpi_alltoallw_) AT(mpi_alltoallw_init_) AT(mpi_barrier_)
AT(mpi_barrier_init_) AT(mpi_bcast_) AT(mpi_bcast_init_) AT(mpi_bsend_)
AT(mpi_bsend_init_) AT(mpi_buffer_attach_) AT(mpi_buffer_detach_)
AT(mpi_cancel_) AT(mpi_cart_create_) AT(mpi_cart_sub_) AT(mpi_comm_accept_)
AT(mpi_comm_connect_) AT(mpi_comm_create_) AT(mpi_comm_create_from_group_)
AT(mpi_comm_create_group_) AT(mpi_comm_disconnect_) AT(mpi_comm_dup_)
AT(mpi_comm_dup_with_info_) AT(mpi_comm_free_) AT(mpi_comm_idup_)
AT(mpi_comm_idup_with_info_) AT(mpi_comm_join_) AT(mpi_comm_set_name_)
AT(mpi_comm_spawn_) AT(mpi_comm_spawn_multiple_) AT(mpi_comm_split_)
AT(mpi_comm_split_type_) AT(mpi_compare_and_swap_) AT(mpi_dist_graph_create_)
AT(mpi_dist_graph_create_adjacent_) AT(mpi_exscan_) AT(mpi_exscan_init_)
AT(mpi_fetch_and_op_) AT(mpi_finalize_) AT(mpi_free_mem_) AT(mpi_gather_)
AT(mpi_gather_init_) AT(mpi_gatherv_) AT(mpi_gatherv_init_) AT(mpi_get_)
AT(mpi_get_accumulate_) AT(mpi_graph_create_) AT(mpi_iallgather_)
AT(mpi_iallgatherv_) AT(mpi_iallreduce_) AT(mpi_ialltoall_) AT(mpi_ialltoallv_)
AT(mpi_ialltoallw_) AT(mpi_ibarrier_) AT(mpi_ibcast_) AT(mpi_ibsend_)
AT(mpi_iexscan_) AT(mpi_igather_) AT(mpi_igatherv_) AT(mpi_improbe_)
AT(mpi_imrecv_) AT(mpi_ineighbor_allgather_) AT(mpi_ineighbor_allgatherv_)
AT(mpi_ineighbor_alltoall_) AT(mpi_ineighbor_alltoallv_)
AT(mpi_ineighbor_alltoallw_) AT(mpi_init_) AT(mpi_init_thread_)
AT(mpi_intercomm_create_) AT(mpi_intercomm_create_from_groups_)
AT(mpi_intercomm_merge_) AT(mpi_iprobe_) AT(mpi_irecv_) AT(mpi_ireduce_)
AT(mpi_ireduce_scatter_) AT(mpi_ireduce_scatter_block_) AT(mpi_irsend_)
AT(mpi_iscan_) AT(mpi_iscatter_) AT(mpi_iscatterv_) AT(mpi_isend_)
AT(mpi_isendrecv_) AT(mpi_isendrecv_replace_) AT(mpi_issend_) AT(mpi_mprobe_)
AT(mpi_mrecv_) AT(mpi_neighbor_allgather_) AT(mpi_neighbor_allgather_init_)
AT(mpi_neighbor_allgatherv_) AT(mpi_neighbor_allgatherv_init_)
AT(mpi_neighbor_alltoall_) AT(mpi_neighbor_alltoall_init_)
AT(mpi_neighbor_alltoallv_) AT(mpi_neighbor_alltoallv_init_)
AT(mpi_neighbor_alltoallw_) AT(mpi_neighbor_alltoallw_init_) AT(mpi_pcontrol_)
AT(mpi_precv_init_) AT(mpi_probe_) AT(mpi_psend_init_) AT(mpi_put_)
AT(mpi_raccumulate_) AT(mpi_recv_) AT(mpi_recv_init_) AT(mpi_reduce_)
AT(mpi_reduce_init_) AT(mpi_reduce_scatter_) AT(mpi_reduce_scatter_block_)
AT(mpi_reduce_scatter_block_init_) AT(mpi_reduce_scatter_init_)
AT(mpi_request_free_) AT(mpi_request_get_status_) AT(mpi_rget_)
AT(mpi_rget_accumulate_) AT(mpi_rput_) AT(mpi_rsend_) AT(mpi_rsend_init_)
AT(mpi_scan_) AT(mpi_scan_init_) AT(mpi_scatter_) AT(mpi_scatter_init_)
AT(mpi_scatterv_) AT(mpi_scatterv_init_) AT(mpi_send_) AT(mpi_send_init_)
AT(mpi_sendrecv_) AT(mpi_sendrecv_replace_) AT(mpi_session_init_)
AT(mpi_ssend_) AT(mpi_ssend_init_) AT(mpi_start_) AT(mpi_startall_)
AT(mpi_test_) AT(mpi_testall_) AT(mpi_testany_) AT(mpi_testsome_) AT(mpi_wait_)
AT(mpi_waitall_) AT(mpi_waitany_) AT(mpi_waitsome_) AT(mpi_win_allocate_)
AT(mpi_win_allocate_shared_) AT(mpi_win_attach_) AT(mpi_win_complete_)
AT(mpi_win_create_) AT(mpi_win_create_dynamic_) AT(mpi_win_detach_)
AT(mpi_win_fence_) AT(mpi_win_flush_) AT(mpi_win_flush_all_)
AT(mpi_win_flush_local_) AT(mpi_win_flush_local_all_) AT(mpi_win_free_)
AT(mpi_win_lock_) AT(mpi_win_lock_all_) AT(mpi_win_post_) AT(mpi_win_start_)
AT(mpi_win_sync_) AT(mpi_win_test_) AT(mpi_win_unlock_) AT(mpi_win_unlock_all_)
AT(mpi_win_wait_)
/* clang-format on */

#endif
