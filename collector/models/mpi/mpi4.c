/* SPDX-License-Identifier: BSD-2-Clause */
/* Point-to-point calls of MPI 4: a send and a receive with one request, and
   partitioned requests. */
#include "collector/models/mpi/adapter.h"

#if MPI_VERSION >= 4

/* MPI_Isendrecv is one call and two operations: the send is an event just
   before the receive's, and the request completes both. */
static void isend(struct gaspdb_mpi_call send, struct gaspdb_mpi_request *r,
		  const struct gaspdb_operation *op, uint64_t bytes, int dest,
		  int tag, MPI_Comm comm)
{
	send.op = op;
	r->sent = gaspdb_mpi_serial();
	r->message = gaspdb_mpi_start_sending(&send, bytes, dest, tag, comm);
	gaspdb_end(send.c, op, send.entry.pc, 1, &r->sent);
}

/* clang-format off */

#define ISENDRECV(name, C)                                                     \
GASPDB_EXPORT int MPI_##name(const void *sendbuf, C sendcount,                 \
			     MPI_Datatype sendtype, int dest, int sendtag,     \
			     void *recvbuf, C recvcount,                       \
			     MPI_Datatype recvtype, int source, int recvtag,   \
			     MPI_Comm comm, MPI_Request *request)              \
{                                                                              \
	static const struct gaspdb_operation send = {                          \
		GASPDB_EVENT_MPI_ISEND, "MPI_" #name };                        \
	GASPDB_MPI_CALL(IRECV, MPI_##name);                                    \
	struct gaspdb_mpi_request r = { .kind = GASPDB_MPI_RECEIVE };          \
	int rc;                                                                \
                                                                               \
	if (!call.c)                                                           \
		return GASPDB_MPI_PASS(MPI_##name)(sendbuf, sendcount, sendtype, dest, \
				   sendtag, recvbuf, recvcount, recvtype,      \
				   source, recvtag, comm, request);            \
	isend(call, &r, &send, gaspdb_mpi_bytes(sendcount, sendtype), dest,    \
	      sendtag, comm);                                                  \
	gaspdb_mpi_start_receive(&call, gaspdb_mpi_bytes(recvcount, recvtype), \
				 source, recvtag, comm);                       \
	r.comm = call.comm;                                                    \
	rc = PMPI_##name(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, \
			 recvcount, recvtype, source, recvtag, comm, request); \
	return gaspdb_mpi_posted(&call, rc, request, &r);                      \
}

#define ISENDRECV_REPLACE(name, C)                                             \
GASPDB_EXPORT int MPI_##name(void *buf, C count, MPI_Datatype type, int dest,  \
			     int sendtag, int source, int recvtag,             \
			     MPI_Comm comm, MPI_Request *request)              \
{                                                                              \
	static const struct gaspdb_operation send = {                          \
		GASPDB_EVENT_MPI_ISEND, "MPI_" #name };                        \
	GASPDB_MPI_CALL(IRECV, MPI_##name);                                    \
	struct gaspdb_mpi_request r = { .kind = GASPDB_MPI_RECEIVE };          \
	uint64_t bytes;                                                        \
	int rc;                                                                \
                                                                               \
	if (!call.c)                                                           \
		return GASPDB_MPI_PASS(MPI_##name)(buf, count, type, dest, sendtag, source, \
				   recvtag, comm, request);                    \
	bytes = gaspdb_mpi_bytes(count, type);                                 \
	isend(call, &r, &send, bytes, dest, sendtag, comm);                    \
	gaspdb_mpi_start_receive(&call, bytes, source, recvtag, comm);         \
	r.comm = call.comm;                                                    \
	rc = PMPI_##name(buf, count, type, dest, sendtag, source, recvtag,     \
			 comm, request);                                       \
	return gaspdb_mpi_posted(&call, rc, request, &r);                      \
}

ISENDRECV(Isendrecv, int)
ISENDRECV(Isendrecv_c, MPI_Count)
ISENDRECV_REPLACE(Isendrecv_replace, int)
ISENDRECV_REPLACE(Isendrecv_replace_c, MPI_Count)

/* clang-format on */

/* --- partitions ----------------------------------------------------------- */

static uint64_t partitioned_bytes(int partitions, MPI_Count count,
				  MPI_Datatype type)
{
	return partitions > 0
		       ? (uint64_t)partitions * gaspdb_mpi_bytes(count, type)
		       : 0;
}

GASPDB_EXPORT int MPI_Psend_init(const void *buf, int partitions,
				 MPI_Count count, MPI_Datatype type, int dest,
				 int tag, MPI_Comm comm, MPI_Info info,
				 MPI_Request *request)
{
	GASPDB_MPI_CALL(SEND_INIT, MPI_Psend_init);
	struct gaspdb_mpi_request r = { .kind = GASPDB_MPI_SEND,
					.persistent = true };
	int rc;

	if (!call.c)
		return GASPDB_MPI_PASS(MPI_Psend_init)(buf, partitions, count, type, dest, tag,
				       comm, info, request);
	r.message = gaspdb_mpi_start_send(
		&call, partitioned_bytes(partitions, count, type), dest, tag,
		comm);
	r.comm = call.comm;
	rc = PMPI_Psend_init(buf, partitions, count, type, dest, tag, comm,
			     info, request);
	return gaspdb_mpi_posted(&call, rc, request, &r);
}

/* No wildcards: the message is known without a status. */
GASPDB_EXPORT int MPI_Precv_init(void *buf, int partitions, MPI_Count count,
				 MPI_Datatype type, int source, int tag,
				 MPI_Comm comm, MPI_Info info,
				 MPI_Request *request)
{
	GASPDB_MPI_CALL(RECV_INIT, MPI_Precv_init);
	struct gaspdb_mpi_request r = { .kind = GASPDB_MPI_PARTITIONED,
					.persistent = true };
	uint64_t bytes;
	int rc;

	if (!call.c)
		return GASPDB_MPI_PASS(MPI_Precv_init)(buf, partitions, count, type, source,
				       tag, comm, info, request);
	bytes = partitioned_bytes(partitions, count, type);
	gaspdb_mpi_start_receive(&call, bytes, source, tag, comm);
	r.comm = call.comm;
	r.message = (struct gaspdb_mpi_message){
		gaspdb_mpi_comm_peer(call.comm, source), tag, bytes
	};
	rc = PMPI_Precv_init(buf, partitions, count, type, source, tag, comm,
			     info, request);
	return gaspdb_mpi_posted(&call, rc, request, &r);
}

#endif
