/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Time ready without a processor: the elapsed time less the processor time, if
 * the thread has not switched voluntarily.  If it has, the kernel's run queue
 * delay (/proc/thread-self/schedstat) separates waiting from sleeping.  That
 * file is read only where time is missing.  It does not stay open, because
 * programs close descriptors that they do not know.
 */
#include "collector/core/processor.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collector/base/clock.h"
#include "collector/base/undisturbed.h"
#include "collector/core/emit.h"
#include "collector/core/event.h"
#include "collector/process/process.h"

/* Shorter losses are interrupts and wake-ups. */
#define LEAST_NS 50000
/* Least rate of samples. */
#define SAMPLES_PER_SECOND 250
/* Least rate of readings of the kernel's counts. */
#define READS_PER_SECOND 16
#define RECORD_ROOM	 64

int gaspdb_processors_online(void)
{
	return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

/* The allowed processors, for CPU_FREE; NULL: not known. */
static cpu_set_t *allowed_set(size_t *bytes)
{
	enum { FIRST = 1024, MOST = 1 << 16 };

	for (int n = FIRST; n <= MOST; n *= 4) {
		cpu_set_t *set = CPU_ALLOC(n);

		*bytes = CPU_ALLOC_SIZE(n);
		if (set && !sched_getaffinity(0, *bytes, set))
			return set;
		CPU_FREE(set);
	}
	return NULL;
}

int gaspdb_processors_allowed(void)
{
	size_t bytes;
	cpu_set_t *set = allowed_set(&bytes);
	const int n = set ? CPU_COUNT_S(bytes, set) : 0;

	CPU_FREE(set);
	return n;
}

static void list(const cpu_set_t *set, size_t bytes, char *text, size_t size)
{
	const int n = (int)(8 * bytes);
	size_t used = 0;

	for (int first = 0, next; first < n; first = next + 1) {
		next = first;
		while (next < n && CPU_ISSET_S(next, bytes, set))
			next++;
		if (next == first)
			continue;
		used += (size_t)snprintf(text + used, size - used,
					 next > first + 1 ? "%s%d-%d" : "%s%d",
					 used ? "," : "", first, next - 1);
		if (used >= size) {
			*text = 0;
			return;
		}
	}
}

void gaspdb_processors_list(char *text, size_t size)
{
	size_t bytes;
	cpu_set_t *set = allowed_set(&bytes);

	*text = 0;
	if (set)
		list(set, bytes, text, size);
	CPU_FREE(set);
}

static int64_t ns_of(uint64_t ticks)
{
	return (int64_t)((double)(int64_t)ticks * 1e9 /
			 (double)gaspdb_process.ticks_hz);
}

static int64_t switches(void)
{
	struct rusage r;

	return getrusage(RUSAGE_THREAD, &r) ? 0 : r.ru_nvcsw;
}

/* The thread's run queue delay in ns; -1: the kernel does not count it. */
static int64_t read_delay(void)
{
	struct gaspdb_disturbance outside = gaspdb_undisturbed_begin();
	const int saved = errno;
	char text[96], *rest;
	ssize_t n = -1;
	const int fd = (int)syscall(SYS_openat, AT_FDCWD,
				    "/proc/thread-self/schedstat",
				    O_RDONLY | O_CLOEXEC);

	if (fd >= 0) {
		n = read(fd, text, sizeof text - 1);
		close(fd);
	}
	errno = saved;
	gaspdb_undisturbed_end(outside);
	if (n <= 0)
		return -1;
	text[n] = 0;
	strtoll(text, &rest, 10);
	return *rest == ' ' ? strtoll(rest, NULL, 10) : -1;
}

static void read_counts(struct gaspdb_processor *p, uint64_t now)
{
	p->switches = switches();
	p->delay_ns = read_delay();
	p->read_ticks = now;
}

/* The part of off_ns, off the processor, in which the thread was ready. */
static int64_t unserved_of(struct gaspdb_processor *p, int64_t off_ns,
			   uint64_t now)
{
	const struct gaspdb_processor before = *p;
	int64_t delay_ns;

	read_counts(p, now);
	if (p->switches == before.switches)
		return off_ns;
	delay_ns = p->delay_ns - before.delay_ns;
	if (before.delay_ns < 0 || delay_ns < 0)
		return 0;
	return delay_ns < off_ns ? delay_ns : off_ns;
}

/* A folded polling loop is one event, which may have begun long ago. */
bool gaspdb_processor_is_due(const struct gaspdb_context *c, uint64_t ticks)
{
	const uint64_t due = c->profile ? c->processor.due : c->log.due_ticks;

	return ticks >= due ||
	       (due != UINT64_MAX &&
		ticks - c->log.last_ticks >= GASPDB_LONG_TICKS &&
		ticks - c->processor.ticks >= GASPDB_LONG_TICKS);
}

int64_t gaspdb_processor_sample(struct gaspdb_context *c)
{
	struct gaspdb_processor *p = &c->processor;
	const uint64_t hz = gaspdb_process.ticks_hz;
	/* In this order: a thread loses its processor in a system call, which
	   then comes after the event. */
	const uint64_t now = gaspdb_clock_ticks();
	const int64_t used_ns = gaspdb_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	int64_t off_ns, unserved_ns = 0;

	if (!p->ticks) {
		read_counts(p, now);
	} else {
		off_ns = ns_of(now - p->ticks) - (used_ns - p->used_ns);
		if (off_ns >= LEAST_NS)
			unserved_ns = unserved_of(p, off_ns, now);
		else if (now - p->read_ticks > hz / READS_PER_SECOND)
			read_counts(p, now);
	}
	p->ticks = now;
	p->used_ns = used_ns;
	p->unserved_ns += unserved_ns;
	p->due = now + hz / SAMPLES_PER_SECOND;
	if (!c->profile)
		c->log.due_ticks = p->due;
	return unserved_ns;
}

static void put(struct gaspdb_context *c, uint64_t ticks, int64_t unserved_ns)
{
	struct gaspdb_processor *p = &c->processor;

	gaspdb_emit_other(c, GASPDB_RECORD_PROCESSOR, "uuuu", ticks,
			  (uint64_t)p->used_ns, (uint64_t)unserved_ns,
			  (uint64_t)p->unserved_ns);
	p->emitted_ticks = p->ticks;
}

void gaspdb_processor_begin(struct gaspdb_context *c)
{
	gaspdb_processor_sample(c);
	c->processor.emitted_ticks = c->processor.ticks;
}

/* The record goes into the event's block: in a new block it would take the
   block change for its own.  A block's last event has none. */
void gaspdb_processor_emit(struct gaspdb_context *c, uint64_t ticks)
{
	const struct gaspdb_processor *p = &c->processor;
	const int64_t unserved_ns = gaspdb_processor_sample(c);

	if (c->failed_poll)
		return;
	if ((unserved_ns >= LEAST_NS ||
	     p->ticks - p->emitted_ticks > gaspdb_process.ticks_hz) &&
	    gaspdb_log_writer_fits(&c->log, GASPDB_EVENT_ROOM + RECORD_ROOM))
		put(c, ticks, unserved_ns);
}

void gaspdb_processor_emit_end(struct gaspdb_context *c)
{
	int64_t unserved_ns;

	if (c->tid != (pid_t)syscall(SYS_gettid))
		return;
	unserved_ns = gaspdb_processor_sample(c);
	put(c, c->processor.ticks, unserved_ns);
}
