/* SPDX-License-Identifier: BSD-2-Clause */
/* Start of persistent requests; free and cancel of any request. */
#include <errno.h>
#include <stdlib.h>

#include "collector/models/mpi/adapter.h"

#define SMALL 64 /* requests of a call that need no allocation */

static void *allocate(size_t bytes)
{
	const int error = errno;
	void *p = malloc(bytes);

	errno = error;
	return p;
}

static void release(void *p)
{
	const int error = errno;

	free(p);
	errno = error;
}

/* --- start ---------------------------------------------------------------- */

/* Logs the channel of a request that was created unrecorded, or by another
   thread. */
static void emit_made(struct gaspdb_context *c,
		      const struct gaspdb_mpi_request *r)
{
	const struct gaspdb_mpi_message *m = &r->message;
	const bool send = r->kind == GASPDB_MPI_SEND;

	if (!send && r->kind != GASPDB_MPI_RECEIVE &&
	    r->kind != GASPDB_MPI_PARTITIONED)
		return;
	gaspdb_mpi_comm_emit(c, r->comm);
	gaspdb_record(c, GASPDB_RECORD_REQUEST_MADE, "uuiiuu", r->serial,
		      (uint64_t)(send ? 0 : GASPDB_COMPLETE_RECEIVE),
		      (int64_t)(send ? m->peer : r->posted_peer),
		      (int64_t)(send ? m->tag : r->posted_tag),
		      send ? m->bytes : r->limit, gaspdb_mpi_comm_id(r->comm));
}

/* Logs the start before the call, after which another thread may wait for the
   request. false: it was active, or is none. */
static bool started(struct gaspdb_context *c, const MPI_Request *request)
{
	const uint64_t ticks = gaspdb_mpi_posting(c);
	struct gaspdb_mpi_request r = { .call = gaspdb_profile_call(c),
					.caller = c };

	if (!request || *request == MPI_REQUEST_NULL ||
	    !gaspdb_mpi_request_start(*request, request, ticks != 0, ticks, &r))
		return false;
	if (!r.passed) {
		if (r.not_created_here)
			emit_made(c, &r);
		gaspdb_record(c, GASPDB_RECORD_REQUEST_START, "uu", r.serial,
			      r.number);
	} else if (r.kind == GASPDB_MPI_SEND) {
		gaspdb_mpi_passed(c, r.comm, &r.message, false, ticks);
	}
	if (r.kind == GASPDB_MPI_SEND)
		gaspdb_profile_moved(c, r.call, false, r.message.peer,
				     r.message.bytes);
	gaspdb_mpi_request_put(&r);
	return true;
}

/* Whether MPI refused the call: it checks all requests before it starts any. */
static bool is_refused(int rc)
{
	const int error = gaspdb_mpi_error_class(rc);

	return error == MPI_ERR_REQUEST || error == MPI_ERR_ARG ||
	       error == MPI_ERR_COUNT;
}

/* Logs a request that was not started as cancelled. */
static void refused(struct gaspdb_context *c, const MPI_Request *request)
{
	struct gaspdb_mpi_request r;
	unsigned flags = GASPDB_COMPLETE_CANCELLED;

	if (!gaspdb_mpi_request_unstart(*request, request, &r))
		return;
	if (r.kind != GASPDB_MPI_SEND)
		flags |= GASPDB_COMPLETE_RECEIVE;
	if (!r.passed && r.kind != GASPDB_MPI_COLLECTIVE)
		gaspdb_record(c, GASPDB_RECORD_COMPLETE, "uiuiiui", r.serial,
			      (int64_t)0, (uint64_t)flags, (int64_t)-1,
			      (int64_t)-1, (uint64_t)0, (int64_t)0);
	gaspdb_mpi_request_put(&r);
}

GASPDB_EXPORT int MPI_Start(MPI_Request *request)
{
	GASPDB_MPI_CALL(START, MPI_Start);
	bool was_idle;
	int rc;

	if (!call.c)
		return GASPDB_MPI_PASS(MPI_Start)(request);
	gaspdb_mpi_start(&call, 1, (uint64_t[]){ 1 });
	was_idle = started(call.c, request);
	rc = PMPI_Start(request);
	if (was_idle && is_refused(rc))
		refused(call.c, request);
	gaspdb_mpi_finish(&call, 0, NULL);
	return rc;
}

GASPDB_EXPORT int MPI_Startall(int count, MPI_Request requests[])
{
	GASPDB_MPI_CALL(START, MPI_Startall);
	unsigned char few[SMALL], *were_idle = few;
	int rc;

	if (!call.c)
		return GASPDB_MPI_PASS(MPI_Startall)(count, requests);
	gaspdb_mpi_start(&call, 1,
			 (uint64_t[]){ count > 0 ? (uint64_t)count : 0 });
	if (count > SMALL)
		were_idle = allocate((size_t)count);
	for (int i = 0; requests && i < count; i++) {
		const bool was_idle = started(call.c, &requests[i]);

		if (were_idle)
			were_idle[i] = was_idle;
	}
	rc = PMPI_Startall(count, requests);
	if (rc != MPI_SUCCESS && were_idle && is_refused(rc))
		for (int i = 0; requests && i < count; i++)
			if (were_idle[i])
				refused(call.c, &requests[i]);
	if (were_idle != few)
		release(were_idle);
	gaspdb_mpi_finish(&call, 0, NULL);
	return rc;
}

/* --- free and cancel ------------------------------------------------------ */

/* Logs a freed active request: its completion is unknown, and so is the message
   of a receive from any source. */
static void freed(struct gaspdb_context *c, const struct gaspdb_mpi_request *r)
{
	const struct gaspdb_mpi_message m = { r->posted_peer, r->posted_tag,
					      0 };

	if (!r->passed)
		gaspdb_record(c, GASPDB_RECORD_REQUEST_FREE, "u", r->serial);
	else if (r->kind != GASPDB_MPI_SEND && r->passed_ticks &&
		 !r->cancelling)
		gaspdb_mpi_passed(c, r->comm, &m, true, r->passed_ticks);
}

/* Logged before the call, after which the handle may be another request's. */
GASPDB_EXPORT int MPI_Request_free(MPI_Request *request)
{
	GASPDB_MPI_CALL(REQUEST_FREE, MPI_Request_free);
	struct gaspdb_mpi_request r;
	int rc;

	if (!call.c)
		return GASPDB_MPI_PASS(MPI_Request_free)(request);
	gaspdb_mpi_start(&call, 0, NULL);
	if (request && *request != MPI_REQUEST_NULL &&
	    gaspdb_mpi_request_free(*request, request, &r)) {
		if (r.active && !r.done)
			freed(call.c, &r);
		gaspdb_mpi_request_put(&r);
	}
	rc = PMPI_Request_free(request);
	gaspdb_mpi_finish(&call, 0, NULL);
	return rc;
}

GASPDB_EXPORT int MPI_Cancel(MPI_Request *request)
{
	GASPDB_MPI_CALL(CANCEL, MPI_Cancel);
	struct gaspdb_mpi_request r;
	int rc;

	if (!call.c)
		return GASPDB_MPI_PASS(MPI_Cancel)(request);
	gaspdb_mpi_start(&call, 0, NULL);
	if (request && *request != MPI_REQUEST_NULL &&
	    gaspdb_mpi_request_cancel(*request, request, &r)) {
		if (!r.passed)
			gaspdb_record(call.c, GASPDB_RECORD_REQUEST_CANCEL, "u",
				      r.serial);
		gaspdb_mpi_request_put(&r);
	}
	rc = PMPI_Cancel(request);
	gaspdb_mpi_finish(&call, 0, NULL);
	return rc;
}
