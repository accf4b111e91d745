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

#include "record.h"
#include "text.h"

static const int forwarded[] = { SIGINT,  SIGTERM, SIGHUP,
				 SIGQUIT, SIGUSR1, SIGUSR2 };
enum { N_FORWARDED = sizeof forwarded / sizeof *forwarded };

static volatile sig_atomic_t child;

/*
 * What a process sent us was meant for the command.  What the terminal sent
 * reached the command too: to send it again would be one Ctrl-C too many.
 */
static void forward(int number, siginfo_t *info, void *context)
{
	int saved = errno;

	(void)context;
	if (child > 0 && info->si_code <= 0)
		kill((pid_t)child, number);
	errno = saved;
}

static void forward_signals(struct sigaction *before)
{
	struct sigaction action = { .sa_sigaction = forward,
				    .sa_flags = SA_SIGINFO | SA_RESTART };

	sigemptyset(&action.sa_mask);
	for (int i = 0; i < N_FORWARDED; i++) {
		sigaction(forwarded[i], NULL, &before[i]);
		/* Ignored signals stay so, for us and for the command. */
		if (before[i].sa_handler != SIG_IGN)
			sigaction(forwarded[i], &action, NULL);
	}
}

static void restore_signals(const struct sigaction *before)
{
	for (int i = 0; i < N_FORWARDED; i++)
		sigaction(forwarded[i], &before[i], NULL);
}

static void set_run_id(void)
{
	char text[17];
	uint64_t id = 0;

	while (id == 0)
		if (getrandom(&id, sizeof id, 0) != sizeof id)
			id = (uint64_t)time(NULL) << 32 ^ (uint64_t)getpid();
	snprintf(text, sizeof text, "%016" PRIx64, id);
	setenv("GASPDB_RUN_ID", text, 1);
}

/*
 * AddressSanitizer's runtime is not to refuse to start because a library comes
 * before it.  The preload library answers its question for defaults, but a
 * program may have an answer of its own.
 */
static void permit_preload_with_asan(void)
{
	const char *before = getenv("ASAN_OPTIONS");
	char *options = gaspdb_text_format("%s%sverify_asan_link_order=0",
					   before ? before : "",
					   before && *before ? ":" : "");

	setenv("ASAN_OPTIONS", options, 1);
	free(options);
}

static void set_environment(const struct gaspdb_recording *r)
{
	const char *before = getenv("LD_PRELOAD");
	char *preload = gaspdb_text_format(
		"%s/" GASPDB_PRELOAD_LIBRARY "%s%s", r->library_folder,
		before && *before ? ":" : "", before ? before : "");

	setenv("LD_PRELOAD", preload, 1);
	permit_preload_with_asan();
	setenv("GASPDB_DIR", r->directory, 1);
	set_run_id();
	if (r->nested)
		setenv("GASPDB_NESTED", "1", 1);
	if (r->max_log_bytes) {
		char bytes[24];
		snprintf(bytes, sizeof bytes, "%" PRId64, r->max_log_bytes);
		setenv("GASPDB_MAX_LOG_SIZE", bytes, 1);
	}
	if (r->only)
		setenv("GASPDB_ONLY", r->only, 1);
	if (r->except)
		setenv("GASPDB_EXCEPT", r->except, 1);
	free(preload);
}

/* In the child: become the command, or tell the parent why not. */
static void become(const struct gaspdb_recording *r, int report,
		   const sigset_t *mask)
{
	if (r->directory && r->library_folder)
		set_environment(r);
	sigprocmask(SIG_SETMASK, mask, NULL);
	execvp(r->command[0], r->command);
	int error = errno;
	if (write(report, &error, sizeof error) < 0)
		_exit(126);
	_exit(error == ENOENT ? 127 : 126);
}

static int wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return 126;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status)
				   : WEXITSTATUS(status);
}

static int64_t real_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static pid_t start(struct gaspdb_recording *r, int report[2])
{
	sigset_t all, mask;

	/* A signal between fork and handler would be lost on the way. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &mask);
	pid_t pid = fork();
	if (pid == 0) {
		for (int i = 0; i < N_FORWARDED; i++)
			if (signal(forwarded[i], SIG_DFL) == SIG_IGN)
				signal(forwarded[i], SIG_IGN);
		become(r, report[1], &mask);
	}
	child = pid > 0 ? (sig_atomic_t)pid : 0;
	sigprocmask(SIG_SETMASK, &mask, NULL);
	return pid;
}

/* Wait until the child is the command: 0, or why it cannot be. */
static int read_report(int report)
{
	int error = 0;
	ssize_t n;

	while ((n = read(report, &error, sizeof error)) < 0 && errno == EINTR)
		;
	return n == sizeof error ? error : 0;
}

void gaspdb_record_run(struct gaspdb_recording *r)
{
	struct sigaction before[N_FORWARDED];
	int report[2], error;

	r->start_ns = r->end_ns = real_ns();
	r->status = 126;
	fflush(NULL);
	if (pipe2(report, O_CLOEXEC)) {
		gaspdb_print_error("cannot make a pipe: %s", strerror(errno));
		return;
	}
	forward_signals(before);
	pid_t pid = start(r, report);
	error = pid < 0 ? errno : 0;
	close(report[1]);
	if (pid > 0) {
		error = read_report(report[0]);
		r->status = wait_for(pid);
	}
	child = 0;
	close(report[0]);
	restore_signals(before);
	r->end_ns = real_ns();
	r->started = error == 0;
	if (error)
		gaspdb_print_error("cannot run '%s': %s", r->command[0],
				   strerror(error));
}
