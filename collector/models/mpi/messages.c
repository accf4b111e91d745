/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages: bytes, peer and tag from arguments and statuses. */
#include "collector/models/mpi/adapter.h"

uint64_t gaspdb_mpi_bytes(MPI_Count count, MPI_Datatype type)
{
	MPI_Count size = 0;

	if (count <= 0 || !gaspdb_mpi_type_is_valid(type))
		return 0;
	PMPI_Type_size_x(type, &size);
	return size > 0 ? (uint64_t)count * (uint64_t)size : 0;
}

struct gaspdb_mpi_message gaspdb_mpi_message_of(const struct gaspdb_mpi_comm *m,
						const MPI_Status *status)
{
	struct gaspdb_mpi_message message = { -1, -1, 0 };
	MPI_Count bytes = 0;

	if (status->MPI_SOURCE == MPI_PROC_NULL)
		return message;
	message.peer = gaspdb_mpi_comm_peer(m, status->MPI_SOURCE);
	message.tag = status->MPI_TAG;
	/* In bytes, which is right for derived types, and for sizes beyond an
	   int. */
	PMPI_Get_elements_x(status, MPI_BYTE, &bytes);
	message.bytes = bytes > 0 ? (uint64_t)bytes : 0;
	return message;
}

struct gaspdb_mpi_message
gaspdb_mpi_message_received(const struct gaspdb_mpi_comm *m,
			    const MPI_Status *status, uint64_t limit, int error)
{
	struct gaspdb_mpi_message message = { -1, -1, 0 };

	/* After other errors the status holds nothing. */
	if (error == MPI_SUCCESS || error == MPI_ERR_TRUNCATE)
		message = gaspdb_mpi_message_of(m, status);
	/* The status then differs between MPIs. */
	if (error == MPI_ERR_TRUNCATE)
		message.bytes = limit;
	return message;
}

int gaspdb_mpi_received(struct gaspdb_mpi_call *call, int rc,
			const MPI_Status *status)
{
	const int error = gaspdb_mpi_error_class(rc);
	const struct gaspdb_mpi_message message = gaspdb_mpi_message_received(
		call->comm, status, call->limit, error);

	if (call->passed)
		gaspdb_mpi_passed(call->c, call->comm, &message, true,
				  call->passed);
	gaspdb_mpi_finish(call, 4,
			  (uint64_t[]){ (uint64_t)message.peer,
					(uint64_t)message.tag, message.bytes,
					(uint64_t)error });
	return rc;
}
