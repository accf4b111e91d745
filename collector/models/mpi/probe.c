/* SPDX-License-Identifier: BSD-2-Clause */
/* Probes, and receives of matched messages.  A matched message keeps the place
   of its probe among the receives. */
#include <errno.h>
#include <stdlib.h>

#include "collector/models/mpi/adapter.h"

/* --- matched messages that are not yet received --------------------------- */

struct matched {
	MPI_Message handle;
	uint64_t serial;
	uint64_t passed; /* ticks, if its probe is not in the log; else 0 */
	struct gaspdb_mpi_message message;
	int posted_peer, posted_tag;
	struct gaspdb_mpi_comm *comm;
	struct matched *next;
};

static struct gaspdb_lock lock;
static struct matched *first, **last = &first;

/* Adds a matched message; returns its serial number. */
static uint64_t add_matched(const struct gaspdb_mpi_call *call, MPI_Message handle,
			 int source, int tag, const MPI_Status *status)
{
	const int error = errno;
	struct matched *m;
	uint64_t serial;

	if (handle == MPI_MESSAGE_NO_PROC || handle == MPI_MESSAGE_NULL)
		return 0;
	m = malloc(sizeof *m);
	errno = error;
	if (!m)
		return 0;
	*m = (struct matched){
		.handle = handle,
		.serial = gaspdb_mpi_serial(),
		.passed = gaspdb_recording(call->c)
				  ? 0
				  : gaspdb_mpi_posting_apart(call->c),
		.message = gaspdb_mpi_message_of(call->comm, status),
		.posted_peer = gaspdb_mpi_posted_peer(call->comm, source),
		.posted_tag = gaspdb_mpi_posted_tag(tag),
		.comm = gaspdb_mpi_comm_ref(call->comm),
	};
	serial = m->serial;
	if (!gaspdb_lock_enter(&lock)) {
		gaspdb_mpi_comm_put(m->comm);
		free(m);
		return serial;
	}
	*last = m;
	last = &m->next;
	gaspdb_lock_leave(&lock);
	return serial;
}

static struct matched *unlink_handle(MPI_Message handle)
{
	struct matched **at = &first, *m;

	if (!gaspdb_lock_enter(&lock))
		return NULL;
	while (*at && (*at)->handle != handle)
		at = &(*at)->next;
	m = *at;
	if (m) {
		*at = m->next;
		if (last == &m->next)
			last = at;
	}
	gaspdb_lock_leave(&lock);
	return m;
}

/* Removes a matched message for its receive; the caller takes over the
   reference to the communicator. */
static struct matched consume(MPI_Message handle)
{
	struct matched m = { .posted_peer = -2, .posted_tag = -1 }, *found;

	if (handle == MPI_MESSAGE_NO_PROC || handle == MPI_MESSAGE_NULL)
		return m;
	m.posted_peer = -1;
	found = unlink_handle(handle);
	if (found) {
		m = *found;
		free(found);
	}
	return m;
}

/* --- probes --------------------------------------------------------------- */

typedef void start_fn(struct gaspdb_mpi_call *call, unsigned n,
		      const uint64_t *args);

static void start_plain(struct gaspdb_mpi_call *call, unsigned n,
			const uint64_t *args)
{
	gaspdb_mpi_start(call, n, args);
}

static void start_probe(struct gaspdb_mpi_call *call, int source, int tag,
			MPI_Comm comm, start_fn *start)
{
	int peer;

	call->comm = gaspdb_mpi_comm_get(call->c, comm);
	peer = gaspdb_mpi_posted_peer(call->comm, source);
	gaspdb_mpi_posting(call->c);
	start(call, 3,
	      (uint64_t[]){ (uint64_t)peer,
			    (uint64_t)gaspdb_mpi_posted_tag(tag),
			    gaspdb_mpi_comm_id(call->comm) });
}

/* Logs a probed message. message: its serial number, 0 if not matched. */
static void emit_probed(const struct gaspdb_mpi_call *call, uint64_t message,
			const MPI_Status *status)
{
	struct gaspdb_mpi_message m;

	if (!gaspdb_recording(call->c))
		return; /* no event to attach it to */
	m = gaspdb_mpi_message_of(call->comm, status);
	gaspdb_record(call->c, GASPDB_RECORD_PROBED, "uiiuu", message,
		      (int64_t)m.peer, (int64_t)m.tag, m.bytes, (uint64_t)0);
}

GASPDB_EXPORT int MPI_Probe(int source, int tag, MPI_Comm comm,
			    MPI_Status *status)
{
	GASPDB_MPI_CALL(PROBE, MPI_Probe);
	MPI_Status own;
	int rc;

	if (!call.c)
		return GASPDB_MPI_PASS(MPI_Probe)(source, tag, comm, status);
	if (status == MPI_STATUS_IGNORE)
		status = &own;
	start_probe(&call, source, tag, comm, start_plain);
	rc = PMPI_Probe(source, tag, comm, status);
	if (rc == MPI_SUCCESS)
		emit_probed(&call, 0, status);
	gaspdb_mpi_finish(&call, 0, NULL);
	return rc;
}

GASPDB_EXPORT int MPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag,
			     MPI_Status *status)
{
	GASPDB_MPI_CALL(IPROBE, MPI_Iprobe);
	MPI_Status own;
	bool success;
	int rc;

	if (!call.c)
		return GASPDB_MPI_PASS(MPI_Iprobe)(source, tag, comm, flag, status);
	if (status == MPI_STATUS_IGNORE)
		status = &own;
	start_probe(&call, source, tag, comm, gaspdb_mpi_start_poll);
	rc = PMPI_Iprobe(source, tag, comm, flag, status);
	success = rc == MPI_SUCCESS && *flag;
	if (success)
		emit_probed(&call, 0, status);
	gaspdb_mpi_finish_poll(&call, success);
	return rc;
}

GASPDB_EXPORT int MPI_Mprobe(int source, int tag, MPI_Comm comm,
			     MPI_Message *message, MPI_Status *status)
{
	GASPDB_MPI_CALL(PROBE, MPI_Mprobe);
	MPI_Status own;
	int rc;

	if (!call.c)
		return GASPDB_MPI_PASS(MPI_Mprobe)(source, tag, comm, message, status);
	if (status == MPI_STATUS_IGNORE)
		status = &own;
	start_probe(&call, source, tag, comm, start_plain);
	rc = PMPI_Mprobe(source, tag, comm, message, status);
	if (rc == MPI_SUCCESS)
		emit_probed(&call,
			    add_matched(&call, *message, source, tag, status),
			    status);
	gaspdb_mpi_finish(&call, 0, NULL);
	return rc;
}

GASPDB_EXPORT int MPI_Improbe(int source, int tag, MPI_Comm comm, int *flag,
			      MPI_Message *message, MPI_Status *status)
{
	GASPDB_MPI_CALL(IPROBE, MPI_Improbe);
	MPI_Status own;
	bool success;
	int rc;

	if (!call.c)
		return GASPDB_MPI_PASS(MPI_Improbe)(source, tag, comm, flag, message, status);
	if (status == MPI_STATUS_IGNORE)
		status = &own;
	start_probe(&call, source, tag, comm, gaspdb_mpi_start_poll_apart);
	rc = PMPI_Improbe(source, tag, comm, flag, message, status);
	success = rc == MPI_SUCCESS && *flag;
	if (success)
		emit_probed(&call,
			    add_matched(&call, *message, source, tag, status),
			    status);
	gaspdb_mpi_finish_poll(&call, success);
	return rc;
}

/* --- receives of matched messages ----------------------------------------- */

static void emit_passed_probe(const struct gaspdb_mpi_call *call,
			      const struct matched *m)
{
	gaspdb_mpi_comm_emit(call->c, m->comm);
	gaspdb_record(call->c, GASPDB_RECORD_PROBED, "uiiuu", m->serial,
		      (int64_t)m->message.peer, (int64_t)m->message.tag,
		      m->message.bytes, m->passed);
}

/* Starts a matched receive.  The message's place is its probe's: if only the
   receive is recorded, the log gets the probe here. */
static void start_matched(struct gaspdb_mpi_call *call, uint64_t limit,
			  const MPI_Message *message)
{
	struct matched m = consume(message ? *message : MPI_MESSAGE_NULL);

	call->comm = gaspdb_mpi_comm_hold(m.comm);
	call->limit = limit;
	call->posted_peer = m.posted_peer;
	call->posted_tag = m.posted_tag;
	if (!gaspdb_recording(call->c))
		call->passed = m.passed;
	else if (m.passed)
		emit_passed_probe(call, &m);
	gaspdb_mpi_start(call, 5,
			 (uint64_t[]){ m.serial, (uint64_t)m.posted_peer,
				       (uint64_t)m.posted_tag, limit,
				       gaspdb_mpi_comm_id(m.comm) });
}

/* clang-format off */

#define MRECV(name, C)                                                         \
GASPDB_EXPORT int MPI_##name(void *buf, C count, MPI_Datatype type,            \
			     MPI_Message *message, MPI_Status *status)         \
{                                                                              \
	GASPDB_MPI_CALL(MRECV, MPI_##name);                                    \
	MPI_Status own;                                                        \
	int rc;                                                                \
                                                                               \
	if (!call.c)                                                           \
		return GASPDB_MPI_PASS(MPI_##name)(buf, count, type, message, status); \
	if (status == MPI_STATUS_IGNORE)                                       \
		status = &own;                                                 \
	start_matched(&call, gaspdb_mpi_bytes(count, type), message);          \
	rc = PMPI_##name(buf, count, type, message, status);                   \
	return gaspdb_mpi_received(&call, rc, status);                         \
}

#define IMRECV(name, C)                                                        \
GASPDB_EXPORT int MPI_##name(void *buf, C count, MPI_Datatype type,            \
			     MPI_Message *message, MPI_Request *request)       \
{                                                                              \
	GASPDB_MPI_CALL(IMRECV, MPI_##name);                                   \
	struct gaspdb_mpi_request r = { .kind = GASPDB_MPI_RECEIVE };          \
	int rc;                                                                \
                                                                               \
	if (!call.c)                                                           \
		return GASPDB_MPI_PASS(MPI_##name)(buf, count, type, message, request); \
	start_matched(&call, gaspdb_mpi_bytes(count, type), message);          \
	r.comm = call.comm;                                                    \
	rc = PMPI_##name(buf, count, type, message, request);                  \
	return gaspdb_mpi_posted(&call, rc, request, &r);                      \
}

MRECV(Mrecv, int)
IMRECV(Imrecv, int)
GASPDB_MPI4(
MRECV(Mrecv_c, MPI_Count)
IMRECV(Imrecv_c, MPI_Count)
)
/* clang-format on */
