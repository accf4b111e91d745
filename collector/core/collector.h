/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The collector's interface for the adapters in models/.  On failure the calls
 * do nothing, after one line on stderr.  All of them preserve errno.
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

/* A wrapped function, in static storage. name: as the user called it; NULL: the
   event table's. */
struct gaspdb_operation {
	enum gaspdb_event event;
	const char *name;
};

/*
 * The runtime has started: this process is rank of ranks, and model is one of
 * the event tables.  Contexts can exist and record before.  Called once per
 * runtime; a second model in the process (MPI under OpenSHMEM) keeps the first
 * one's rank. runtime: name and version, for META.
 */
void gaspdb_runtime_started(const char *model, const char *runtime, int rank,
			    int ranks);

/* Writes META into the calling thread's log. */
void gaspdb_meta(const char *key, const char *value);
void gaspdb_metaf(const char *key, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Begin and end of a dlclose.  From its begin until the next check of the
   modules, known addresses are not valid. */
void gaspdb_unload_begin(void);
void gaspdb_unload_end(void);

/*
 * Secures the calling thread's log against a crash in the runtime's end.
 * Recording goes on until the process exits (exit handlers close the logs) or
 * gaspdb_finish.
 */
void gaspdb_runtime_ending(void);

/* Closes all logs of the process, for calls that do not return (abort, global
   exit). why: META end.  Nothing is recorded afterwards. */
void gaspdb_finish(const char *why);

/* --- entering a wrapper --------------------------------------------------- */

/* Place where a layer was called, and the layer's stack frame. */
struct gaspdb_place {
	const void *pc;
	uintptr_t frame;
};

/* A call as a wrapper gets it. */
struct gaspdb_entry {
	const void *pc; /* the caller, then the place to record: an address, or
			   a frame of call_stack.h */
	bool wrapped;	/* another tool wraps it too */
	bool profiling; /* called by the profiling name */
	bool to_other;	/* to be passed to that tool, not to the runtime */
	bool changed;	/* the thread's place was changed; to be restored */
	bool unlogged;	/* the program's, in a thread without a log */
	struct gaspdb_place outer;
};

#define GASPDB_ENTRY(next)                                      \
	{                                                       \
		.pc = GASPDB_CALLER, .wrapped = (next) != NULL, \
	}
/* Attribute that closes the entry at the wrapper's end. */
#define GASPDB_ENTRY_CLOSES __attribute__((cleanup(gaspdb_entry_close)))

/*
 * Enters a wrapper: the calling thread's context, or NULL if the call is passed
 * on unrecorded: no recording in this process, a call that the runtime makes to
 * itself (counted under op), or one that another tool wraps (the tool's call is
 * recorded, at this call's place).  Each non-NULL return is followed by
 * gaspdb_leave.
 */
struct gaspdb_context *gaspdb_enter(const struct gaspdb_operation *op,
				    struct gaspdb_entry *e);
/* Passes a call on unrecorded: sets to_other. */
void gaspdb_entry_pass(struct gaspdb_entry *e);

/* Notes the place of a call in a layer that only passes calls on (Fortran's),
   unless an outer layer has one; and restores the previous one. */
void gaspdb_place_note(const void *pc, struct gaspdb_place *outer);
void gaspdb_place_restore(const struct gaspdb_place *outer);

static inline void gaspdb_entry_close(const struct gaspdb_entry *e)
{
	if (__builtin_expect(e->changed, 0))
		gaspdb_place_restore(&e->outer);
}

/* Whether the preload library loaded the adapter: then the adapter also gets
   calls by profiling names. */
bool gaspdb_is_preloaded(void);

void gaspdb_leave(struct gaspdb_context *c);

/*
 * Enters a wrapper of a function of libc that the program calls, itself or by a
 * library: the calling thread's context, or NULL if the call is passed on
 * unrecorded: a runtime's, or within a runtime's.  pc: the caller, then the
 * place to record.
 */
struct gaspdb_context *gaspdb_enter_libc(const struct gaspdb_operation *op,
					 const void **pc);
/* Whether such a call is the program's, as far as its caller shows. */
bool gaspdb_libc_is_programs(const void *pc);
/* Called before the first such call: it may allocate. */
void gaspdb_libc_begin(void);

/* This process's rank; -1: no runtime has started. */
int gaspdb_rank(void);

/*
 * Enters a call that does not return, or the runtime's end.  It is the
 * program's in whatever call it is made (an error handler's), and all later
 * calls of the thread are the runtime's.  e: gets the place, as in
 * gaspdb_enter; NULL: it has none.  NULL: no recording.
 */
struct gaspdb_context *gaspdb_enter_last(const struct gaspdb_operation *op,
					 struct gaspdb_entry *e);

/*
 * Whether the current call is recorded: recording is on for the thread
 * (gasp_control), and the operation is not masked.  Adapters count collectives
 * and messages in any case.
 */
bool gaspdb_recording(const struct gaspdb_context *c);

/* Whether recording is on and the operation masked. */
bool gaspdb_masked(const struct gaspdb_context *c);

/*
 * Registers a hook that runs in a thread whose recording resumes, where an
 * adapter logs what it counted (GASPDB_RECORD_PASSED, _TEAM_SEQUENCE).  At most
 * 4 hooks.
 */
void gaspdb_on_resume(void (*hook)(struct gaspdb_context *c));

/*
 * Record START and END: n values in the order of the event table's layout (END:
 * its end column); negative ones as the bits of int64_t.  Dropped while
 * recording is off.
 */
void gaspdb_start(struct gaspdb_context *c, const struct gaspdb_operation *op,
		  const void *pc, unsigned n, const uint64_t *args);
void gaspdb_end(struct gaspdb_context *c, const struct gaspdb_operation *op,
		const void *pc, unsigned n, const uint64_t *args);
/*
 * Record START and END of a poll.  Repeated failed polls, from few lines, with
 * nothing recorded between them, are folded into one event (poll.h), if at most
 * 5 us pass from one to the next, or at most 100 us and an eighth of the time
 * since the last such pause, or more during which the thread ran for less than
 * a quarter.
 */
enum gaspdb_poll_kind {
	GASPDB_POLL_TEST, /* its success may end the event of the failed ones */
	GASPDB_POLL_APART, /* its success is an event of its own, whose start
			      counts */
	GASPDB_POLL_WEAK /* it cannot fail; it counts as failed if it found the
			    same value as before */
};
/* Fate of the poll's START. */
enum gaspdb_poll_mode {
	GASPDB_POLL_PLAIN, /* not recorded, or recorded as any call */
	GASPDB_POLL_NEW,
	GASPDB_POLL_GOES_ON, /* not written: the event before goes on */
	GASPDB_POLL_JOINS    /* taken back if the poll fails */
};
/* n: at most 8; values beyond the layout only distinguish calls. */
enum gaspdb_poll_mode gaspdb_start_poll(struct gaspdb_context *c,
					enum gaspdb_poll_kind kind,
					const struct gaspdb_operation *op,
					const void *pc, unsigned n,
					const uint64_t *args);
/* More records belong to a new event: they are just behind its START. */
void gaspdb_poll_extend(struct gaspdb_context *c, enum gaspdb_poll_mode mode);
/*
 * n: at most 2; the number of calls in the event follows if there are several.
 */
void gaspdb_end_poll(struct gaspdb_context *c, enum gaspdb_poll_mode mode,
		     const struct gaspdb_operation *op, const void *pc,
		     bool success, uint64_t value, unsigned n,
		     const uint64_t *args);
/*
 * In a profile: identifies the innermost open call of the thread, 0: none; and
 * adds what a call of the thread moves after its end.  peer: a world rank, or
 * negative.
 */
#define GASPDB_CALL_TRACED UINT32_MAX /* the trace has it: there is no profile */
uint32_t gaspdb_profile_call(struct gaspdb_context *c);
void gaspdb_profile_moved(struct gaspdb_context *c, uint32_t call, bool receive,
			  int64_t peer, uint64_t bytes);

/* The recording's clock. */
uint64_t gaspdb_ticks(void);

/*
 * Writes an OTHER record (log_format.h): one argument for each character of
 * layout: u uint64_t, i int64_t, s const char * (NULL: empty).  Written while
 * recording is off too.
 */
void gaspdb_record(struct gaspdb_context *c, unsigned kind, const char *layout,
		   ...);

/* The same of a record that a call of the trace still needs when a profile has
   taken the trace's place. */
void gaspdb_record_late(struct gaspdb_context *c, unsigned kind,
			const char *layout, ...);

/* Adds a SEGMENT, symmetric memory of this process, to every log. kind: "heap"
   or "module". */
void gaspdb_segment(const char *kind, const char *name, const void *base,
		    size_t bytes);

/* One line on stderr, "gaspdb: ...", once per process whatever the cause. */
void gaspdb_complain(const char *fmt, ...)
	__attribute__((format(printf, 1, 2)));

#endif
