/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Events of the UPC model (GASP 1.5, 5.4) and those that Berkeley UPC adds.
 * Columns: events/README.md.
 */
/* clang-format off */

/* Exit events (table 3) */
EVENT(UPC_COLLECTIVE_EXIT, 100, "exit", finalize, "SE",
	"status:i", "status:i",
	"End of the program, all threads together",
	"Lasts until the end of the thread's log, unless it does anything "
	"else: the final barrier.  Some implementations deliver it as one "
	"atomic event, most before that barrier, and some not at all after "
	"exit().")
EVENT(UPC_NONCOLLECTIVE_EXIT, 101, "upc_global_exit", exit, "A",
	"status:i", "",
	"End of the program by one thread for all",
	"The other threads are killed: their logs end without an end block.")

/* Synchronization events (table 4) */
EVENT(UPC_NOTIFY, 110, "upc_notify", notify, "SE",
	"named:i expression:i", "named:i expression:i",
	"First half of a barrier",
	"expression means something only where named is not 0.")
EVENT(UPC_WAIT, 111, "upc_wait", barrier_wait, "SE",
	"named:i expression:i", "named:i expression:i",
	"Second half of a barrier",
	"expression means something only where named is not 0.")
EVENT(UPC_BARRIER, 112, "upc_barrier", barrier, "SE",
	"named:i expression:i", "named:i expression:i",
	"Barrier of all threads",
	"Berkeley UPC delivers a barrier as UPC_NOTIFY and UPC_WAIT.")
EVENT(UPC_FENCE, 113, "upc_fence", quiet, "SE", "", "",
	"Completes the thread's shared accesses",
	"A null strict access: all earlier relaxed accesses are complete.")

/* Work-sharing events (table 5) */
EVENT(UPC_FORALL, 120, "upc_forall", forall, "SE", "", "",
	"Work-sharing loop",
	"A loop left by return or goto may lack its end.")

/* Library-related events (table 6) */
EVENT(UPC_GLOBAL_ALLOC, 130, "upc_global_alloc", shared_alloc, "SE",
	"blocks:z block_bytes:z", "blocks:z block_bytes:z address:P",
	"Shared allocation by one thread",
	"block_bytes is the size of one block, in bytes.")
EVENT(UPC_ALL_ALLOC, 131, "upc_all_alloc", shared_alloc_all, "SE",
	"blocks:z block_bytes:z", "blocks:z block_bytes:z address:P",
	"Shared allocation by all threads",
	"One object, however many threads report it.")
EVENT(UPC_ALLOC, 132, "upc_alloc", shared_alloc, "SE",
	"bytes:z", "bytes:z address:P",
	"Shared allocation with affinity to the caller",
	"bytes is the size of the whole object.")
EVENT(UPC_FREE, 133, "upc_free", shared_free, "SE",
	"address:P", "address:P",
	"Freeing of shared memory",
	"Any one thread may free an object, once.")
EVENT(UPC_GLOBAL_LOCK_ALLOC, 134, "upc_global_lock_alloc", lock_alloc, "SE",
	"", "object:L",
	"Allocation of a lock by one thread",
	"Each caller gets a lock of its own.")
EVENT(UPC_ALL_LOCK_ALLOC, 135, "upc_all_lock_alloc", lock_alloc_all, "SE",
	"", "object:L",
	"Allocation of a lock by all threads",
	"All callers get the same lock.")
EVENT(UPC_LOCK_FREE, 136, "upc_lock_free", lock_free, "SE",
	"object:L", "object:L",
	"Freeing of a lock",
	"A lock pointer may come back for another lock afterwards.")
EVENT(UPC_LOCK, 137, "upc_lock", lock, "SE", "object:L", "object:L",
	"Waits for a lock and takes it",
	"The lock is held from the end of this event.")
EVENT(UPC_LOCK_ATTEMPT, 138, "upc_lock_attempt", lock_attempt, "SE",
	"object:L", "object:L success:i",
	"Takes a lock if it is free",
	"success is 1 where the lock was taken, as upc_lock_attempt returns.")
EVENT(UPC_UNLOCK, 139, "upc_unlock", unlock, "SE", "object:L", "object:L",
	"Gives a lock back",
	"The lock is free again at some moment within this event.")
EVENT(UPC_MEMCPY, 140, "upc_memcpy", copy, "SE",
	"target:P source:P bytes:z", "target:P source:P bytes:z",
	"Copy from shared to shared memory",
	"Two peers: the owner of the source and the owner of the target.")
EVENT(UPC_MEMGET, 141, "upc_memget", get, "SE",
	"local:p source:P bytes:z", "local:p source:P bytes:z",
	"Copy from shared to private memory",
	"GNU and Clang UPC pass the address of a variable of their own as "
	"local.")
EVENT(UPC_MEMPUT, 142, "upc_memput", put, "SE",
	"target:P local:p bytes:z", "target:P local:p bytes:z",
	"Copy from private to shared memory",
	"Complete for the caller at the end of this event.")
EVENT(UPC_MEMSET, 143, "upc_memset", put, "SE",
	"target:P value:i bytes:z", "target:P value:i bytes:z",
	"Fills shared memory with a byte",
	"A put of bytes that need not travel.")

/* Blocking shared variable access events (table 7) */
EVENT(UPC_GET, 150, "shared read", get, "SE",
	"relaxed:i local:p source:P bytes:z",
	"relaxed:i local:p source:P bytes:z",
	"Read of a shared variable",
	"GNU and Clang UPC pass relaxed = 1 for most strict accesses.")
EVENT(UPC_PUT, 151, "shared write", put, "SE",
	"relaxed:i target:P local:p bytes:z",
	"relaxed:i target:P local:p bytes:z",
	"Write of a shared variable",
	"GNU and Clang UPC pass relaxed = 1 for most strict accesses.")

/* Non-blocking shared variable access events (table 8) */
EVENT(UPC_NB_GET_INIT, 160, "shared read (start)", get_nb, "SE",
	"relaxed:i local:p source:P bytes:z",
	"relaxed:i local:p source:P bytes:z handle:h",
	"Start of a non-blocking read",
	"The trivial handle (0) means: complete already.")
EVENT(UPC_NB_GET_DATA, 161, "shared read (data)", nb_data, "SE",
	"handle:h", "handle:h",
	"Data of a non-blocking read in flight",
	"From the first byte's arrival to the last's.")
EVENT(UPC_NB_PUT_INIT, 162, "shared write (start)", put_nb, "SE",
	"relaxed:i target:P local:p bytes:z",
	"relaxed:i target:P local:p bytes:z handle:h",
	"Start of a non-blocking write",
	"The trivial handle (0) means: complete already.")
EVENT(UPC_NB_PUT_DATA, 163, "shared write (data)", nb_data, "SE",
	"handle:h", "handle:h",
	"Data of a non-blocking write in flight",
	"From the first byte's arrival to the last's.")
EVENT(UPC_NB_SYNC, 164, "shared access (sync)", nb_sync, "SE",
	"handle:h", "handle:h",
	"Completes non-blocking accesses",
	"All accesses attached to the handle are complete at the end.")

/* Shared variable cache events (table 9) */
EVENT(UPC_CACHE_MISS, 170, "cache miss", cache, "A",
	"bytes:z line_bytes:z", "",
	"Miss in the runtime's software cache",
	"bytes were asked for, line_bytes were brought in.")
EVENT(UPC_CACHE_HIT, 171, "cache hit", cache, "A", "bytes:z", "",
	"Hit in the runtime's software cache",
	"bytes were read from the cache.")
EVENT(UPC_CACHE_INVALIDATE, 172, "cache invalidate", cache, "A",
	"dirty_lines:z", "",
	"Invalidation of the runtime's software cache",
	"dirty_lines lines were written back.")

/* Collective communication events (table 10) */
EVENT(UPC_ALL_BROADCAST, 180, "upc_all_broadcast", broadcast, "SE",
	"target:P source:P bytes:z flags:i", "target:P source:P bytes:z flags:i",
	"Broadcast",
	"bytes is the size of one thread's block.")
EVENT(UPC_ALL_SCATTER, 181, "upc_all_scatter", scatter, "SE",
	"target:P source:P bytes:z flags:i", "target:P source:P bytes:z flags:i",
	"Scatter",
	"bytes is the size of one thread's block.")
EVENT(UPC_ALL_GATHER, 182, "upc_all_gather", gather, "SE",
	"target:P source:P bytes:z flags:i", "target:P source:P bytes:z flags:i",
	"Gather",
	"bytes is the size of one thread's block.")
EVENT(UPC_ALL_GATHER_ALL, 183, "upc_all_gather_all", all_to_all, "SE",
	"target:P source:P bytes:z flags:i", "target:P source:P bytes:z flags:i",
	"Gather to all",
	"bytes is the size of one thread's block.")
EVENT(UPC_ALL_EXCHANGE, 184, "upc_all_exchange", all_to_all, "SE",
	"target:P source:P bytes:z flags:i", "target:P source:P bytes:z flags:i",
	"Exchange of all with all",
	"bytes is the size of one block of one pair.")
EVENT(UPC_ALL_PERMUTE, 185, "upc_all_permute", all_to_all, "SE",
	"target:P source:P permutation:P bytes:z flags:i",
	"target:P source:P permutation:P bytes:z flags:i",
	"Permutation of blocks",
	"bytes is the size of one thread's block.")
EVENT(UPC_ALL_REDUCE, 186, "upc_all_reduce", reduce, "SE",
	"target:P source:P op:i elements:z block_elements:z function:p flags:i "
	"element_type:i",
	"target:P source:P op:i elements:z block_elements:z function:p flags:i "
	"element_type:i",
	"Reduction",
	"element_type is a gasp_upc_reduction_t, its order that of the "
	"specification.  gaspdb_collectives.upc adds bytes:z, those with "
	"affinity to the caller.")
EVENT(UPC_ALL_PREFIX_REDUCE, 187, "upc_all_prefix_reduce", scan, "SE",
	"target:P source:P op:i elements:z block_elements:z function:p flags:i "
	"element_type:i",
	"target:P source:P op:i elements:z block_elements:z function:p flags:i "
	"element_type:i",
	"Prefix reduction",
	"element_type is a gasp_upc_reduction_t, its order that of the "
	"specification.  gaspdb_collectives.upc adds bytes:z, those with "
	"affinity to the caller.")
EVENT(UPC_ALL_SORT, 188, "upc_all_sort", all_to_all, "SE",
	"target:P element_bytes:z elements:z block_elements:z function:p "
	"flags:i bytes:z",
	"target:P element_bytes:z elements:z block_elements:z function:p "
	"flags:i bytes:z",
	"Sort",
	"No event of GASP 1.5: gaspdb_collectives.upc records it.  bytes are "
	"those with affinity to the caller.")

/* Berkeley UPC's own */
EVENT(BUPC_NB_TRYSYNC, 200, "bupc_trysync", nb_test, "SE",
	"handle:h", "handle:h success:i",
	"Attempt to complete a non-blocking access",
	"success is not 0 where the accesses are complete.")
EVENT(BUPC_NB_MEMGET_INIT, 201, "bupc_memget_async", get_nb, "SE",
	"local:p source:P bytes:z", "local:p source:P bytes:z handle:h",
	"Start of a non-blocking memget",
	"The trivial handle (0) means: complete already.")
EVENT(BUPC_NB_MEMPUT_INIT, 202, "bupc_memput_async", put_nb, "SE",
	"target:P local:p bytes:z", "target:P local:p bytes:z handle:h",
	"Start of a non-blocking memput",
	"The trivial handle (0) means: complete already.")
EVENT(BUPC_NB_MEMCPY_INIT, 203, "bupc_memcpy_async", copy_nb, "SE",
	"target:P source:P bytes:z", "target:P source:P bytes:z handle:h",
	"Start of a non-blocking memcpy",
	"The trivial handle (0) means: complete already.")
EVENT(BUPC_STATIC_SHARED, 204, "static shared object", other, "A",
	"blocks:z bytes:z address:P proxy:p element_bytes:z name:s type:s", "",
	"A static shared object of the program",
	"The last three arguments came with GASP_UPC_VERSION 0x020311.")
/* clang-format on */
#undef EVENT
