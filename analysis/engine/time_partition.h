/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls that come thread by thread, given again slice of time by slice of time:
 * of each slice all threads' calls that begin in it.  A slice has a few 10,000
 * (with thousands of threads 100,000), however many there are (unless more
 * begin in the same nanosecond); a file without a name holds the others, in 8
 * or 16 bytes each.
 */
#ifndef GASPDB_ANALYSIS_ENGINE_TIME_PARTITION_H
#define GASPDB_ANALYSIS_ENGINE_TIME_PARTITION_H

#include <string.h>

#include "analysis/engine/run.h"

struct gaspdb_partitioned_call {
	int64_t start_ns, end_ns;
	int32_t thread;
	uint32_t what, peer; /* the caller's; both 0 take less room */
};

/* A thread's calls, one after another. */
struct gaspdb_partitioned {
	const uint8_t *next;
	uint64_t start_ns; /* of the one before */
	int32_t thread;
	uint16_t n; /* are left */
};

struct gaspdb_piece;
struct gaspdb_time_slice;
struct gaspdb_spool;

struct gaspdb_time_partition {
	struct gaspdb_run *run;
	struct gaspdb_time_slice *slices; /* in order of time, equally long */
	size_t n;
	int64_t calls;	 /* of a slice, about */
	int64_t from_ns; /* the first */
	uint64_t width_ns;
	struct gaspdb_time_slice *current; /* of the last call; NULL: none */
	/* Its thread's next one is most likely in the same. */
	struct {
		int32_t thread;	      /* -1: none */
		uint16_t n;	      /* have come since */
		uint8_t *next, *last; /* where it goes, at most */
		int64_t start_ns;     /* of the call before */
		int64_t until_ns;     /* it begins before that */
	} group;
	struct gaspdb_spool *spool;
	struct gaspdb_piece *pieces; /* read from it */
};

struct gaspdb_time_partition_out {
	void *user;
	/* Of a slice: in the order in which they were added. */
	void (*calls)(void *user, struct gaspdb_partitioned *calls);
	/* The slice is complete: all calls that begin up to this moment have
	   been given. */
	void (*reached)(void *user, int64_t at_ns);
};

/* So many calls may be added, most of them between these two moments. */
void gaspdb_time_partition_open(struct gaspdb_time_partition *slices,
				struct gaspdb_run *run, int64_t from_ns,
				int64_t until_ns, int64_t calls);
/* Give all that have been added; as often as is wanted. */
void gaspdb_time_partition_give(struct gaspdb_time_partition *slices,
				const struct gaspdb_time_partition_out *out);
/* Zeroed: nothing. */
void gaspdb_time_partition_close(struct gaspdb_time_partition *slices);

/* --- how a call is kept --------------------------------------------------- */

/*
 * Since the call before, and how long: 31 and 32 bits, and a bit that tells
 * whether more than a call is known of it; or first that they are longer, and
 * then as they are.
 */
enum { GASPDB_PARTITIONED_HAS_WHAT = 1 };
#define GASPDB_PARTITIONED_LONG ((uint64_t)0x7fffffff)

static inline uint8_t *gaspdb_partitioned_put(uint8_t *to, uint64_t v)
{
	memcpy(to, &v, sizeof v);
	return to + sizeof v;
}

static inline uint64_t gaspdb_partitioned_get(struct gaspdb_partitioned *from)
{
	uint64_t v;

	memcpy(&v, from->next, sizeof v);
	from->next += sizeof v;
	return v;
}

/* Which calls have more is not to be foreseen: so there are no branches for it,
   and a call has room for that in any case. */
static inline uint64_t
gaspdb_partitioned_get_what(struct gaspdb_partitioned *from, uint64_t has_what)
{
	uint64_t v;

	memcpy(&v, from->next, sizeof v);
	from->next += sizeof v * has_what;
	return v & -has_what;
}

/* Part of gaspdb_time_partition_add(): of another thread or slice, or a long
 * one. */
void gaspdb_time_partition_add_apart(struct gaspdb_time_partition *slices,
				     int32_t thread, int64_t start_ns,
				     int64_t end_ns, uint32_t what,
				     uint32_t peer);

/* A thread's calls one after another. */
static inline void gaspdb_time_partition_add(struct gaspdb_time_partition *s,
					     int32_t thread, int64_t start_ns,
					     int64_t end_ns, uint32_t what,
					     uint32_t peer)
{
	const uint64_t since = (uint64_t)start_ns - (uint64_t)s->group.start_ns;
	const uint64_t length = (uint64_t)end_ns - (uint64_t)start_ns;
	const uint64_t has_what = what | peer ? GASPDB_PARTITIONED_HAS_WHAT : 0;
	uint8_t *at = s->group.next;

	if (thread != s->group.thread || start_ns >= s->group.until_ns ||
	    since >= GASPDB_PARTITIONED_LONG || length > UINT32_MAX ||
	    at > s->group.last) {
		gaspdb_time_partition_add_apart(s, thread, start_ns, end_ns,
						what, peer);
		return;
	}
	at = gaspdb_partitioned_put(at, length << 32 | since << 1 | has_what);
	gaspdb_partitioned_put(at, (uint64_t)peer << 32 | what);
	s->group.next = at + has_what * sizeof(uint64_t);
	s->group.start_ns = start_ns;
	s->group.n++;
}

/* The next one; false: that was the last. */
static inline bool gaspdb_partitioned_next(struct gaspdb_partitioned *from,
					   struct gaspdb_partitioned_call *c)
{
	uint64_t head, since, length, what;

	if (!from->n)
		return false;
	from->n--;
	head = gaspdb_partitioned_get(from);
	since = (uint32_t)head >> 1;
	length = head >> 32;
	if (since == GASPDB_PARTITIONED_LONG) {
		since = gaspdb_partitioned_get(from);
		length = gaspdb_partitioned_get(from);
	}
	what = gaspdb_partitioned_get_what(from,
					   head & GASPDB_PARTITIONED_HAS_WHAT);
	from->start_ns += since;
	*c = (struct gaspdb_partitioned_call){
		.start_ns = (int64_t)from->start_ns,
		.end_ns = (int64_t)(from->start_ns + length),
		.thread = from->thread,
		.what = (uint32_t)what,
		.peer = (uint32_t)(what >> 32)
	};
	return true;
}

#endif
