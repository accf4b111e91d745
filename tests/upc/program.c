/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What UPC programs do, as their runtime tells it: the same program in every
 * dialect, as far as a dialect has the words.  Each operation has a line of its
 * own in heat.upc; tests/e2e/upc_*.sh know them, and ../upc/README.md says
 * which peculiarity is where.
 */
#include "runtime.h"

#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clocks.h"
#include "collectives.h"
#include "pts.h"

#define FILE_NAME "heat.upc"

/* ...: the event's arguments */
#define START(line, ...)  event(GASP_START, FILE_NAME, line, __VA_ARGS__)
#define END(line, ...)	  event(GASP_END, FILE_NAME, line, __VA_ARGS__)
#define ATOMIC(line, ...) event(GASP_ATOMIC, FILE_NAME, line, __VA_ARGS__)
#define PAIR(line, ...)                   \
	do {                              \
		START(line, __VA_ARGS__); \
		END(line, __VA_ARGS__);   \
	} while (0)
#define event(type, file, line, tag, ...) \
	rt_notify(tag, type, file, line __VA_OPT__(, ) __VA_ARGS__)

#ifndef GASP_BUPC_STATIC_SHARED
/* GNU's and Clang's compilers know no more of some assignments. */
#define ASSIGNMENT_FILE "(unknown)"
#define ASSIGNMENT_LINE 0
#else
#define ASSIGNMENT_FILE FILE_NAME
#define ASSIGNMENT_LINE 21
#endif

static struct pts pts(int thread, uint64_t address)
{
	return (struct pts){ .address = address,
			     .thread = (uint16_t)(thread % rt_threads()) };
}

static struct pts next(uint64_t address)
{
	return pts(rt_thread() + 1, address);
}

/* --- parts ---------------------------------------------------------------- */

/* One named, one not; the latter's expression means nothing. */
static void barrier(int line, int named)
{
#ifdef GASP_UPC_BARRIER
	const int expression = named ? line : INT_MIN;

	START(line, GASP_UPC_BARRIER, named, expression);
	rt_wait_for_all();
	END(line, GASP_UPC_BARRIER, named, expression);
#else
	const int expression = named ? line : 77;

	PAIR(line, GASP_UPC_NOTIFY, named, expression);
	START(line, GASP_UPC_WAIT, named, expression);
	rt_wait_for_all();
	END(line, GASP_UPC_WAIT, named, expression);
#endif
}

/* Assignments of structs, strict ones: GNU's and Clang's runtimes know no line,
   of a put alone that it is strict, and of one between shared objects no more
   than a copy. */
static void structs(const struct pts *at, const struct pts *other)
{
#if GASP_UPC_VERSION + 0 == 40302
	const gasp_evttype_t both[] = { GASP_START, GASP_END };
	char local[48];

	for (int i = 0; i < 2; i++)
		event(both[i], ASSIGNMENT_FILE, 0, GASP_UPC_GET, 1, local, at,
		      (size_t)48);
	for (int i = 0; i < 2; i++)
		event(both[i], ASSIGNMENT_FILE, 0, GASP_UPC_PUT, 0, at, local,
		      (size_t)48);
	for (int i = 0; i < 2; i++)
		event(both[i], ASSIGNMENT_FILE, 0, GASP_UPC_MEMCPY, at, other,
		      (size_t)40);
#else
	(void)at, (void)other;
#endif
}

/* Each thread with the next; a strict read that is said to be relaxed. */
static void accesses(void)
{
	struct pts at = next(0x1000), other = pts(rt_thread() + 2, 0x2000);
	char local[8], *inside = local;

	PAIR(20, GASP_UPC_GET, 1, local, &at, (size_t)8);
	event(GASP_START, ASSIGNMENT_FILE, ASSIGNMENT_LINE, GASP_UPC_PUT, 1,
	      &at, local, (size_t)4);
	event(GASP_END, ASSIGNMENT_FILE, ASSIGNMENT_LINE, GASP_UPC_PUT, 1, &at,
	      local, (size_t)4);
	PAIR(22, GASP_UPC_MEMGET, &inside, &at, (size_t)100);
	PAIR(23, GASP_UPC_MEMPUT, &at, local, (size_t)200);
	PAIR(24, GASP_UPC_MEMSET, &at, 7, (size_t)50);
	PAIR(25, GASP_UPC_MEMCPY, &at, &other, (size_t)300);
	PAIR(26, GASP_UPC_MEMGET, local, (void *)0, (size_t)1);
	structs(&at, &other);
}

/* One lock, whose pointer lies elsewhere in each thread; and one's own. */
static void locks(void)
{
	struct pts lock = pts(0, 0x8000), own = pts(rt_thread(), 0x8000);
	struct pts none = pts(0, 0);
	struct pts lock_allocated[2] = { { 0 }, { 0 } };

	lock_allocated[rt_thread() % 2] = lock;
	START(30, GASP_UPC_ALL_LOCK_ALLOC);
	END(30, GASP_UPC_ALL_LOCK_ALLOC, &lock_allocated[rt_thread() % 2]);
	START(31, GASP_UPC_LOCK, &lock);
	rt_lock();
	END(31, GASP_UPC_LOCK, &lock);
	START(32, GASP_UPC_UNLOCK, &lock);
	rt_unlock();
	END(32, GASP_UPC_UNLOCK, &lock);
	START(33, GASP_UPC_LOCK_ATTEMPT, &own);
	END(33, GASP_UPC_LOCK_ATTEMPT, &own, 1);
	START(34, GASP_UPC_LOCK_ATTEMPT, &own);
	END(34, GASP_UPC_LOCK_ATTEMPT, &own, 0);
	PAIR(35, GASP_UPC_UNLOCK, &own);
	PAIR(36, GASP_UPC_LOCK_FREE, &none);
#if TEST_PTS_BYTES == 24 /* two that differ in their last bytes alone */
	for (unsigned phase = 1; phase <= 2; phase++) {
		own.phase = phase;
		PAIR(37, GASP_UPC_LOCK, &own);
		PAIR(37, GASP_UPC_UNLOCK, &own);
	}
#endif
}

/* A lock's pointer, and what happens to lie behind it in memory: nothing that a
   pointer-to-shared has, another thing at each call. */
struct lock_in_memory {
	struct pts pointer;
	uint64_t remains;
};

static struct lock_in_memory lock_in_memory(int thread, int line)
{
	return (struct lock_in_memory){ pts(thread, 0x8000),
					0x7ffd12340000u + 64u * (unsigned)line +
						(unsigned)rt_thread() };
}

static void take(int line, int thread)
{
	struct lock_in_memory lock = lock_in_memory(thread, line);

	PAIR(line, GASP_UPC_LOCK, &lock.pointer);
	lock = lock_in_memory(thread, line + 1);
	PAIR(line + 1, GASP_UPC_UNLOCK, &lock.pointer);
}

/* One lock for all, and one of each thread's own. */
static int two_locks(void)
{
	struct lock_in_memory lock = lock_in_memory(0, 100);

	START(100, GASP_UPC_ALL_LOCK_ALLOC);
	END(100, GASP_UPC_ALL_LOCK_ALLOC, &lock.pointer);
	lock = lock_in_memory(rt_thread(), 101);
	lock.pointer.address = 0x9000;
	START(101, GASP_UPC_GLOBAL_LOCK_ALLOC);
	END(101, GASP_UPC_GLOBAL_LOCK_ALLOC, &lock.pointer);
	rt_wait_for_all();
	rt_lock();
	take(102, 0);
	rt_unlock();
	PAIR(104, GASP_UPC_LOCK, &lock.pointer);
	PAIR(105, GASP_UPC_UNLOCK, &lock.pointer);
	return 0;
}

static void memory(void)
{
	struct pts shared = pts(0, 0x4000), own = pts(rt_thread(), 0x5000);

	START(40, GASP_UPC_ALL_ALLOC, (size_t)4, (size_t)50);
	END(40, GASP_UPC_ALL_ALLOC, (size_t)4, (size_t)50, &shared);
#ifdef TEST_GASP_1_3
	START(41, GASP_UPC_ALLOC, (size_t)1, (size_t)60);
	END(41, GASP_UPC_ALLOC, (size_t)1, (size_t)60, &own);
#else
	START(41, GASP_UPC_ALLOC, (size_t)60);
	END(41, GASP_UPC_ALLOC, (size_t)60, &own);
#endif
	PAIR(42, GASP_UPC_FREE, &own);
}

/* Pairs cut in half, switching twice, tags that nobody made. */
static void user_events(void)
{
	unsigned step =
		gasp_create_event(rt_context(), "step", "step %d of %s");
	unsigned plain = gasp_create_event(rt_context(), NULL, NULL);

	START(50, step, 3, "nine");
	PAIR(51, plain);
	PAIR(52, (unsigned)GASP_UPC_USEREVT_END + 1000000u, 5);
	ATOMIC(53, plain + 1);
	START(54, plain);
	gasp_control(rt_context(), 0);
	gasp_control(rt_context(), 0);
	END(54, plain); /* cut: the start stays open */
	PAIR(55, GASP_UPC_NOTIFY, 0, 0);
	START(56, GASP_UPC_WAIT, 0, 0); /* cut: an end without a start */
	gasp_control(rt_context(), 1);
	gasp_control(rt_context(), 1);
	END(56, GASP_UPC_WAIT, 0, 0);
	END(50, step, 4, "nine");
}

#ifdef GASP_UPC_NB_SYNC
static void non_blocking(void)
{
	gasp_upc_nb_handle_t handle = (gasp_upc_nb_handle_t)0xabc0;
	struct pts at = next(0x1000);
	char local[8];

#ifdef TEST_GASP_1_3 /* one atomic event, with the handle */
	ATOMIC(60, GASP_UPC_NB_GET_INIT, 1, local, &at, (size_t)16, handle);
#else
	START(60, GASP_UPC_NB_GET_INIT, 1, local, &at, (size_t)16);
	END(60, GASP_UPC_NB_GET_INIT, 1, local, &at, (size_t)16, handle);
#endif
	PAIR(61, GASP_UPC_NB_SYNC, handle);
#ifdef GASP_BUPC_NB_TRYSYNC
	/* Berkeley's START carries what its END does. */
	START(62, GASP_BUPC_NB_MEMGET_INIT, local, &at, (size_t)17, NB_TRIVIAL);
	END(62, GASP_BUPC_NB_MEMGET_INIT, local, &at, (size_t)17, handle);
	START(63, GASP_BUPC_NB_MEMPUT_INIT, &at, local, (size_t)18, NB_TRIVIAL);
	END(63, GASP_BUPC_NB_MEMPUT_INIT, &at, local, (size_t)18, NB_TRIVIAL);
	START(64, GASP_BUPC_NB_MEMCPY_INIT, &at, &at, (size_t)19, NB_TRIVIAL);
	END(64, GASP_BUPC_NB_MEMCPY_INIT, &at, &at, (size_t)19, handle);
	START(65, GASP_BUPC_NB_TRYSYNC, handle, 0);
	END(65, GASP_BUPC_NB_TRYSYNC, handle, 1);
#endif
}
#endif

static void work(void)
{
	barrier(10, 0);
	accesses();
	locks();
	memory();
	user_events();
#ifdef GASP_UPC_NB_SYNC
	non_blocking();
#endif
#ifdef GASP_UPC_FENCE
	PAIR(70, GASP_UPC_FENCE);
#endif
#ifdef GASP_UPC_ALL_BROADCAST
	struct pts shared = pts(0, 0x4000);

	START(71, GASP_UPC_ALL_BROADCAST, &shared, &shared, (size_t)21, 3);
	rt_wait_for_all();
	END(71, GASP_UPC_ALL_BROADCAST, &shared, &shared, (size_t)21, 3);
#endif
#ifdef TEST_GASP_1_3
	START(72, GASP_C_REALLOC, (void *)0x10, (size_t)32);
	END(72, GASP_C_REALLOC, (void *)0x10, (size_t)32);
	ATOMIC(73, GASP_UPC_CACHE_MISS, (size_t)64);
#endif
	barrier(11, 1);
}

/* --- programs ------------------------------------------------------------- */

#ifdef GASP_BUPC_STATIC_SHARED
static void static_objects(void)
{
	struct pts grid = pts(0, 0x9000);
	static int proxy;

	ATOMIC(0, GASP_BUPC_STATIC_SHARED, (size_t)4, (size_t)64, &grid, &proxy
#if GASP_UPC_VERSION >= 0x020311
	       ,
	       (size_t)8, "grid", "shared double [4]"
#endif
	);
	event(GASP_ATOMIC, NULL, 0, GASP_BUPC_STATIC_SHARED, (size_t)1,
	      (size_t)8, &grid, &proxy
#if GASP_UPC_VERSION >= 0x020311
	      ,
	      (size_t)8, (char *)0, (char *)0
#endif
	);
}
#else
#define static_objects NULL
#endif

static int whole(void)
{
	START(1, GASP_C_FUNC, "int main(void)");
	work();
	event(GASP_END, FILE_NAME, 99, GASP_C_FUNC, "int main(void)");
	return 0;
}

/* The others are at work while thread 1 ends the program. */
static int busy(void)
{
	if (rt_thread() == 1) {
		rt_wait_for_arrivals(rt_threads() - 1);
		rt_global_exit(9);
	}
	for (int i = 0;; i++) {
		PAIR(17, GASP_UPC_MEMSET, (void *)0, 0, (size_t)1);
		if (i == 1000)
			rt_arrive();
	}
}

/* Thread 0 ends the program while all the others' upcalls wait for ever. */
static int asking(void)
{
	struct pts nobody = pts(0, 0x6000);

	if (rt_thread() == 0) {
		rt_wait_for_arrivals(rt_threads() - 1);
		rt_global_exit(9);
	}
	PAIR(18, GASP_UPC_MEMSET, (void *)0, 0, (size_t)1);
	START(19, GASP_UPC_FREE, &nobody);
	return 0;
}

/* Linked with the tool, and not instrumented. */
static int bare(void)
{
	return 0;
}

/* A loop left by return: a start that never ends. */
static int left_loop(void)
{
#ifdef GASP_UPC_FORALL
	START(80, GASP_UPC_FORALL);
#endif
	PAIR(81, GASP_UPC_MEMSET, (void *)0, 0, (size_t)1);
	return 0;
}

/* An exit event without duration, and events after it. */
static int atomic_exit(void)
{
	ATOMIC(90, GASP_UPC_COLLECTIVE_EXIT, 4);
	PAIR(91, GASP_UPC_MEMSET, (void *)0, 0, (size_t)1);
	return 0;
}

/* Thread 0 by exit(), the others by return. */
static int mixed(void)
{
	barrier(10, 0);
	if (rt_thread() == 0)
		rt_exit(3);
	return 0;
}

static _Noreturn void wait_for_death(void)
{
	for (;;)
		pause();
}

/* The others are killed inside their barrier. */
static int global_exit(void)
{
	const int barrier_line = 12;

	if (rt_thread() == 1) {
		rt_wait_for_arrivals(rt_threads() - 1);
		ATOMIC(13, GASP_UPC_NONCOLLECTIVE_EXIT, 9);
		rt_global_exit(9);
	}
#ifdef GASP_UPC_BARRIER
	START(barrier_line, GASP_UPC_BARRIER, 0, INT_MIN);
#else
	START(barrier_line, GASP_UPC_WAIT, 0, 0);
#endif
	rt_arrive();
	wait_for_death();
}

static int crash(void)
{
	if (rt_thread() == 1) {
		rt_wait_for_arrivals(rt_threads() - 1);
		START(14, GASP_C_FUNC, "void crash(void)");
		signal(SIGSEGV, SIG_DFL);
		raise(SIGSEGV);
	}
	START(12, GASP_UPC_NOTIFY, 0, 0);
	rt_arrive();
	wait_for_death();
}

/* Thread 0 is at work before the others have come to gasp_init. */
static int early(void)
{
	if (rt_thread() == 0)
		for (int i = 0; i < 100; i++)
			PAIR(15, GASP_UPC_MEMSET, (void *)0, 0, (size_t)1);
	barrier(16, 0);
	return 0;
}

const struct rt_program rt_programs[] = {
	{ "whole", static_objects, whole, false },
	{ "bare", NULL, bare, false },
	{ "left-loop", NULL, left_loop, false },
	{ "two-locks", NULL, two_locks, false },
	{ "atomic-exit", NULL, atomic_exit, false },
	{ "mixed", NULL, mixed, false },
	{ "global-exit", NULL, global_exit, false },
	{ "crash", NULL, crash, false },
	{ "early", NULL, early, true },
	{ "busy", NULL, busy, false },
	{ "asking", NULL, asking, false },
	{ "collectives", NULL, rt_collectives, false },
	{ "clocks", NULL, rt_clocks, false },
	{ "clocks-gone", NULL, rt_clocks_gone, false },
	{ "clocks-off", NULL, rt_clocks_off, false },
	{ NULL, NULL, NULL, false },
};

int main(int argc, char **argv)
{
	return rt_start(argc, argv);
}
