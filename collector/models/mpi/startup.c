/* SPDX-License-Identifier: BSD-2-Clause */
/* Start and end of MPI, and measurement control. */
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <string.h>
#include <strings.h>

#include <pupc.h>

#include "collector/models/mpi/adapter.h"
#include "collector/models/mpi/clocks/clocks.h"
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

/* --- start ---------------------------------------------------------------- */

/* Starts of MPI that have no end yet: MPI_Init, and sessions. */
static unsigned uses;
/* Held from the start that makes MPI usable until the adapter is: another
   thread's session waits for that. */
static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;

/* Logs the process's identity, by its rank in the run. */
static void emit_identity(void)
{
	char name[MPI_MAX_LIBRARY_VERSION_STRING + 1];
	const int first = gaspdb_mpi_spawn_first();
	MPI_Comm parent = MPI_COMM_NULL;
	int rank, ranks;

	library_name(name);
	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
	PMPI_Comm_get_parent(&parent);
	if (first >= 0) {
		gaspdb_runtime_started("MPI", name, first + rank,
				       first + ranks);
	} else {
		gaspdb_meta("model", "MPI");
		gaspdb_meta("runtime", name);
	}
	if (parent != MPI_COMM_NULL)
		gaspdb_mpi_spawn_emit(rank, ranks);
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
	if (!call->c)
		return;
	gaspdb_mpi_start(call, 0, NULL);
	gaspdb_mpi_spawn_starting();
	gaspdb_mpi_clocks_starting(gaspdb_mpi_spawn_number(),
				   gaspdb_mpi_spawn_is_apart());
}

/* Makes the adapter's tables ready for the first start of MPI. */
static void become_active(void)
{
	static bool hooked;

	if (!hooked)
		gaspdb_on_resume(resumed);
	hooked = true;
	gaspdb_mpi_active = gaspdb_mpi_emit_fortran();
	gaspdb_metaf("init_ticks", "%llu", (unsigned long long)gaspdb_ticks());
}

/* Takes the first sample of the hosts' clocks. */
static void sample_world(struct gaspdb_context *c)
{
	gaspdb_mpi_clocks_begin(
		c, (struct gaspdb_mpi_clock_world){
			   MPI_COMM_WORLD, gaspdb_mpi_spawn_first(),
			   gaspdb_mpi_spawn_number() });
}

/* The same after MPI_Init, where a session may have started MPI before. */
static void start_world(struct gaspdb_mpi_call *call)
{
	int level = MPI_THREAD_SINGLE;

	pthread_mutex_lock(&starting);
	emit_identity();
	PMPI_Query_thread(&level);
	gaspdb_meta("thread_level", level_name(level));
	if (uses++ == 0)
		gaspdb_mpi_valid_init(MPI_GROUP_NULL);
	gaspdb_mpi_comms_init(call->c);
	gaspdb_mpi_spawn_link(call->c);
	sample_world(call->c);
	if (!gaspdb_mpi_active)
		become_active();
	pthread_mutex_unlock(&starting);
}

void gaspdb_mpi_started(struct gaspdb_mpi_call *call, bool ok)
{
	const int error = errno;

	if (!call->c) {
		if (ok && !call->entry.to_other)
			sample_world(NULL);
		return;
	}
	if (ok)
		start_world(call);
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
/* A process set of a session; MPI_GROUP_NULL: there is none. */
static MPI_Group process_set(MPI_Session session, const char *name)
{
	MPI_Group group = MPI_GROUP_NULL;

	if (PMPI_Group_from_session_pset(session, name, &group) != MPI_SUCCESS)
		group = MPI_GROUP_NULL;
	return group;
}

/* The value is a level's name: "MPI_THREAD_SINGLE". */
static void emit_session_level(MPI_Session session)
{
	static const int levels[] = { MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED,
				      MPI_THREAD_SERIALIZED,
				      MPI_THREAD_MULTIPLE };
	char value[MPI_MAX_INFO_VAL + 1] = "";
	int size = sizeof value, found = 0;
	MPI_Info info;

	if (PMPI_Session_get_info(session, &info) != MPI_SUCCESS)
		return;
	PMPI_Info_get_string(info, "thread_level", &size, value, &found);
	PMPI_Info_free(&info);
	for (size_t i = 0; found && i < sizeof levels / sizeof *levels; i++)
		if (!strcasecmp(value + strcspn(value, "_") + 8,
				level_name(levels[i])))
			gaspdb_meta("thread_level", level_name(levels[i]));
}

/* Makes the adapter ready where a session is the first start of MPI: ranks are
   those of the process set of all processes. */
static void start_session(struct gaspdb_mpi_call *call, MPI_Session session)
{
	MPI_Group world = process_set(session, "mpi://WORLD");
	MPI_Group self = process_set(session, "mpi://SELF");
	char name[MPI_MAX_LIBRARY_VERSION_STRING + 1];
	int rank = MPI_UNDEFINED, ranks = 0;

	library_name(name);
	if (world != MPI_GROUP_NULL) {
		PMPI_Group_rank(world, &rank);
		PMPI_Group_size(world, &ranks);
	}
	gaspdb_runtime_started("MPI", name, rank, ranks);
	emit_session_level(session);
	gaspdb_mpi_valid_init(self);
	gaspdb_mpi_comms_init_session(call->c, world);
	if (self != MPI_GROUP_NULL)
		PMPI_Group_free(&self);
	become_active();
}

GASPDB_EXPORT int MPI_Session_init(MPI_Info info, MPI_Errhandler handler,
				   MPI_Session *session)
{
	GASPDB_MPI_CALL_IF(true, INIT, MPI_Session_init);
	int rc;

	if (!call.c)
		return GASPDB_MPI_PASS(MPI_Session_init)(info, handler,
							 session);
	gaspdb_mpi_starting(&call);
	rc = PMPI_Session_init(info, handler, session);
	pthread_mutex_lock(&starting);
	if (rc == MPI_SUCCESS && uses++ == 0)
		start_session(&call, *session);
	pthread_mutex_unlock(&starting);
	gaspdb_mpi_finish(&call, 0, NULL);
	return rc;
}
#endif

/* --- end ------------------------------------------------------------------ */

/* Takes back one start; true: it was the last, and MPI ends now. */
static bool is_last_end(void)
{
	bool last;

	pthread_mutex_lock(&starting);
	last = uses <= 1;
	uses -= uses > 0;
	pthread_mutex_unlock(&starting);
	return last;
}

/* The end is a collective of the world. */
static void start_end(struct gaspdb_mpi_call *call)
{
	call->comm = gaspdb_mpi_comm_world(call->c);
	gaspdb_mpi_start_plain(call, gaspdb_mpi_comm_count(call->comm));
}

/* The last moment for queries. */
static void end_queries(void)
{
	gaspdb_mpi_valid_fini();
	gaspdb_runtime_ending();
}

void gaspdb_mpi_ending(struct gaspdb_mpi_call *call)
{
	if (!call->c) {
		if (!call->entry.to_other)
			gaspdb_mpi_clocks_end(NULL);
		return;
	}
	gaspdb_metaf("finalize_ticks", "%llu",
		     (unsigned long long)gaspdb_ticks());
	gaspdb_mpi_passed_emit(call->c);
	start_end(call);
	gaspdb_mpi_clocks_end(call->c);
	if (is_last_end())
		end_queries();
}

/* No PMPI call after MPI's end. */
static void become_inactive(struct gaspdb_mpi_call *call)
{
	gaspdb_mpi_active = false;
	if (!call->c)
		return;
	gaspdb_mpi_passed_emit(call->c); /* of callbacks in there */
	gaspdb_mpi_comms_fini();
}

void gaspdb_mpi_ended(struct gaspdb_mpi_call *call)
{
	if (uses <= !call->c) /* not taken back if the call is not recorded */
		become_inactive(call);
	if (call->c)
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

#if MPI_VERSION >= 4
/* The end of MPI, as MPI_Finalize is. */
static int end_last_session(struct gaspdb_mpi_call *call, MPI_Session *session)
{
	static const struct gaspdb_operation op = { GASPDB_EVENT_MPI_FINALIZE,
						    "MPI_Session_finalize" };
	int rc;

	call->op = &op;
	gaspdb_mpi_ending(call);
	rc = PMPI_Session_finalize(session);
	gaspdb_mpi_ended(call);
	return rc;
}

GASPDB_EXPORT int MPI_Session_finalize(MPI_Session *session)
{
	GASPDB_MPI_CALL(SESSION_FINALIZE, MPI_Session_finalize);
	int rc;

	if (!call.c)
		return GASPDB_MPI_PASS(MPI_Session_finalize)(session);
	if (uses <= 1)
		return end_last_session(&call, session);
	gaspdb_mpi_start(&call, 0, NULL);
	rc = PMPI_Session_finalize(session);
	if (rc == MPI_SUCCESS)
		is_last_end();
	gaspdb_mpi_finish(&call, 0, NULL);
	return rc;
}
#endif

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
