/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Running the recorded command: as if it had been started without us, but for
 * the environment that makes the collector come in.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/memory.h"
#include "cli/record/record.h"
#include "cli/record/inherited.h"
#include "cli/output/text.h"

/*
 * The value that the dynamic loader takes: where a variable is there several
 * times that is the last one.  NULL: there is none.
 */
static const char *last_value(const char *name)
{
	const size_t n = strlen(name);
	const char *value = NULL;

	for (char **e = environ; e && *e; e++)
		if (!strncmp(*e, name, n) && (*e)[n] == '=')
			value = *e + n + 1;
	return value;
}

/* The only one of its name. */
static void set_variable(const char *name, const char *value)
{
	unsetenv(name);
	setenv(name, value, 1);
}

static void set_run_id(void)
{
	char text[17];
	uint64_t id = 0;

	while (id == 0)
		if (getrandom(&id, sizeof id, 0) != sizeof id)
			id = (uint64_t)time(NULL) << 32 ^ (uint64_t)getpid();
	snprintf(text, sizeof text, "%016" PRIx64, id);
	set_variable("GASPDB_RUN_ID", text);
}

/*
 * AddressSanitizer's runtime is not to refuse to start because a library comes
 * before it.  The preload library answers its question for defaults, but a
 * program may have an answer of its own.
 */
static void permit_preload_with_asan(void)
{
	const char *before = last_value("ASAN_OPTIONS");
	char *options = gaspdb_text_format("%s%sverify_asan_link_order=0",
					   before ? before : "",
					   before && *before ? ":" : "");

	set_variable("ASAN_OPTIONS", options);
	free(options);
}

static void set_environment(const struct gaspdb_recording *r)
{
	const char *before = last_value("LD_PRELOAD");
	char *preload = gaspdb_text_format(
		"%s/" GASPDB_PRELOAD_LIBRARY "%s%s", r->library_folder,
		before && *before ? ":" : "", before ? before : "");

	set_variable("LD_PRELOAD", preload);
	permit_preload_with_asan();
	set_variable("GASPDB_DIR", r->directory);
	set_run_id();
	if (r->nested)
		set_variable("GASPDB_NESTED", "1");
	if (r->stack_depth > 0) {
		char depth[12];
		snprintf(depth, sizeof depth, "%u", r->stack_depth);
		set_variable("GASPDB_STACK", depth);
	}
	if (r->max_log_bytes) {
		char bytes[24];
		snprintf(bytes, sizeof bytes, "%" PRId64, r->max_log_bytes);
		set_variable("GASPDB_MAX_LOG_SIZE", bytes);
	}
	if (r->max_run_bytes >= 0) {
		char bytes[24];
		snprintf(bytes, sizeof bytes, "%" PRId64, r->max_run_bytes);
		set_variable("GASPDB_MAX_RUN_SIZE", bytes);
	}
	if (r->only)
		set_variable("GASPDB_ONLY", r->only);
	if (r->except)
		set_variable("GASPDB_EXCEPT", r->except);
	free(preload);
}

/* Pointers to the variables as they are now; setenv changes none of them in
   place. */
static char **copy_environment(void)
{
	size_t n = 0;

	while (environ && environ[n])
		n++;
	char **copy = gaspdb_mem_alloc((n + 1) * sizeof *copy);
	if (n)
		memcpy(copy, environ, n * sizeof *copy);
	copy[n] = NULL;
	return copy;
}

/* What the child has to say: why it goes on unrecorded, or cannot go on. */
struct report {
	int unrecorded, error; /* errno values; 0 */
};

/* In the child: become the command, or tell the parent why not. */
static void become(const struct gaspdb_recording *r, int fd,
		   const struct gaspdb_inherited *in)
{
	struct report report = { 0 };
	char **before = copy_environment();
	const bool is_recorded = r->directory && r->library_folder;

	if (is_recorded)
		set_environment(r);
	gaspdb_inherited_give(in);
	execvp(r->command[0], r->command);
	report.error = errno;
	if (report.error == E2BIG && is_recorded) {
		/* Our variables may have been what is too much. */
		report = (struct report){ E2BIG, 0 };
		if (write(fd, &report, sizeof report) < 0)
			_exit(126);
		environ = before;
		execvp(r->command[0], r->command);
		report.error = errno;
	}
	if (write(fd, &report, sizeof report) < 0)
		_exit(126);
	_exit(report.error == ENOENT ? 127 : 126);
}

static int64_t real_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Wait until the child is the command, or cannot be. */
static struct report read_report(int fd)
{
	struct report report = { 0 }, next;
	ssize_t n;

	while ((n = read(fd, &next, sizeof next)) == sizeof next ||
	       (n < 0 && errno == EINTR))
		if (n == sizeof next)
			report = next;
	return report;
}

/* Returns errno's value if it cannot be run; else 0. */
static int run_command(struct gaspdb_recording *r, const int report[2],
		       const struct gaspdb_inherited *in)
{
	pid_t pid = fork();

	if (pid == 0)
		become(r, report[1], in);
	const int error = pid < 0 ? errno : 0;
	gaspdb_forward_signals(pid);
	close(report[1]);
	if (error)
		return error;
	const struct report told = read_report(report[0]);
	r->unrecorded = told.unrecorded;
	r->status = gaspdb_wait_for_command(pid);
	return told.error;
}

void gaspdb_record_run(struct gaspdb_recording *r)
{
	struct gaspdb_inherited in;
	int report[2];

	r->start_ns = r->end_ns = real_ns();
	r->status = 126;
	fflush(NULL);
	if (pipe2(report, O_CLOEXEC)) {
		gaspdb_print_error("cannot make a pipe: %s", strerror(errno));
		return;
	}
	gaspdb_inherited_take(&in);
	const int error = run_command(r, report, &in);
	close(report[0]);
	gaspdb_inherited_restore(&in);
	r->end_ns = real_ns();
	r->started = error == 0;
	if (error)
		gaspdb_print_error("cannot run '%s': %s", r->command[0],
				   strerror(error));
}
