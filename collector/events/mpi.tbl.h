/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Events of MPI.  Columns: events/README.md.  One row a family of calls whose
 * arguments are alike; the adapter passes each function's own name.
 */
/* clang-format off */

/* Start and end */
EVENT(MPI_INIT, 500, "MPI_Init", init, "SE", "", "",
	"Start of MPI",
	"MPI_Init_thread and MPI_Session_init too.")
EVENT(MPI_FINALIZE, 501, "MPI_Finalize", finalize, "SE",
	"team:u sequence:u", "",
	"End of MPI",
	"A collective of MPI_COMM_WORLD that may synchronize or not.  The logs "
	"are brought to a safe state before MPI ends.  MPI_Session_finalize "
	"too, where it ends MPI: of the process set mpi://WORLD.")
EVENT(MPI_ABORT, 502, "MPI_Abort", exit, "SE", "team:u status:i", "",
	"End of the program by one process for all",
	"Never returns: an open event.  The other processes are killed.")
EVENT(MPI_SESSION_FINALIZE, 503, "MPI_Session_finalize", other, "SE", "", "",
	"End of a session",
	"While MPI goes on: the end of the last session is an MPI_Finalize.")

/* Point to point */
EVENT(MPI_SEND, 510, "MPI_Send", send, "SE",
	"peer:i tag:i bytes:z team:u", "",
	"Blocking send",
	"Send, Bsend, Ssend, Rsend.  To MPI_PROC_NULL: peer -1, 0 bytes.")
EVENT(MPI_ISEND, 511, "MPI_Isend", send_nb, "SE",
	"peer:i tag:i bytes:z team:u", "request:u",
	"Start of a non-blocking send",
	"Isend, Ibsend, Issend, Irsend.  The send of MPI_Isendrecv is an "
	"event of its own, just before its receive.")
EVENT(MPI_SEND_INIT, 512, "MPI_Send_init", send_init, "SE",
	"peer:i tag:i bytes:z team:u", "request:u",
	"Creation of a persistent send request",
	"Send_init, Bsend_init, Ssend_init, Rsend_init; Psend_init with the "
	"bytes of all partitions.")
EVENT(MPI_RECV, 513, "MPI_Recv", receive, "SE",
	"posted_peer:i posted_tag:i limit:z team:u",
	"peer:i tag:i bytes:z error:i",
	"Blocking receive",
	"peer, tag and bytes are those of the message that came.")
EVENT(MPI_IRECV, 514, "MPI_Irecv", receive_nb, "SE",
	"posted_peer:i posted_tag:i limit:z team:u", "request:u",
	"Start of a non-blocking receive",
	"Source, tag and bytes come with the completion.")
EVENT(MPI_RECV_INIT, 515, "MPI_Recv_init", receive_init, "SE",
	"posted_peer:i posted_tag:i limit:z team:u", "request:u",
	"Creation of a persistent receive request",
	"Precv_init with the bytes of all partitions.")
EVENT(MPI_MRECV, 516, "MPI_Mrecv", receive, "SE",
	"message:u posted_peer:i posted_tag:i limit:z team:u",
	"peer:i tag:i bytes:z error:i",
	"Blocking receive of a message that a probe matched",
	"posted_peer and posted_tag are the source and tag that the probe named.")
EVENT(MPI_IMRECV, 517, "MPI_Imrecv", receive_nb, "SE",
	"message:u posted_peer:i posted_tag:i limit:z team:u", "request:u",
	"Start of a receive of a message that a probe matched",
	"posted_peer and posted_tag are the source and tag that the probe named.")
EVENT(MPI_SENDRECV, 518, "MPI_Sendrecv", send_receive, "SE",
	"peer:i tag:i bytes:z posted_peer:i posted_tag:i limit:z team:u",
	"receive_peer:i receive_tag:i bytes_received:z error:i",
	"Send and receive in one call",
	"Sendrecv_replace too.")
EVENT(MPI_BUFFER, 519, "MPI_Buffer_detach", other, "SE", "bytes:z", "",
	"Attaching or detaching of the buffer of MPI_Bsend",
	"Detaching waits until all buffered messages are delivered.")
EVENT(MPI_PROBE, 520, "MPI_Probe", probe, "SE",
	"posted_peer:i posted_tag:i team:u", "",
	"Blocking probe for the next message",
	"Probe, Mprobe.")
EVENT(MPI_IPROBE, 521, "MPI_Iprobe", probe_nb, "SE",
	"posted_peer:i posted_tag:i team:u", "success:i attempts:u",
	"Non-blocking probe for the next message",
	"Iprobe, Improbe.")

/* Requests */
EVENT(MPI_START, 530, "MPI_Start", start, "SE", "requests:u", "",
	"Start of persistent requests",
	"Start, Startall.")
EVENT(MPI_WAIT, 531, "MPI_Wait", wait, "SE", "requests:u", "",
	"Blocking completion of requests",
	"Wait, Waitall, Waitany, Waitsome.")
EVENT(MPI_TEST, 532, "MPI_Test", test, "SE",
	"requests:u", "success:i attempts:u",
	"Attempt to complete requests",
	"Test, Testall, Testany, Testsome, Request_get_status: the last one "
	"leaves the request as it is.")
EVENT(MPI_REQUEST_FREE, 533, "MPI_Request_free", request, "SE", "", "",
	"Freeing of a request",
	"The completion of an active operation is then not known.")
EVENT(MPI_CANCEL, 534, "MPI_Cancel", request, "SE", "", "",
	"Asking to cancel a request",
	"Whether it succeeded comes with the completion.")
/*
 * Collectives.  bytes and bytes_received are the sizes of the buffers that the
 * call reads and fills on this process (for all processes together where there
 * is one block each), 0 where its role has none.
 */
EVENT(MPI_BARRIER, 540, "MPI_Barrier", barrier, "SE",
	"team:u sequence:u", "",
	"Barrier", "Nobody leaves before all have entered.")
EVENT(MPI_IBARRIER, 541, "MPI_Ibarrier", barrier, "SE",
	"team:u sequence:u", "request:u",
	"Start of a non-blocking barrier",
	"Its waiting lies in the call that completes it.")
EVENT(MPI_BCAST, 542, "MPI_Bcast", broadcast, "SE",
	"team:u sequence:u root:i bytes:z bytes_received:z", "",
	"Broadcast", "The root sends, the others receive, each one buffer.")
EVENT(MPI_IBCAST, 543, "MPI_Ibcast", broadcast, "SE",
	"team:u sequence:u root:i bytes:z bytes_received:z", "request:u",
	"Start of a non-blocking broadcast",
	"Its waiting lies in the call that completes it.")
EVENT(MPI_GATHER, 544, "MPI_Gather", gather, "SE",
	"team:u sequence:u root:i bytes:z bytes_received:z", "",
	"Gather", "Gather, Gatherv.")
EVENT(MPI_IGATHER, 545, "MPI_Igather", gather, "SE",
	"team:u sequence:u root:i bytes:z bytes_received:z", "request:u",
	"Start of a non-blocking gather",
	"Its waiting lies in the call that completes it.")
EVENT(MPI_SCATTER, 546, "MPI_Scatter", scatter, "SE",
	"team:u sequence:u root:i bytes:z bytes_received:z", "",
	"Scatter", "Scatter, Scatterv.")
EVENT(MPI_ISCATTER, 547, "MPI_Iscatter", scatter, "SE",
	"team:u sequence:u root:i bytes:z bytes_received:z", "request:u",
	"Start of a non-blocking scatter",
	"Its waiting lies in the call that completes it.")
EVENT(MPI_REDUCE, 548, "MPI_Reduce", reduce, "SE",
	"team:u sequence:u root:i bytes:z bytes_received:z", "",
	"Reduction to one", "All send, the root receives.")
EVENT(MPI_IREDUCE, 549, "MPI_Ireduce", reduce, "SE",
	"team:u sequence:u root:i bytes:z bytes_received:z", "request:u",
	"Start of a non-blocking reduction to one",
	"Its waiting lies in the call that completes it.")
EVENT(MPI_ALLGATHER, 550, "MPI_Allgather", all_to_all, "SE",
	"team:u sequence:u bytes:z bytes_received:z", "",
	"Gather to all", "Allgather, Allgatherv.")
EVENT(MPI_IALLGATHER, 551, "MPI_Iallgather", all_to_all, "SE",
	"team:u sequence:u bytes:z bytes_received:z", "request:u",
	"Start of a non-blocking gather to all",
	"Its waiting lies in the call that completes it.")
EVENT(MPI_ALLTOALL, 552, "MPI_Alltoall", all_to_all, "SE",
	"team:u sequence:u bytes:z bytes_received:z", "",
	"Exchange of all with all", "Equal blocks: each waits for all.")
EVENT(MPI_IALLTOALL, 553, "MPI_Ialltoall", all_to_all, "SE",
	"team:u sequence:u bytes:z bytes_received:z", "request:u",
	"Start of a non-blocking exchange of all with all",
	"Its waiting lies in the call that completes it.")
EVENT(MPI_ALLTOALLV, 554, "MPI_Alltoallv", exchange, "SE",
	"team:u sequence:u bytes:z bytes_received:z", "",
	"Exchange of all with all, blocks of different size",
	"Alltoallv, Alltoallw.  Blocks may be empty: not all need wait for all.")
EVENT(MPI_IALLTOALLV, 555, "MPI_Ialltoallv", exchange, "SE",
	"team:u sequence:u bytes:z bytes_received:z", "request:u",
	"Start of a non-blocking exchange of different blocks",
	"Its waiting lies in the call that completes it.")
EVENT(MPI_ALLREDUCE, 556, "MPI_Allreduce", all_to_all, "SE",
	"team:u sequence:u bytes:z bytes_received:z", "",
	"Reduction to all", "Each waits for all.")
EVENT(MPI_IALLREDUCE, 557, "MPI_Iallreduce", all_to_all, "SE",
	"team:u sequence:u bytes:z bytes_received:z", "request:u",
	"Start of a non-blocking reduction to all",
	"Its waiting lies in the call that completes it.")
EVENT(MPI_REDUCE_SCATTER, 558, "MPI_Reduce_scatter", all_to_all, "SE",
	"team:u sequence:u bytes:z bytes_received:z", "",
	"Reduction, a part of the result to each",
	"Reduce_scatter, Reduce_scatter_block.")
EVENT(MPI_IREDUCE_SCATTER, 559, "MPI_Ireduce_scatter", all_to_all, "SE",
	"team:u sequence:u bytes:z bytes_received:z", "request:u",
	"Start of a non-blocking reduction, a part to each",
	"Its waiting lies in the call that completes it.")
EVENT(MPI_SCAN, 560, "MPI_Scan", scan, "SE",
	"team:u sequence:u bytes:z bytes_received:z", "",
	"Prefix reduction",
	"Scan, Exscan: rank 0 of Exscan receives nothing.")
EVENT(MPI_ISCAN, 561, "MPI_Iscan", scan, "SE",
	"team:u sequence:u bytes:z bytes_received:z", "request:u",
	"Start of a non-blocking prefix reduction",
	"Its waiting lies in the call that completes it.")
EVENT(MPI_NEIGHBOR, 562, "MPI_Neighbor_alltoall", neighbor, "SE",
	"team:u sequence:u bytes:z bytes_received:z", "",
	"Exchange with the neighbours of the topology",
	"Neighbor_allgather[v], Neighbor_alltoall[v,w].  Blocks of missing "
	"neighbours at the edge of a grid are counted.")
EVENT(MPI_INEIGHBOR, 563, "MPI_Ineighbor_alltoall", neighbor, "SE",
	"team:u sequence:u bytes:z bytes_received:z", "request:u",
	"Start of a non-blocking exchange with neighbours",
	"Its waiting lies in the call that completes it.")
EVENT(MPI_COLLECTIVE_INIT, 564, "MPI_Bcast_init", request, "SE",
	"team:u sequence:u does:u root:i bytes:z bytes_received:z", "request:u",
	"Creation of a persistent collective's request",
	"Each start of the request is an instance of its own, and moves so much.  "
	"root is -1 where there is none.")

/* Communicators: made by all members of team, but where said */
EVENT(MPI_COMM_CREATE, 580, "MPI_Comm_create", team, "SE",
	"team:u sequence:u", "created:u",
	"Creation of a communicator",
	"created is 0 where the caller is not in it.")
EVENT(MPI_COMM_IDUP, 581, "MPI_Comm_idup", team, "SE",
	"team:u sequence:u", "request:u",
	"Start of a non-blocking duplication",
	"The new communicator's TEAM record comes with the completion.")
EVENT(MPI_COMM_CREATE_GROUP, 582, "MPI_Comm_create_group", team, "SE",
	"team:u", "created:u",
	"Creation of a communicator by its members alone",
	"No collective of team: others do not take part.")
EVENT(MPI_COMM_FREE, 583, "MPI_Comm_free", team, "SE", "team:u", "",
	"Freeing of a communicator",
	"Comm_free, Comm_disconnect; the latter waits for all messages.")
EVENT(MPI_COMM_SET_NAME, 584, "MPI_Comm_set_name", other, "SE", "team:u", "",
	"Naming of a communicator",
	"The reports use the name.")

/* One-sided windows */
EVENT(MPI_WIN_CREATE, 600, "MPI_Win_create", window, "SE",
	"team:u sequence:u size:z unit:i", "window:u base:p created:u",
	"Creation of a window",
	"Win_create, Win_allocate, Win_allocate_shared, Win_create_dynamic.  "
	"size is that of the caller's part, unit its displacement unit, "
	"created its team: what it is to all processes.")
EVENT(MPI_WIN_FREE, 601, "MPI_Win_free", window, "SE",
	"window:u team:u sequence:u", "",
	"Freeing of a window",
	"All members wait for each other.")
EVENT(MPI_WIN_ATTACH, 602, "MPI_Win_attach", window, "SE",
	"window:u base:p size:z", "",
	"Memory is put into a dynamic window, or taken out",
	"Win_attach, Win_detach: detaching has no size.")
EVENT(MPI_PUT, 603, "MPI_Put", put_nb, "SE",
	"peer:i bytes:z window:u displacement:i", "",
	"Write to another process's window",
	"A synchronization of the window completes it.")
EVENT(MPI_GET, 604, "MPI_Get", get_nb, "SE",
	"peer:i bytes:z window:u displacement:i", "",
	"Read of another process's window",
	"A synchronization of the window completes it.")
EVENT(MPI_ACCUMULATE, 605, "MPI_Accumulate", atomic, "SE",
	"peer:i bytes:z window:u displacement:i", "",
	"Update of another process's window",
	"Atomic for each element.")
EVENT(MPI_GET_ACCUMULATE, 606, "MPI_Get_accumulate", atomic_fetch, "SE",
	"peer:i bytes:z window:u displacement:i", "attempts:u",
	"Update of another process's window that returns a value",
	"Get_accumulate, Fetch_and_op, Compare_and_swap.")
EVENT(MPI_RPUT, 615, "MPI_Rput", put_nb, "SE",
	"peer:i bytes:z window:u displacement:i", "request:u",
	"Write to another process's window, with a request",
	"The request's completion is local only.")
EVENT(MPI_RGET, 616, "MPI_Rget", get_nb, "SE",
	"peer:i bytes:z window:u displacement:i", "request:u",
	"Read of another process's window, with a request",
	"The data is there when the request is complete.")
EVENT(MPI_RACCUMULATE, 617, "MPI_Raccumulate", atomic, "SE",
	"peer:i bytes:z window:u displacement:i", "request:u",
	"Update of another process's window, with a request",
	"The request's completion is local only.")
EVENT(MPI_RGET_ACCUMULATE, 618, "MPI_Rget_accumulate", atomic_fetch, "SE",
	"peer:i bytes:z window:u displacement:i", "request:u",
	"Update that returns a value, with a request",
	"The value is there when the request is complete.")
EVENT(MPI_WIN_FENCE, 607, "MPI_Win_fence", window_sync, "SE",
	"window:u assertion:i completes:i team:u sequence:u", "",
	"Ends one epoch of a window for all and begins the next",
	"Waits only where there is something to complete.")
EVENT(MPI_WIN_START, 608, "MPI_Win_start", window_start, "SE",
	"window:u members:u assertion:i team:u first:i stride:i epoch:u", "",
	"Begins an access epoch with a group",
	"members is the group's size.")
EVENT(MPI_WIN_POST, 619, "MPI_Win_post", window_post, "SE",
	"window:u members:u assertion:i team:u first:i stride:i epoch:u", "",
	"Begins an exposure epoch with a group",
	"members is the group's size.")
EVENT(MPI_WIN_COMPLETE, 609, "MPI_Win_complete", window_complete, "SE",
	"window:u completes:i team:u", "",
	"Ends an access epoch",
	"It completes the accesses.")
EVENT(MPI_WIN_WAIT, 620, "MPI_Win_wait", window_wait, "SE",
	"window:u team:u", "",
	"Ends an exposure epoch",
	"Waits until all of the group have completed theirs.")
EVENT(MPI_WIN_TEST, 610, "MPI_Win_test", window_test, "SE",
	"window:u team:u", "success:i attempts:u",
	"Whether an exposure epoch can end",
	"If so, it ends.")
EVENT(MPI_WIN_LOCK, 611, "MPI_Win_lock", window_lock, "SE",
	"window:u peer:i exclusive:i assertion:i team:u", "",
	"Begins a passive access epoch",
	"Win_lock, Win_lock_all (peer -1).  The call may return before the "
	"lock is held.")
EVENT(MPI_WIN_UNLOCK, 612, "MPI_Win_unlock", window_unlock, "SE",
	"window:u peer:i completes:i team:u", "",
	"Ends a passive access epoch",
	"Win_unlock, Win_unlock_all (peer -1).")
EVENT(MPI_WIN_FLUSH, 613, "MPI_Win_flush", window_sync, "SE",
	"window:u peer:i completes:i", "attempts:u",
	"Completes accesses to a window",
	"Win_flush, Win_flush_all (peer -1); completes is 0 for the _local "
	"calls.")
EVENT(MPI_WIN_SYNC, 614, "MPI_Win_sync", window_sync, "SE", "window:u",
	"attempts:u",
	"Synchronizes the window's private and public copies",
	"A local call, without a wait.")

/* Memory */
EVENT(MPI_ALLOC_MEM, 630, "MPI_Alloc_mem", alloc, "SE",
	"bytes:z", "address:p",
	"Allocation of memory that MPI prefers",
	"Private memory.")
EVENT(MPI_FREE_MEM, 631, "MPI_Free_mem", free, "SE", "address:p", "",
	"Freeing of memory from MPI_Alloc_mem",
	"Private memory.")

/*
 * Files.  A file is a team of its own (kind file), named by its path; offsets
 * are bytes in the file, -1 not known, and stand where the call names one.
 * Collectives on a file may synchronize or not.
 */
EVENT(MPI_FILE_OPEN, 650, "MPI_File_open", file, "SE",
	"team:u sequence:u mode:i", "created:u",
	"Opening of a file by all of a communicator",
	"team is the communicator; created is the file, 0 after an error.")
EVENT(MPI_FILE_CLOSE, 651, "MPI_File_close", file, "SE",
	"team:u sequence:u", "",
	"Closing of a file by all that have opened it",
	"The file is as if MPI_File_sync had been called.")
EVENT(MPI_FILE_DELETE, 652, "MPI_File_delete", file, "SE", "team:u", "",
	"Deletion of a file by its name",
	"team is a file of that name, of this process alone.")
EVENT(MPI_FILE_SET_SIZE, 653, "MPI_File_set_size", file, "SE",
	"team:u sequence:u size:i", "",
	"Change of a file's size", "File_set_size, File_preallocate.")
EVENT(MPI_FILE_SET_VIEW, 654, "MPI_File_set_view", file, "SE",
	"team:u sequence:u offset:i", "",
	"Change of a process's view of a file",
	"offset is the view's displacement.")
EVENT(MPI_FILE_SET_ATOMICITY, 655, "MPI_File_set_atomicity", file, "SE",
	"team:u sequence:u atomic:i", "",
	"Whether accesses to a file are atomic", "Sequentially consistent, too.")
EVENT(MPI_FILE_SYNC, 656, "MPI_File_sync", file_sync, "SE",
	"team:u sequence:u", "",
	"Transfer of all written data to the storage",
	"Others see the data after a MPI_File_sync of their own.")
EVENT(MPI_FILE_SEEK, 657, "MPI_File_seek", file, "SE", "team:u", "",
	"Move of the process's own file pointer", "A local call.")
EVENT(MPI_FILE_SEEK_SHARED, 658, "MPI_File_seek_shared", file, "SE",
	"team:u sequence:u", "",
	"Move of the shared file pointer", "A collective.")
EVENT(MPI_FILE_READ, 660, "MPI_File_read", file_read, "SE",
	"team:u limit:z", "bytes:z",
	"Read from a file at a file pointer",
	"Read, Read_shared.  limit is the size of the buffer, bytes what was "
	"read: less at the end of the file.")
EVENT(MPI_FILE_READ_AT, 661, "MPI_File_read_at", file_read, "SE",
	"team:u offset:i limit:z", "bytes:z",
	"Read from a file at an offset",
	"The file pointer stays.")
EVENT(MPI_FILE_READ_ALL, 662, "MPI_File_read_all", file_read, "SE",
	"team:u sequence:u limit:z", "bytes:z",
	"Read from a file by all, at a file pointer",
	"Read_all, Read_ordered.")
EVENT(MPI_FILE_READ_AT_ALL, 663, "MPI_File_read_at_all", file_read, "SE",
	"team:u sequence:u offset:i limit:z", "bytes:z",
	"Read from a file by all, at an offset",
	"The file pointer stays.")
EVENT(MPI_FILE_WRITE, 664, "MPI_File_write", file_write, "SE",
	"team:u bytes:z", "",
	"Write to a file at a file pointer",
	"Write, Write_shared.")
EVENT(MPI_FILE_WRITE_AT, 665, "MPI_File_write_at", file_write, "SE",
	"team:u offset:i bytes:z", "",
	"Write to a file at an offset",
	"The file pointer stays.")
EVENT(MPI_FILE_WRITE_ALL, 666, "MPI_File_write_all", file_write, "SE",
	"team:u sequence:u bytes:z", "",
	"Write to a file by all, at a file pointer",
	"Write_all, Write_ordered.")
EVENT(MPI_FILE_WRITE_AT_ALL, 667, "MPI_File_write_at_all", file_write, "SE",
	"team:u sequence:u offset:i bytes:z", "",
	"Write to a file by all, at an offset",
	"The file pointer stays.")
EVENT(MPI_FILE_IREAD, 670, "MPI_File_iread", file_read_nb, "SE",
	"team:u bytes:z", "request:u",
	"Start of a read at a file pointer",
	"Iread, Iread_shared.  bytes is the size of the buffer.")
EVENT(MPI_FILE_IREAD_AT, 671, "MPI_File_iread_at", file_read_nb, "SE",
	"team:u offset:i bytes:z", "request:u",
	"Start of a read at an offset",
	"The file pointer stays.")
EVENT(MPI_FILE_IREAD_ALL, 672, "MPI_File_iread_all", file_read_nb, "SE",
	"team:u sequence:u bytes:z", "request:u",
	"Start of a read by all, at a file pointer",
	"Its waiting lies in the call that completes it.")
EVENT(MPI_FILE_IREAD_AT_ALL, 673, "MPI_File_iread_at_all", file_read_nb, "SE",
	"team:u sequence:u offset:i bytes:z", "request:u",
	"Start of a read by all, at an offset",
	"Its waiting lies in the call that completes it.")
EVENT(MPI_FILE_IWRITE, 674, "MPI_File_iwrite", file_write_nb, "SE",
	"team:u bytes:z", "request:u",
	"Start of a write at a file pointer",
	"Iwrite, Iwrite_shared.  bytes is the size of the buffer.")
EVENT(MPI_FILE_IWRITE_AT, 675, "MPI_File_iwrite_at", file_write_nb, "SE",
	"team:u offset:i bytes:z", "request:u",
	"Start of a write at an offset",
	"The file pointer stays.")
EVENT(MPI_FILE_IWRITE_ALL, 676, "MPI_File_iwrite_all", file_write_nb, "SE",
	"team:u sequence:u bytes:z", "request:u",
	"Start of a write by all, at a file pointer",
	"Its waiting lies in the call that completes it.")
EVENT(MPI_FILE_IWRITE_AT_ALL, 677, "MPI_File_iwrite_at_all", file_write_nb, "SE",
	"team:u sequence:u offset:i bytes:z", "request:u",
	"Start of a write by all, at an offset",
	"Its waiting lies in the call that completes it.")
EVENT(MPI_FILE_READ_BEGIN, 680, "MPI_File_read_all_begin", file_read_begin, "SE",
	"team:u sequence:u bytes:z", "request:u",
	"First half of a read by all, at a file pointer",
	"Read_all_begin, Read_ordered_begin.  bytes is the size of the "
	"buffer.")
EVENT(MPI_FILE_READ_AT_BEGIN, 681, "MPI_File_read_at_all_begin", file_read_begin, "SE",
	"team:u sequence:u offset:i bytes:z", "request:u",
	"First half of a read by all, at an offset",
	"The file pointer stays.")
EVENT(MPI_FILE_WRITE_BEGIN, 682, "MPI_File_write_all_begin", file_write_begin, "SE",
	"team:u sequence:u bytes:z", "request:u",
	"First half of a write by all, at a file pointer",
	"Write_all_begin, Write_ordered_begin.  bytes is the size of the "
	"buffer.")
EVENT(MPI_FILE_WRITE_AT_BEGIN, 683, "MPI_File_write_at_all_begin", file_write_begin, "SE",
	"team:u sequence:u offset:i bytes:z", "request:u",
	"First half of a write by all, at an offset",
	"The file pointer stays.")
EVENT(MPI_FILE_END, 684, "MPI_File_write_all_end", file_end, "SE",
	"team:u sequence:u", "",
	"Second half of a read or write by all",
	"Read and Write, all_end, at_all_end, ordered_end.  It completes the "
	"request of its first half.")
/* clang-format on */
#undef EVENT
