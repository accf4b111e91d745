/* SPDX-License-Identifier: BSD-2-Clause */
/* Start and end of OpenSHMEM. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/log/log_format.h"
#include "collector/models/shmem/adapter.h"
#include "collector/models/shmem/clocks.h"
#include "collector/models/shmem/sync.h"

/* Marks a program that is linked with the adapter, for `gaspdb record`. */
GASPDB_EXPORT extern const int gaspdb_shmem_adapter_v1;
const int gaspdb_shmem_adapter_v1 = 1;

static pid_t own_pid; /* process that started OpenSHMEM; 0: none */
static bool ended;
static bool samples; /* the hosts' clocks */

/* --- start ---------------------------------------------------------------- */

/*
 * Open MPI's OSHMEM up to 4.1 leaves a memory hook of an unloaded component
 * behind, and crashes in shmem_finalize.  Later releases disable that hook by
 * default; the user's setting wins.
 */
static void avoid_finalize_crash(void)
{
#ifdef OSHMEM_SPEC_VERSION
	setenv("OMPI_MCA_opal_common_ucx_opal_mem_hooks", "0", 0);
#endif
}

#ifdef OSHMEM_SPEC_VERSION
extern const char oshmem_version_string[] __attribute__((weak));
#endif

static void emit_runtime(int pe, int n_pes)
{
	char vendor[SHMEM_MAX_NAME_LEN + 1] = "", runtime[400];
	const char *name = vendor, *version = "";
	int major = 0, minor = 0;

	shmem_info_get_name(vendor);
	shmem_info_get_version(&major, &minor);
#ifdef OSHMEM_SPEC_VERSION
	/* Its vendor string is an address on the web. */
	name = "OSHMEM";
	if (oshmem_version_string)
		version = oshmem_version_string;
#endif
	snprintf(runtime, sizeof runtime, "%s%s%s, OpenSHMEM %d.%d", name,
		 *version ? " " : "", version, major, minor);
	gaspdb_runtime_started("OpenSHMEM", runtime, pe, n_pes);
}

static void emit_thread_level(void)
{
	int level = SHMEM_THREAD_SINGLE;

	pshmem_query_thread(&level);
	gaspdb_meta("thread_level",
		    level == SHMEM_THREAD_SINGLE       ? "single"
		    : level == SHMEM_THREAD_FUNNELED   ? "funneled"
		    : level == SHMEM_THREAD_SERIALIZED ? "serialized"
						       : "multiple");
}

/* The end is a collective of all PEs, and completes accesses. */
static void start_end(struct gaspdb_context *c,
		      const struct gaspdb_operation *op, const void *pc)
{
	const struct gaspdb_shmem_collective team = gaspdb_shmem_all(c);

	gaspdb_start(c, op, pc, 3,
		     (const uint64_t[]){ team.id, team.sequence,
					 GASPDB_SHMEM_DEFAULT_CONTEXT });
}

/*
 * Handles a program that ends without shmem_finalize: OpenSHMEM's exit handler,
 * which comes later, is the runtime's end.  The event stays open, and calls in
 * it are the runtime's.
 */
static void end_at_exit(void)
{
	static const struct gaspdb_operation op = { GASPDB_EVENT_SHMEM_FINALIZE,
						    "end of the program" };
	struct gaspdb_context *c;

	if (ended || getpid() != own_pid)
		return;
	c = gaspdb_enter_last(&op, NULL);
	if (!c)
		return;
	ended = true;
	gaspdb_metaf("finalize_ticks", "%" PRIu64, gaspdb_ticks());
	start_end(c, &op, GASPDB_CALLER);
	gaspdb_shmem_clocks_end(c);
	gaspdb_runtime_ending();
}

static void before_start(struct gaspdb_context *c,
			 const struct gaspdb_operation *op, const void *pc)
{
	if (!own_pid) {
		avoid_finalize_crash();
		samples = !gaspdb_shmem_mpi_is_programs();
		if (samples)
			gaspdb_shmem_clocks_starting();
	}
	gaspdb_start(c, op, pc, 0, NULL);
}

/* Queries and logs facts once; the time is the tool's. */
static void set_up(struct gaspdb_context *c)
{
	const uint64_t start = gaspdb_ticks();
	const int pe = pshmem_my_pe(), n_pes = pshmem_n_pes();

	own_pid = getpid();
	emit_runtime(pe, n_pes);
	gaspdb_metaf("init_ticks", "%" PRIu64, start);
	emit_thread_level();
	gaspdb_shmem_modules(pe);
	gaspdb_shmem_teams_init(c, pe, n_pes);
	gaspdb_shmem_syncs_init();
	atexit(end_at_exit);
	gaspdb_record(c, GASPDB_RECORD_TOOL, "uu", start, gaspdb_ticks());
	if (samples)
		gaspdb_shmem_clocks_begin(c);
}

/* c NULL: it is not recorded here; but the syncs are of all PEs. */
static void after_start(struct gaspdb_context *c,
			const struct gaspdb_operation *op,
			const struct gaspdb_entry *entry)
{
	const int saved = errno;

	if (c) {
		gaspdb_end(c, op, entry->pc, 0, NULL);
		if (!own_pid)
			set_up(c);
		gaspdb_leave(c);
	} else if (entry->unlogged) {
		gaspdb_shmem_syncs_init();
	}
	errno = saved;
}

GASPDB_EXPORT void shmem_init(void)
{
	GASPDB_SHMEM_CALL(SHMEM_INIT, shmem_init);

	if (c)
		before_start(c, &op, entry.pc);
	GASPDB_SHMEM_PASS(shmem_init)();
	after_start(c, &op, &entry);
}

GASPDB_EXPORT int shmem_init_thread(int requested, int *provided)
{
	GASPDB_SHMEM_CALL(SHMEM_INIT, shmem_init_thread);
	int result;

	if (c)
		before_start(c, &op, entry.pc);
	result = GASPDB_SHMEM_PASS(shmem_init_thread)(requested, provided);
	after_start(c, &op, &entry);
	return result;
}

GASPDB_EXPORT void start_pes(int npes)
{
	GASPDB_SHMEM_CALL(SHMEM_INIT, start_pes);

	if (c)
		before_start(c, &op, entry.pc);
	GASPDB_SHMEM_PASS(start_pes)(npes);
	after_start(c, &op, &entry);
}

/* --- end ------------------------------------------------------------------ */

/* The logs are secured first: crashes in shmem_finalize are not rare. */
GASPDB_EXPORT void shmem_finalize(void)
{
	GASPDB_SHMEM_CALL(SHMEM_FINALIZE, shmem_finalize);

	if (!c) {
		GASPDB_SHMEM_PASS(shmem_finalize)();
		return;
	}
	ended = true;
	gaspdb_metaf("finalize_ticks", "%" PRIu64, gaspdb_ticks());
	start_end(c, &op, entry.pc);
	gaspdb_shmem_clocks_end(c);
	gaspdb_runtime_ending();
	pshmem_finalize();
	gaspdb_end(c, &op, entry.pc, 0, NULL);
	gaspdb_leave(c);
}

static void record_exit(const struct gaspdb_operation *op,
			struct gaspdb_entry *entry, int status)
{
	struct gaspdb_context *c = gaspdb_enter_last(op, entry);

	gaspdb_entry_pass(entry);
	if (!c)
		return;
	gaspdb_start(c, op, entry->pc, 1,
		     (const uint64_t[]){ (uint64_t)(int64_t)status });
	gaspdb_finish("global exit");
}

GASPDB_EXPORT void shmem_global_exit(int status)
{
	GASPDB_SHMEM_ENTRY(SHMEM_GLOBAL_EXIT, shmem_global_exit);

	record_exit(&op, &entry, status);
	GASPDB_SHMEM_PASS(shmem_global_exit)(status);
}

/* OSHMEM's old name for it, without a profiling name of its own. */
#ifdef OSHMEM_SPEC_VERSION
GASPDB_EXPORT void globalexit(int status)
{
	GASPDB_SHMEM_ENTRY(SHMEM_GLOBAL_EXIT, globalexit);

	record_exit(&op, &entry, status);
	(entry.to_other ? gaspdb_next_globalexit : pshmem_global_exit)(status);
}
#endif
