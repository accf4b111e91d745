/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Process attributes of the command, as if its parent had started it without
 * record in between: attributes are passed down, signals and stops both ways.
 */
#include "cli/record/inherited.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* --- attributes ----------------------------------------------------------- */

static const int timers[] = { ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF };
enum { N_TIMERS = sizeof timers / sizeof *timers };

void gaspdb_inherited_take(struct gaspdb_inherited *in)
{
	static const struct timespec now = { 0, 0 };
	static const struct itimerval none;
	sigset_t all;

	memset(in, 0, sizeof *in);
	in->self = getpid();
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &in->mask);
	sigpending(&in->pending);
	while (sigtimedwait(&in->pending, NULL, &now) > 0)
		;
	for (int i = 1; i < NSIG; i++)
		sigaction(i, NULL, &in->actions[i]);
	for (int i = 0; i < N_TIMERS; i++)
		setitimer(timers[i], &none, &in->timers[i]);
	prctl(PR_GET_CHILD_SUBREAPER, &in->subreaper);
	prctl(PR_GET_PDEATHSIG, &in->death_signal);
	signal(SIGCHLD, SIG_DFL);
}

/* Restores signal actions and pending signals. exec resets caught signals to
   the default. */
static void give_signals(const struct gaspdb_inherited *in)
{
	for (int i = 1; i < NSIG; i++)
		sigaction(i, &in->actions[i], NULL);
	for (int i = 1; i < NSIG; i++)
		if (sigismember(&in->pending, i) == 1)
			raise(i); /* stays pending: all are blocked */
	sigprocmask(SIG_SETMASK, &in->mask, NULL);
}

void gaspdb_inherited_give(const struct gaspdb_inherited *in)
{
	if (in->subreaper)
		prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (in->death_signal) {
		prctl(PR_SET_PDEATHSIG, in->death_signal);
		if (getppid() != in->self)
			raise(in->death_signal);
	}
	for (int i = 0; i < N_TIMERS; i++)
		setitimer(timers[i], &in->timers[i], NULL);
	give_signals(in);
}

void gaspdb_inherited_restore(const struct gaspdb_inherited *in)
{
	for (int i = 1; i < NSIG; i++)
		sigaction(i, &in->actions[i], NULL);
	sigprocmask(SIG_SETMASK, &in->mask, NULL);
}

/* --- signals -------------------------------------------------------------- */

static volatile sig_atomic_t child;

/* Is it a fault of this process? Then the default action ends it when the
   instruction is repeated. */
static bool is_own_fault(int number, const siginfo_t *info)
{
	return info->si_code > 0 &&
	       (number == SIGSEGV || number == SIGBUS || number == SIGILL ||
		number == SIGFPE || number == SIGTRAP || number == SIGSYS);
}

/* Forwards a signal to the command, unless the terminal sent it: then the
   command has got it too. */
static void forward(int number, siginfo_t *info, void *context)
{
	int saved = errno;

	(void)context;
	if (is_own_fault(number, info))
		signal(number, SIG_DFL);
	else if (child > 0 && info->si_code == SI_QUEUE)
		sigqueue((pid_t)child, number, info->si_value);
	else if (child > 0 && info->si_code <= 0)
		kill((pid_t)child, number);
	errno = saved;
}

/* Is the signal forwarded? Not those about children, stops or the terminal. */
static bool is_forwarded(int number)
{
	return number != SIGKILL && number != SIGSTOP && number != SIGCHLD &&
	       number != SIGCONT && number != SIGTTIN && number != SIGTTOU;
}

static void catch_one(int number)
{
	struct sigaction action = { .sa_sigaction = forward,
				    .sa_flags = SA_SIGINFO | SA_RESTART };

	sigemptyset(&action.sa_mask);
	sigaction(number, &action, NULL);
}

void gaspdb_forward_signals(pid_t command)
{
	sigset_t none;

	child = command > 0 ? (sig_atomic_t)command : 0;
	/* also ignored signals: the command may have a handler */
	for (int i = 1; i < NSIG; i++)
		if (is_forwarded(i))
			catch_one(i);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* --- stops and the end ---------------------------------------------------- */

static bool is_stopped(pid_t pid)
{
	char path[32], line[512] = "";
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	f = fopen(path, "re");
	if (!f)
		return false;
	const bool is_read = fgets(line, sizeof line, f) != NULL;
	fclose(f);
	const char *name_end = is_read ? strrchr(line, ')') : NULL;
	return name_end && name_end[1] == ' ' && name_end[2] == 'T';
}

/* Continues record when another process continues, or ends, the command. */
static void watch(pid_t command, pid_t record)
{
	static const struct timespec pause = { 0, 20000000 };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (getppid() == record) {
		if (!is_stopped(command))
			kill(record, SIGCONT);
		nanosleep(&pause, NULL);
	}
	_exit(0);
}

/* Stops record with the command, until either is continued. */
static void stop_alike(pid_t command, int number)
{
	const pid_t self = getpid();
	struct sigaction before;
	pid_t watcher = fork();

	if (watcher == 0) {
		child = 0;
		watch(command, self);
	}
	if (watcher < 0)
		return; /* nothing would continue record with the command */
	sigaction(number, NULL, &before);
	if (number != SIGSTOP)
		signal(number, SIG_DFL);
	kill(self, number);
	sigaction(number, &before, NULL);
	kill(watcher, SIGKILL);
	while (waitpid(watcher, NULL, 0) < 0 && errno == EINTR)
		;
	if (is_stopped(command))
		kill(command, SIGCONT);
}

int gaspdb_wait_for_command(pid_t command)
{
	siginfo_t info = { 0 };
	int status;

	for (;;) {
		/* not reaped yet, so that its number is not reused */
		if (waitid(P_PID, (id_t)command, &info,
			   WEXITED | WSTOPPED | WNOWAIT)) {
			if (errno == EINTR)
				continue;
			return 126;
		}
		const bool is_stop = info.si_code == CLD_STOPPED;
		if (!is_stop)
			child = 0;
		if (waitpid(command, &status, is_stop ? WUNTRACED : 0) < 0)
			return 126;
		if (WIFSTOPPED(status))
			stop_alike(command, WSTOPSIG(status));
		else
			break;
	}
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status)
				   : WEXITSTATUS(status);
}
