/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One digit of a radix sort by time: each slice has a buffer, and what that has
 * no room for goes to the file, where the pieces of a slice know the one
 * before.  A slice that turns out to have very many calls is cut up again, as
 * the whole was, when its turn comes.
 */
#include "analysis/slices.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/spool.h"

enum {
	CALLS_OF_SLICE = 1 << 14, /* about: what is looked at at a time is to
				     stay in a processor's cache */
	TOO_MANY_CALLS = 1 << 17,
	SLICES_MAX = 512,
	PIECE_BYTES = 4 << 10,
	CALL_BYTES_MAX = 4 * sizeof(uint64_t),
	GROUP_BYTES = sizeof(int32_t) + sizeof(uint16_t)
};

/* Groups of calls of a thread: the thread, how many, and these. */
struct piece {
	int64_t before; /* in the file, of the same slice; NONE */
	size_t n_bytes;
	uint8_t bytes[PIECE_BYTES - sizeof(int64_t) - sizeof(size_t)];
};

struct gaspdb_slice {
	int64_t n;
	int64_t from_ns;	   /* as the slices are laid out */
	int64_t first_ns, last_ns; /* starts of calls */
	/* Where calls are added. */
	size_t group; /* in the piece */
	int32_t thread;
	uint16_t n_group;
	int64_t start_ns; /* of the call before, first from_ns */
	struct piece piece;
};

typedef struct gaspdb_slice slice;

void gaspdb_slices_open(struct gaspdb_slices *s, struct gaspdb_run *run,
			int64_t from_ns, int64_t until_ns, int64_t calls)
{
	const uint64_t length = (uint64_t)until_ns - (uint64_t)from_ns;
	int64_t n = calls / CALLS_OF_SLICE + 1;

	*s = (struct gaspdb_slices){ .run = run, .from_ns = from_ns };
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

void gaspdb_slices_close(struct gaspdb_slices *s)
{
	gaspdb_spool_close(s->spool);
	free(s->slices);
}

/* --- adding --------------------------------------------------------------- */

/* The piece is full. */
static void put_away(struct gaspdb_slices *s, slice *to)
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

static uint8_t *put(uint8_t *to, uint64_t v)
{
	memcpy(to, &v, sizeof v);
	return to + sizeof v;
}

static uint64_t get(const uint8_t **from)
{
	uint64_t v;

	memcpy(&v, *from, sizeof v);
	*from += sizeof v;
	return v;
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

/*
 * Since the call before, and how long: 31 and 32 bits, and a bit that tells
 * whether more than a call is known of it; or first that they are longer, and
 * then as they are.
 */
enum { HAS_WHAT = 1 };
#define LONG ((uint64_t)0x7fffffff)

static void append(slice *to, const struct gaspdb_sliced_call *c)
{
	const uint64_t since = (uint64_t)c->start_ns - (uint64_t)to->start_ns;
	const uint64_t length = (uint64_t)c->end_ns - (uint64_t)c->start_ns;
	const uint64_t has_what = c->what || c->peer ? HAS_WHAT : 0;
	uint8_t *at = to->piece.bytes + to->piece.n_bytes;

	if (since < LONG && length <= UINT32_MAX) {
		at = put(at, length << 32 | since << 1 | has_what);
	} else {
		at = put(at, LONG << 1 | has_what);
		at = put(at, since);
		at = put(at, length);
	}
	if (has_what)
		at = put(at, (uint64_t)c->peer << 32 | c->what);
	to->piece.n_bytes = (size_t)(at - to->piece.bytes);
	to->n_group++;
	memcpy(to->piece.bytes + to->group + sizeof(int32_t), &to->n_group,
	       sizeof to->n_group);
	to->start_ns = c->start_ns;
}

/* A thread's next call is most likely in the slice of the one before. */
static slice *slice_of(struct gaspdb_slices *s, int64_t at_ns)
{
	const uint64_t at =
		at_ns > s->from_ns ? (uint64_t)at_ns - (uint64_t)s->from_ns : 0;
	uint64_t i;

	if (s->current && at >= s->current_from && at < s->current_until)
		return s->current;
	i = at / s->width_ns;
	if (i >= s->n)
		i = s->n - 1;
	s->current = &s->slices[i];
	s->current_from = i * s->width_ns;
	s->current_until =
		i + 1 < s->n ? s->current_from + s->width_ns : UINT64_MAX;
	return s->current;
}

void gaspdb_slices_add(struct gaspdb_slices *s,
		       const struct gaspdb_sliced_call *c)
{
	slice *to;

	if (s->run->status != GASPDB_OK)
		return;
	to = slice_of(s, c->start_ns);
	if (to->piece.n_bytes + GROUP_BYTES + CALL_BYTES_MAX >
	    sizeof to->piece.bytes)
		put_away(s, to);
	if (!to->piece.n_bytes || to->thread != c->thread ||
	    to->n_group == UINT16_MAX)
		begin_group(to, c->thread);
	append(to, c);
	if (!to->n || c->start_ns < to->first_ns)
		to->first_ns = c->start_ns;
	if (!to->n || c->start_ns > to->last_ns)
		to->last_ns = c->start_ns;
	to->n++;
}

/* --- giving --------------------------------------------------------------- */

static const uint8_t *give_group(const uint8_t *at, int64_t from_ns,
				 const struct gaspdb_slices_out *out)
{
	struct gaspdb_sliced_call c = { .start_ns = 0 };
	uint64_t start = (uint64_t)from_ns;
	uint16_t n;

	memcpy(&c.thread, at, sizeof c.thread);
	memcpy(&n, at + sizeof c.thread, sizeof n);
	at += GROUP_BYTES;
	while (n--) {
		const uint64_t head = get(&at);
		uint64_t since = (uint32_t)head >> 1, length = head >> 32;
		uint64_t what = 0;

		if (since == LONG) {
			since = get(&at);
			length = get(&at);
		}
		if (head & HAS_WHAT)
			what = get(&at);
		start += since;
		c.start_ns = (int64_t)start;
		c.end_ns = (int64_t)(start + length);
		c.what = (uint32_t)what;
		c.peer = (uint32_t)(what >> 32);
		out->call(out->user, &c);
	}
	return at;
}

static void give_piece(const struct piece *piece, int64_t from_ns,
		       const struct gaspdb_slices_out *out)
{
	const uint8_t *at = piece->bytes, *end = at + piece->n_bytes;

	while (at < end)
		at = give_group(at, from_ns, out);
}

/* A slice's pieces in the file, and the one that it has in memory. */
static void give_calls(struct gaspdb_slices *s, const slice *from,
		       const struct gaspdb_slices_out *out)
{
	int64_t *places = NULL;
	size_t n = 0, room = 0;
	struct piece piece;

	for (int64_t at = from->piece.before; at != GASPDB_NONE;) {
		if (!gaspdb_grow(s->run, &places, n, &room, sizeof *places) ||
		    !gaspdb_spool_read_at(s->run, s->spool, at, &piece.before,
					  sizeof piece.before))
			break;
		places[n++] = at;
		at = piece.before;
	}
	while (!gaspdb_run_stopped(s->run) && n &&
	       gaspdb_spool_read_at(s->run, s->spool, places[--n], &piece,
				    sizeof piece))
		give_piece(&piece, from->from_ns, out);
	free(places);
	if (s->run->status == GASPDB_OK)
		give_piece(&from->piece, from->from_ns, out);
}

static void add_again(void *user, const struct gaspdb_sliced_call *c)
{
	gaspdb_slices_add(user, c);
}

/* They do not all begin at one moment: they come apart. */
static void cut_up(struct gaspdb_slices *s, const slice *from,
		   const struct gaspdb_slices_out *out)
{
	struct gaspdb_slices parts;

	gaspdb_slices_open(&parts, s->run, from->first_ns, from->last_ns,
			   from->n);
	give_calls(s, from,
		   &(struct gaspdb_slices_out){ .user = &parts,
						.call = add_again });
	gaspdb_slices_give(&parts, out);
	gaspdb_slices_close(&parts);
}

void gaspdb_slices_give(struct gaspdb_slices *s,
			const struct gaspdb_slices_out *out)
{
	if (s->spool)
		gaspdb_spool_rewind(s->run, s->spool);
	for (size_t i = 0; i < s->n && s->run->status == GASPDB_OK; i++) {
		const slice *from = &s->slices[i];

		if (!from->n)
			continue;
		if (from->n > TOO_MANY_CALLS &&
		    from->first_ns < from->last_ns) {
			cut_up(s, from, out);
			continue;
		}
		give_calls(s, from, out);
		out->reached(out->user, from->last_ns);
	}
}
