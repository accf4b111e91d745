/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A partition of calls by time: calls are added thread by thread and delivered
 * slice by slice. A slice has all threads' calls that begin in it, a few 10,000
 * (100,000 for thousands of threads), unless more begin in the same nanosecond.
 * An unlinked file holds the other calls, in 8 or 16 bytes each.
 */
#ifndef GASPDB_ANALYSIS_ENGINE_TIME_PARTITION_H
#define GASPDB_ANALYSIS_ENGINE_TIME_PARTITION_H

#include <string.h>

#include "analysis/engine/run.h"

struct gaspdb_partitioned_call {
	int64_t start_ns, end_ns;
	int32_t thread;
	uint32_t what, peer; /* values of the caller; 0 and 0 take less room */
};

/* A reader of a thread's successive calls. */
struct gaspdb_partitioned {
	const uint8_t *next;
	uint64_t start_ns; /* of the previous call */
	int32_t thread;
	uint16_t n; /* calls left */
};

struct gaspdb_piece;
struct gaspdb_time_slice;
struct gaspdb_spool;

struct gaspdb_time_partition {
	struct gaspdb_run *run;
	struct gaspdb_time_slice
		*slices; /* in order of time, of equal length */
	size_t n;
	int64_t calls;	 /* calls of a slice, approximately */
	int64_t from_ns; /* the first */
	uint64_t width_ns;
	struct gaspdb_time_slice
		*current; /* slice of the last call; NULL: none */
	/* The open group: the thread's next call is most likely in the same
	   slice. */
	struct {
		int32_t thread;	      /* -1: none */
		uint16_t n;	      /* calls in the group */
		uint8_t *next, *last; /* next position and its bound */
		int64_t start_ns;     /* of the previous call */
		int64_t until_ns;     /* end of the slice */
	} group;
	struct gaspdb_spool *spool;
	struct gaspdb_piece *pieces; /* buffer of pieces read */
};

struct gaspdb_time_partition_out {
	void *user;
	/* Called with the calls of a slice, in the order of their addition. */
	void (*calls)(void *user, struct gaspdb_partitioned *calls);
	/* Called after a slice: all calls that begin up to at_ns were
	   delivered. */
	void (*reached)(void *user, int64_t at_ns);
};

/* Open a partition for about that many calls, most of them between these two
   times. */
void gaspdb_time_partition_open(struct gaspdb_time_partition *slices,
				struct gaspdb_run *run, int64_t from_ns,
				int64_t until_ns, int64_t calls);
/* Deliver all added calls; may be repeated. */
void gaspdb_time_partition_give(struct gaspdb_time_partition *slices,
				const struct gaspdb_time_partition_out *out);
/* Free the partition; all zero: no effect. */
void gaspdb_time_partition_close(struct gaspdb_time_partition *slices);

/* --- how a call is kept --------------------------------------------------- */

/*
 * Encoding of a call: 31 bits of time since the previous call, 32 bits of
 * length, and a bit for a second word. Longer values are escaped and follow in
 * full.
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

/* The second word (what, peer). Its presence is unpredictable, so it is always
   read and masked without a branch; the buffer always has room for it. */
static inline uint64_t
gaspdb_partitioned_get_what(struct gaspdb_partitioned *from, uint64_t has_what)
{
	uint64_t v;

	memcpy(&v, from->next, sizeof v);
	from->next += sizeof v * has_what;
	return v & -has_what;
}

/* The slow path of gaspdb_time_partition_add(): another thread or slice, or a
   long value. */
void gaspdb_time_partition_add_apart(struct gaspdb_time_partition *slices,
				     int32_t thread, int64_t start_ns,
				     int64_t end_ns, uint32_t what,
				     uint32_t peer);

/* Add a call. Successive calls of a thread come together. */
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

/* Read the next call; false: the end. */
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
