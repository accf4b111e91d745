/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The MPI adapter, compiled once for each MPI: every public call of the
 * program is recorded around its PMPI_ twin, with results and status as MPI
 * gave them.  What must be remembered between calls (communicators, requests,
 * matched messages, windows) is kept in tables of the process, each with a
 * lock of its own that is never held across a PMPI call.  A signal's handler
 * that finds one held goes without what the table has (lock.h).
 */
#ifndef GASPDB_MPI_ADAPTER_H
#define GASPDB_MPI_ADAPTER_H

#include <mpi.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "collector/core/collector.h"
#include "collector/core/compiler.h"
#include "collector/core/lock.h"
#include "collector/log/log_format.h"

/* What only MPI 4 has: calls with large counts, persistent collectives ... */
#if MPI_VERSION >= 4
#define GASPDB_MPI4(...) __VA_ARGS__
#else
#define GASPDB_MPI4(...)
#endif

/* --- calls ---------------------------------------------------------------- */

/* A call being recorded. */
struct gaspdb_mpi_call {
	struct gaspdb_context *c; /* NULL: it is not */
	const struct gaspdb_operation *op;
	struct gaspdb_entry entry;
	struct gaspdb_mpi_comm *comm; /* borrowed: gaspdb_mpi_comm_get */
	uint64_t limit;		      /* receives: size of the buffer */
	int posted_peer, posted_tag;  /* receives: as asked for */
	uint64_t passed; /* receives that pass unrecorded: ticks when they were
			    posted; else 0 */
	enum gaspdb_look_mode look;
};

/* Between MPI_Init and MPI_Finalize.  Set while there is one thread. */
extern bool gaspdb_mpi_active;

/*
 * Opens the body of a wrapper of function: declares call.  ident: the event's.
 */
#define GASPDB_MPI_CALL(ident, function) \
	GASPDB_MPI_CALL_IF(gaspdb_mpi_active, ident, function)

#define GASPDB_MPI_CALL_IF(condition, ident, function)                        \
	extern __typeof__(function) *gaspdb_next_##function GASPDB_HIDDEN;    \
	static const struct gaspdb_operation op = { GASPDB_EVENT_MPI_##ident, \
						    #function };              \
	struct gaspdb_mpi_call call GASPDB_MPI_CALL_CLOSES = {                \
		.op = &op, .entry = GASPDB_ENTRY(gaspdb_next_##function)      \
	};                                                                    \
	gaspdb_mpi_enter(&call, condition)

#define GASPDB_MPI_CALL_CLOSES __attribute__((cleanup(gaspdb_mpi_call_close)))

/* Where a call that is not recorded goes. */
#define GASPDB_MPI_PASS(function) \
	(call.entry.to_other ? gaspdb_next_##function : P##function)

static inline void gaspdb_mpi_enter(struct gaspdb_mpi_call *call,
				    bool condition)
{
	if (condition)
		call->c = gaspdb_enter(call->op, &call->entry);
	else
		gaspdb_entry_pass(&call->entry);
}

static inline void gaspdb_mpi_call_close(const struct gaspdb_mpi_call *call)
{
	gaspdb_entry_close(&call->entry);
}

static inline void gaspdb_mpi_start(const struct gaspdb_mpi_call *call,
				    unsigned n, const uint64_t *args)
{
	gaspdb_start(call->c, call->op, call->entry.pc, n, args);
}

/* END, and the call is over. */
static inline void gaspdb_mpi_finish(const struct gaspdb_mpi_call *call,
				     unsigned n, const uint64_t *args)
{
	gaspdb_end(call->c, call->op, call->entry.pc, n, args);
	gaspdb_leave(call->c);
}

/* The same for what only looks: MPI_Test, MPI_Iprobe, MPI_Win_test. */
static inline void gaspdb_mpi_start_look(struct gaspdb_mpi_call *call,
					 unsigned n, const uint64_t *args)
{
	call->look = gaspdb_start_look(call->c, GASPDB_LOOK_TEST, call->op,
				       call->entry.pc, n, args);
}

/* Its place among others counts: it began when it did. */
static inline void gaspdb_mpi_start_look_apart(struct gaspdb_mpi_call *call,
					       unsigned n, const uint64_t *args)
{
	call->look = gaspdb_start_look(call->c, GASPDB_LOOK_APART, call->op,
				       call->entry.pc, n, args);
}

static inline void gaspdb_mpi_finish_look(const struct gaspdb_mpi_call *call,
					  bool success)
{
	const uint64_t end = success;

	gaspdb_end_look(call->c, call->look, call->op, call->entry.pc, success,
			0, 1, &end);
	gaspdb_leave(call->c);
}

/* A call that cannot fail, but a loop may poll by it: if weak, it is one on
   the caller's own memory. */
static inline void gaspdb_mpi_start_weak(struct gaspdb_mpi_call *call,
					 bool weak, unsigned n,
					 const uint64_t *args)
{
	call->look = GASPDB_LOOK_PLAIN;
	if (weak)
		call->look = gaspdb_start_look(call->c, GASPDB_LOOK_WEAK,
					       call->op, call->entry.pc, n,
					       args);
	else
		gaspdb_start(call->c, call->op, call->entry.pc, n, args);
}

static inline void gaspdb_mpi_finish_weak(const struct gaspdb_mpi_call *call)
{
	gaspdb_end_look(call->c, call->look, call->op, call->entry.pc, false, 0,
			0, NULL);
	gaspdb_leave(call->c);
}

/* --- valid.c -------------------------------------------------------------- */

/*
 * May MPI be asked about it?  Only valid handles are: MPI reports others to the
 * program's error handlers.  A handle that the program has freed may pass,
 * where MPI itself does not tell it from a valid one.
 */
bool gaspdb_mpi_comm_is_valid(MPI_Comm comm);
bool gaspdb_mpi_group_is_valid(MPI_Group group);
/* Just after MPI's start, and just before its end. */
void gaspdb_mpi_valid_init(void);
void gaspdb_mpi_valid_fini(void);

#ifdef OPEN_MPI
static inline bool gaspdb_mpi_type_is_valid(MPI_Datatype type)
{
	return type && type != MPI_DATATYPE_NULL;
}
#else
/* Bits 26 to 29 of a handle are the kind of object, which the kind's null
   handle has too; bits 30 and 31 how it is stored, 0 for null handles. */
static inline bool gaspdb_mpi_is_of_kind(int handle, int null)
{
	return !((handle ^ null) & 0x3c000000) && (unsigned)handle >> 30;
}

static inline bool gaspdb_mpi_type_is_valid(MPI_Datatype type)
{
	return gaspdb_mpi_is_of_kind(type, MPI_DATATYPE_NULL);
}
#endif

/* MPI's error class of any number; 0 for success. */
int gaspdb_mpi_error_class(int code);

/* --- communicators.c ------------------------------------------------------ */

/* World ranks of a group: regular ones need no list. */
struct gaspdb_mpi_ranks {
	int n, start, stride;
	int *list; /* NULL: start + i * stride */
};

static inline int gaspdb_mpi_rank_at(const struct gaspdb_mpi_ranks *r, int i)
{
	return r->list ? r->list[i] : r->start + i * r->stride;
}

struct gaspdb_mpi_comm {
	uint64_t id; /* its TEAM record's, from 1 */
	bool inter;
	int rank;			       /* own, in the own group */
	struct gaspdb_mpi_ranks local, remote; /* remote: inter only */
	int sources, destinations;	       /* neighbours in its topology */
	char *source_runs; /* as TEAM_SOURCES has them; NULL: not known */
	atomic_uint_least64_t sequence; /* collectives so far */
	atomic_uint_least64_t created;	/* communicators, windows so far */

	/* communicators.c's own */
	MPI_Comm handle; /* MPI_COMM_NULL: a window's */
	atomic_int references;
	const char *kind;
	char name[MPI_MAX_OBJECT_NAME + 1];
	uint64_t parent, ordinal;
	uint32_t *epochs[2]; /* windows.c's: starts, posts so far that named
				each world rank; NULL: none */
	struct gaspdb_mpi_comm *next, *newer, *older;
};

/* MPI_COMM_WORLD, MPI_COMM_SELF, and the parent's if there is one. */
void gaspdb_mpi_comms_init(struct gaspdb_context *c);

/*
 * The communicator of a handle, borrowed until the thread asks for another; one
 * whose making was not seen is added.  NULL for MPI_COMM_NULL, for a handle
 * that MPI does not know, and without memory.
 */
struct gaspdb_mpi_comm *gaspdb_mpi_comm_get(struct gaspdb_context *c,
					    MPI_Comm handle);
/* Its id alone, for a call that does not return, and may be a handler's:
   nothing is added or allocated.  0: not known. */
uint64_t gaspdb_mpi_comm_last(struct gaspdb_context *c, MPI_Comm handle);
/* Takes over a reference, and lends it in the same way. */
struct gaspdb_mpi_comm *gaspdb_mpi_comm_hold(struct gaspdb_mpi_comm *m);
struct gaspdb_mpi_comm *gaspdb_mpi_comm_ref(struct gaspdb_mpi_comm *m);
void gaspdb_mpi_comm_put(struct gaspdb_mpi_comm *m);

/* A creation that only the new communicator's members take part in: it has no
   number among the parent's creations and gets a name from its members. */
#define GASPDB_MPI_UNNUMBERED UINT64_MAX

/*
 * A communicator was made: the ordinal-th from parent (NULL: none).  Tells the
 * log.  key: for unnumbered ones, what else tells it from others with the same
 * members.  Returns its id, 0 for MPI_COMM_NULL.
 */
uint64_t gaspdb_mpi_comm_add(struct gaspdb_context *c, MPI_Comm handle,
			     const struct gaspdb_mpi_comm *parent,
			     uint64_t ordinal, uint64_t key, const char *kind);

/*
 * A window was made from parent, the ordinal-th of what was: a team of its own,
 * known by no handle.  The caller takes over the table's reference.  NULL: no
 * memory.
 */
struct gaspdb_mpi_comm *
gaspdb_mpi_comm_add_window(struct gaspdb_context *c, MPI_Comm handle,
			   const struct gaspdb_mpi_comm *parent,
			   uint64_t ordinal);
/* World ranks of a group, the caller's to free (list); start -1: not known. */
void gaspdb_mpi_ranks_of(struct gaspdb_mpi_ranks *r, MPI_Group group);

/* Before the thread's log names one that it was not asked for by handle. */
void gaspdb_mpi_comm_emit(struct gaspdb_context *c,
			  const struct gaspdb_mpi_comm *m);

/* Out of the table, before the handle can be used again; the caller takes over
   the table's reference.  NULL: it was not there. */
struct gaspdb_mpi_comm *gaspdb_mpi_comm_remove(MPI_Comm handle);
/* Back into the table: MPI did not free it. */
void gaspdb_mpi_comm_restore(struct gaspdb_mpi_comm *m);
/* false: it must stay, for it is known still. */
bool gaspdb_mpi_comm_remove_window(struct gaspdb_mpi_comm *m);
/* It is freed; c may be NULL. */
void gaspdb_mpi_comm_freed(struct gaspdb_context *c, struct gaspdb_mpi_comm *m);

/* The program named it. */
void gaspdb_mpi_comm_name(struct gaspdb_context *c, struct gaspdb_mpi_comm *m,
			  const char *name);

/* Each team's TEAM_SEQUENCE, when recording goes on. */
void gaspdb_mpi_comms_resumed(struct gaspdb_context *c);

/* Processes that a rank argument chooses from. */
static inline const struct gaspdb_mpi_ranks *
gaspdb_mpi_comm_peers(const struct gaspdb_mpi_comm *m)
{
	return m->inter ? &m->remote : &m->local;
}

/* World rank of one of them; -1: none, unknown, or no such rank. */
static inline int gaspdb_mpi_comm_peer(const struct gaspdb_mpi_comm *m,
				       int rank)
{
	const struct gaspdb_mpi_ranks *r;

	if (!m || rank < 0)
		return -1;
	r = gaspdb_mpi_comm_peers(m);
	if (rank >= r->n)
		return -1;
	return gaspdb_mpi_rank_at(r, rank);
}

static inline uint64_t gaspdb_mpi_comm_id(const struct gaspdb_mpi_comm *m)
{
	return m ? m->id : 0;
}

/* The next collective's number on m. */
static inline uint64_t gaspdb_mpi_comm_count(struct gaspdb_mpi_comm *m)
{
	return m ? atomic_fetch_add_explicit(&m->sequence, 1,
					     memory_order_relaxed)
		 : 0;
}

/* START of a collective of which its team and number are told. */
static inline void gaspdb_mpi_start_plain(const struct gaspdb_mpi_call *call,
					  uint64_t sequence)
{
	gaspdb_mpi_start(
		call, 2,
		(uint64_t[]){ gaspdb_mpi_comm_id(call->comm), sequence });
}

/* --- messages.c ----------------------------------------------------------- */

#define GASPDB_MPI_POSTED_NONE (-2)

/* A receive as asked for, in the log's terms: -1 any, -2 none. */
static inline int gaspdb_mpi_posted_peer(const struct gaspdb_mpi_comm *m,
					 int source)
{
	if (source == MPI_ANY_SOURCE)
		return -1;
	return source == MPI_PROC_NULL ? GASPDB_MPI_POSTED_NONE
				       : gaspdb_mpi_comm_peer(m, source);
}

static inline int gaspdb_mpi_posted_tag(int tag)
{
	return tag == MPI_ANY_TAG ? -1 : tag;
}

/* Bytes of count elements; 0 where the arguments are not valid. */
uint64_t gaspdb_mpi_bytes(MPI_Count count, MPI_Datatype type);

struct gaspdb_mpi_message {
	int peer, tag; /* -1: none */
	uint64_t bytes;
};

/* As a probe's status tells of it. */
struct gaspdb_mpi_message gaspdb_mpi_message_of(const struct gaspdb_mpi_comm *m,
						const MPI_Status *status);

/* As received into a buffer of limit bytes; error: a class. */
struct gaspdb_mpi_message
gaspdb_mpi_message_received(const struct gaspdb_mpi_comm *m,
			    const MPI_Status *status, uint64_t limit,
			    int error);

/* Ends a blocking receive.  Returns rc. */
int gaspdb_mpi_received(struct gaspdb_mpi_call *call, int rc,
			const MPI_Status *status);

/* --- passed.c ------------------------------------------------------------- */

/*
 * Before a send, a receive or a probe for one is posted: ticks if it is not
 * recorded, which are its place among the messages of its channel; else 0.
 */
uint64_t gaspdb_mpi_posting(struct gaspdb_context *c);
/* The same of an unrecorded one whose message may still be recorded: no other
   one is counted across it. */
uint64_t gaspdb_mpi_posting_apart(struct gaspdb_context *c);

/* A message passed unrecorded: it was sent, or its receive was posted, at these
   ticks. */
void gaspdb_mpi_passed(struct gaspdb_context *c, struct gaspdb_mpi_comm *comm,
		       const struct gaspdb_mpi_message *message, bool receive,
		       uint64_t ticks);
/* Those that were counted go to the log: recording goes on, or ends. */
void gaspdb_mpi_passed_emit(struct gaspdb_context *c);

/* --- p2p.c ---------------------------------------------------------------- */

/* START of a send, which is returned. */
struct gaspdb_mpi_message gaspdb_mpi_start_send(struct gaspdb_mpi_call *call,
						uint64_t bytes, int dest,
						int tag, MPI_Comm comm);
/* The same, for one that is on its way from now on. */
struct gaspdb_mpi_message gaspdb_mpi_start_sending(struct gaspdb_mpi_call *call,
						   uint64_t bytes, int dest,
						   int tag, MPI_Comm comm);
/* START of a receive; limit: size of its buffer in bytes. */
void gaspdb_mpi_start_receive(struct gaspdb_mpi_call *call, uint64_t limit,
			      int source, int tag, MPI_Comm comm);

/* --- requests.c ----------------------------------------------------------- */

enum gaspdb_mpi_kind {
	GASPDB_MPI_SEND,
	GASPDB_MPI_RECEIVE,
	GASPDB_MPI_PARTITIONED, /* a receive: message is known before */
	GASPDB_MPI_COLLECTIVE,
	GASPDB_MPI_ONE_SIDED
};

struct gaspdb_mpi_request {
	MPI_Request handle;
	const MPI_Request *where; /* the program's variable, when posted */
	const void *thread;	  /* that posted it */
	uint64_t serial;
	uint64_t number; /* starts of a persistent one */
	enum gaspdb_mpi_kind kind;
	bool persistent;
	bool active;
	bool done;	       /* its completion is recorded, it lives on */
	bool cancelling;       /* MPI_Cancel was called */
	bool passed;	       /* its posting was not recorded */
	uint64_t passed_ticks; /* of a receive then, whose place nothing else
				  tells; else 0 */
	const void *teller;    /* the thread whose log tells how it was made */
	bool untold;	       /* of one just started: this thread's does not */
	int posted_peer, posted_tag;	   /* receives: as asked for */
	struct gaspdb_mpi_message message; /* sends: as posted */
	uint64_t limit;			   /* receives: size of the buffer */
	uint64_t sent; /* receives of MPI_Isendrecv: the send's serial; message
			  is the send's */
	struct gaspdb_mpi_comm *comm; /* a reference; receives, dups */
	MPI_Comm *duplicate;	      /* MPI_Comm_idup: where it will be */
	uint64_t ordinal;
	struct gaspdb_mpi_request *next; /* requests.c's own */
};

/* Serial numbers are never used twice in a process. */
uint64_t gaspdb_mpi_serial(void);

/*
 * Remember a request: r with serial set.  A reference of its own to r->comm
 * is taken.
 */
void gaspdb_mpi_request_add(const struct gaspdb_mpi_request *r);

/*
 * Find one by handle.  Several live ones may share a handle: then the one that
 * was posted into the same variable, else the thread's oldest, else the oldest.
 * False: none.  *r is a copy as it was (start: as it is) with a reference to
 * its communicator, which gaspdb_mpi_request_put returns. complete: an active
 * one; it is forgotten, or inactive if persistent observe: an active one not
 * yet done, which is marked done cancel: an active one, which is marked start:
 * an inactive persistent one; it becomes active free: any; it is forgotten
 */
bool gaspdb_mpi_request_complete(MPI_Request handle, const MPI_Request *where,
				 struct gaspdb_mpi_request *r);
bool gaspdb_mpi_request_observe(MPI_Request handle, const MPI_Request *where,
				struct gaspdb_mpi_request *r);
bool gaspdb_mpi_request_cancel(MPI_Request handle, const MPI_Request *where,
			       struct gaspdb_mpi_request *r);
bool gaspdb_mpi_request_start(MPI_Request handle, const MPI_Request *where,
			      bool passed, uint64_t ticks,
			      struct gaspdb_mpi_request *r);
/* MPI has refused to start it. */
bool gaspdb_mpi_request_unstart(MPI_Request handle, const MPI_Request *where,
				struct gaspdb_mpi_request *r);
bool gaspdb_mpi_request_free(MPI_Request handle, const MPI_Request *where,
			     struct gaspdb_mpi_request *r);
void gaspdb_mpi_request_put(struct gaspdb_mpi_request *r);

/*
 * Ends a call that made a request: *r is remembered unless the call failed.
 * END's arguments are the request's serial number, 0 after a failure.
 * Returns rc.
 */
int gaspdb_mpi_posted(struct gaspdb_mpi_call *call, int rc,
		      const MPI_Request *request, struct gaspdb_mpi_request *r);

/* --- startup.c ------------------------------------------------------------ */

/*
 * The start and the end of MPI: the call is opened, _starting or _ending, the
 * PMPI call, _started or _ended, which finish it.  ok: MPI did start.
 */
void gaspdb_mpi_starting(const struct gaspdb_mpi_call *call);
void gaspdb_mpi_started(struct gaspdb_mpi_call *call, bool ok);
void gaspdb_mpi_ending(struct gaspdb_mpi_call *call);
void gaspdb_mpi_ended(struct gaspdb_mpi_call *call);

#endif
