/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Completion of requests.  MPI overwrites the handles that it completes, so
 * they are copied before.  A receive is known by its status, so one is passed
 * even if the program ignores it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "collector/models/mpi/adapter.h"

/* --- COMPLETE records ----------------------------------------------------- */

static void emit(struct gaspdb_context *c,
		 void (*record)(struct gaspdb_context *c, unsigned kind,
				const char *layout, ...),
		 uint64_t serial, int index, unsigned flags,
		 const struct gaspdb_mpi_message *m, int error)
{
	if (gaspdb_masked(c))
		flags |= GASPDB_COMPLETE_UNRECORDED;
	record(c, GASPDB_RECORD_COMPLETE, "uiuiiui", serial, (int64_t)index,
	       (uint64_t)flags, (int64_t)m->peer, (int64_t)m->tag, m->bytes,
	       (int64_t)error);
}

static void emit_complete(struct gaspdb_context *c, uint64_t serial, int index,
			  unsigned flags, const struct gaspdb_mpi_message *m,
			  int error)
{
	emit(c, gaspdb_record, serial, index, flags, m, error);
}

/* Of a receive: what it moved, which a trace still needs after its end. */
static void emit_received(struct gaspdb_context *c,
			  const struct gaspdb_mpi_request *r, int index,
			  unsigned flags, const struct gaspdb_mpi_message *m,
			  int error)
{
	emit(c,
	     r->call == GASPDB_CALL_TRACED ? gaspdb_record_late : gaspdb_record,
	     r->serial, index, flags, m, error);
}

/* After an error the status holds nothing. */
static bool was_cancelled(const struct gaspdb_mpi_request *r,
			  const MPI_Status *status, int error)
{
	int cancelled = 0;

	if (r->cancelling && !error)
		PMPI_Test_cancelled(status, &cancelled);
	return cancelled;
}

/* MPICH 4.0 does not set the status of MPI_Isendrecv: it is zero, or another
   request's that had the same memory. */
#ifdef MPICH_VERSION
#define SETS_STATUS_OF_BOTH false
#else
#define SETS_STATUS_OF_BOTH true
#endif

/* Whether MPI has not set the status: it contradicts the posted receive. */
static bool is_unset(const struct gaspdb_mpi_request *r,
		     const struct gaspdb_mpi_message *m)
{
	return (r->sent && !SETS_STATUS_OF_BOTH) ||
	       (r->posted_peer >= 0 && m->peer != r->posted_peer) ||
	       (r->posted_tag >= 0 && m->tag != r->posted_tag);
}

/* Finds the received message; false: not known.  A named source and tag are
   believed, and MPI_PROC_NULL sends nothing, whatever the status says. */
static bool find_received(const struct gaspdb_mpi_request *r,
			  const MPI_Status *status, int error,
			  struct gaspdb_mpi_message *m)
{
	if (r->kind == GASPDB_MPI_PARTITIONED) {
		*m = r->message;
		return true;
	}
	if (r->posted_peer == GASPDB_MPI_POSTED_NONE)
		return true;
	*m = gaspdb_mpi_message_received(r->comm, status, r->limit, error);
	if ((error && error != MPI_ERR_TRUNCATE) || !is_unset(r, m))
		return true;
	*m = (struct gaspdb_mpi_message){ r->posted_peer, r->posted_tag,
					  r->limit };
	return r->posted_peer >= 0 && r->posted_tag >= 0;
}

static void receive_done(struct gaspdb_context *c,
			 const struct gaspdb_mpi_request *r, int index,
			 const MPI_Status *status, int error)
{
	struct gaspdb_mpi_message m = { -1, -1, 0 };
	unsigned flags = GASPDB_COMPLETE_RECEIVE;
	bool known = true;

	if (was_cancelled(r, status, error))
		flags |= GASPDB_COMPLETE_CANCELLED;
	else
		known = find_received(r, status, error, &m);
	/* Another thread's profile is its own. */
	if (known && !(flags & GASPDB_COMPLETE_CANCELLED) && r->caller == c)
		gaspdb_profile_moved(c, r->call, true, m.peer, m.bytes);
	if (!r->passed && !known)
		gaspdb_record(c, GASPDB_RECORD_REQUEST_FREE, "u", r->serial);
	else if (!r->passed)
		emit_received(c, r, index, flags, &m, error);
	else if (r->passed_ticks)
		gaspdb_mpi_passed(c, r->comm, &m, true, r->passed_ticks);
	if (r->sent && !r->passed)
		emit_complete(c, r->sent, index, 0, &r->message, error);
}

static void send_done(struct gaspdb_context *c,
		      const struct gaspdb_mpi_request *r, int index,
		      const MPI_Status *status, int error)
{
	unsigned flags = 0;

	if (was_cancelled(r, status, error))
		flags |= GASPDB_COMPLETE_CANCELLED;
	if (!r->passed)
		emit_complete(c, r->serial, index, flags, &r->message, error);
}

static void collective_done(struct gaspdb_context *c,
			    const struct gaspdb_mpi_request *r, int index,
			    int error)
{
	static const struct gaspdb_mpi_message none = { -1, -1, 0 };

	if (r->duplicate && !error && gaspdb_mpi_comm_is_valid(*r->duplicate))
		gaspdb_mpi_comm_add(c, *r->duplicate, r->comm, r->ordinal, 0,
				    "dup");
	if (!r->passed)
		emit_complete(c, r->serial, index, GASPDB_COMPLETE_COLLECTIVE,
			      &none, error);
}

void gaspdb_mpi_file_completed(struct gaspdb_context *c, uint64_t serial,
			       int code)
{
	static const struct gaspdb_mpi_message none = { -1, -1, 0 };

	emit_complete(c, serial, 0, GASPDB_COMPLETE_FILE, &none,
		      gaspdb_mpi_error_class(code));
}

static void done(struct gaspdb_context *c, struct gaspdb_mpi_request *r,
		 int index, const MPI_Status *status, int error)
{
	static const struct gaspdb_mpi_message none = { -1, -1, 0 };

	switch (r->kind) {
	case GASPDB_MPI_SEND:
		send_done(c, r, index, status, error);
		break;
	case GASPDB_MPI_RECEIVE:
	case GASPDB_MPI_PARTITIONED:
		receive_done(c, r, index, status, error);
		break;
	case GASPDB_MPI_COLLECTIVE:
		collective_done(c, r, index, error);
		break;
	case GASPDB_MPI_ONE_SIDED:
		if (!r->passed)
			emit_complete(c, r->serial, index,
				      GASPDB_COMPLETE_ONE_SIDED, &none, error);
		break;
	case GASPDB_MPI_FILE:
		if (!r->passed)
			emit_complete(c, r->serial, index, GASPDB_COMPLETE_FILE,
				      &none, error);
	}
}

/*
 * Records the completion of the request with handle before. after: its
 * variable; code: MPI's error for it.  An error that left the request alone
 * completes nothing.  Returns whether it was completed: a null request, and an
 * inactive persistent one, test as complete repeatedly.
 */
static bool complete(struct gaspdb_context *c, MPI_Request before,
		     const MPI_Request *after, int index,
		     const MPI_Status *status, int code)
{
	struct gaspdb_mpi_request r;
	int error = gaspdb_mpi_error_class(code);

	if (before == MPI_REQUEST_NULL || error == MPI_ERR_PENDING ||
	    error == MPI_ERR_REQUEST || error == MPI_ERR_ARG)
		return false;
	if (!gaspdb_mpi_request_complete(before, after, &r))
		return *after == MPI_REQUEST_NULL; /* one that is not in the table */
	if (!r.done)
		done(c, &r, index, status, error);
	gaspdb_mpi_request_put(&r);
	return true;
}

/* --- one request ---------------------------------------------------------- */

GASPDB_EXPORT int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
	GASPDB_MPI_CALL(WAIT, MPI_Wait);
	MPI_Request before;
	MPI_Status own;
	int rc;

	if (!call.c)
		return GASPDB_MPI_PASS(MPI_Wait)(request, status);
	before = request ? *request : MPI_REQUEST_NULL;
	if (status == MPI_STATUS_IGNORE)
		status = &own;
	gaspdb_mpi_start(&call, 1, (uint64_t[]){ 1 });
	rc = PMPI_Wait(request, status);
	complete(call.c, before, request, 0, status, rc);
	gaspdb_mpi_finish(&call, 0, NULL);
	return rc;
}

GASPDB_EXPORT int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
	GASPDB_MPI_CALL(TEST, MPI_Test);
	MPI_Request before;
	MPI_Status own;
	bool success;
	int rc;

	if (!call.c)
		return GASPDB_MPI_PASS(MPI_Test)(request, flag, status);
	before = request ? *request : MPI_REQUEST_NULL;
	if (status == MPI_STATUS_IGNORE)
		status = &own;
	gaspdb_mpi_start_poll(&call, 1, (uint64_t[]){ 1 });
	rc = PMPI_Test(request, flag, status);
	success = rc == MPI_SUCCESS && *flag;
	if (success || rc != MPI_SUCCESS)
		success &= complete(call.c, before, request, 0, status, rc);
	gaspdb_mpi_finish_poll(&call, success);
	return rc;
}

GASPDB_EXPORT int MPI_Request_get_status(MPI_Request request, int *flag,
					 MPI_Status *status)
{
	GASPDB_MPI_CALL(TEST, MPI_Request_get_status);
	struct gaspdb_mpi_request r;
	MPI_Status own;
	bool success;
	int rc;

	if (!call.c)
		return GASPDB_MPI_PASS(MPI_Request_get_status)(request, flag, status);
	if (status == MPI_STATUS_IGNORE)
		status = &own;
	gaspdb_mpi_start_poll(&call, 1, (uint64_t[]){ 1 });
	rc = PMPI_Request_get_status(request, flag, status);
	success = rc == MPI_SUCCESS && *flag && request != MPI_REQUEST_NULL;
	if (success &&
	    gaspdb_mpi_request_observe(request, NULL, &r)) {
		done(call.c, &r, 0, status, 0);
		gaspdb_mpi_request_put(&r);
	}
	gaspdb_mpi_finish_poll(&call, success);
	return rc;
}

/* --- several requests ----------------------------------------------------- */

#define SMALL 64 /* requests of a call that need no allocation */

/* Arguments of a call on several requests. */
struct batch {
	int n;
	const MPI_Request *requests; /* the program's */
	MPI_Request *before;	     /* NULL: completions are not recorded */
	MPI_Status *statuses;
	MPI_Request few[SMALL];
	MPI_Status few_statuses[SMALL];
	void *many; /* allocated */
};

/* n_statuses: how many the call may write. */
static void batch_open(struct batch *b, int n, const MPI_Request *requests,
		       int n_statuses, MPI_Status *statuses)
{
	const bool ignored = statuses == MPI_STATUSES_IGNORE;
	const int error = errno;
	size_t status_bytes;

	b->n = n < 0 ? 0 : n;
	b->requests = requests;
	b->before = b->few;
	b->statuses = ignored ? b->few_statuses : statuses;
	b->many = NULL;
	if (b->n > SMALL) {
		status_bytes =
			ignored ? (size_t)n_statuses * sizeof *b->statuses : 0;
		b->many =
			malloc(status_bytes + (size_t)b->n * sizeof *b->before);
		b->before = b->many ? (void *)((char *)b->many + status_bytes)
				    : NULL;
		if (ignored)
			b->statuses = b->many ? b->many : statuses;
		errno = error;
	}
	if (!b->before)
		gaspdb_complain("no memory: the completion of requests is not "
				"recorded");
	else if (!requests) /* MPI refuses the call */
		b->before = NULL;
	else if (b->n)
		memcpy(b->before, requests, (size_t)b->n * sizeof *b->before);
}

/* Records the completion of the request at index; its status is the j-th.  An
   index that MPI did not write is negative: MPI_UNDEFINED. */
static bool batch_complete(struct gaspdb_context *c, const struct batch *b,
			   int index, int j, int rc)
{
	int code = rc;

	if (!b->before || index < 0 || index >= b->n)
		return index >= 0; /* unknown: assume so */
	if (rc == MPI_ERR_IN_STATUS)
		code = b->statuses[j].MPI_ERROR;
	return complete(c, b->before[index], &b->requests[index], index,
			&b->statuses[j], code);
}

/* Returns whether any has been. */
static bool batch_complete_all(struct gaspdb_context *c, const struct batch *b,
			       int rc)
{
	bool any = false;

	for (int i = 0; i < b->n; i++)
		any |= batch_complete(c, b, i, i, rc);
	return any;
}

static void batch_complete_some(struct gaspdb_context *c, const struct batch *b,
				const int *n, const int *indices, int rc)
{
	if ((rc != MPI_SUCCESS && rc != MPI_ERR_IN_STATUS) ||
	    *n == MPI_UNDEFINED)
		return;
	for (int j = 0; j < *n; j++)
		batch_complete(c, b, indices[j], j, rc);
}

static void batch_close(struct batch *b)
{
	const int error = errno;

	free(b->many);
	errno = error;
}

static void start_batch(struct gaspdb_mpi_call *call, int n, bool polls)
{
	const uint64_t requests = n > 0 ? (uint64_t)n : 0;

	if (polls)
		gaspdb_mpi_start_poll(call, 1, &requests);
	else
		gaspdb_mpi_start(call, 1, &requests);
}

GASPDB_EXPORT int MPI_Waitall(int count, MPI_Request requests[],
			      MPI_Status statuses[])
{
	GASPDB_MPI_CALL(WAIT, MPI_Waitall);
	struct batch b;
	int rc;

	if (!call.c)
		return GASPDB_MPI_PASS(MPI_Waitall)(count, requests, statuses);
	batch_open(&b, count, requests, count, statuses);
	start_batch(&call, count, false);
	rc = PMPI_Waitall(count, requests, b.statuses);
	batch_complete_all(call.c, &b, rc);
	batch_close(&b);
	gaspdb_mpi_finish(&call, 0, NULL);
	return rc;
}

GASPDB_EXPORT int MPI_Testall(int count, MPI_Request requests[], int *flag,
			      MPI_Status statuses[])
{
	GASPDB_MPI_CALL(TEST, MPI_Testall);
	struct batch b;
	bool success;
	int rc;

	if (!call.c)
		return GASPDB_MPI_PASS(MPI_Testall)(count, requests, flag, statuses);
	batch_open(&b, count, requests, count, statuses);
	start_batch(&call, count, true);
	rc = PMPI_Testall(count, requests, flag, b.statuses);
	success = rc == MPI_SUCCESS && *flag;
	if (success || rc != MPI_SUCCESS)
		success &= batch_complete_all(call.c, &b, rc);
	batch_close(&b);
	gaspdb_mpi_finish_poll(&call, success);
	return rc;
}

GASPDB_EXPORT int MPI_Waitany(int count, MPI_Request requests[], int *index,
			      MPI_Status *status)
{
	GASPDB_MPI_CALL(WAIT, MPI_Waitany);
	struct batch b;
	int at = MPI_UNDEFINED, rc;

	if (!call.c)
		return GASPDB_MPI_PASS(MPI_Waitany)(count, requests, index, status);
	batch_open(&b, count, requests, 1,
		   status == MPI_STATUS_IGNORE ? MPI_STATUSES_IGNORE : status);
	start_batch(&call, count, false);
	rc = PMPI_Waitany(count, requests, index ? &at : NULL, b.statuses);
	if (index && (rc == MPI_SUCCESS || at != MPI_UNDEFINED))
		*index = at;
	batch_complete(call.c, &b, at, 0, rc);
	batch_close(&b);
	gaspdb_mpi_finish(&call, 0, NULL);
	return rc;
}

GASPDB_EXPORT int MPI_Testany(int count, MPI_Request requests[], int *index,
			      int *flag, MPI_Status *status)
{
	GASPDB_MPI_CALL(TEST, MPI_Testany);
	struct batch b;
	bool success;
	int at = MPI_UNDEFINED, rc;

	if (!call.c)
		return GASPDB_MPI_PASS(MPI_Testany)(count, requests, index, flag, status);
	batch_open(&b, count, requests, 1,
		   status == MPI_STATUS_IGNORE ? MPI_STATUSES_IGNORE : status);
	start_batch(&call, count, true);
	rc = PMPI_Testany(count, requests, index ? &at : NULL, flag,
			  b.statuses);
	if (index && (rc == MPI_SUCCESS || at != MPI_UNDEFINED))
		*index = at;
	success = rc == MPI_SUCCESS && *flag;
	if (success || rc != MPI_SUCCESS)
		success &= batch_complete(call.c, &b, at, 0, rc);
	batch_close(&b);
	gaspdb_mpi_finish_poll(&call, success);
	return rc;
}

GASPDB_EXPORT int MPI_Waitsome(int count, MPI_Request requests[],
			       int *completed, int indices[],
			       MPI_Status statuses[])
{
	GASPDB_MPI_CALL(WAIT, MPI_Waitsome);
	struct batch b;
	int rc;

	if (!call.c)
		return GASPDB_MPI_PASS(MPI_Waitsome)(count, requests, completed, indices,
				     statuses);
	batch_open(&b, count, requests, count, statuses);
	start_batch(&call, count, false);
	rc = PMPI_Waitsome(count, requests, completed, indices, b.statuses);
	batch_complete_some(call.c, &b, completed, indices, rc);
	batch_close(&b);
	gaspdb_mpi_finish(&call, 0, NULL);
	return rc;
}

GASPDB_EXPORT int MPI_Testsome(int count, MPI_Request requests[],
			       int *completed, int indices[],
			       MPI_Status statuses[])
{
	GASPDB_MPI_CALL(TEST, MPI_Testsome);
	struct batch b;
	bool success;
	int rc;

	if (!call.c)
		return GASPDB_MPI_PASS(MPI_Testsome)(count, requests, completed, indices,
				     statuses);
	batch_open(&b, count, requests, count, statuses);
	start_batch(&call, count, true);
	rc = PMPI_Testsome(count, requests, completed, indices, b.statuses);
	batch_complete_some(call.c, &b, completed, indices, rc);
	batch_close(&b);
	success = rc == MPI_SUCCESS && *completed != MPI_UNDEFINED &&
		  *completed > 0;
	gaspdb_mpi_finish_poll(&call, success);
	return rc;
}
