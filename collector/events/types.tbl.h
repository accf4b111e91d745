/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Operation types, an extension of PPW's: the kind of an operation in any
 * model.  Analyses go by type and never by name.
 *
 * TYPE(ident, category, doc)
 *   ident     as in operation.type
 *   category  computation, communication, synchronization, allocation,
 *             io, runtime; none: an overlay that takes time from no category
 */
/* clang-format off */
TYPE(user, none, "user event: a phase or a mark of the program's own")
TYPE(function, computation, "user function")
TYPE(forall, computation, "work-sharing loop")

TYPE(get, communication, "blocking read of another thread's memory")
TYPE(put, communication, "blocking write to another thread's memory")
TYPE(copy, communication, "blocking copy between shared memories; two peers")
TYPE(get_nb, communication, "start of a non-blocking get")
TYPE(put_nb, communication, "start of a non-blocking put")
TYPE(copy_nb, communication, "start of a non-blocking copy")
TYPE(nb_data, none, "data of a non-blocking transfer in flight")
TYPE(nb_sync, communication, "completion of non-blocking transfers by handle")
TYPE(nb_test, communication, "attempt to complete transfers by handle")
TYPE(atomic, communication, "remote atomic that returns nothing")
TYPE(atomic_fetch, communication, "remote atomic that returns a value")

TYPE(send, communication, "blocking send")
TYPE(send_nb, communication, "start of a non-blocking send")
TYPE(send_init, communication, "creation of a persistent send request")
TYPE(receive, communication, "blocking receive")
TYPE(receive_nb, communication, "start of a non-blocking receive")
TYPE(receive_init, communication, "creation of a persistent receive request")
TYPE(send_receive, communication, "send and receive in one call")
TYPE(start, communication, "start of persistent requests")
TYPE(wait, communication, "blocking completion of requests")
TYPE(test, communication, "attempt to complete requests")
TYPE(probe, communication, "blocking probe for the next message")
TYPE(probe_nb, communication, "non-blocking probe for the next message")
TYPE(request, communication, "other handling of a request: cancel, free")

TYPE(broadcast, communication, "collective: one to all")
TYPE(scatter, communication, "collective: one to all, a part each")
TYPE(gather, communication, "collective: all to one")
TYPE(reduce, communication, "collective: all to one, combined")
TYPE(all_to_all, communication, "collective: all wait for the data of all")
TYPE(exchange, communication, "collective: all to all, perhaps nothing to some")
TYPE(scan, communication, "collective: each waits for those before it")
TYPE(neighbor, communication, "collective among neighbours")

TYPE(barrier, synchronization, "waits until all have arrived")
TYPE(notify, synchronization, "first half of a split-phase barrier")
TYPE(barrier_wait, synchronization, "second half of a split-phase barrier")
TYPE(fence, synchronization, "orders the thread's own accesses")
TYPE(quiet, synchronization, "completes the thread's own accesses")
TYPE(wait_until, synchronization, "waits for a word to change")
TYPE(wait_test, synchronization, "tests whether a word has changed")
TYPE(lock, synchronization, "waits for a lock and acquires it")
TYPE(lock_attempt, synchronization, "acquires a lock if it is free")
TYPE(unlock, synchronization, "releases a lock")
TYPE(window_sync, synchronization, "synchronization of a one-sided window")
TYPE(window_start, synchronization, "begins to access windows of a group")
TYPE(window_complete, synchronization, "ends what window_start began")
TYPE(window_post, synchronization, "exposes the window to a group")
TYPE(window_wait, synchronization, "waits until all of the group completed")
TYPE(window_test, synchronization, "tests whether all have completed")
TYPE(window_lock, synchronization, "begins to access a window, or all, alone")
TYPE(window_unlock, synchronization, "ends what window_lock began")

TYPE(alloc, allocation, "allocation of private memory")
TYPE(realloc, allocation, "change of a private allocation's size")
TYPE(free, allocation, "freeing of private memory")
TYPE(shared_alloc, allocation, "allocation of shared memory")
TYPE(shared_alloc_all, allocation, "allocation of one shared object by all threads")
TYPE(shared_free, allocation, "freeing of shared memory")
TYPE(lock_alloc, allocation, "allocation of a lock")
TYPE(lock_alloc_all, allocation, "allocation of one lock by all threads")
TYPE(lock_free, allocation, "freeing of a lock")

TYPE(file, io, "opening, closing or change of a file, or of its view")
TYPE(file_sync, io, "transfer of written data to the storage")
TYPE(file_read, io, "blocking read from a file")
TYPE(file_write, io, "blocking write to a file")
TYPE(file_read_nb, io, "start of a non-blocking read from a file")
TYPE(file_write_nb, io, "start of a non-blocking write to a file")
TYPE(file_read_begin, io, "first half of a collective read from a file")
TYPE(file_write_begin, io, "first half of a collective write to a file")
TYPE(file_end, io, "second half of a collective read or write")

TYPE(init, runtime, "start of the runtime")
TYPE(finalize, runtime, "end of the runtime, or of the program")
TYPE(exit, runtime, "exit by one thread for all")
TYPE(team, runtime, "creation or freeing of a team or communicator")
TYPE(context, runtime, "creation or freeing of a context")
TYPE(window, runtime, "creation or freeing of a window")
TYPE(cache, communication, "the runtime's software cache")
TYPE(other, runtime, "a call of the runtime that fits no other type")
/* clang-format on */
#undef TYPE
