/* SPDX-License-Identifier: BSD-2-Clause */
/* Start and end of MPI, and measurement control. */
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include <pupc.h>

#include "collector/models/mpi/adapter.h"
#include "collector/models/mpi/fortran.h"

/* Marks a program that is linked with the adapter, for `gaspdb record`. */
GASPDB_EXPORT extern const int gaspdb_mpi_adapter_v1;
const int gaspdb_mpi_adapter_v1 = 1;

bool gaspdb_mpi_active;

static const char *level_name(int level)
{
	switch (level) {
	case MPI_THREAD_SINGLE:
		return "single";
	case MPI_THREAD_FUNNELED:
		return "funneled";
	case MPI_THREAD_SERIALIZED:
		return "serialized";
	default:
		return "multiple";
	}
}

/* "Open MPI v4.1.4", "MPICH Version: 4.0.2": the first of many facts. */
static void library_name(char name[MPI_MAX_LIBRARY_VERSION_STRING])
{
	int length = 0;

	PMPI_Get_library_version(name, &length);
	name[length] = 0;
	name[strcspn(name, ",\n")] = 0;
	for (char *tab = name; (tab = strchr(tab, '\t'));)
		*tab = ' ';
}

/* Logs the process's identity.  A spawned process has a world of its own, whose
   ranks are not the run's: they stay unknown. */
static void emit_identity(void)
{
	char name[MPI_MAX_LIBRARY_VERSION_STRING + 1];
	MPI_Comm parent = MPI_COMM_NULL;
	int rank, ranks;

	library_name(name);
	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
	PMPI_Comm_get_parent(&parent);
	if (parent == MPI_COMM_NULL) {
		gaspdb_runtime_started("MPI", name, rank, ranks);
		return;
	}
	gaspdb_meta("model", "MPI");
	gaspdb_meta("runtime", name);
	gaspdb_metaf("not_seen",
		     "this process was started by MPI_Comm_spawn, as rank %d "
		     "of %d of another MPI_COMM_WORLD: its calls are recorded, "
		     "but its messages have no peers",
		     rank, ranks);
}

static void resumed(struct gaspdb_context *c)
{
	if (!gaspdb_mpi_active)
		return;
	gaspdb_mpi_comms_resumed(c);
	gaspdb_mpi_passed_emit(c);
}

void gaspdb_mpi_starting(const struct gaspdb_mpi_call *call)
{
	if (call->c)
		gaspdb_mpi_start(call, 0, NULL);
}

void gaspdb_mpi_started(struct gaspdb_mpi_call *call, bool ok)
{
	const int error = errno;
	int level = MPI_THREAD_SINGLE;

	if (!call->c)
		return;
	if (ok) {
		emit_identity();
		PMPI_Query_thread(&level);
		gaspdb_meta("thread_level", level_name(level));
		gaspdb_mpi_valid_init();
		gaspdb_mpi_comms_init(call->c);
		gaspdb_on_resume(resumed);
		gaspdb_mpi_active = gaspdb_mpi_emit_fortran();
		gaspdb_metaf("init_ticks", "%llu",
			     (unsigned long long)gaspdb_ticks());
	}
	gaspdb_mpi_finish(call, 0, NULL);
	errno = error;
}

GASPDB_EXPORT int MPI_Init(int *argc, char ***argv)
{
	GASPDB_MPI_CALL_IF(true, INIT, MPI_Init);
	int rc;

	gaspdb_mpi_starting(&call);
	rc = GASPDB_MPI_PASS(MPI_Init)(argc, argv);
	gaspdb_mpi_started(&call, rc == MPI_SUCCESS);
	return rc;
}

GASPDB_EXPORT int MPI_Init_thread(int *argc, char ***argv, int required,
				  int *provided)
{
	GASPDB_MPI_CALL_IF(true, INIT, MPI_Init_thread);
	int rc;

	gaspdb_mpi_starting(&call);
	rc = GASPDB_MPI_PASS(MPI_Init_thread)(argc, argv, required, provided);
	gaspdb_mpi_started(&call, rc == MPI_SUCCESS);
	return rc;
}

#if MPI_VERSION >= 4
GASPDB_EXPORT int MPI_Session_init(MPI_Info info, MPI_Errhandler handler,
				   MPI_Session *session)
{
	extern __typeof__(MPI_Session_init) *gaspdb_next_MPI_Session_init
		GASPDB_HIDDEN;
	struct gaspdb_entry entry = GASPDB_ENTRY(gaspdb_next_MPI_Session_init);

	gaspdb_entry_pass(&entry);
	if (entry.to_other)
		return gaspdb_next_MPI_Session_init(info, handler, session);
	if (!gaspdb_mpi_active)
		gaspdb_meta("not_seen",
			    "this program uses MPI sessions: calls before "
			    "MPI_Init, or without it, were not seen; start "
			    "MPI with MPI_Init to record them");
	return PMPI_Session_init(info, handler, session);
}
#endif

/* The end is a collective of the world. */
static void start_end(struct gaspdb_mpi_call *call)
{
	call->comm = gaspdb_mpi_comm_get(call->c, MPI_COMM_WORLD);
	gaspdb_mpi_start_plain(call, gaspdb_mpi_comm_count(call->comm));
}

void gaspdb_mpi_ending(struct gaspdb_mpi_call *call)
{
	if (!call->c)
		return;
	gaspdb_metaf("finalize_ticks", "%llu",
		     (unsigned long long)gaspdb_ticks());
	gaspdb_mpi_passed_emit(call->c);
	start_end(call);
	gaspdb_mpi_valid_fini();
	gaspdb_runtime_ending();
}

/* No PMPI call after MPI's end. */
void gaspdb_mpi_ended(struct gaspdb_mpi_call *call)
{
	gaspdb_mpi_active = false;
	if (!call->c)
		return;
	gaspdb_mpi_passed_emit(call->c); /* of callbacks in there */
	gaspdb_mpi_finish(call, 0, NULL);
}

GASPDB_EXPORT int MPI_Finalize(void)
{
	GASPDB_MPI_CALL(FINALIZE, MPI_Finalize);
	int rc;

	gaspdb_mpi_ending(&call);
	rc = GASPDB_MPI_PASS(MPI_Finalize)();
	gaspdb_mpi_ended(&call);
	return rc;
}

GASPDB_EXPORT int MPI_Abort(MPI_Comm comm, int code)
{
	GASPDB_MPI_CALL_IF(false, ABORT, MPI_Abort);

	if (gaspdb_mpi_active)
		call.c = gaspdb_enter_last(&op, &call.entry);
	if (call.c) {
		gaspdb_mpi_start(
			&call, 2,
			(uint64_t[]){ gaspdb_mpi_comm_last(call.c, comm),
				      (uint64_t)code });
		gaspdb_finish("abort");
	}
	return GASPDB_MPI_PASS(MPI_Abort)(comm, code);
}

GASPDB_EXPORT int MPI_Pcontrol(const int level, ...)
{
	extern __typeof__(MPI_Pcontrol) *gaspdb_next_MPI_Pcontrol GASPDB_HIDDEN;
	struct gaspdb_entry entry = GASPDB_ENTRY(gaspdb_next_MPI_Pcontrol);

	gaspdb_entry_pass(&entry);
	if (level >= 0 && !entry.to_other)
		pupc_control(level != 0);
	return (entry.to_other ? gaspdb_next_MPI_Pcontrol
			       : PMPI_Pcontrol)(level);
}
