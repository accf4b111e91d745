/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A UPC runtime's outside: it starts threads as the real ones do, tells the
 * collector of them, and speaks one dialect of GASP, that of the gasp.h it is
 * compiled with.  RUNTIME_process, _pthreads or _hidden: what C sees of
 * MYTHREAD.
 */
#ifndef TEST_UPC_RUNTIME_H
#define TEST_UPC_RUNTIME_H

#include <stdarg.h> /* Berkeley's gasp.h needs it */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gasp.h>
#include <gasp_upc.h>

#ifndef GASP_UPC_COLLECTIVE_EXIT
#define GASP_UPC_COLLECTIVE_EXIT    GASP_COLLECTIVE_EXIT
#define GASP_UPC_NONCOLLECTIVE_EXIT GASP_NONCOLLECTIVE_EXIT
#define GASP_UPC_USEREVT_START	    GASP_USEREVT_START
#define GASP_UPC_USEREVT_END	    GASP_USEREVT_END
#endif
#ifdef GASP_UPC_NB_TRIVIAL
#define NB_TRIVIAL GASP_UPC_NB_TRIVIAL
#else
#define NB_TRIVIAL GASP_NB_TRIVIAL
#endif

/* Of the calling thread; NULL before gasp_init has returned. */
gasp_context_t rt_context(void);
int rt_thread(void);
int rt_threads(void);

/* Raises an event with its arguments.  GNU's and Clang's libraries pass on
   their caller's. */
#if GASP_UPC_VERSION + 0 == 40302
void rt_notify(unsigned tag, gasp_evttype_t type, const char *file, int line,
	       ...);
#else
#define rt_notify(tag, type, file, line, ...)                  \
	gasp_event_notify(rt_context(), tag, type, file, line, \
			  0 __VA_OPT__(, ) __VA_ARGS__)
#endif

/* Shared memory of the program, zero at first. */
struct rt_shared {
	char *start, *end;
};
struct rt_shared rt_shared(void);
/* Whether static shared objects are made: not before main, with Berkeley's. */
bool rt_has_statics(void);

/* No events. */
void rt_wait_for_all(void);
void rt_lock(void);
void rt_unlock(void);

/* exit() as a UPC program has it: a barrier, no event. */
_Noreturn void rt_exit(int status);
/* upc_global_exit, when n threads have called rt_arrive. */
_Noreturn void rt_global_exit(int status);
void rt_arrive(void);
void rt_wait_for_arrivals(int n);

/* Return from main: with its events, before the last barrier. */
void rt_return(int status);

/* The program: before main, and main. */
struct rt_program {
	const char *name;
	void (*before_main)(void); /* between gasp_init and main, or NULL */
	int (*main)(void);	   /* calls no exit: rt_return follows */
	bool late; /* all but thread 0 are slow to call gasp_init */
};
extern const struct rt_program rt_programs[];

/*
 * ARGS: process|pthreads|both THREADS PROGRAM.  both: two threads a process.
 * launched THREADS PROGRAM: a launcher has started the processes, with $RT_FILE,
 * which they share, $RT_FIRST, the process's first thread, and $RT_THREADS, how
 * many it has.
 */
int rt_start(int argc, char **argv);

#endif
