/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Recording as the adapters control it: the runtime's start, symmetric
 * segments, measurement control, the end.  See collector.h.
 */
#include <dlfcn.h>
#include <errno.h>
#include <linux/membarrier.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "collector/base/clock.h"
#include "collector/base/environment.h"
#include "collector/core/context.h"
#include "collector/core/heap/heap.h"
#include "collector/process/handover.h"
#include "collector/process/process.h"

/* --- threads without a log ------------------------------------------------ */

static long runtime_threads; /* threads without a log at the runtime's start */

/* Threads of the process without a log; -1: not known. */
static long count_unlogged_threads(void)
{
	struct stat st;
	long n;

	if (stat("/proc/self/task", &st) || st.st_nlink < 3)
		return -1;
	n = (long)st.st_nlink - 2;
	gaspdb_process_lock();
	for (const struct gaspdb_context *c = gaspdb_process.contexts; c;
	     c = c->next)
		n -= c->live && !c->dead;
	gaspdb_process_unlock();
	return n;
}

static void emit_unlogged_threads(void)
{
	const long n = runtime_threads < 0
			       ? 0
			       : count_unlogged_threads() - runtime_threads;

	if (n > 0)
		gaspdb_metaf("not_seen",
			     "%ld more threads of the process than when its "
			     "runtime had started, as OpenMP's, made no call "
			     "that is recorded: what they do is not known",
			     n);
}

/* --- facts about the process ---------------------------------------------- */

static void catch_up(void)
{
	struct gaspdb_context *c = gaspdb_context_get();

	if (c)
		gaspdb_context_catch_up(c);
}

GASPDB_EXPORT int gaspdb_rank(void)
{
	return gaspdb_process.rank;
}

/* --- calls on files ------------------------------------------------------- */

GASPDB_EXPORT void gaspdb_libc_begin(void)
{
	gaspdb_call_stack_prepare();
}

/* Begins to record calls on files, if that is asked for (GASPDB_IO). */
static void start_io(void)
{
#ifndef GASPDB_UPC_OBJECT
	gaspdb_io_start_fn *start;
	const char *why;

	if (!gaspdb_env_asks("GASPDB_IO"))
		return;
	*(void **)&start = dlsym(RTLD_DEFAULT, GASPDB_IO_START);
	why = start ? start() : "libgaspdb-io.so is not preloaded";
	if (why)
		gaspdb_complain("calls on files are not recorded: %s", why);
#endif
}

/* --- the start ------------------------------------------------------------ */

GASPDB_EXPORT void gaspdb_runtime_started(const char *model,
					  const char *runtime, int rank,
					  int ranks)
{
	struct gaspdb_process *p = &gaspdb_process;
	int saved = errno;

	gaspdb_process_lock();
	if (p->rank < 0) {
		snprintf(p->model, sizeof p->model, "%s", model);
		snprintf(p->runtime, sizeof p->runtime, "%s", runtime);
		p->rank = rank;
		p->ranks = ranks;
		atomic_fetch_add(&p->generation, 1);
	}
	gaspdb_process_unlock();
	catch_up();
	runtime_threads = count_unlogged_threads();
	start_io();
	gaspdb_heap_start();
	errno = saved;
}

GASPDB_EXPORT void gaspdb_segment(const char *kind, const char *name,
				  const void *base, size_t bytes)
{
	struct gaspdb_process *p = &gaspdb_process;
	struct gaspdb_segment_info *s;

	gaspdb_process_lock();
	if (p->n_segments < GASPDB_PROCESS_SEGMENTS_MAX) {
		s = &p->segments[p->n_segments++];
		s->kind = kind;
		snprintf(s->name, sizeof s->name, "%s", name);
		s->base = (uintptr_t)base;
		s->bytes = bytes;
		atomic_fetch_add(&p->generation, 1);
	} else {
		p->segments_left_out++;
	}
	gaspdb_process_unlock();
	catch_up();
}

/* --- measurement control -------------------------------------------------- */

GASPDB_EXPORT void gaspdb_on_resume(void (*hook)(struct gaspdb_context *c))
{
	struct gaspdb_process *p = &gaspdb_process;

	gaspdb_process_lock();
	if (p->n_resume < sizeof p->resume / sizeof *p->resume)
		p->resume[p->n_resume++] = hook;
	gaspdb_process_unlock();
}

static void resume(struct gaspdb_context *c)
{
	const struct gaspdb_process *p = &gaspdb_process;

	for (unsigned i = 0; i < p->n_resume; i++)
		p->resume[i](c);
}

/* Return values are the same as in a recorded thread. */
static int unrecorded_control(int on)
{
	static _Thread_local int last = 1;
	int before = last;

	last = on;
	return before;
}

void gaspdb_recording_switch(struct gaspdb_context *c)
{
	const bool on = c->control && gaspdb_is_in_window(c);

	if (c->on == on) {
		gaspdb_context_save(c);
		return;
	}
	if (!on && gaspdb_profiles_all())
		gaspdb_functions_cut(c);
	gaspdb_record(c, GASPDB_RECORD_RECORDING, "uu", (uint64_t)on,
		      gaspdb_clock_ticks());
	c->on = on;
	c->was_on |= on;
	gaspdb_profile_switched(c, on);
	gaspdb_context_save(c);
	if (on)
		resume(c);
}

int gaspdb_control(struct gaspdb_context *c, int on)
{
	int before;

	if (!c)
		return unrecorded_control(on);
	if (!c->live)
		gaspdb_context_revive(c);
	before = c->control;
	c->control = on;
	gaspdb_recording_switch(c);
	return before;
}

/* --- the end -------------------------------------------------------------- */

static void membarrier_all(void)
{
	if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0))
		atomic_thread_fence(memory_order_seq_cst);
}

/*
 * Whether c's thread is in the middle of a record.  An upcall, which can take
 * long, does not count: after it the thread finds c not live, and stops.
 */
static bool is_writing(const struct gaspdb_context *c)
{
	return c->busy && !c->upcall;
}

/*
 * Stops all writers, except one that stays in the middle of a record for the
 * two seconds (at least) that all together are given.
 */
static void stop_writers(void)
{
	struct gaspdb_context *c;
	int patience = 20000; /* a writer may wait for a busy disk */

	for (c = gaspdb_process.contexts; c; c = c->next)
		c->live = false;
	membarrier_all();
	gaspdb_context_interrupted();
	for (c = gaspdb_process.contexts; c; c = c->next)
		while (!(c->stopped = !is_writing(c)) && patience-- > 0)
			nanosleep(&(struct timespec){ 0, 100000 }, NULL);
}

GASPDB_EXPORT void gaspdb_finish(const char *why)
{
	struct gaspdb_process *p = &gaspdb_process;
	int saved = errno;

	gaspdb_heap_finish(false);
	if (!gaspdb_process_lock_at_end()) {
		errno = saved;
		return;
	}
	if (!atomic_exchange(&p->closed, true)) {
		stop_writers();
		for (struct gaspdb_context *c = p->contexts; c; c = c->next)
			if (!c->dead && c->stopped)
				gaspdb_context_close(c, why);
	}
	gaspdb_process_unlock();
	errno = saved;
}

/* Flushes only the calling thread's log: others may be writing theirs. */
GASPDB_EXPORT void gaspdb_runtime_ending(void)
{
	struct gaspdb_context *c = gaspdb_context_get();
	struct gaspdb_disturbance before;
	int saved = errno;

	if (!c)
		return;
	emit_unlogged_threads();
	if (!c->log.file.buffered)
		return;
	before = gaspdb_undisturbed_begin();
	if (gaspdb_begin(c)) {
		gaspdb_log_writer_flush(&c->log);
		gaspdb_profile_flush(c);
		gaspdb_done(c);
	}
	gaspdb_undisturbed_end(before);
	errno = saved;
}

__attribute__((destructor)) static void unload(void)
{
	gaspdb_heap_finish(true);
	gaspdb_finish("exit");
}
