/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Execution of the recorded command, as if started directly, except for the
   environment that loads the collector. */
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

#include "cli/output/text.h"
#include "cli/record/inherited.h"
#include "cli/record/record.h"
#include "common/memory.h"

/* Value that the dynamic loader uses: the last one of a repeated variable.
   NULL: none. */
static const char *last_value(const char *name)
{
	const size_t n = strlen(name);
	const char *value = NULL;

	for (char **e = environ; e && *e; e++)
		if (!strncmp(*e, name, n) && (*e)[n] == '=')
			value = *e + n + 1;
	return value;
}

/* Sets a variable and removes repetitions. */
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
 * Keeps AddressSanitizer from refusing to start because a library is loaded
 * before its runtime. The preload library also sets this default, but a program
 * may define its own.
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

/* Puts the preload libraries in front of what the user preloads. */
static void set_preload(const struct gaspdb_recording *r)
{
	const char *before = last_value("LD_PRELOAD");
	char *io =
		gaspdb_text_format(":%s/" GASPDB_IO_LIBRARY, r->library_folder);
	char *memory = gaspdb_text_format(":%s/" GASPDB_MEMORY_LIBRARY,
					  r->library_folder);
	char *preload = gaspdb_text_format(
		"%s/" GASPDB_PRELOAD_LIBRARY "%s%s%s%s", r->library_folder,
		r->io ? io : "", r->memory ? memory : "",
		before && *before ? ":" : "", before ? before : "");

	set_variable("LD_PRELOAD", preload);
	free(preload);
	free(memory);
	free(io);
}

/* Names the programs whose memory is recorded also without a runtime. */
static void set_programs(const struct gaspdb_recording *r)
{
	struct gaspdb_programs programs;
	char *names = gaspdb_text_copy("", 0);

	gaspdb_programs_find(&programs, r->command);
	for (int i = 0; i < programs.n; i++) {
		const char *slash = strrchr(programs.names[i], '/');
		char *more = gaspdb_text_format(
			"%s%s%s", names, *names ? ":" : "",
			slash ? slash + 1 : programs.names[i]);

		free(names);
		names = more;
	}
	gaspdb_programs_free(&programs);
	set_variable("GASPDB_PROGRAMS", names);
	free(names);
}

static void set_environment(const struct gaspdb_recording *r)
{
	set_preload(r);
	permit_preload_with_asan();
	set_variable("GASPDB_DIR", r->directory);
	set_run_id();
	if (r->nested)
		set_variable("GASPDB_NESTED", "1");
	if (r->io)
		set_variable("GASPDB_IO", "1");
	if (r->memory) {
		set_variable("GASPDB_MEMORY", "1");
		set_programs(r);
	}
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
	if (r->throttle)
		set_variable("GASPDB_THROTTLE", r->throttle);
	if (r->mode)
		set_variable("GASPDB_MODE", r->mode);
	if (r->sync_collectives)
		set_variable("GASPDB_SYNC_COLLECTIVES", "1");
	if (r->clock_sampling)
		set_variable("GASPDB_CLOCK_SAMPLING", r->clock_sampling);
	if (r->filter_path)
		set_variable("GASPDB_FILTER", r->filter_path);
	/* That of a surrounding recording has another directory. */
	set_variable("GASPDB_SELECTION", r->has_selection ? "1" : "0");
	if (r->start)
		set_variable("GASPDB_START", r->start);
	if (r->phase)
		set_variable("GASPDB_PHASE", r->phase);
}

/* Copies the array of pointers to variables; setenv() does not change the
   strings in place. */
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

/* Message from the child: why it runs unrecorded, or cannot run. */
struct report {
	int unrecorded, error; /* errno values; 0 */
};

/* Executes the command in the child, or reports to the parent why not. */
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
		/* the collector's variables may exceed the limit */
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

/* Waits until the child has executed the command, or failed. */
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

/* Runs the command. Returns 0 or errno. */
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
	const struct report received = read_report(report[0]);
	r->unrecorded = received.unrecorded;
	r->status = gaspdb_wait_for_command(pid);
	return received.error;
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
