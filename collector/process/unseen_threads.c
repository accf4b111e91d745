/* SPDX-License-Identifier: BSD-2-Clause */
/* Counted, not watched: the system tells how many threads a process has. */
#include "collector/process/unseen_threads.h"

#include <sys/stat.h>

#include "collector/core/collector.h"
#include "collector/core/context.h"
#include "collector/process/process.h"

static long of_runtime; /* threads without a log when it had started */

/* Threads that have no log; -1: not known. */
static long count(void)
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

void gaspdb_unseen_threads_begin(void)
{
	of_runtime = count();
}

void gaspdb_unseen_threads_end(void)
{
	const long n = of_runtime < 0 ? 0 : count() - of_runtime;

	if (n > 0)
		gaspdb_metaf("not_seen",
			     "%ld more threads of the process than when its "
			     "runtime had started, as OpenMP's, made no call "
			     "that is recorded: what they do is not known",
			     n);
}
