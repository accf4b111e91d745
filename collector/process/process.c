/* SPDX-License-Identifier: BSD-2-Clause */
/* The process's state: its lock, its forked children, its run directory. */
#include "collector/process/process.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "collector/base/clock.h"
#include "collector/base/environment.h"
#include "collector/base/pages.h"
#include "collector/core/collector.h"
#include "collector/log/failure.h"

struct gaspdb_process gaspdb_process = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.rank = -1,
	.ranks = -1,
};

/*
 * State of gaspdb_process, in a page that a forked child finds zero.  A vfork's
 * child shares it: that is no process of its own until it executes a program.
 */
static atomic_int *owner;
enum { UNOWNED, CHANGING, OWNED };

static struct gaspdb_stderr first_stderr; /* at the program's start */

static void disown(void)
{
	*owner = UNOWNED;
}

/* GASPDB_STACK, at most GASPDB_STACK_MAX; 0 if it is no number. */
static unsigned read_stack_depth(void)
{
	const char *text = gaspdb_getenv("GASPDB_STACK");
	char *end;
	unsigned long n = text ? strtoul(text, &end, 10) : 0;

	if (!n || *end || *text == '-')
		return 0;
	return n < GASPDB_STACK_MAX ? (unsigned)n : GASPDB_STACK_MAX;
}

__attribute__((constructor)) void gaspdb_process_load(void)
{
	static bool loaded;

	if (loaded || gaspdb_is_privileged())
		return;
	loaded = true;
	first_stderr = gaspdb_stderr_identify();
	gaspdb_clock_init();
	gaspdb_run_dir_note_process();
	gaspdb_process.pid = getpid();
	gaspdb_process.nested = gaspdb_env_asks("GASPDB_NESTED");
	gaspdb_process.stack_depth = read_stack_depth();
	owner = gaspdb_pages(sizeof *owner);
	if (!owner)
		return;
	if (!gaspdb_wipe_on_fork(owner, sizeof *owner))
		pthread_atfork(NULL, NULL, disown);
	*owner = OWNED;
}

/* --- the lock, and forked children ---------------------------------------- */

#define END_WAIT_S 4

bool gaspdb_wipe_on_fork(void *pages, size_t bytes)
{
	const int saved = errno;
	const bool ok = !madvise(pages, bytes, MADV_WIPEONFORK);

	errno = saved;
	return ok;
}

/*
 * Resets the state in a forked child: the contexts are the parent's, and the
 * lock may be held by a thread that the child lacks.  `complained` stays.
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

/* Several first threads of a child can get here at once. */
static void adopt_process(void)
{
	int expected = UNOWNED;

	if (!owner) {
		if (gaspdb_process.pid != getpid())
			become_child();
		return;
	}
	if (GASPDB_LIKELY(*owner == OWNED))
		return;
	if (atomic_compare_exchange_strong(owner, &expected, CHANGING)) {
		become_child();
		*owner = OWNED;
	}
	while (*owner != OWNED)
		sched_yield();
}

void gaspdb_process_lock(void)
{
	const struct gaspdb_disturbance before = gaspdb_undisturbed_begin();

	adopt_process();
	pthread_mutex_lock(&gaspdb_process.lock);
	gaspdb_process.before = before;
}

bool gaspdb_process_lock_at_end(void)
{
	const struct gaspdb_disturbance before = gaspdb_undisturbed_begin();
	struct timespec until;

	adopt_process();
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += END_WAIT_S;
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
	syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0,
		0);
	return true;
}

/* --- stderr --------------------------------------------------------------- */

void gaspdb_process_stderr(const struct gaspdb_stderr *first)
{
	if (first->known)
		first_stderr = *first;
}

void gaspdb_process_emit(const char *line, size_t n)
{
	if (gaspdb_stderr_is(&first_stderr))
		gaspdb_stderr_line(line, n);
}

GASPDB_EXPORT void gaspdb_complain(const char *fmt, ...)
{
	int saved = errno;
	static char line[4096 + 512]; /* room for a path; one line a process */
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
