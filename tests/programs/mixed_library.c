/* SPDX-License-Identifier: BSD-2-Clause */
/* The part in C of mixed_main.F90.  Handles come and go as Fortran's. */
#include <mpi.h>

void library_split(MPI_Fint comm, MPI_Fint *part)
{
	MPI_Comm made;

	/*: split */
	MPI_Comm_split(MPI_Comm_f2c(comm), 0, 0, &made);
	/*: name */
	MPI_Comm_set_name(made, "part");
	*part = MPI_Comm_c2f(made);
}

void library_sum(MPI_Fint comm, MPI_Fint op, int *value)
{
	int own = *value;

	/*: allreduce */
	MPI_Allreduce(&own, value, 1, MPI_INT, MPI_Op_f2c(op),
		      MPI_Comm_f2c(comm));
}

void library_start(MPI_Fint *request)
{
	MPI_Request r = MPI_Request_f2c(*request);

	/*: start-c */
	MPI_Start(&r);
	*request = MPI_Request_c2f(r);
}

void library_finish(MPI_Fint *request)
{
	MPI_Request r = MPI_Request_f2c(*request);

	/*: wait-c */
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	/*: free-request */
	MPI_Request_free(&r);
	*request = MPI_Request_c2f(r);
}

void library_post(MPI_Fint comm, int other, int *send, int *recv,
		  MPI_Fint requests[2])
{
	MPI_Request r;

	/*: irecv */
	MPI_Irecv(recv, 8, MPI_INT, other, 6, MPI_Comm_f2c(comm), &r);
	requests[0] = MPI_Request_c2f(r);
	/*: isend */
	MPI_Isend(send, 2, MPI_INT, other, 6, MPI_Comm_f2c(comm), &r);
	requests[1] = MPI_Request_c2f(r);
}

void library_visit(MPI_Fint comm, void (*visitor)(void))
{
	/*: barrier */
	MPI_Barrier(MPI_Comm_f2c(comm));
	visitor();
	/*: barrier-2 */
	MPI_Barrier(MPI_Comm_f2c(comm));
}
