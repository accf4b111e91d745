/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Events of OpenSHMEM.  Columns: events/README.md.  One row a family of
 * calls; the adapter passes each function's own name, and
 * models/shmem/families.tbl says which functions belong to which row.
 */
/* clang-format off */

/* Setup and end */
EVENT(SHMEM_INIT, 300, "shmem_init", init, "SE", "", "",
	"Start of OpenSHMEM",
	"start_pes and shmem_init_thread too.")
EVENT(SHMEM_FINALIZE, 301, "shmem_finalize", finalize, "SE",
	"team:u sequence:u context:u", "",
	"End of OpenSHMEM",
	"Contains a barrier of all PEs.  A program that ends without it (one "
	"that was started by start_pes) has it from its first exit handler on.  "
	"Completes the accesses on all contexts.")
EVENT(SHMEM_GLOBAL_EXIT, 302, "shmem_global_exit", exit, "S",
	"status:i", "",
	"End of the program by one PE for all",
	"Does not return; the other PEs are killed: their logs end without an "
	"end block.")

/* Remote memory access */
EVENT(SHMEM_PUT, 310, "shmem_put", put, "SE",
	"peer:i object:p local:p bytes:z context:u after:i after_known:i", "",
	"Write to another PE's memory",
	"Returns when the source may be changed again; the data is there after "
	"the next quiet, barrier or finalize.")
EVENT(SHMEM_P, 311, "shmem_p", put, "SE",
	"peer:i object:p bytes:z context:u after:i after_known:i", "",
	"Write of one element to another PE's memory",
	"The data is there after the next quiet, barrier or finalize.")
EVENT(SHMEM_IPUT, 312, "shmem_iput", put, "SE",
	"peer:i object:p local:p bytes:z element_bytes:z elements:z "
	"target_stride:i source_stride:i context:u", "",
	"Strided write to another PE's memory",
	"bytes are those of the elements, without the gaps between them.")
EVENT(SHMEM_PUT_NBI, 313, "shmem_put_nbi", put_nb, "SE",
	"peer:i object:p local:p bytes:z context:u after:i after_known:i", "",
	"Start of a non-blocking write",
	"The source must stay as it is, and the data is there, until the next "
	"quiet on the context.")
EVENT(SHMEM_PUT_SIGNAL, 314, "shmem_put_signal", put, "SE",
	"peer:i object:p local:p bytes:z signal:p signal_value:u "
	"signal_adds:i context:u", "",
	"Write to another PE's memory, then to a signal word",
	"bytes are the data's.  The signal word, of 8 bytes, changes when they "
	"are there: signal_adds is 1 where signal_value is added to it, 0 "
	"where it is set.")
EVENT(SHMEM_PUT_SIGNAL_NBI, 315, "shmem_put_signal_nbi", put_nb, "SE",
	"peer:i object:p local:p bytes:z signal:p signal_value:u "
	"signal_adds:i context:u", "",
	"Start of a non-blocking write and signal",
	"As shmem_put_signal; the source must stay as it is until the next "
	"quiet on the context.")
EVENT(SHMEM_GET, 320, "shmem_get", get, "SE",
	"peer:i object:p local:p bytes:z context:u", "attempts:u",
	"Read of another PE's memory",
	"The data is there when the call returns.")
EVENT(SHMEM_G, 321, "shmem_g", get, "SE",
	"peer:i object:p bytes:z context:u", "attempts:u",
	"Read of one element of another PE's memory",
	"The element is the call's result.")
EVENT(SHMEM_IGET, 322, "shmem_iget", get, "SE",
	"peer:i object:p local:p bytes:z element_bytes:z elements:z "
	"target_stride:i source_stride:i context:u", "",
	"Strided read of another PE's memory",
	"bytes are those of the elements, without the gaps between them.")
EVENT(SHMEM_GET_NBI, 323, "shmem_get_nbi", get_nb, "SE",
	"peer:i object:p local:p bytes:z context:u", "",
	"Start of a non-blocking read",
	"The data is there after the next quiet on the context.")

/* Atomics */
EVENT(SHMEM_ATOMIC, 330, "shmem_atomic", atomic, "SE",
	"peer:i object:p bytes:z context:u after:i after_known:i", "",
	"Remote atomic operation that returns nothing",
	"add, inc, and, or, xor, set: the function's name says which.")
EVENT(SHMEM_ATOMIC_FETCH, 331, "shmem_atomic_fetch", atomic_fetch, "SE",
	"peer:i object:p bytes:z context:u",
	"after:i after_known:i attempts:u",
	"Remote atomic operation that returns the old value",
	"fetch, swap, compare_swap, fetch_add ...: the function's name says "
	"which.  shmem_signal_fetch is one of the PE's own memory.")

EVENT(SHMEM_ATOMIC_FETCH_NBI, 332, "shmem_atomic_fetch_nbi", atomic_fetch,
	"SE",
	"peer:i object:p result:p bytes:z context:u after:i after_known:i", "",
	"Start of a remote atomic that returns the old value",
	"The old value is at result after the next quiet on the context.")

/* Locks */
EVENT(SHMEM_SET_LOCK, 340, "shmem_set_lock", lock, "SE", "object:p", "",
	"Waits for a lock and takes it",
	"The lock is held from the end of this event.")
EVENT(SHMEM_TEST_LOCK, 341, "shmem_test_lock", lock_attempt, "SE",
	"object:p", "success:i attempts:u",
	"Takes a lock if it is free",
	"success is 1 where the lock was taken; shmem_test_lock itself returns "
	"0 then.")
EVENT(SHMEM_CLEAR_LOCK, 342, "shmem_clear_lock", unlock, "SE",
	"object:p context:u", "",
	"Gives a lock back",
	"It first waits for the PE's own stores on the context; the lock is free again at some "
	"moment within this event.")

/* Order and synchronization */
EVENT(SHMEM_BARRIER, 350, "shmem_barrier", barrier, "SE",
	"team:u sequence:u context:u", "",
	"Barrier that completes all own stores on the context",
	"barrier of an active set, barrier_all of all PEs: a quiet and a sync.")
EVENT(SHMEM_SYNC, 351, "shmem_sync", barrier, "SE",
	"team:u sequence:u", "",
	"Barrier that completes nothing",
	"sync of an active set or a team, sync_all of all PEs.")
EVENT(SHMEM_FENCE, 352, "shmem_fence", fence, "SE", "context:u", "",
	"Orders the PE's own stores",
	"Never completes anything.")
EVENT(SHMEM_QUIET, 353, "shmem_quiet", quiet, "SE", "context:u", "",
	"Completes the PE's own accesses",
	"Those of the context: blocking stores and non-blocking transfers.")
EVENT(SHMEM_WAIT_UNTIL, 360, "shmem_wait_until", wait_until, "SE",
	"object:p comparison:i value:i element_bytes:z", "",
	"Waits for a word to change",
	"The deprecated shmem_wait is comparison 1, not equal; "
	"shmem_signal_wait_until is one, too.")
EVENT(SHMEM_TEST, 361, "shmem_test", wait_test, "SE",
	"object:p comparison:i value:i element_bytes:z", "success:i attempts:u",
	"Tests whether a word has changed",
	"success is 1 where the comparison holds.")
EVENT(SHMEM_WAIT_UNTIL_ALL, 362, "shmem_wait_until_all", wait_until, "SE",
	"object:p comparison:i value:i element_bytes:z elements:z left_out:z",
	"",
	"Waits for all words of an array to change",
	"elements words from object on, of which the status array excludes "
	"left_out: arguments index, index_last are then the others.  value: "
	"of a _vector function, the first word's; arguments word_value are all "
	"of them if they differ.")
EVENT(SHMEM_WAIT_UNTIL_ANY, 363, "shmem_wait_until_any", wait_until, "SE",
	"object:p comparison:i value:i element_bytes:z elements:z left_out:z",
	"index:i",
	"Waits for any word of an array to change",
	"index is the changed word's, -1 if there is none to wait for.  "
	"Others as for shmem_wait_until_all.")
EVENT(SHMEM_WAIT_UNTIL_SOME, 364, "shmem_wait_until_some", wait_until, "SE",
	"object:p comparison:i value:i element_bytes:z elements:z left_out:z",
	"indices:z",
	"Waits for at least one word of an array to change",
	"indices words have: arguments index, index_last list them.  Others "
	"as for shmem_wait_until_all.")
EVENT(SHMEM_TEST_ALL, 365, "shmem_test_all", wait_test, "SE",
	"object:p comparison:i value:i element_bytes:z elements:z left_out:z",
	"success:i attempts:u",
	"Tests whether all words of an array have changed",
	"success is 1 where they have.  Others as for shmem_wait_until_all.")
EVENT(SHMEM_TEST_ANY, 366, "shmem_test_any", wait_test, "SE",
	"object:p comparison:i value:i element_bytes:z elements:z left_out:z",
	"success:i index:i attempts:u",
	"Tests whether any word of an array has changed",
	"success is 1 where one has; index is its, else -1.  Others as for "
	"shmem_wait_until_all.")
EVENT(SHMEM_TEST_SOME, 367, "shmem_test_some", wait_test, "SE",
	"object:p comparison:i value:i element_bytes:z elements:z left_out:z",
	"success:i indices:z attempts:u",
	"Tests which words of an array have changed",
	"success is 1 where any has, indices their number: arguments index, "
	"index_last list them.  Others as for shmem_wait_until_all.")

/* Collectives */
EVENT(SHMEM_BROADCAST, 370, "shmem_broadcast", broadcast, "SE",
	"team:u sequence:u root:i bytes:z bytes_received:z", "",
	"Broadcast",
	"bytes is 0 but on the root, bytes_received is 0 there.")
EVENT(SHMEM_COLLECT, 371, "shmem_collect", all_to_all, "SE",
	"team:u sequence:u bytes:z", "",
	"Concatenation of blocks of different sizes",
	"What a PE receives is the sum of all members' bytes: it cannot know "
	"them.")
EVENT(SHMEM_FCOLLECT, 372, "shmem_fcollect", all_to_all, "SE",
	"team:u sequence:u bytes:z bytes_received:z", "",
	"Concatenation of blocks of one size",
	"bytes_received includes the PE's own block.")
EVENT(SHMEM_ALLTOALL, 373, "shmem_alltoall", all_to_all, "SE",
	"team:u sequence:u bytes:z bytes_received:z", "",
	"Exchange of all with all",
	"bytes and bytes_received include the PE's own block.")
EVENT(SHMEM_ALLTOALLS, 374, "shmem_alltoalls", all_to_all, "SE",
	"team:u sequence:u bytes:z bytes_received:z element_bytes:z elements:z "
	"target_stride:i source_stride:i", "",
	"Strided exchange of all with all",
	"elements are those for one PE; bytes and bytes_received include the "
	"PE's own block.")
EVENT(SHMEM_TO_ALL, 375, "shmem_to_all", all_to_all, "SE",
	"team:u sequence:u bytes:z bytes_received:z", "",
	"Reduction to all",
	"and, or, xor, max, min, sum, prod: the function's name says which.  "
	"Of an active set (to_all) or a team (reduce).")

/* Symmetric memory */
EVENT(SHMEM_MALLOC, 380, "shmem_malloc", shared_alloc, "SE",
	"team:u sequence:u bytes:z context:u", "address:p",
	"Symmetric allocation by all PEs",
	"bytes on each PE; calloc, align, shmalloc too.  Contains a barrier of "
	"all PEs, but one of 0 bytes: its team is 0.  address is NULL where the "
	"allocation failed.")
EVENT(SHMEM_REALLOC, 381, "shmem_realloc", shared_alloc, "SE",
	"team:u sequence:u old_address:p bytes:z context:u", "address:p",
	"Change of a symmetric allocation's size",
	"old_address is the argument, address the result.  Contains a "
	"barrier of all PEs, except if both are NULL: then its team is 0.")
EVENT(SHMEM_FREE, 382, "shmem_free", shared_free, "SE",
	"team:u sequence:u address:p context:u", "",
	"Freeing of symmetric memory",
	"Contains a barrier of all PEs; a NULL address is legal and frees "
	"nothing: its team is 0.")

/* Teams */
EVENT(SHMEM_TEAM_SPLIT, 384, "shmem_team_split", team, "SE",
	"team:u sequence:u", "created:u success:i",
	"Creation of a team from members of another",
	"A collective of the other one; created is 0 where the PE is in no "
	"new one.  success is 1 where the function returned 0.")
EVENT(SHMEM_TEAM_SPLIT_2D, 385, "shmem_team_split_2d", team, "SE",
	"team:u sequence:u", "created:u created_y:u success:i",
	"Creation of a row's and a column's team from another",
	"created is the row's, created_y the column's.  success is 1 where "
	"the function returned 0.")
EVENT(SHMEM_TEAM_DESTROY, 386, "shmem_team_destroy", team, "SE",
	"team:u sequence:u", "",
	"Freeing of a team",
	"Of the world's team, and of none, it does nothing.")

/* Contexts */
EVENT(SHMEM_CTX_CREATE, 390, "shmem_ctx_create", context, "SE",
	"options:i", "context:u success:i",
	"Creation of a context",
	"context is its serial number in the process, 0 where there is none: "
	"the program then goes on with the default context.")
EVENT(SHMEM_CTX_DESTROY, 391, "shmem_ctx_destroy", context, "SE",
	"context:u", "",
	"Freeing of a context",
	"Completes all its transfers first.")
/* clang-format on */
#undef EVENT
