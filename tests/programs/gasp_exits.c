/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gasp_exits HOW N: a function is entered and not left, N steps numbered from
 * 1 follow, then the program does what HOW says: mostly, it ends.  What comes
 * after is in the comments below; the test knows each number that must be
 * there.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gasp.h>
#include <gasp_upc.h>

static gasp_context_t context;
static unsigned step;
static char *self;
static long n;

static void raise_steps(gasp_context_t c, unsigned tag, long first, long last)
{
	for (long i = first; i <= last; i++)
		gasp_event_notify(c, tag, GASP_ATOMIC, "e.c", (int)(i % 50), 0,
				  i);
}

static void more(long first, long last)
{
	raise_steps(context, step, first, last);
}

static void begin(void)
{
	context = gasp_init(GASP_MODEL_UPC, NULL, NULL);
	step = gasp_create_event(context, "step", "number %ld");
	gasp_event_notify(context, GASP_C_FUNC, GASP_START, "e.c", 99, 0,
			  "main");
}

/* --- ends ----------------------------------------------------------------- */

static void by_exit(void)
{
	exit(3);
}

static void by__exit(void)
{
	_exit(3);
}

static void by_quick_exit(void)
{
	quick_exit(3);
}

static void by_kill(void)
{
	kill(getpid(), SIGKILL);
}

static void by_segv(void)
{
	volatile int *volatile nowhere = NULL;

	*nowhere = 0;
}

static void on_segv(int number)
{
	(void)number;
	_exit(7);
}

static void by_own_segv(void)
{
	signal(SIGSEGV, on_segv);
	by_segv();
}

/* --- forks ---------------------------------------------------------------- */

static void wait_child(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid || status)
		exit(9);
}

/* The child: 1001..1000+n with what it inherited, one event of its own. */
static void by_fork(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		more(1001, 1000 + n);
		raise_steps(context, gasp_create_event(context, "own", "%ld"),
			    1, 5);
		exit(0);
	}
	wait_child(pid);
	more(n + 1, 2 * n);
}

/* Off at the fork: the child is off until it switches on. */
static void by_fork_off(void)
{
	pid_t pid;

	gasp_control(context, 0);
	pid = fork();
	if (pid == 0) {
		more(1, 10);
		if (gasp_control(context, 1) != 0)
			exit(8);
		more(1001, 1010);
		_exit(0);
	}
	wait_child(pid);
}

/* A hundred children that do nothing leave nothing. */
static void by_idle_forks(void)
{
	for (int i = 0; i < 100; i++) {
		pid_t pid = fork();

		if (pid == 0)
			exit(0);
		wait_child(pid);
	}
	more(n + 1, 2 * n);
}

/* As system() does it; events in there are this thread's. */
static void by_vfork(void)
{
	pid_t pid = vfork();

	if (pid == 0) {
		more(n + 1, n + 10);
		_exit(0);
	}
	wait_child(pid);
	more(n + 11, 2 * n);
}

static void *in_vfork(void *unused)
{
	gasp_context_t c;
	pid_t pid = vfork();

	if (pid == 0) { /* this thread's first events of all */
		c = gasp_init(GASP_MODEL_UPC, NULL, NULL);
		raise_steps(c, gasp_create_event(c, "step", "%ld"), 1, 10);
		_exit(0);
	}
	wait_child(pid);
	return unused;
}

static void by_first_in_vfork(void)
{
	pthread_t t;

	pthread_create(&t, NULL, in_vfork, NULL);
	pthread_join(t, NULL);
	more(n + 1, 2 * n);
}

static void by_spawn(void)
{
	char *argv[] = { "true", NULL };
	extern char **environ;
	pid_t pid;

	if (posix_spawnp(&pid, "true", NULL, NULL, argv, environ))
		exit(9);
	wait_child(pid);
	if (system("exit 0"))
		exit(9);
	more(n + 1, 2 * n);
}

static void by_exec(void)
{
	execl(self, self, "return", "7", (char *)NULL);
}

static void by_exec_other(void)
{
	execlp("true", "true", (char *)NULL);
}

/* --- what a program does to its process ----------------------------------- */

static void by_closefrom(void)
{
	for (int fd = 3; fd < 1024; fd++)
		close(fd);
	more(n + 1, 2 * n);
}

/* Descriptors that are not closed, but meant for something else. */
static void by_dup2(void)
{
	int fd = open("/dev/null", O_RDWR);

	for (int to = 3; to < 64; to++)
		if (to != fd)
			dup2(fd, to);
	more(n + 1, 2 * n);
}

static void by_chdir(void)
{
	if (chdir("/"))
		exit(9);
	more(n + 1, 2 * n);
}

static void by_nofile(void)
{
	setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 0, 0 });
	more(n + 1, 2 * n);
}

static void by_chroot(void)
{
	if (chroot("/proc"))
		exit(77);
	more(n + 1, 2 * n);
}

/* The run directory goes, with all that is in it. */
static void by_rmdir(void)
{
	if (system("rm -r \"$GASPDB_DIR\""))
		exit(9);
	more(n + 1, 2 * n);
}

/* --- threads -------------------------------------------------------------- */

static pthread_barrier_t barrier;
static volatile int go_on = 1;

/* Steps without end. */
static void *write_on(void *unused)
{
	gasp_context_t c = gasp_init(GASP_MODEL_UPC, NULL, NULL);
	unsigned tag = gasp_create_event(c, "step", "%ld");

	raise_steps(c, tag, 1, n);
	pthread_barrier_wait(&barrier);
	for (long i = n + 1; go_on; i++)
		raise_steps(c, tag, i, i);
	return unused;
}

static void start_writers(int count, pthread_t *threads)
{
	pthread_barrier_init(&barrier, NULL, (unsigned)count + 1);
	for (int i = 0; i < count; i++)
		pthread_create(&threads[i], NULL, write_on, NULL);
	pthread_barrier_wait(&barrier);
}

/* Three go on writing while the exit handlers run. */
static void by_detached(void)
{
	pthread_t threads[3];

	start_writers(3, threads);
	for (int i = 0; i < 3; i++)
		pthread_detach(threads[i]);
	exit(0);
}

/* Twice n steps, the second half when main has been gone for long. */
static void *outlive(void *main_thread)
{
	gasp_context_t c = gasp_init(GASP_MODEL_UPC, NULL, NULL);
	unsigned tag = gasp_create_event(c, "step", "%ld");

	raise_steps(c, tag, 1, n);
	pthread_join(*(pthread_t *)main_thread, NULL);
	raise_steps(c, tag, n + 1, 2 * n);
	return NULL;
}

static void by_pthread_exit(void)
{
	static pthread_t main_thread;
	pthread_t t;

	main_thread = pthread_self();
	pthread_create(&t, NULL, outlive, &main_thread);
	pthread_exit(NULL);
}

static void *write_cancelled(void *c)
{
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	return write_on(c);
}

/* Cancelled at any instruction, 20 times. */
static void by_cancel(void)
{
	pthread_t t;

	pthread_barrier_init(&barrier, NULL, 2);
	for (int i = 0; i < 20; i++) {
		pthread_create(&t, NULL, write_cancelled, NULL);
		pthread_barrier_wait(&barrier);
		usleep(300);
		pthread_cancel(t);
		pthread_join(t, NULL);
	}
}

static void *write_some(void *unused)
{
	gasp_context_t c = gasp_init(GASP_MODEL_UPC, NULL, NULL);

	raise_steps(c, gasp_create_event(c, "step", "%ld"), 1, n);
	return unused;
}

/* No key is left for a thread's end to be told by. */
static void by_keys(void)
{
	pthread_key_t key;
	pthread_t t;

	while (!pthread_key_create(&key, NULL))
		;
	pthread_create(&t, NULL, write_some, NULL);
	pthread_join(t, NULL);
}

static pthread_key_t late;

static void write_late(void *c)
{
	raise_steps(c, GASP_UPC_USEREVT_START, n + 1, 2 * n);
}

static void *write_in_destructor(void *unused)
{
	gasp_context_t c = gasp_init(GASP_MODEL_UPC, NULL, NULL);

	raise_steps(c, gasp_create_event(c, "step", "%ld"), 1, n);
	pthread_setspecific(late, c);
	return unused;
}

/* A destructor that runs later than ours would. */
static void by_destructor(void)
{
	pthread_t t;

	pthread_key_create(&late, write_late);
	pthread_create(&t, NULL, write_in_destructor, NULL);
	pthread_join(t, NULL);
}

/* --- signal handlers ------------------------------------------------------ */

static volatile sig_atomic_t handled;

static void on_alarm(int number)
{
	(void)number;
	handled++;
	gasp_event_notify(context, step, GASP_ATOMIC, "h.c", 1, 0, -1L);
}

static void start_alarms(void (*handler)(int), long us)
{
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL,
				  .sigev_signo = SIGALRM };
	const struct itimerspec every = { { 0, us * 1000 }, { 0, us * 1000 } };
	timer_t timer;

	signal(SIGALRM, handler);
	if (timer_create(CLOCK_MONOTONIC, &event, &timer) ||
	    timer_settime(timer, 0, &every, NULL))
		exit(9);
}

/* Handlers' events are there, or counted as lost: prints how many. */
static void by_handlers(void)
{
	start_alarms(on_alarm, 50);
	more(n + 1, 2 * n);
	signal(SIGALRM, SIG_IGN);
	printf("%d\n", (int)handled);
}

static sigjmp_buf before_step;
static volatile sig_atomic_t jumps, may_jump;

static void on_jump_alarm(int number)
{
	(void)number;
	if (!may_jump)
		return;
	jumps++;
	may_jump = 0; /* signals come again before it has left this stack */
	siglongjmp(before_step, 1);
}

/*
 * Handlers jump out of the middle of events, onto the way to the next; how many
 * is printed.  The last n steps are not disturbed.
 */
static void jump_about(void)
{
	static volatile long i;

	for (i = n + 1; i <= 20 * n; i++)
		if (!sigsetjmp(before_step, 1)) {
			may_jump = 1; /* from now on there is where to */
			more(i, i);
		}
	may_jump = 0;
	signal(SIGALRM, SIG_IGN);
	more(20 * n + 1, 21 * n);
	printf("%d\n", (int)jumps);
}

static void by_jumps(void)
{
	start_alarms(on_jump_alarm, 50);
	jump_about();
}

/* The handler has a stack of its own. */
static void by_jumps_apart(void)
{
	static char room[1 << 16];
	const stack_t stack = { .ss_sp = room, .ss_size = sizeof room };
	struct sigaction action = { .sa_handler = on_jump_alarm,
				    .sa_flags = SA_ONSTACK };

	sigaltstack(&stack, NULL);
	start_alarms(SIG_IGN, 50);
	sigaction(SIGALRM, &action, NULL);
	jump_about();
}

static void on_last_alarm(int number)
{
	(void)number;
	exit(5);
}

/* exit() from a handler, most likely in the middle of a record. */
static void by_exit_in_handler(void)
{
	start_alarms(on_last_alarm, 2000);
	for (long i = n + 1;; i++)
		more(i, i);
}

/* --- main ----------------------------------------------------------------- */

static void by_return(void)
{
}

static const struct {
	const char *name;
	void (*act)(void);
} ways[] = {
	{ "return", by_return },
	{ "exit", by_exit },
	{ "_exit", by__exit },
	{ "quick_exit", by_quick_exit },
	{ "abort", abort },
	{ "kill", by_kill },
	{ "segv", by_segv },
	{ "own_segv", by_own_segv },
	{ "fork", by_fork },
	{ "fork_off", by_fork_off },
	{ "idle_forks", by_idle_forks },
	{ "vfork", by_vfork },
	{ "first_in_vfork", by_first_in_vfork },
	{ "spawn", by_spawn },
	{ "exec", by_exec },
	{ "exec_other", by_exec_other },
	{ "closefrom", by_closefrom },
	{ "dup2", by_dup2 },
	{ "chdir", by_chdir },
	{ "nofile", by_nofile },
	{ "chroot", by_chroot },
	{ "rmdir", by_rmdir },
	{ "detached", by_detached },
	{ "pthread_exit", by_pthread_exit },
	{ "cancel", by_cancel },
	{ "keys", by_keys },
	{ "destructor", by_destructor },
	{ "handlers", by_handlers },
	{ "jumps", by_jumps },
	{ "jumps_apart", by_jumps_apart },
	{ "exit_in_handler", by_exit_in_handler },
};

int main(int argc, char **argv)
{
	self = argv[0];
	n = argc > 2 ? atol(argv[2]) : 0;
	if (argc > 1 && !strcmp(argv[1], "umask"))
		umask(0777);
	begin();
	more(1, n);
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		if (argc > 1 && !strcmp(ways[i].name, argv[1]))
			ways[i].act();
	return 0;
}
