/* SPDX-License-Identifier: BSD-2-Clause */
/* Contexts: making, telling and closing them. */
#include "context.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "clock.h"
#include "process.h"
#include "table.h"

static _Thread_local struct gaspdb_context *current;
static _Thread_local bool making; /* open(2) and friends may be wrapped */

static pthread_key_t exit_key;
static bool has_exit_key; /* a program can use up all keys */
static pthread_once_t exit_key_once = PTHREAD_ONCE_INIT;

/* --- what a log is told --------------------------------------------------- */

static void tell(struct gaspdb_context *c, const char *key, const char *value)
{
	gaspdb_emit_other(c, GASPDB_RECORD_META, "ss", key, value);
}

static void tell_number(struct gaspdb_context *c, const char *key, int64_t v)
{
	char text[32];

	snprintf(text, sizeof text, "%lld", (long long)v);
	tell(c, key, text);
}

/* The program's arguments, as the kernel has them, joined by NUL. */
static void tell_arguments(struct gaspdb_context *c)
{
	char text[GASPDB_TEXT_MAX];
	struct gaspdb_bytes arguments = { text, 0 };
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return;
	n = read(fd, text, sizeof text);
	close(fd);
	arguments.n = n > 0 ? (size_t)n : 0;
	gaspdb_emit_other(c, GASPDB_RECORD_META, "sb", "arguments", &arguments);
}

static void tell_path(struct gaspdb_context *c, const char *key,
		      const char *link)
{
	char path[GASPDB_TEXT_MAX];
	ssize_t n = readlink(link, path, sizeof path - 1);

	if (n <= 0)
		return;
	path[n] = 0;
	tell(c, key, path);
}

static void tell_clock(struct gaspdb_context *c)
{
	struct gaspdb_clock_sample s = gaspdb_clock_sample();

	gaspdb_emit_other(c, GASPDB_RECORD_CLOCK, "uuuu", s.ticks,
			  (uint64_t)s.monotonic_ns, (uint64_t)s.realtime_ns,
			  (uint64_t)s.uncertainty_ns);
}

static void tell_birth(struct gaspdb_context *c)
{
	char job[20];

	snprintf(job, sizeof job, "%016llx",
		 (unsigned long long)gaspdb_process.dir.job);
	tell(c, "host", gaspdb_process.host);
	tell(c, "job", job);
	tell_number(c, "thread", c->number);
	tell(c, "collector", GASPDB_VERSION);
	tell_number(c, "cpu", sched_getcpu());
	tell_number(c, "user_cpus", sysconf(_SC_NPROCESSORS_ONLN));
	tell_path(c, "program", "/proc/self/exe");
	tell_path(c, "directory", "/proc/self/cwd");
	tell_arguments(c);
	tell_clock(c);
}

bool gaspdb_context_is_behind(const struct gaspdb_context *c)
{
	return c->generation != atomic_load_explicit(&gaspdb_process.generation,
						     memory_order_relaxed);
}

static void tell_segments(struct gaspdb_context *c)
{
	const struct gaspdb_process *p = &gaspdb_process;

	for (; c->n_segments < p->n_segments; c->n_segments++) {
		const struct gaspdb_segment_info *s =
			&p->segments[c->n_segments];

		gaspdb_emit_other(c, GASPDB_RECORD_SEGMENT, "uuuss",
				  (uint64_t)c->n_segments + 1,
				  (uint64_t)s->base, s->bytes, s->kind,
				  s->name);
	}
}

void gaspdb_context_catch_up(struct gaspdb_context *c)
{
	const struct gaspdb_process *p = &gaspdb_process;
	bool first;

	/* In this order: who holds the lock may wait for who is busy. */
	gaspdb_process_lock();
	if (!gaspdb_begin(c)) {
		gaspdb_process_unlock();
		return;
	}
	first = !c->told_rank && p->rank >= 0;
	c->generation = atomic_load(&p->generation);
	if (first) {
		c->told_rank = true;
		tell(c, "model", p->model);
		tell(c, "runtime", p->runtime);
		tell_number(c, "rank", p->rank);
		tell_number(c, "ranks", p->ranks);
	}
	tell_segments(c);
	gaspdb_done(c);
	gaspdb_process_unlock();
}

GASPDB_EXPORT void gaspdb_meta(const char *key, const char *value)
{
	struct gaspdb_context *c = gaspdb_context_get();

	if (c && gaspdb_begin(c)) {
		tell(c, key, value);
		gaspdb_done(c);
	}
}

GASPDB_EXPORT void gaspdb_metaf(const char *key, const char *fmt, ...)
{
	char text[GASPDB_TEXT_MAX];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	gaspdb_meta(key, text);
}

/* --- making --------------------------------------------------------------- */

static int open_log(struct gaspdb_context *c, uint32_t ordinal)
{
	const struct gaspdb_process *p = &gaspdb_process;
	struct gaspdb_log_identity id = {
		.run = p->dir.run,
		.ticks_hz = p->ticks_hz,
		.start_real_ns = gaspdb_clock_ns(CLOCK_REALTIME),
		.pid = (uint32_t)p->pid,
		.tid = (uint32_t)c->tid,
		.ordinal = ordinal,
	};
	char path[4096];
	int error = EEXIST;

	/* A process id can come back within a run, after an exec for one. */
	for (unsigned again = 0; error == EEXIST && again < 1000; again++) {
		int n = snprintf(path, sizeof path, "%s/%s-%d-%u", p->dir.path,
				 p->host, (int)p->pid, ordinal);

		if (again)
			n += snprintf(path + n, sizeof path - (size_t)n, "-%u",
				      again);
		snprintf(path + n, sizeof path - (size_t)n, "%s",
			 GASPDB_LOG_SUFFIX);
		error = gaspdb_log_writer_open(&c->log, path, &id);
	}
	if (error)
		gaspdb_complain("nothing is recorded: log '%s': %s", path,
				strerror(error));
	return error;
}

/* The process's lock is held.  Never NULL: a thread that cannot record gets a
   dead context, and so does not try again. */
static struct gaspdb_context *make_context(void)
{
	static struct gaspdb_context none = { .dead = true };
	struct gaspdb_process *p = &gaspdb_process;
	struct gaspdb_context *c;

	if (p->closed || !gaspdb_process_start())
		return &none;
	c = gaspdb_pages(sizeof *c, 1);
	if (!c)
		return &none;
	c->tid = (pid_t)syscall(SYS_gettid);
	c->number = p->n_contexts;
	c->on = true;
	c->control = 1;
	c->dead = open_log(c, p->n_contexts) != 0;
	if (c->dead)
		return c;
	p->n_contexts++;
	c->next = p->contexts;
	p->contexts = c;
	gaspdb_sites_init(c);
	c->live = true;
	c->busy = true;
	tell_birth(c);
	c->busy = false;
	return c;
}

/* A thread has ended: its log is whole. */
static void thread_exit(void *user)
{
	struct gaspdb_context *c = user;

	gaspdb_process_lock();
	if (c->live && !c->busy) {
		c->live = false;
		gaspdb_context_close(c, "thread exit");
	}
	gaspdb_process_unlock();
}

static void make_exit_key(void)
{
	has_exit_key = !pthread_key_create(&exit_key, thread_exit);
}

static GASPDB_COLD struct gaspdb_context *first_use(void)
{
	int saved = errno, cancel;

	if (making)
		return NULL;
	making = true;
	/* A thread that is being cancelled must not die with the lock. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	gaspdb_process_lock();
	current = make_context();
	gaspdb_process_unlock();
	pthread_once(&exit_key_once, make_exit_key);
	if (current->live) {
		if (has_exit_key)
			pthread_setspecific(exit_key, current);
		gaspdb_context_catch_up(current);
	}
	pthread_setcancelstate(cancel, NULL);
	making = false;
	errno = saved;
	return current->live ? current : NULL;
}

struct gaspdb_context *gaspdb_context_get(void)
{
	struct gaspdb_context *c = current;

	if (GASPDB_LIKELY(c && c->live))
		return c;
	/* At the end the lock is held: a signal handler must not wait for it.
	 */
	if ((c && c->dead) || gaspdb_process.closed)
		return NULL;
	return first_use();
}

struct gaspdb_context *gaspdb_context_for(const char *model)
{
	struct gaspdb_context *c = gaspdb_context_get();

	if (c && !c->model) {
		c->model = model;
		gaspdb_meta("model", model);
	}
	return c;
}

/* --- closing -------------------------------------------------------------- */

void gaspdb_context_fail(struct gaspdb_context *c, int error)
{
	c->live = false;
	c->dead = true;
	gaspdb_log_file_finish(&c->log.file,
			       c->log.offset +
				       (uint64_t)(c->log.at - c->log.block));
	gaspdb_complain("recording stops: log '%s': %s", c->log.file.path,
			strerror(error));
}

void gaspdb_context_close(struct gaspdb_context *c, const char *why)
{
	int error;

	c->busy = true;
	gaspdb_op_tell_nested(c);
	if (c->lost_interrupted)
		gaspdb_emit_other(c, GASPDB_RECORD_LOST, "us",
				  (uint64_t)c->lost_interrupted,
				  "raised while another was being written");
	tell_clock(c);
	tell(c, "end", why);
	c->busy = false;
	if (c->dead) /* the disk was full just now */
		return;
	c->dead = true;
	error = gaspdb_log_writer_close(&c->log);
	if (error)
		gaspdb_complain("log '%s' could not be closed: %s",
				c->log.file.path, strerror(error));
}
