/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One digit of a radix sort by time. Each slice has a buffer. A full buffer
 * goes to a file as a piece, and each piece has the offset of the slice's
 * previous piece. A slice with too many calls is partitioned again when its
 * turn comes.
 */
#include "analysis/engine/time_partition.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/rows/spool.h"
#include "common/sum.h"

enum {
	/* A compromise: a slice should fit into the processor's cache, and
	   consecutive calls of a thread should stay together. */
	CALLS_OF_SLICE = 1 << 14,
	CALLS_OF_THREAD = 8,
	CALLS_OF_SLICE_MAX = 1 << 17,
	TOO_MANY = 4, /* times CALLS_OF_SLICE */
	SLICES_MAX = 512,
	PIECE_BYTES = 4 << 10,
	KEPT = 64, /* pieces in memory: enough for most slices */
	CALL_BYTES_MAX = 4 * sizeof(uint64_t),
	GROUP_BYTES = sizeof(int32_t) + sizeof(uint16_t)
};

/* A piece: groups of calls. A group is a thread, a number of calls and the
   calls. */
struct gaspdb_piece {
	int64_t before; /* offset of the slice's previous piece; NONE: first */
	size_t n_bytes;
	uint8_t bytes[PIECE_BYTES - sizeof(int64_t) - sizeof(size_t)];
};

struct gaspdb_time_slice {
	int64_t n;
	int64_t from_ns;	   /* nominal start */
	int64_t first_ns, last_ns; /* starts of calls */
	/* The position of the next call. */
	size_t group; /* in the piece */
	int32_t thread;
	uint16_t n_group;
	int64_t start_ns; /* of the previous call; initially from_ns */
	struct gaspdb_piece piece;
};

_Static_assert(PIECE_BYTES / sizeof(uint64_t) <= UINT16_MAX,
	       "a group has no more calls than a piece has room for");

typedef struct gaspdb_time_slice slice;

static int64_t calls_of_slice(const struct gaspdb_run *run)
{
	const int64_t n =
		gaspdb_max(CALLS_OF_SLICE, CALLS_OF_THREAD * run->n_threads);

	return gaspdb_min(n, CALLS_OF_SLICE_MAX);
}

void gaspdb_time_partition_open(struct gaspdb_time_partition *s,
				struct gaspdb_run *run, int64_t from_ns,
				int64_t until_ns, int64_t calls)
{
	const uint64_t length = (uint64_t)until_ns - (uint64_t)from_ns;
	int64_t n;

	*s = (struct gaspdb_time_partition){ .run = run,
					     .calls = calls_of_slice(run),
					     .from_ns = from_ns,
					     .group.thread = -1 };
	n = calls / s->calls + 1;
	if (n > SLICES_MAX)
		n = SLICES_MAX;
	s->slices = gaspdb_zeroed(run, (size_t)n, sizeof *s->slices);
	if (!s->slices)
		return;
	s->n = (size_t)n;
	s->width_ns = until_ns > from_ns ? length / (uint64_t)n + 1 : 1;
	for (size_t i = 0; i < s->n; i++) {
		s->slices[i].from_ns =
			(int64_t)((uint64_t)from_ns + i * s->width_ns);
		s->slices[i].piece.before = GASPDB_NONE;
	}
}

void gaspdb_time_partition_close(struct gaspdb_time_partition *s)
{
	gaspdb_spool_close(s->spool);
	free(s->slices);
}

/* --- adding --------------------------------------------------------------- */

/* Write a full piece to the file. */
static void put_away(struct gaspdb_time_partition *s, slice *to)
{
	int64_t at;

	if (!s->spool)
		s->spool = gaspdb_spool_open(s->run);
	if (!s->spool)
		return;
	at = gaspdb_spool_bytes(s->spool);
	gaspdb_spool_write(s->run, s->spool, &to->piece, sizeof to->piece);
	to->piece.before = at;
	to->piece.n_bytes = 0;
}

static void begin_group(slice *to, int32_t thread)
{
	uint8_t *group = to->piece.bytes + to->piece.n_bytes;

	to->group = to->piece.n_bytes;
	to->piece.n_bytes += GROUP_BYTES;
	to->thread = thread;
	to->n_group = 0;
	to->start_ns = to->from_ns;
	memcpy(group, &thread, sizeof thread);
}

static void append(slice *to, const struct gaspdb_partitioned_call *c)
{
	const uint64_t since = (uint64_t)c->start_ns - (uint64_t)to->start_ns;
	const uint64_t length = (uint64_t)c->end_ns - (uint64_t)c->start_ns;
	const uint64_t has_what =
		c->what || c->peer ? GASPDB_PARTITIONED_HAS_WHAT : 0;
	uint8_t *at = to->piece.bytes + to->piece.n_bytes;

	if (since < GASPDB_PARTITIONED_LONG && length <= UINT32_MAX) {
		at = gaspdb_partitioned_put(at, length << 32 | since << 1 |
							has_what);
	} else {
		at = gaspdb_partitioned_put(at, GASPDB_PARTITIONED_LONG << 1 |
							has_what);
		at = gaspdb_partitioned_put(at, since);
		at = gaspdb_partitioned_put(at, length);
	}
	if (has_what)
		at = gaspdb_partitioned_put(at,
					    (uint64_t)c->peer << 32 | c->what);
	to->piece.n_bytes = (size_t)(at - to->piece.bytes);
	to->n_group++;
	to->start_ns = c->start_ns;
	if (!to->n || c->start_ns < to->first_ns)
		to->first_ns = c->start_ns;
	if (!to->n || c->start_ns > to->last_ns)
		to->last_ns = c->start_ns;
	to->n++;
}

static slice *slice_of(const struct gaspdb_time_partition *s, int64_t at_ns)
{
	const uint64_t at =
		at_ns > s->from_ns ? (uint64_t)at_ns - (uint64_t)s->from_ns : 0;
	const uint64_t i = at / s->width_ns;

	return &s->slices[i < s->n ? i : s->n - 1];
}

/* The start of the next slice. */
static int64_t until_of(const struct gaspdb_time_partition *s, const slice *of)
{
	return of + 1 < s->slices + s->n ? of[1].from_ns : INT64_MAX;
}

/* Reopen the last group of a slice, if the piece has room. */
static void open_group(struct gaspdb_time_partition *s, slice *of)
{
	s->current = of;
	s->group.thread = of->thread;
	s->group.n = 0;
	s->group.next = of->piece.bytes + of->piece.n_bytes;
	s->group.last =
		of->piece.bytes + sizeof of->piece.bytes - 2 * sizeof(uint64_t);
	s->group.start_ns = of->start_ns;
	s->group.until_ns = until_of(s, of);
}

/* Update the slice from the open group. */
static void close_group(struct gaspdb_time_partition *s)
{
	slice *of = s->current;

	if (!of)
		return;
	of->piece.n_bytes = (size_t)(s->group.next - of->piece.bytes);
	of->n_group = (uint16_t)(of->n_group + s->group.n);
	memcpy(of->piece.bytes + of->group + sizeof(int32_t), &of->n_group,
	       sizeof of->n_group);
	of->start_ns = s->group.start_ns;
	of->last_ns = gaspdb_max(of->last_ns, of->start_ns);
	of->n += s->group.n;
	s->current = NULL;
	s->group.thread = -1;
}

void gaspdb_time_partition_add_apart(struct gaspdb_time_partition *s,
				     int32_t thread, int64_t start_ns,
				     int64_t end_ns, uint32_t what,
				     uint32_t peer)
{
	const struct gaspdb_partitioned_call c = { start_ns, end_ns, thread,
						   what, peer };
	slice *to;

	if (s->run->status != GASPDB_OK)
		return;
	close_group(s);
	to = slice_of(s, start_ns);
	if (to->piece.n_bytes + GROUP_BYTES + CALL_BYTES_MAX >
	    sizeof to->piece.bytes)
		put_away(s, to);
	if (!to->piece.n_bytes || to->thread != thread)
		begin_group(to, thread);
	append(to, &c);
	open_group(s, to);
}

/* --- giving --------------------------------------------------------------- */

static const uint8_t *give_group(const uint8_t *at, int64_t from_ns,
				 const struct gaspdb_time_partition_out *out)
{
	struct gaspdb_partitioned calls = { .next = at + GROUP_BYTES,
					    .start_ns = (uint64_t)from_ns };

	memcpy(&calls.thread, at, sizeof calls.thread);
	memcpy(&calls.n, at + sizeof calls.thread, sizeof calls.n);
	out->calls(out->user, &calls);
	return calls.next;
}

static void give_piece(const struct gaspdb_time_partition *s,
		       const struct gaspdb_piece *piece, int64_t from_ns,
		       const struct gaspdb_time_partition_out *out)
{
	const uint8_t *at = piece->bytes, *end = at + piece->n_bytes;

	/* After a failure a group may not be read to its end. */
	while (at < end && s->run->status == GASPDB_OK)
		at = give_group(at, from_ns, out);
}

/*
 * Deliver the calls of a slice: its pieces in the file and the piece in memory.
 * The chain of pieces runs backwards; the last pieces are read first to follow
 * it.
 */
static void give_calls(struct gaspdb_time_partition *s, const slice *from,
		       const struct gaspdb_time_partition_out *out)
{
	int64_t *places = NULL;
	size_t n = 0, room = 0;

	for (int64_t at = from->piece.before; at != GASPDB_NONE; n++) {
		struct gaspdb_piece *piece = &s->pieces[n < KEPT ? n : KEPT];

		if (!gaspdb_grow(s->run, &places, n, &room, sizeof *places) ||
		    !gaspdb_spool_read_at(s->run, s->spool, at, piece,
					  n < KEPT ? sizeof *piece
						   : sizeof piece->before))
			break;
		places[n] = at;
		at = piece->before;
	}
	while (!gaspdb_run_stopped(s->run) && n--) {
		struct gaspdb_piece *piece = &s->pieces[n < KEPT ? n : KEPT];

		if (n < KEPT ||
		    gaspdb_spool_read_at(s->run, s->spool, places[n], piece,
					 sizeof *piece))
			give_piece(s, piece, from->from_ns, out);
	}
	free(places);
	if (s->run->status == GASPDB_OK)
		give_piece(s, &from->piece, from->from_ns, out);
}

static void add_again(void *user, struct gaspdb_partitioned *calls)
{
	struct gaspdb_partitioned_call c;

	while (gaspdb_partitioned_next(calls, &c))
		gaspdb_time_partition_add(user, c.thread, c.start_ns, c.end_ns,
					  c.what, c.peer);
}

/* Partition a slice again. Its calls have different starts, so it can be
   divided. */
static void cut_up(struct gaspdb_time_partition *s, const slice *from,
		   const struct gaspdb_time_partition_out *out)
{
	struct gaspdb_time_partition parts;

	gaspdb_time_partition_open(&parts, s->run, from->first_ns,
				   from->last_ns, from->n);
	give_calls(s, from,
		   &(struct gaspdb_time_partition_out){ .user = &parts,
							.calls = add_again });
	gaspdb_time_partition_give(&parts, out);
	gaspdb_time_partition_close(&parts);
}

void gaspdb_time_partition_give(struct gaspdb_time_partition *s,
				const struct gaspdb_time_partition_out *out)
{
	close_group(s);
	if (s->spool) {
		gaspdb_spool_rewind(s->run, s->spool);
		s->pieces = gaspdb_resized(s->run, NULL, KEPT + 1,
					   sizeof *s->pieces);
	}
	for (size_t i = 0; i < s->n && s->run->status == GASPDB_OK; i++) {
		const slice *from = &s->slices[i];

		if (!from->n)
			continue;
		if (from->n > TOO_MANY * s->calls &&
		    from->first_ns < from->last_ns) {
			cut_up(s, from, out);
			continue;
		}
		give_calls(s, from, out);
		out->reached(out->user, from->last_ns);
	}
	free(s->pieces);
	s->pieces = NULL;
}
