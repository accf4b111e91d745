/* SPDX-License-Identifier: BSD-2-Clause */
/* Starting persistent requests; freeing and cancelling of any. */
#include "adapter.h"

/* --- start ---------------------------------------------------------------- */

/* Before the call: from then on another thread may wait for it. */
static void started(struct gaspdb_context *c, const MPI_Request *request)
{
	const bool passed = !gaspdb_recording(c);
	const uint64_t masked = gaspdb_masked(c) ? gaspdb_ticks() : 0;
	struct gaspdb_mpi_request r;

	if (*request == MPI_REQUEST_NULL ||
	    !gaspdb_mpi_request_start(*request, request, passed, masked, &r))
		return;
	if (!passed)
		gaspdb_record(c, GASPDB_RECORD_REQUEST_START, "uu", r.serial,
			      r.number);
	else if (r.kind == GASPDB_MPI_SEND)
		gaspdb_mpi_passed(c, gaspdb_mpi_comm_id(r.comm), &r.message,
				  false, masked);
	gaspdb_mpi_request_put(&r);
}

GASPDB_EXPORT int MPI_Start(MPI_Request *request)
{
	GASPDB_MPI_CALL(START, "MPI_Start");
	int rc;

	if (!call.c)
		return PMPI_Start(request);
	gaspdb_mpi_start(&call, 1, (uint64_t[]){ 1 });
	started(call.c, request);
	rc = PMPI_Start(request);
	gaspdb_mpi_finish(&call, 0, NULL);
	return rc;
}

GASPDB_EXPORT int MPI_Startall(int count, MPI_Request requests[])
{
	GASPDB_MPI_CALL(START, "MPI_Startall");
	int rc;

	if (!call.c)
		return PMPI_Startall(count, requests);
	gaspdb_mpi_start(&call, 1,
			 (uint64_t[]){ count > 0 ? (uint64_t)count : 0 });
	for (int i = 0; i < count; i++)
		started(call.c, &requests[i]);
	rc = PMPI_Startall(count, requests);
	gaspdb_mpi_finish(&call, 0, NULL);
	return rc;
}

/* --- free and cancel ------------------------------------------------------ */

/* Before the call: afterwards the handle may be another request's. */
GASPDB_EXPORT int MPI_Request_free(MPI_Request *request)
{
	GASPDB_MPI_CALL(REQUEST_FREE, "MPI_Request_free");
	struct gaspdb_mpi_request r;
	int rc;

	if (!call.c)
		return PMPI_Request_free(request);
	gaspdb_mpi_start(&call, 0, NULL);
	if (*request != MPI_REQUEST_NULL &&
	    gaspdb_mpi_request_free(*request, request, &r)) {
		if (r.active && !r.done && !r.passed)
			gaspdb_record(call.c, GASPDB_RECORD_REQUEST_FREE, "u",
				      r.serial);
		gaspdb_mpi_request_put(&r);
	}
	rc = PMPI_Request_free(request);
	gaspdb_mpi_finish(&call, 0, NULL);
	return rc;
}

GASPDB_EXPORT int MPI_Cancel(MPI_Request *request)
{
	GASPDB_MPI_CALL(CANCEL, "MPI_Cancel");
	struct gaspdb_mpi_request r;
	int rc;

	if (!call.c)
		return PMPI_Cancel(request);
	gaspdb_mpi_start(&call, 0, NULL);
	if (*request != MPI_REQUEST_NULL &&
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
