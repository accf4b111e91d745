/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The OpenSHMEM adapter.  Most wrappers are generated (wrappers.awk, from
 * families.tbl and the header of the OpenSHMEM in use); this folder has the
 * functions that they call, and the wrappers written by hand.
 */
#ifndef GASPDB_COLLECTOR_MODELS_SHMEM_ADAPTER_H
#define GASPDB_COLLECTOR_MODELS_SHMEM_ADAPTER_H

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "collector/base/compiler.h"
#include "collector/core/collector.h"
#include "collector/core/lock.h"
#include "collector/models/shmem/api.h"

/*
 * Opens the body of a wrapper of function: declares c, NULL where the call is
 * only passed on.  ident: the event's.
 */
#define GASPDB_SHMEM_CALL(ident, function)   \
	GASPDB_SHMEM_ENTRY(ident, function); \
	struct gaspdb_context *c = gaspdb_enter(&op, &entry)

#define GASPDB_SHMEM_ENTRY(ident, function)                                \
	extern __typeof__(function) *gaspdb_next_##function GASPDB_HIDDEN; \
	static const struct gaspdb_operation op = { GASPDB_EVENT_##ident,  \
						    #function };           \
	struct gaspdb_entry entry GASPDB_ENTRY_CLOSES =                    \
		GASPDB_ENTRY(gaspdb_next_##function)

/* Target of a call that is not recorded. */
#define GASPDB_SHMEM_PASS(function) \
	(entry.to_other ? gaspdb_next_##function : p##function)

/* --- contexts.c ----------------------------------------------------------- */

#define GASPDB_SHMEM_DEFAULT_CONTEXT UINT64_C(0)

/* Serial number of a new context in the process, from 1. */
uint64_t gaspdb_shmem_context_new(shmem_ctx_t ctx);
uint64_t gaspdb_shmem_context_find(shmem_ctx_t ctx);

static inline uint64_t gaspdb_shmem_context(shmem_ctx_t ctx)
{
	return ctx == SHMEM_CTX_DEFAULT ? GASPDB_SHMEM_DEFAULT_CONTEXT
					: gaspdb_shmem_context_find(ctx);
}

/* The same for a new context on a team. */
struct gaspdb_shmem_team;
uint64_t gaspdb_shmem_context_of(shmem_ctx_t ctx,
				 const struct gaspdb_shmem_team *of);
extern _Atomic bool gaspdb_shmem_team_contexts; /* any were made */
int64_t gaspdb_shmem_context_peer(uint64_t context, int pe);

/* World PE of pe on a context: on a team's, pe is a rank in the team. */
static inline int64_t gaspdb_shmem_peer(uint64_t context, int pe)
{
	return GASPDB_LIKELY(context == GASPDB_SHMEM_DEFAULT_CONTEXT ||
			     !atomic_load_explicit(&gaspdb_shmem_team_contexts,
						   memory_order_relaxed))
		       ? pe
		       : gaspdb_shmem_context_peer(context, pe);
}

/* --- teams.c -------------------------------------------------------------- */

/* The calling PE's part in a collective. */
struct gaspdb_shmem_collective {
	struct gaspdb_shmem_team *team; /* NULL: not known */
	uint64_t id;	   /* of the team; 0: not known, memory ran out */
	uint64_t sequence; /* of the collective on it */
	int64_t first;	   /* world PE of rank 0 */
	int rank;	   /* own, in the team */
	size_t size;
};
#define GASPDB_SHMEM_NO_COLLECTIVE ((struct gaspdb_shmem_collective){ 0 })

/* The next collective of all PEs, or of an active set; logs a team that the
   thread's log lacks. */
struct gaspdb_shmem_collective gaspdb_shmem_all(struct gaspdb_context *c);
struct gaspdb_shmem_collective gaspdb_shmem_active_set(struct gaspdb_context *c,
						       int first,
						       int log_stride,
						       int size);

/* World PE of a member; -1: not known. */
int64_t gaspdb_shmem_member(const struct gaspdb_shmem_team *team, int rank);
int gaspdb_shmem_own_pe(void);

/* Called once, when OpenSHMEM has started. */
void gaspdb_shmem_teams_init(struct gaspdb_context *c, int pe, int n_pes);

/* --- team_handles.c ------------------------------------------------------- */

/* Defined if the OpenSHMEM in use has teams (1.5). */
#if defined SHMEM_MAJOR_VERSION && \
	(SHMEM_MAJOR_VERSION > 1 || SHMEM_MINOR_VERSION >= 5)
#define GASPDB_SHMEM_TEAMS

/* The next collective of a team, by handle. */
struct gaspdb_shmem_collective gaspdb_shmem_on_team(struct gaspdb_context *c,
						    shmem_team_t handle);
/* Adds a team that a collective made; which: its number among the call's.
   Returns its id, 0 if the PE is not in it. */
uint64_t gaspdb_shmem_team_made(struct gaspdb_context *c,
				const struct gaspdb_shmem_collective *by,
				shmem_team_t handle, unsigned which);
/* Serial number of a new context on a team. */
uint64_t gaspdb_shmem_team_context(shmem_ctx_t ctx, shmem_team_t handle);
#endif

/* --- words.c -------------------------------------------------------------- */

/* Number of words of n that a status array (or NULL) excludes. */
size_t gaspdb_shmem_excluded(const int *status, size_t n);
/* Logs the words that the call's event polls, unless all or none. */
void gaspdb_shmem_emit_polled(struct gaspdb_context *c, const int *status,
			      size_t n, size_t excluded);
/* Logs which of n words have changed. */
void gaspdb_shmem_emit_come(struct gaspdb_context *c, const size_t *indices,
			    size_t n, size_t n_indices);

/* Logs the words' expected values if they differ: all up to 24, else one. */
#define GASPDB_SHMEM_EMIT_VALUES(c, values, n)                              \
	do {                                                                \
		bool differ = false;                                        \
		for (size_t i = 1; i < (n) && !differ; i++)                 \
			differ = (values)[i] != (values)[0];                \
		for (size_t i = 0; differ && i < ((n) > 24 ? 1 : (n)); i++) \
			gaspdb_shmem_emit_value(c, (int64_t)(values)[i]);   \
	} while (0)
void gaspdb_shmem_emit_value(struct gaspdb_context *c, int64_t value);
/* The same for a test that may be folded: at a new event, and at the success of
   one that joined others. */
#define GASPDB_SHMEM_EMIT_NEW_VALUES(c, mode, values, n)        \
	do {                                                    \
		if ((mode) == GASPDB_POLL_NEW) {                \
			GASPDB_SHMEM_EMIT_VALUES(c, values, n); \
			gaspdb_poll_extend(c, mode);            \
		}                                               \
	} while (0)
#define GASPDB_SHMEM_EMIT_JOINED_VALUES(c, mode, success, values, n) \
	do {                                                         \
		if ((mode) == GASPDB_POLL_JOINS && (success))        \
			GASPDB_SHMEM_EMIT_VALUES(c, values, n);      \
	} while (0)

/* --- polls ---------------------------------------------------------------- */

static inline enum gaspdb_poll_mode
gaspdb_shmem_start_test(struct gaspdb_context *c,
			const struct gaspdb_operation *op, const void *pc,
			unsigned n, const uint64_t *args)
{
	return gaspdb_start_poll(c, GASPDB_POLL_TEST, op, pc, n, args);
}

static inline enum gaspdb_poll_mode
gaspdb_shmem_start_apart(struct gaspdb_context *c,
			 const struct gaspdb_operation *op, const void *pc,
			 unsigned n, const uint64_t *args)
{
	return gaspdb_start_poll(c, GASPDB_POLL_APART, op, pc, n, args);
}

/* words.c: a test of n_words (gaspdb_shmem_emit_polled), and the success of one
   that joined others. */
enum gaspdb_poll_mode
gaspdb_shmem_start_words(struct gaspdb_context *c,
			 const struct gaspdb_operation *op, const void *pc,
			 const int *status, size_t n_words, size_t excluded,
			 unsigned n, const uint64_t *args);
void gaspdb_shmem_emit_joined(struct gaspdb_context *c,
			      enum gaspdb_poll_mode mode, bool success,
			      const int *status, size_t n_words,
			      size_t excluded);

/* The longest value of a flag. */
#define GASPDB_SHMEM_FLAG_MAX 8

/* A read of another PE's memory or of the own; args[0] is the peer. */
static inline enum gaspdb_poll_mode
gaspdb_shmem_start_own(struct gaspdb_context *c,
		       const struct gaspdb_operation *op, const void *pc,
		       unsigned n, const uint64_t *args)
{
	if (GASPDB_UNLIKELY((int64_t)args[0] == gaspdb_shmem_own_pe()))
		return gaspdb_start_poll(c, GASPDB_POLL_WEAK, op, pc, n, args);
	gaspdb_start(c, op, pc, n, args);
	return GASPDB_POLL_PLAIN;
}

/* The same with the bytes in args[3]. */
static inline enum gaspdb_poll_mode
gaspdb_shmem_start_own_get(struct gaspdb_context *c,
			   const struct gaspdb_operation *op, const void *pc,
			   unsigned n, const uint64_t *args)
{
	if (args[3] <= GASPDB_SHMEM_FLAG_MAX)
		return gaspdb_shmem_start_own(c, op, pc, n, args);
	gaspdb_start(c, op, pc, n, args);
	return GASPDB_POLL_PLAIN;
}

/* The value that a read found, as a number. */
static inline uint64_t gaspdb_shmem_found(const void *value, size_t bytes)
{
	const unsigned char *p = value;
	uint64_t found = 0;

	for (size_t i = 0; i < bytes; i++)
		found = (found << 8 | found >> 56) ^ p[i];
	return found;
}

/* --- segments.c ----------------------------------------------------------- */

/* Logs the symmetric static data of the program and its libraries. */
void gaspdb_shmem_modules(int pe);

/* Logs the heap of an allocation, if it is new. NULL is no allocation. */
void gaspdb_shmem_heap(struct gaspdb_context *c, const void *address);

/* --- values --------------------------------------------------------------- */

/* Comparisons as logged (events/README.md). */
enum {
	GASPDB_SHMEM_EQUAL,
	GASPDB_SHMEM_NOT_EQUAL,
	GASPDB_SHMEM_GREATER,
	GASPDB_SHMEM_GREATER_EQUAL,
	GASPDB_SHMEM_LESS,
	GASPDB_SHMEM_LESS_EQUAL
};

/* Values of after_known (events/README.md); 0: not known. */
enum { GASPDB_SHMEM_KNOWN = 1, GASPDB_SHMEM_UNCHANGED };

/* Whether it is a readable word, as those that can be waited for. */
static inline int gaspdb_shmem_is_word(const void *word, size_t bytes)
{
	return word && (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8);
}

/* The value of such a word, sign-extended; 0: it is none. */
static inline int64_t gaspdb_shmem_word(const void *word, size_t bytes)
{
	int32_t of_4;
	int16_t of_2;
	int8_t of_1;
	int64_t bits;

	if (!word)
		return 0;
	switch (bytes) {
	case 1:
		memcpy(&of_1, word, 1);
		return of_1;
	case 2:
		memcpy(&of_2, word, 2);
		return of_2;
	case 4:
		memcpy(&of_4, word, 4);
		return of_4;
	case 8:
		memcpy(&bits, word, 8);
		return bits;
	default:
		return 0;
	}
}

/* The comparison of an implementation's number; -1: none. */
static inline int gaspdb_shmem_comparison(int cmp)
{
	return cmp == SHMEM_CMP_EQ   ? GASPDB_SHMEM_EQUAL
	       : cmp == SHMEM_CMP_NE ? GASPDB_SHMEM_NOT_EQUAL
	       : cmp == SHMEM_CMP_GT ? GASPDB_SHMEM_GREATER
	       : cmp == SHMEM_CMP_GE ? GASPDB_SHMEM_GREATER_EQUAL
	       : cmp == SHMEM_CMP_LT ? GASPDB_SHMEM_LESS
	       : cmp == SHMEM_CMP_LE ? GASPDB_SHMEM_LESS_EQUAL
				     : -1;
}

#endif
