/* SPDX-License-Identifier: BSD-2-Clause */
/* The process: its run directory, what it learns, and its end. */
#include "collector/process/process.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collector/core/clock.h"
#include "collector/process/environment.h"
#include "collector/log/failure.h"
#include "collector/log/size_limit.h"
#include "collector/core/table.h"
#include "collector/log/stderr_line.h"
#include "collector/process/unseen_threads.h"

struct gaspdb_process gaspdb_process = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.rank = -1,
	.ranks = -1,
};

/*
 * Whose process this is; in a page that a forked child finds zero.  A vfork's
 * child shares it, and is no process of its own until it executes something.
 */
static atomic_int *owner;
enum { NOBODYS, BEING_TAKEN, OURS };

/* What stderr was when the program began. */
static struct gaspdb_stderr first_stderr;

__attribute__((constructor)) static void load(void)
{
	const char *nested = gaspdb_getenv("GASPDB_NESTED");

	if (gaspdb_is_privileged())
		return;
	first_stderr = gaspdb_stderr_look();
	gaspdb_clock_init();
	gaspdb_run_dir_note_process();
	gaspdb_process.pid = getpid();
	gaspdb_process.nested = nested && *nested && *nested != '0';
	owner = gaspdb_pages(sizeof *owner);
	if (!owner)
		return;
	gaspdb_wipe_on_fork(owner, sizeof *owner);
	*owner = OURS;
	gaspdb_context_watch_forks();
}

#define PATIENCE_S 4 /* of the process's end, for the lock */

/* --- the lock, and forked children ---------------------------------------- */

/*
 * What a kernel before 4.14, or a sandbox, does not do for a forked child the
 * child does at once: before other handlers of the program's, if those were
 * there later.
 */
static void wipe_in_child(void)
{
	struct gaspdb_context *c = gaspdb_process.contexts, *next;

	for (; c; c = next) {
		next = c->next;
		memset(c, 0, sizeof *c);
	}
	if (owner)
		*owner = NOBODYS;
}

void gaspdb_wipe_on_fork(void *pages, size_t bytes)
{
	static atomic_flag told = ATOMIC_FLAG_INIT;
	int saved = errno;

	if (madvise(pages, bytes, MADV_WIPEONFORK) &&
	    !atomic_flag_test_and_set(&told))
		pthread_atfork(NULL, NULL, wipe_in_child);
	errno = saved;
}

/*
 * The parent's contexts are the parent's: forget them.  A child begins with one
 * thread, and the lock may have been another's.  What the parent has complained
 * of the child does not tell again.
 */
static void become_child(void)
{
	struct gaspdb_process *p = &gaspdb_process;

	pthread_mutex_init(&p->lock, NULL);
	p->forked_from = p->n_contexts ? p->pid : 0;
	p->pid = getpid();
	p->program = 0;
	p->contexts = p->spare = NULL;
	p->n_contexts = 0;
	p->rank = p->ranks = -1;
	p->n_segments = p->segments_left_out = 0;
}

/* A child's first threads can come here together. */
static void know_process(void)
{
	int expected = NOBODYS;

	if (!owner) {
		if (gaspdb_process.pid != getpid())
			become_child();
		return;
	}
	if (GASPDB_LIKELY(*owner == OURS))
		return;
	if (atomic_compare_exchange_strong(owner, &expected, BEING_TAKEN)) {
		become_child();
		*owner = OURS;
	}
	while (*owner != OURS)
		sched_yield();
}

void gaspdb_process_lock(void)
{
	const struct gaspdb_disturbance before = gaspdb_undisturbed_begin();

	know_process();
	pthread_mutex_lock(&gaspdb_process.lock);
	gaspdb_process.before = before;
}

/* The end's: in a handler, who holds it may wait for what was interrupted. */
static bool lock_at_end(void)
{
	const struct gaspdb_disturbance before = gaspdb_undisturbed_begin();
	struct timespec until;

	know_process();
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += PATIENCE_S;
	if (pthread_mutex_clocklock(&gaspdb_process.lock, CLOCK_MONOTONIC,
				    &until)) {
		gaspdb_undisturbed_end(before);
		return false;
	}
	gaspdb_process.before = before;
	return true;
}

void gaspdb_process_unlock(void)
{
	const struct gaspdb_disturbance before = gaspdb_process.before;

	pthread_mutex_unlock(&gaspdb_process.lock);
	gaspdb_undisturbed_end(before);
}

/* --- the start ------------------------------------------------------------ */

bool gaspdb_process_start(void)
{
	struct gaspdb_process *p = &gaspdb_process;
	int error;

	if (p->failed || p->dir.path[0])
		return !p->failed;
	if (gaspdb_is_privileged()) {
		p->failed = true;
		return false;
	}
	error = gaspdb_run_dir_find(&p->dir);
	if (error) {
		p->failed = true;
		gaspdb_complain("nothing is recorded: run directory '%s': %s",
				p->dir.path, gaspdb_failure(error));
		return false;
	}
	if (gethostname(p->host, sizeof p->host - 1))
		strcpy(p->host, "unknown");
	p->ticks_hz = gaspdb_clock_hz();
	gaspdb_size_limits_read(p);
	syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0,
		0);
	return true;
}

void gaspdb_process_stderr(const struct gaspdb_stderr *first)
{
	if (first->looked)
		first_stderr = *first;
}

/* Where it is another file we are silent: `record` and the import say what is
   missing. */
void gaspdb_process_emit(const char *line, size_t n)
{
	if (gaspdb_stderr_is(&first_stderr))
		gaspdb_stderr_line(line, n);
}

GASPDB_EXPORT void gaspdb_complain(const char *fmt, ...)
{
	int saved = errno;
	static char line[4096 + 512]; /* a path, for the one line there is */
	va_list ap;
	int n;

	if (__atomic_exchange_n(&gaspdb_process.complained, true,
				__ATOMIC_RELAXED))
		return;
	va_start(ap, fmt);
	n = snprintf(line, sizeof line, "gaspdb: ");
	n += vsnprintf(line + n, sizeof line - (size_t)n - 1, fmt, ap);
	va_end(ap);
	if (n > (int)sizeof line - 2)
		n = (int)sizeof line - 2;
	line[n++] = '\n';
	gaspdb_process_emit(line, (size_t)n);
	errno = saved;
}

/* --- what the process learns ---------------------------------------------- */

GASPDB_EXPORT void gaspdb_runtime_started(const char *model,
					  const char *runtime, int rank,
					  int ranks)
{
	struct gaspdb_process *p = &gaspdb_process;
	struct gaspdb_context *c;
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
	c = gaspdb_context_get();
	if (c)
		gaspdb_context_catch_up(c);
	gaspdb_unseen_threads_begin();
	errno = saved;
}

GASPDB_EXPORT void gaspdb_segment(const char *kind, const char *name,
				  const void *base, size_t bytes)
{
	struct gaspdb_process *p = &gaspdb_process;
	struct gaspdb_segment_info *s;
	struct gaspdb_context *c;

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
	c = gaspdb_context_get();
	if (c)
		gaspdb_context_catch_up(c);
}

GASPDB_EXPORT void gaspdb_on_resume(void (*hook)(struct gaspdb_context *c))
{
	struct gaspdb_process *p = &gaspdb_process;

	gaspdb_process_lock();
	if (p->n_resume < sizeof p->resume / sizeof *p->resume)
		p->resume[p->n_resume++] = hook;
	gaspdb_process_unlock();
}

/* --- the end -------------------------------------------------------------- */

static void membarrier_all(void)
{
	if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0))
		atomic_thread_fence(memory_order_seq_cst);
}

/*
 * Is c's thread in the middle of a record?  One that is asking the program can
 * be so for long, and finds c not live when it has its answer: it stops there.
 */
static bool is_writing(const struct gaspdb_context *c)
{
	return c->busy && !c->upcall;
}

/*
 * No thread writes any more once this returns, but for one that is stuck in
 * the middle of a record.  All together are waited for two seconds at least.
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

	if (!lock_at_end()) {
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

/* Other threads may be writing: each one's log is its own to flush. */
GASPDB_EXPORT void gaspdb_runtime_ending(void)
{
	struct gaspdb_context *c = gaspdb_context_get();
	struct gaspdb_disturbance before;
	int saved = errno;

	if (!c)
		return;
	gaspdb_unseen_threads_end();
	if (!c->log.file.buffered)
		return;
	before = gaspdb_undisturbed_begin();
	if (gaspdb_begin(c)) {
		gaspdb_log_writer_flush(&c->log);
		gaspdb_done(c);
	}
	gaspdb_undisturbed_end(before);
	errno = saved;
}

__attribute__((destructor)) static void unload(void)
{
	gaspdb_finish("exit");
}
