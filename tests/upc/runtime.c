/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads as forked processes under a monitor, as pthreads, and as both. */
#include "runtime.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS_MAX 64
#define PAGE	    4096

#ifdef RUNTIME_process
int MYTHREAD, THREADS;
static gasp_context_t context;
#elif defined RUNTIME_pthreads
__thread int MYTHREAD;
int THREADS;
static __thread gasp_context_t context;
#else
static __thread int MYTHREAD;
static int THREADS;
static __thread gasp_context_t context;
#endif

static struct {
	pthread_barrier_t barrier;
	pthread_mutex_t lock;
	atomic_int arrived, global_exit, made;
} * all;

/* Static shared objects, if the program has any. */
extern char __start_upc_shared[] __attribute__((weak));
extern char __stop_upc_shared[] __attribute__((weak));

static atomic_bool has_statics;

static const struct rt_program *program;
static int thread_processes = 1; /* processes that the threads are in */
static int *the_argc;
static char ***the_argv;

gasp_context_t rt_context(void)
{
	return context;
}

#ifndef rt_notify
void rt_notify(unsigned tag, gasp_evttype_t type, const char *file, int line,
	       ...)
{
	va_list arguments;

	va_start(arguments, line);
	gasp_event_notifyVA(context, tag, type, file, line, 0, arguments);
	va_end(arguments);
}
#endif

int rt_thread(void)
{
	return MYTHREAD;
}

int rt_threads(void)
{
	return THREADS;
}

struct rt_shared rt_shared(void)
{
	return (struct rt_shared){ __start_upc_shared, __stop_upc_shared };
}

bool rt_has_statics(void)
{
	return has_statics;
}

void rt_wait_for_all(void)
{
	pthread_barrier_wait(&all->barrier);
}

void rt_lock(void)
{
	pthread_mutex_lock(&all->lock);
}

void rt_unlock(void)
{
	pthread_mutex_unlock(&all->lock);
}

void rt_arrive(void)
{
	atomic_fetch_add(&all->arrived, 1);
}

void rt_wait_for_arrivals(int n)
{
	while (atomic_load(&all->arrived) < n)
		usleep(1000);
}

void rt_exit(int status)
{
	rt_wait_for_all();
	exit(status);
}

void rt_global_exit(int status)
{
	atomic_store(&all->global_exit, 1);
	exit(status);
}

/* Nobody's line: NULL and 0. */
void rt_return(int status)
{
	static const gasp_evttype_t both[] = { GASP_START, GASP_END };

	for (int i = 0; i < 2; i++)
		rt_notify(GASP_UPC_COLLECTIVE_EXIT, both[i], NULL, 0, status);
	rt_wait_for_all();
}

/* --- a thread ------------------------------------------------------------- */

static int run_thread(int number)
{
	int status;

	MYTHREAD = number;
	rt_wait_for_all();
	if (program->late && number > 0)
		usleep(50000);
	context = gasp_init(0, the_argc, the_argv);
#ifdef GASP_BUPC_STATIC_SHARED /* Berkeley's waits for all to have done so */
	if (!program->late)
		rt_wait_for_all();
#endif
	has_statics = true;
	if (program->before_main)
		program->before_main();
	status = program->main();
	rt_return(status);
	return status;
}

static void *run_pthread(void *number)
{
	return (void *)(intptr_t)run_thread((int)(intptr_t)number);
}

/* Threads first .. first + n - 1 in this process; the first's status. */
static int run_pthreads(int first, int n)
{
	pthread_t id[THREADS_MAX];
	void *status = NULL;

	for (int i = 0; i < n; i++)
		if (pthread_create(&id[i], NULL, run_pthread,
				   (void *)(intptr_t)(first + i)))
			abort();
	for (int i = n - 1; i >= 0; i--)
		pthread_join(id[i], &status);
	return (int)(intptr_t)status;
}

/* --- the monitor ---------------------------------------------------------- */

static void kill_others(const pid_t *child, pid_t but)
{
	for (int i = 0; i < thread_processes; i++)
		if (child[i] != but)
			kill(child[i], SIGKILL);
}

/* A crash ends the whole process group; the monitor ends with its status. */
static _Noreturn void monitor(const pid_t *child)
{
	int status, result = 0;

	for (int left = thread_processes; left > 0; left--) {
		pid_t pid = wait(&status);

		if (WIFSIGNALED(status) && !atomic_load(&all->global_exit))
			kill(0, SIGTERM);
		if (WIFSIGNALED(status))
			continue;
		if (atomic_load(&all->global_exit))
			kill_others(child, pid);
		if (WEXITSTATUS(status))
			result = WEXITSTATUS(status);
	}
	exit(result);
}

static void fork_threads(int per_process)
{
	pid_t child[THREADS_MAX];

	setpgid(0, 0);
	for (int i = 0; i < thread_processes; i++) {
		child[i] = fork();
		if (child[i] < 0)
			abort();
		if (child[i])
			continue;
		alarm(60);
		exit(per_process == 1
			     ? run_thread(i)
			     : run_pthreads(i * per_process, per_process));
	}
	monitor(child);
}

/* --- start ---------------------------------------------------------------- */

/* Memory that all processes share: of a file, or those forked from this one. */
static void map_shared(int fd)
{
	const int flags = MAP_SHARED | (fd < 0 ? MAP_ANONYMOUS : 0);
	const struct rt_shared statics = rt_shared();
	const size_t bytes = (size_t)(statics.end - statics.start);

	all = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, flags, fd, 0);
	if (all == MAP_FAILED || bytes % PAGE)
		abort();
	if (bytes && mmap(statics.start, bytes, PROT_READ | PROT_WRITE,
			  flags | MAP_FIXED, fd, PAGE) == MAP_FAILED)
		abort();
}

static void init_shared(void)
{
	pthread_barrierattr_t barrier;
	pthread_mutexattr_t lock;

	pthread_barrierattr_init(&barrier);
	pthread_barrierattr_setpshared(&barrier, PTHREAD_PROCESS_SHARED);
	pthread_barrier_init(&all->barrier, &barrier, (unsigned)THREADS);
	pthread_mutexattr_init(&lock);
	pthread_mutexattr_setpshared(&lock, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(&all->lock, &lock);
	atomic_store(&all->made, 1);
}

/* One of the processes that a launcher starts. */
static int run_launched(void)
{
	const int first = atoi(getenv("RT_FIRST")), n = atoi(getenv("RT_THREADS"));
	const int fd = open(getenv("RT_FILE"), O_RDWR);

	if (fd < 0)
		return 2;
	map_shared(fd);
	if (!first)
		init_shared();
	while (!atomic_load(&all->made))
		usleep(1000);
	return n == 1 ? run_thread(first) : run_pthreads(first, n);
}

int rt_start(int argc, char **argv)
{
	if (argc != 4) {
		fprintf(stderr,
			"usage: %s process|pthreads|both|launched THREADS "
			"PROGRAM\n",
			argv[0]);
		return 2;
	}
	THREADS = atoi(argv[2]);
	for (program = rt_programs; program->name; program++)
		if (!strcmp(program->name, argv[3]))
			break;
	if (!program->name || THREADS < 1 || THREADS > THREADS_MAX)
		return 2;
	the_argc = &argc;
	the_argv = &argv;
	alarm(60);
	if (!strcmp(argv[1], "launched"))
		return run_launched();
	map_shared(-1);
	init_shared();
	if (!strcmp(argv[1], "pthreads"))
		return run_pthreads(0, THREADS);
	if (THREADS == 1) /* no fork */
		return run_thread(0);
	thread_processes = argv[1][0] == 'b' ? THREADS / 2 : THREADS;
	fork_threads(THREADS / thread_processes);
	return 1;
}
