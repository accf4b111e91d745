/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the adapters in models/ see of the collector.  Nothing here fails
 * loudly: when recording is impossible the calls do nothing, after one line
 * on stderr.  errno is preserved by all of them.
 *
 * A wrapper looks like this:
 *
 *	static const struct gaspdb_operation op = {
 *		GASPDB_EVENT_MPI_BARRIER, "MPI_Barrier" };
 *	struct gaspdb_entry e GASPDB_ENTRY_CLOSES =
 *		GASPDB_ENTRY(gaspdb_next_MPI_Barrier);
 *	struct gaspdb_context *c = gaspdb_enter(&op, &e);
 *	if (!c)
 *		return (e.to_other ? gaspdb_next_MPI_Barrier
 *				   : PMPI_Barrier)(comm);
 *	gaspdb_start(c, &op, e.pc, 2, (uint64_t[]){ team, seq });
 *	rc = PMPI_Barrier(comm);
 *	gaspdb_end(c, &op, e.pc, 0, NULL);
 *	gaspdb_leave(c);
 *
 * gaspdb_next_X, a pointer to X, is another tool's wrapper of X, or NULL
 * (handover.h).
 */
#ifndef GASPDB_COLLECTOR_CORE_COLLECTOR_H
#define GASPDB_COLLECTOR_CORE_COLLECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collector/core/events.h"

#define GASPDB_CALLER __builtin_return_address(0)
#define GASPDB_EXPORT __attribute__((visibility("default")))

struct gaspdb_context; /* one per thread and process */

/*
 * What a wrapper records: static storage, one a wrapped function.
 * name: what the user called; NULL: the event table's.
 */
struct gaspdb_operation {
	enum gaspdb_event event;
	const char *name;
};

/*
 * The runtime has started: this process is rank of ranks, and model (as in
 * the event tables) names the threads' model.  Until then contexts can exist,
 * and record, without knowing it.  Call once per runtime; a second model in
 * the process (MPI under OpenSHMEM) keeps the first one's rank if equal.
 * runtime: name and version, for META.
 */
void gaspdb_runtime_started(const char *model, const char *runtime, int rank,
			    int ranks);

/* META key and value in the calling thread's log, now. */
void gaspdb_meta(const char *key, const char *value);
void gaspdb_metaf(const char *key, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * A dlclose begins, and has ended: in between, and until the next look at what
 * is loaded, no address stands for what it stood for.
 */
void gaspdb_unload_begin(void);
void gaspdb_unload_end(void);

/*
 * The runtime is about to end: the calling thread's log is brought to a state
 * that a later crash cannot hurt.  Recording goes on until the process exits
 * (exit handlers close the logs) or gaspdb_finish is called.
 */
void gaspdb_runtime_ending(void);

/*
 * Close all logs of this process: for calls that do not return (abort,
 * global exit).  why: META end.  Nothing is recorded afterwards.
 */
void gaspdb_finish(const char *why);

/* --- entering a wrapper --------------------------------------------------- */

/* Where a layer was called, and the layer's own frame on the stack. */
struct gaspdb_place {
	const void *pc;
	uintptr_t frame;
};

/* A call as it comes to a wrapper. */
struct gaspdb_entry {
	const void *pc; /* the caller; then the place to record it at */
	bool wrapped;	/* by another tool, too */
	bool profiling; /* by the profiling name */
	bool to_other;	/* to be passed on to that, not to the runtime */
	bool changed;	/* the thread's place; to be restored */
	struct gaspdb_place outer;
};

#define GASPDB_ENTRY(next)                                      \
	{                                                       \
		.pc = GASPDB_CALLER, .wrapped = (next) != NULL, \
	}
/* What is declared so ends with the wrapper. */
#define GASPDB_ENTRY_CLOSES __attribute__((cleanup(gaspdb_entry_close)))

/*
 * The calling thread's context, or NULL when the call is not to be recorded
 * but passed on: no recording in this process, a call that the runtime makes to
 * itself (counted in the log under op), or one that another tool has a wrapper
 * of (what that calls is recorded, at this call's place).  Every non-NULL
 * return is followed by gaspdb_leave.
 */
struct gaspdb_context *gaspdb_enter(const struct gaspdb_operation *op,
				    struct gaspdb_entry *e);
/* The call is only passed on: sets to_other. */
void gaspdb_entry_pass(struct gaspdb_entry *e);

/*
 * A layer that only passes calls on, Fortran's for one, notes where it was
 * called from, unless an outer one has; and restores what was there before.
 */
void gaspdb_place_note(const void *pc, struct gaspdb_place *outer);
void gaspdb_place_restore(const struct gaspdb_place *outer);

static inline void gaspdb_entry_close(const struct gaspdb_entry *e)
{
	if (__builtin_expect(e->changed, 0))
		gaspdb_place_restore(&e->outer);
}

/* Was the adapter loaded by the preload library, so that it sees calls by
   profiling names, too? */
bool gaspdb_is_preloaded(void);

void gaspdb_leave(struct gaspdb_context *c);

/*
 * Enter what does not return, or the runtime's own end: it is the program's
 * whatever call it is made in (an error handler's), and all calls of the thread
 * from then on are the runtime's.  NULL: no recording.
 */
struct gaspdb_context *gaspdb_enter_last(const struct gaspdb_operation *op);

/* Is the call that is going on recorded: is recording on for the thread
   (gasp_control), and the operation not masked?  Adapters go on counting
   collectives and messages where not. */
bool gaspdb_recording(const struct gaspdb_context *c);

/* Is recording on, and the operation masked? */
bool gaspdb_masked(const struct gaspdb_context *c);

/*
 * Called, in the thread, just after recording was switched on again: an
 * adapter then writes what passed (GASPDB_RECORD_PASSED, _TEAM_SEQUENCE).
 * At most 4 hooks.
 */
void gaspdb_on_resume(void (*hook)(struct gaspdb_context *c));

/*
 * START and END: n values in the order of the event table's layout (END: its
 * end column); negative ones as the bits of int64_t.  Dropped while recording
 * is off.
 */
void gaspdb_start(struct gaspdb_context *c, const struct gaspdb_operation *op,
		  const void *pc, unsigned n, const uint64_t *args);
void gaspdb_end(struct gaspdb_context *c, const struct gaspdb_operation *op,
		const void *pc, unsigned n, const uint64_t *args);
/*
 * The same for a call that only looks.  Calls in vain that repeat, from few
 * lines, with nothing recorded between them, are one event (look.h): those
 * less than 5 us from one to the next, or less than 100 us but no more than an
 * eighth of the time since that was so before, or more of which the thread ran
 * for less than a quarter.
 */
enum gaspdb_look_kind {
	GASPDB_LOOK_TEST,  /* if it succeeds it may end the event of those
			      in vain */
	GASPDB_LOOK_APART, /* then it is one of its own: when it began counts */
	GASPDB_LOOK_WEAK   /* it cannot fail; it is in vain if what it found is
			      what it found before */
};
/* What became of the START. */
enum gaspdb_look_mode {
	GASPDB_LOOK_PLAIN, /* not recorded, or as any other */
	GASPDB_LOOK_NEW,
	GASPDB_LOOK_GOES_ON, /* there is none: the event before goes on */
	GASPDB_LOOK_JOINS    /* it goes again if the call is in vain */
};
/* n: 8 at most, of which those beyond the layout only tell calls apart. */
enum gaspdb_look_mode gaspdb_start_look(struct gaspdb_context *c,
					enum gaspdb_look_kind kind,
					const struct gaspdb_operation *op,
					const void *pc, unsigned n,
					const uint64_t *args);
/* More records of a new one have been written just behind its START. */
void gaspdb_look_told(struct gaspdb_context *c, enum gaspdb_look_mode mode);
/* n: 2 at most; if the event is several calls their number follows. */
void gaspdb_end_look(struct gaspdb_context *c, enum gaspdb_look_mode mode,
		     const struct gaspdb_operation *op, const void *pc,
		     bool success, uint64_t value, unsigned n,
		     const uint64_t *args);
/* The recording's clock, for records that tell a time. */
uint64_t gaspdb_ticks(void);

/*
 * An OTHER record (log_format.h) from its fields: for each character of
 * layout one argument: u uint64_t, i int64_t, s const char * (NULL: empty).
 * Written while recording is off too.
 */
void gaspdb_record(struct gaspdb_context *c, unsigned kind, const char *layout,
		   ...);

/*
 * SEGMENT: symmetric memory of this process, told to every context that
 * exists and to each new one.  kind "heap" or "module".
 */
void gaspdb_segment(const char *kind, const char *name, const void *base,
		    size_t bytes);

/* One line on stderr, "gaspdb: ...", once per process whatever the cause. */
void gaspdb_complain(const char *fmt, ...)
	__attribute__((format(printf, 1, 2)));

#endif
