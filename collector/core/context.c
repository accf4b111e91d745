/* SPDX-License-Identifier: BSD-2-Clause */
/* Creation and closing of contexts. */
#include "collector/core/context.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collector/base/clock.h"
#include "collector/base/environment.h"
#include "collector/base/pages.h"
#include "collector/base/undisturbed.h"
#include "collector/core/emit.h"
#include "collector/core/selection/mask.h"
#include "collector/core/selection/selection_file.h"
#include "collector/core/size_limit.h"
#include "collector/process/process.h"

_Thread_local struct gaspdb_context *gaspdb_current;
static struct gaspdb_context none = { .dead = true };
static _Thread_local bool is_making; /* open(2) and the like may be wrapped */

static pthread_key_t exit_key;
static bool has_exit_key; /* a program can use up all keys */
static pthread_once_t exit_key_once = PTHREAD_ONCE_INIT;

/* --- creation ------------------------------------------------------------- */

/* Path of a log.  A process id can recur within a run, after an exec for one:
   each later program has a number. */
static void name_log(char *path, size_t size, uint32_t ordinal)
{
	const struct gaspdb_process *p = &gaspdb_process;
	int n = snprintf(path, size, "%s/%s-%d-%u", p->dir.path, p->host,
			 (int)p->pid, ordinal);

	if (p->program)
		n += snprintf(path + n, size - (size_t)n, "-%u", p->program);
	snprintf(path + n, size - (size_t)n, "%s", GASPDB_LOG_SUFFIX);
}

/* Leaves an empty file in the log's place, for `gaspdb record` and the
   importer.  Even a full disk mostly has room for that. */
static void leave_reason(char *path, size_t size, int error)
{
	size_t n = strlen(path) - strlen(GASPDB_LOG_SUFFIX);
	int folder, fd, ignored;

	if (error <= 0) /* the directory is not ours */
		return;
	snprintf(path + n, size - n, "-%d%s", error, GASPDB_FAILED_SUFFIX);
	folder = gaspdb_run_dir_open(&gaspdb_process.dir, &ignored);
	if (folder < 0)
		return;
	fd = openat(folder, gaspdb_log_file_name(path),
		    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd >= 0)
		close(fd);
	close(folder);
}

static void report_unrecorded(uint32_t ordinal, int error)
{
	char path[4096];

	name_log(path, sizeof path, ordinal);
	gaspdb_complain("nothing is recorded of this thread: log '%s': %s",
			path, gaspdb_failure(error));
	leave_reason(path, sizeof path, error);
}

static int open_log(struct gaspdb_context *c, uint32_t ordinal)
{
	struct gaspdb_process *p = &gaspdb_process;
	struct gaspdb_log_identity id = {
		.run = p->dir.run,
		.ticks_hz = p->ticks_hz,
		.start_real_ns = gaspdb_clock_ns(CLOCK_REALTIME),
		.pid = (uint32_t)p->pid,
		.tid = (uint32_t)c->tid,
		.ordinal = ordinal,
	};
	char path[4096];
	int error, folder = gaspdb_run_dir_open(&p->dir, &error);

	if (folder < 0)
		return error;
	gaspdb_size_limits_read();
	id.max_bytes = gaspdb_size_limit_of_log(c);
	for (;; p->program++) {
		name_log(path, sizeof path, ordinal);
		error = gaspdb_log_writer_open(&c->log, folder, path, &id);
		if (error != EEXIST || p->program == 1000)
			break;
	}
	close(folder);
	if (!error)
		gaspdb_size_limit_opened(c);
	return error;
}

static void wipe_contexts(void)
{
	struct gaspdb_context *c = gaspdb_process.contexts, *next;

	for (; c; c = next) {
		next = c->next;
		memset(c, 0, sizeof *c);
	}
}

static void wipe_on_fork(struct gaspdb_context *c)
{
	static atomic_flag registered = ATOMIC_FLAG_INIT;

	if (!gaspdb_wipe_on_fork(c, sizeof *c) &&
	    !atomic_flag_test_and_set(&registered))
		pthread_atfork(NULL, NULL, wipe_contexts);
}

/* Allocates a zeroed context.  A forked child finds the context wiped, and the
   inherited state before it unchanged. */
static struct gaspdb_context *allocate(void)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct gaspdb_context *c = gaspdb_process.spare;
	char *p;

	if (c) {
		gaspdb_process.spare = c->next;
		memset(c, 0, sizeof *c);
	} else {
		p = gaspdb_pages(page + sizeof *c);
		if (!p)
			return NULL;
		c = (void *)(p + page);
		wipe_on_fork(c);
	}
	*gaspdb_inherited(c) = (struct gaspdb_inherited){
		.on = !gaspdb_windows.start_off && !gaspdb_has_phases(),
		.control = !gaspdb_windows.start_off
	};
	return c;
}

void gaspdb_context_save(const struct gaspdb_context *c)
{
	struct gaspdb_inherited *k = gaspdb_inherited(c);

	k->on = c->on;
	k->control = c->control;
	k->model = c->model;
	k->user_events = c->user_events;
	k->n_user_events = c->n_user_events;
}

static void restore_saved(struct gaspdb_context *c)
{
	const struct gaspdb_inherited *k = gaspdb_inherited(c);

	c->on = c->was_on = k->on;
	c->control = k->control;
	c->model = k->model;
	c->user_events = k->user_events;
	c->n_user_events = k->n_user_events;
}

static void emit_inheritance(struct gaspdb_context *c)
{
	if (c->model)
		gaspdb_context_emit(c, "model", c->model);
	gaspdb_user_events_inherit(c);
	if (!c->on)
		gaspdb_emit_other(c, GASPDB_RECORD_RECORDING, "uu", (uint64_t)0,
				  gaspdb_clock_ticks());
}

static void begin_profile(struct gaspdb_context *c)
{
	const int error = gaspdb_profile_begin(c);

	if (error && c->live)
		gaspdb_context_fail(c,
				    error == GASPDB_LOG_LIMIT ? ENOSPC : error);
}

/* Opens the log of c, which is zeroed. The process's lock is held. */
static void open_context(struct gaspdb_context *c)
{
	struct gaspdb_process *p = &gaspdb_process;
	int error;

	c->tid = (pid_t)syscall(SYS_gettid);
	c->number = p->n_contexts++;
	restore_saved(c);
	error = open_log(c, c->number);
	c->dead = error != 0;
	if (c->dead) {
		report_unrecorded(c->number, error);
		return;
	}
	c->next = p->contexts;
	p->contexts = c;
	gaspdb_sites_init(c);
	gaspdb_call_stacks_init(c);
	c->busy = gaspdb_stack_pointer;
	c->live = true;
	gaspdb_processor_begin(c);
	gaspdb_context_emit_birth(c);
	emit_inheritance(c);
	begin_profile(c);
	gaspdb_event_cost(GASPDB_PATH_ADAPTER); /* not at the first event */
	c->busy = 0;
}

/*
 * Makes the calling thread's context, never NULL: a thread that cannot record
 * gets a dead one, and does not retry. c: the thread's context, in a forked
 * child; or NULL.  The process's lock is held.
 */
static struct gaspdb_context *make_context(struct gaspdb_context *c)
{
	if (gaspdb_process.closed || !gaspdb_process_start())
		return &none;
	if (!c)
		c = allocate();
	if (!c) {
		report_unrecorded(gaspdb_process.n_contexts++, ENOMEM);
		return &none;
	}
	gaspdb_selection_read();
	if (!c->live && !c->dead)
		open_context(c);
	return c;
}

/*
 * Recycles the calling thread's closed context: programs start threads by the
 * thousand.  A GASP context is kept, as the runtime may still use it.  The
 * process's lock is held.
 */
static void recycle(struct gaspdb_context *c)
{
	struct gaspdb_context **at = &gaspdb_process.contexts;

	gaspdb_log_file_unmap(&c->log.file);
	gaspdb_tables_free(c);
	if (c->model)
		return;
	while (*at && *at != c)
		at = &(*at)->next;
	if (!*at)
		return;
	*at = c->next;
	gaspdb_current = &none;
	gaspdb_ops_free(c);
	gaspdb_user_events_free(c);
	c->next = gaspdb_process.spare;
	gaspdb_process.spare = c;
}

/*
 * Destructor of the exit key: closes the thread's log.  It runs in the last
 * round, since other destructors may still record.  A record interrupted by
 * thread cancellation is discarded.
 */
static void thread_exit(void *user)
{
	static _Thread_local int rounds;
	struct gaspdb_context *c = user;

	if (++rounds < PTHREAD_DESTRUCTOR_ITERATIONS &&
	    !pthread_setspecific(exit_key, c))
		return;
	gaspdb_process_lock();
	gaspdb_context_interrupted();
	if (c->live && !c->busy) {
		c->live = false;
		gaspdb_context_close(c, "thread exit");
		recycle(c);
	}
	gaspdb_process_unlock();
}

static void make_exit_key(void)
{
	has_exit_key = !pthread_key_create(&exit_key, thread_exit);
}

static void watch_forks(void);

/* Does what the library's constructors do, where they have not run yet: those
   of the program's libraries may call recorded functions before. */
static void load(void)
{
	gaspdb_process_load();
	gaspdb_masks_load();
	gaspdb_throttle_load();
	gaspdb_windows_load();
	gaspdb_mode_load();
	watch_forks();
}

/* Makes or revives the calling thread's context. c: as in make_context. ends:
   the process ends, and no exit key is needed. */
static GASPDB_COLD struct gaspdb_context *first_use(struct gaspdb_context *c,
						    bool ends)
{
	struct gaspdb_disturbance before;
	int saved = errno;

	if (is_making)
		return NULL;
	load();
	/* A cancelled thread must have its exit key, or its log has no end. */
	before = gaspdb_undisturbed_begin();
	is_making = true;
	gaspdb_process_lock();
	c = make_context(c);
	if (!gaspdb_current)
		gaspdb_current = c;
	gaspdb_process_unlock();
	if (!ends)
		pthread_once(&exit_key_once, make_exit_key);
	if (c->live) {
		/* It can allocate. */
		if (!ends && has_exit_key && c == gaspdb_current)
			pthread_setspecific(exit_key, c);
		gaspdb_context_catch_up(c);
	}
	is_making = false;
	gaspdb_undisturbed_end(before);
	errno = saved;
	return c->live ? c : NULL;
}

static inline struct gaspdb_context *get(bool ends)
{
	struct gaspdb_context *c = gaspdb_current;

	if (GASPDB_LIKELY(c && c->live))
		return c;
	/* At the end the lock is held, and a signal handler must not wait for
	   it. */
	if ((c && c->dead) || gaspdb_process.closed)
		return NULL;
	return first_use(c, ends);
}

struct gaspdb_context *gaspdb_context_get(void)
{
	return get(false);
}

struct gaspdb_context *gaspdb_context_last(void)
{
	return get(true);
}

struct gaspdb_context *gaspdb_context_current(void)
{
	return gaspdb_current && gaspdb_current->live ? gaspdb_current : NULL;
}

bool gaspdb_context_revive(struct gaspdb_context *c)
{
	if (c->dead || gaspdb_process.closed)
		return false;
	return first_use(c, false) == c;
}

struct gaspdb_context *gaspdb_context_for(const char *model)
{
	struct gaspdb_context *c = gaspdb_context_get();

	if (c && !c->model) {
		c->model = model;
		gaspdb_context_save(c);
		gaspdb_meta("model", model);
		/* Measured here, not at the first event. */
		gaspdb_event_cost(GASPDB_PATH_NOTIFY);
		gaspdb_event_cost(GASPDB_PATH_LIST);
	}
	return c;
}

/* --- writes left by a longjmp --------------------------------------------- */

static bool is_within(uintptr_t frame, const stack_t *stack)
{
	return frame - (uintptr_t)stack->ss_sp < stack->ss_size;
}

/*
 * A signal handler's frame lies deeper than the frame it interrupts; else the
 * latter has been left.  On an alternate stack, only frames of the same stack
 * compare.
 */
bool gaspdb_was_left(uintptr_t before, uintptr_t now)
{
	stack_t own = { 0 };

	if (sigaltstack(NULL, &own) || own.ss_flags & SS_DISABLE ||
	    is_within(before, &own) == is_within(now, &own))
		return now >= before;
	return is_within(before, &own);
}

GASPDB_COLD bool gaspdb_begin_again(struct gaspdb_context *c, uintptr_t frame)
{
	int saved = errno;

	/* No longjmp leaves a block change: this is a call of ours. */
	if (c->log.moving || !gaspdb_was_left(c->busy, frame)) {
		c->lost_interrupted +=
			!c->upcall; /* events of upcalls are no loss */
		errno = saved;
		return false;
	}
	errno = saved;
	c->busy = frame;
	c->lost_interrupted += !c->upcall;
	c->upcall = c->throttle.emitting = false;
	gaspdb_log_writer_give_up(&c->log);
	/* The record's length is unknown: the next one begins a block. */
	if (c->live && gaspdb_emit_next_block(c))
		return true;
	c->busy = 0;
	return false;
}

/* --- forks while the log is written ----------------------------------------
 *
 * Such a fork comes from a signal handler, which can return to the write in the
 * child too.  There the context is not wiped, the write goes to private memory,
 * and the context records nothing more.
 */

static _Thread_local struct gaspdb_context *forking;

static void before_fork(void)
{
	const int saved = errno;

	forking = NULL;
	if (!gaspdb_current || !gaspdb_current->busy)
		return;
	if (!madvise(gaspdb_current, sizeof *gaspdb_current, MADV_KEEPONFORK))
		forking = gaspdb_current;
	errno = saved;
}

static void after_fork(void)
{
	if (forking)
		gaspdb_wipe_on_fork(forking, sizeof *forking);
	forking = NULL;
}

static void in_child(void)
{
	struct gaspdb_context *c = forking;
	const int saved = errno;

	forking = NULL;
	if (!c)
		return;
	c->live = false;
	c->dead = true;
	gaspdb_profile_detach(c);
	if (!c->log.file.buffered && c->log.file.window)
		mmap(c->log.file.window, c->log.file.window_bytes,
		     PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	errno = saved;
}

__attribute__((constructor)) static void watch_forks(void)
{
	static bool watches;

	if (watches || gaspdb_is_privileged())
		return;
	watches = true;
	pthread_atfork(before_fork, after_fork, in_child);
}

/* --- closing -------------------------------------------------------------- */

static void close_log(struct gaspdb_context *c)
{
	int error;

	gaspdb_profile_end(c);
	error = gaspdb_log_writer_close(&c->log);

	gaspdb_size_limit_closed(c);
	if (error)
		gaspdb_complain("log '%s' could not be closed: %s",
				c->log.file.path, gaspdb_failure(error));
}

/* Stops writing at the size limit.  The log stays open, without room, for the
   counts at its end. */
static void start_counting(struct gaspdb_context *c)
{
	c->full = true; /* so no block is asked for after this last one */
	if (c->on && !gaspdb_is_profile_only(c))
		gaspdb_emit_other(c, GASPDB_RECORD_RECORDING, "uu", (uint64_t)0,
				  gaspdb_clock_ticks());
	gaspdb_throttle_emit(c);
	gaspdb_context_emit_end(c, "size limit");
	gaspdb_log_writer_flush(&c->log);
	if (!c->profile) /* it goes on */
		gaspdb_op_mask_all(c);
	c->full_limit = c->log.limit;
	c->log.limit = c->log.at;
	gaspdb_size_limit_emit(c);
}

void gaspdb_context_fail(struct gaspdb_context *c, int error)
{
	char why[128];

	if (error == GASPDB_LOG_LIMIT) {
		start_counting(c);
		return;
	}
	c->live = false;
	c->dead = true; /* so no block is asked for after this last one */
	if (c->on)
		gaspdb_emit_other(c, GASPDB_RECORD_RECORDING, "uu", (uint64_t)0,
				  gaspdb_clock_ticks());
	snprintf(why, sizeof why, "recording stopped: %s",
		 gaspdb_failure(error));
	gaspdb_emit_other(c, GASPDB_RECORD_LOST, "us", (uint64_t)0, why);
	gaspdb_context_emit_end(c, why);
	gaspdb_complain("recording stops: log '%s': %s", c->log.file.path,
			gaspdb_failure(error));
	gaspdb_op_emit_counts(c);
	close_log(c);
}

void gaspdb_context_lose(struct gaspdb_context *c)
{
	if (c->full)
		return;
	c->lost_memory++;
	gaspdb_complain("events are lost: no memory for the tables of log '%s'",
			c->log.file.path);
}

void gaspdb_context_close(struct gaspdb_context *c, const char *why)
{
	/* Not busy: later events of the thread come after the end, and are not
	   lost. */
	if (c->full)
		c->log.limit = c->full_limit;
	gaspdb_op_emit_counts(c);
	if (!c->full)
		gaspdb_context_emit_end(c, why);
	if (c->dead) /* the disk has just become full */
		return;
	c->dead = true;
	close_log(c);
}

void gaspdb_context_interrupted(void)
{
	struct gaspdb_context *c = gaspdb_current;

	if (!c || !c->busy || c->log.moving)
		return;
	c->lost_interrupted++;
	gaspdb_log_writer_give_up(&c->log);
	c->busy = 0;
}
