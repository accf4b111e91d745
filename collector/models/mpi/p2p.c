/* SPDX-License-Identifier: BSD-2-Clause */
/* Point-to-point calls: blocking, non-blocking and persistent sends and
   receives.  A send is known at its start; a receive by its status. */
#include "collector/models/mpi/adapter.h"

/* A send's message in the log's terms: peer -1 none, -2 unknown, as in a world
   of spawned processes. */
static struct gaspdb_mpi_message sent(const struct gaspdb_mpi_comm *comm,
				      int dest, int tag, uint64_t bytes)
{
	const int peer = gaspdb_mpi_comm_peer(comm, dest);

	if (dest == MPI_PROC_NULL)
		return (struct gaspdb_mpi_message){ -1, tag, 0 };
	return (struct gaspdb_mpi_message){ peer < 0 ? -2 : peer, tag, bytes };
}

struct gaspdb_mpi_message gaspdb_mpi_start_send(struct gaspdb_mpi_call *call,
						uint64_t bytes, int dest,
						int tag, MPI_Comm comm)
{
	struct gaspdb_mpi_message m;

	call->comm = gaspdb_mpi_comm_get(call->c, comm);
	m = sent(call->comm, dest, tag, bytes);
	gaspdb_mpi_start(call, 4,
			 (uint64_t[]){ (uint64_t)m.peer, (uint64_t)tag, m.bytes,
				       gaspdb_mpi_comm_id(call->comm) });
	return m;
}

struct gaspdb_mpi_message gaspdb_mpi_start_sending(struct gaspdb_mpi_call *call,
						   uint64_t bytes, int dest,
						   int tag, MPI_Comm comm)
{
	const uint64_t passed = gaspdb_mpi_posting(call->c);
	struct gaspdb_mpi_message m =
		gaspdb_mpi_start_send(call, bytes, dest, tag, comm);

	if (passed)
		gaspdb_mpi_passed(call->c, call->comm, &m, false, passed);
	return m;
}

/* A receive's posted source and tag. */
static void receives(struct gaspdb_mpi_call *call, uint64_t limit, int source,
		     int tag, MPI_Comm comm)
{
	call->comm = gaspdb_mpi_comm_get(call->c, comm);
	call->limit = limit;
	call->posted_peer = gaspdb_mpi_posted_peer(call->comm, source);
	call->posted_tag = gaspdb_mpi_posted_tag(tag);
	call->passed = gaspdb_mpi_posting(call->c);
}

void gaspdb_mpi_start_receive(struct gaspdb_mpi_call *call, uint64_t limit,
			      int source, int tag, MPI_Comm comm)
{
	receives(call, limit, source, tag, comm);
	gaspdb_mpi_start(call, 4,
			 (uint64_t[]){ (uint64_t)call->posted_peer,
				       (uint64_t)call->posted_tag, limit,
				       gaspdb_mpi_comm_id(call->comm) });
}

/* clang-format off */

/* --- blocking ------------------------------------------------------------- */

#define SEND(name, C)                                                          \
GASPDB_EXPORT int MPI_##name(const void *buf, C count, MPI_Datatype type,      \
			     int dest, int tag, MPI_Comm comm)                 \
{                                                                              \
	GASPDB_MPI_CALL(SEND, MPI_##name);                                     \
	int rc;                                                                \
                                                                               \
	if (!call.c)                                                           \
		return GASPDB_MPI_PASS(MPI_##name)(buf, count, type, dest, tag, comm); \
	gaspdb_mpi_start_sending(&call, gaspdb_mpi_bytes(count, type), dest,   \
				 tag, comm);                                   \
	rc = PMPI_##name(buf, count, type, dest, tag, comm);                   \
	gaspdb_mpi_finish(&call, 0, NULL);                                     \
	return rc;                                                             \
}

SEND(Send, int)
SEND(Bsend, int)
SEND(Ssend, int)
SEND(Rsend, int)
GASPDB_MPI4(
SEND(Send_c, MPI_Count)
SEND(Bsend_c, MPI_Count)
SEND(Ssend_c, MPI_Count)
SEND(Rsend_c, MPI_Count)
)

#define RECV(name, C)                                                          \
GASPDB_EXPORT int MPI_##name(void *buf, C count, MPI_Datatype type,            \
			     int source, int tag, MPI_Comm comm,               \
			     MPI_Status *status)                               \
{                                                                              \
	GASPDB_MPI_CALL(RECV, MPI_##name);                                     \
	MPI_Status own;                                                        \
	int rc;                                                                \
                                                                               \
	if (!call.c)                                                           \
		return GASPDB_MPI_PASS(MPI_##name)(buf, count, type, source, tag, comm, \
				   status);                                    \
	if (status == MPI_STATUS_IGNORE)                                       \
		status = &own;                                                 \
	gaspdb_mpi_start_receive(&call, gaspdb_mpi_bytes(count, type), source, \
				 tag, comm);                                   \
	rc = PMPI_##name(buf, count, type, source, tag, comm, status);         \
	return gaspdb_mpi_received(&call, rc, status);                         \
}

RECV(Recv, int)
GASPDB_MPI4(RECV(Recv_c, MPI_Count))

/* --- non-blocking and persistent ------------------------------------------ */

#define POST_SEND(ident, name, C, start, is_persistent)                        \
GASPDB_EXPORT int MPI_##name(const void *buf, C count, MPI_Datatype type,      \
			     int dest, int tag, MPI_Comm comm,                 \
			     MPI_Request *request)                             \
{                                                                              \
	GASPDB_MPI_CALL(ident, MPI_##name);                                    \
	struct gaspdb_mpi_request r = { .kind = GASPDB_MPI_SEND,               \
					.persistent = is_persistent };         \
	int rc;                                                                \
                                                                               \
	if (!call.c)                                                           \
		return GASPDB_MPI_PASS(MPI_##name)(buf, count, type, dest, tag, comm, \
				   request);                                   \
	r.message = start(&call, gaspdb_mpi_bytes(count, type), dest, tag,     \
			  comm);                                               \
	r.comm = r.persistent ? call.comm : NULL;                              \
	rc = PMPI_##name(buf, count, type, dest, tag, comm, request);          \
	return gaspdb_mpi_posted(&call, rc, request, &r);                      \
}

#define ISEND(name, C)                                                         \
	POST_SEND(ISEND, name, C, gaspdb_mpi_start_sending, false)
#define SEND_INIT(name, C)                                                     \
	POST_SEND(SEND_INIT, name, C, gaspdb_mpi_start_send, true)

ISEND(Isend, int)
ISEND(Ibsend, int)
ISEND(Issend, int)
ISEND(Irsend, int)
SEND_INIT(Send_init, int)
SEND_INIT(Bsend_init, int)
SEND_INIT(Ssend_init, int)
SEND_INIT(Rsend_init, int)
GASPDB_MPI4(
ISEND(Isend_c, MPI_Count)
ISEND(Ibsend_c, MPI_Count)
ISEND(Issend_c, MPI_Count)
ISEND(Irsend_c, MPI_Count)
SEND_INIT(Send_init_c, MPI_Count)
SEND_INIT(Bsend_init_c, MPI_Count)
SEND_INIT(Ssend_init_c, MPI_Count)
SEND_INIT(Rsend_init_c, MPI_Count)
)

#define POST_RECV(ident, name, C, is_persistent)                               \
GASPDB_EXPORT int MPI_##name(void *buf, C count, MPI_Datatype type,            \
			     int source, int tag, MPI_Comm comm,               \
			     MPI_Request *request)                             \
{                                                                              \
	GASPDB_MPI_CALL(ident, MPI_##name);                                    \
	struct gaspdb_mpi_request r = { .kind = GASPDB_MPI_RECEIVE,            \
					.persistent = is_persistent };         \
	int rc;                                                                \
                                                                               \
	if (!call.c)                                                           \
		return GASPDB_MPI_PASS(MPI_##name)(buf, count, type, source, tag, comm, \
				   request);                                   \
	gaspdb_mpi_start_receive(&call, gaspdb_mpi_bytes(count, type), source, \
				 tag, comm);                                   \
	r.comm = call.comm;                                                    \
	rc = PMPI_##name(buf, count, type, source, tag, comm, request);        \
	return gaspdb_mpi_posted(&call, rc, request, &r);                      \
}

POST_RECV(IRECV, Irecv, int, false)
POST_RECV(RECV_INIT, Recv_init, int, true)
GASPDB_MPI4(
POST_RECV(IRECV, Irecv_c, MPI_Count, false)
POST_RECV(RECV_INIT, Recv_init_c, MPI_Count, true)
)

/* --- send and receive ----------------------------------------------------- */

static void start_sendrecv(struct gaspdb_mpi_call *call, uint64_t bytes,
			   int dest, int tag, uint64_t limit, int source,
			   int receive_tag, MPI_Comm comm)
{
	struct gaspdb_mpi_message m;

	receives(call, limit, source, receive_tag, comm);
	m = sent(call->comm, dest, tag, bytes);
	gaspdb_mpi_start(call, 7, (uint64_t[]){
		(uint64_t)m.peer, (uint64_t)tag, m.bytes,
		(uint64_t)call->posted_peer, (uint64_t)call->posted_tag, limit,
		gaspdb_mpi_comm_id(call->comm) });
	if (call->passed)
		gaspdb_mpi_passed(call->c, call->comm, &m, false, call->passed);
}

#define SENDRECV(name, C)                                                      \
GASPDB_EXPORT int MPI_##name(const void *sendbuf, C sendcount,                 \
			     MPI_Datatype sendtype, int dest, int sendtag,     \
			     void *recvbuf, C recvcount,                       \
			     MPI_Datatype recvtype, int source, int recvtag,   \
			     MPI_Comm comm, MPI_Status *status)                \
{                                                                              \
	GASPDB_MPI_CALL(SENDRECV, MPI_##name);                                 \
	MPI_Status own;                                                        \
	int rc;                                                                \
                                                                               \
	if (!call.c)                                                           \
		return GASPDB_MPI_PASS(MPI_##name)(sendbuf, sendcount, sendtype, dest, \
				   sendtag, recvbuf, recvcount, recvtype,      \
				   source, recvtag, comm, status);             \
	if (status == MPI_STATUS_IGNORE)                                       \
		status = &own;                                                 \
	start_sendrecv(&call, gaspdb_mpi_bytes(sendcount, sendtype), dest,     \
		       sendtag, gaspdb_mpi_bytes(recvcount, recvtype), source, \
		       recvtag, comm);                                         \
	rc = PMPI_##name(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, \
			 recvcount, recvtype, source, recvtag, comm, status);  \
	return gaspdb_mpi_received(&call, rc, status);                         \
}

#define SENDRECV_REPLACE(name, C)                                              \
GASPDB_EXPORT int MPI_##name(void *buf, C count, MPI_Datatype type, int dest,  \
			     int sendtag, int source, int recvtag,             \
			     MPI_Comm comm, MPI_Status *status)                \
{                                                                              \
	GASPDB_MPI_CALL(SENDRECV, MPI_##name);                                 \
	MPI_Status own;                                                        \
	uint64_t bytes;                                                        \
	int rc;                                                                \
                                                                               \
	if (!call.c)                                                           \
		return GASPDB_MPI_PASS(MPI_##name)(buf, count, type, dest, sendtag, source, \
				   recvtag, comm, status);                     \
	if (status == MPI_STATUS_IGNORE)                                       \
		status = &own;                                                 \
	bytes = gaspdb_mpi_bytes(count, type);                                 \
	start_sendrecv(&call, bytes, dest, sendtag, bytes, source, recvtag,    \
		       comm);                                                  \
	rc = PMPI_##name(buf, count, type, dest, sendtag, source, recvtag,     \
			 comm, status);                                        \
	return gaspdb_mpi_received(&call, rc, status);                         \
}

SENDRECV(Sendrecv, int)
SENDRECV_REPLACE(Sendrecv_replace, int)
GASPDB_MPI4(
SENDRECV(Sendrecv_c, MPI_Count)
SENDRECV_REPLACE(Sendrecv_replace_c, MPI_Count)
)

/* --- the buffer of MPI_Bsend ---------------------------------------------- */

#define BUFFER_ATTACH(name, C)                                                 \
GASPDB_EXPORT int MPI_##name(void *buffer, C size)                             \
{                                                                              \
	GASPDB_MPI_CALL(BUFFER, MPI_##name);                                   \
	uint64_t bytes = size > 0 ? (uint64_t)size : 0;                        \
	int rc;                                                                \
                                                                               \
	if (!call.c)                                                           \
		return GASPDB_MPI_PASS(MPI_##name)(buffer, size);              \
	gaspdb_mpi_start(&call, 1, &bytes);                                    \
	rc = PMPI_##name(buffer, size);                                        \
	gaspdb_mpi_finish(&call, 0, NULL);                                     \
	return rc;                                                             \
}

#define BUFFER_DETACH(name, C)                                                 \
GASPDB_EXPORT int MPI_##name(void *buffer, C *size)                            \
{                                                                              \
	GASPDB_MPI_CALL(BUFFER, MPI_##name);                                   \
	int rc;                                                                \
                                                                               \
	if (!call.c)                                                           \
		return GASPDB_MPI_PASS(MPI_##name)(buffer, size);              \
	gaspdb_mpi_start(&call, 1, (uint64_t[]){ 0 });                         \
	rc = PMPI_##name(buffer, size);                                        \
	gaspdb_mpi_finish(&call, 0, NULL);                                     \
	return rc;                                                             \
}

BUFFER_ATTACH(Buffer_attach, int)
BUFFER_DETACH(Buffer_detach, int)
GASPDB_MPI4(
BUFFER_ATTACH(Buffer_attach_c, MPI_Count)
BUFFER_DETACH(Buffer_detach_c, MPI_Count)
)
/* clang-format on */
