/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Members, in chunks that are merged. A thread's calls of one team are in the
 * team's order, so nothing is sorted. A chunk has members of one thread and
 * team. It ends when it is full, when the thread ends, and when a sequence
 * number does not increase, or increases too much. So members may come in any
 * order, and the range of a chunk is bounded. A chunk is opened when its first
 * member is the next to be read, so mostly one chunk per thread is in memory.
 *
 * A member is encoded as its difference from the previous one: for most
 * barriers a call and its two times, 28 bytes of 184.
 */
#include "analysis/collectives/calls/members.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/rows/spool.h"
#include "common/heap.h"
#include "sql/passes/collectives.h"

/* Limits of all chunks in memory, and of a chunk. */
enum { ALL_BYTES = 2 << 20, CHUNK_BYTES_MIN = 512, CHUNK_BYTES_MAX = 16 << 10 };

/* Limit of the step between two sequence numbers in a chunk. Numbers may be
   missing, because some calls are ignored. */
enum { JUMP_MAX = 64 };

/* A row of `chunks`. */
enum { TEAM, SEQUENCE, THREAD, EVENT, OFFSET, BYTES, CHUNK_COLUMNS };

enum { COLUMNS = sizeof(struct gaspdb_member) / sizeof(int64_t) };

/* A record: a bit mask of the columns that differ, and their values. */
enum { RECORD_BYTES_MAX = sizeof(uint32_t) + sizeof(struct gaspdb_member) };

_Static_assert(COLUMNS <= 32, "a bit for each column");

#define COLUMN(field) (offsetof(struct gaspdb_member, field) / sizeof(int64_t))

/* From this column on, most members are like the previous one. */
enum { ALIKE = COLUMN(team) };

union columns {
	struct gaspdb_member member;
	int64_t values[COLUMNS];
};

struct gaspdb_member_buffer {
	int64_t sequence, event; /* of the first member */
	union columns before;	 /* the last member */
	uint8_t *bytes;
	size_t n;
};

struct gaspdb_member_chunk {
	union columns now; /* the next member */
	size_t at, n;
	uint8_t bytes[];
};

typedef struct gaspdb_member_buffer buffer;
typedef struct gaspdb_member_chunk chunk;

static int64_t minus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

static int64_t plus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

/* Replace columns that mostly equal another column by the difference. */
static void to_differences(struct gaspdb_member *m)
{
	m->wait_event = minus(m->wait_event, m->event);
	m->wait_enter_ns = minus(m->wait_enter_ns, m->enter_ns);
	m->others_done = minus(m->others_done, m->others);
}

/* The inverse of to_differences(). */
static void from_differences(struct gaspdb_member *m)
{
	m->wait_event = plus(m->wait_event, m->event);
	m->wait_enter_ns = plus(m->wait_enter_ns, m->enter_ns);
	m->others_done = plus(m->others_done, m->others);
}

/* --- adding --------------------------------------------------------------- */

void gaspdb_members_init(struct gaspdb_members *s, struct gaspdb_run *run)
{
	sqlite3_stmt *stmt = gaspdb_prepare(run, gaspdb_sql_members_expected);
	size_t bytes = ALL_BYTES;

	*s = (struct gaspdb_members){ .run = run, .thread = GASPDB_NONE };
	gaspdb_sorter_init(&s->chunks, run, CHUNK_COLUMNS, EVENT + 1);
	gaspdb_groups_init(&s->teams, 1, 1);
	if (gaspdb_row(run, stmt))
		bytes /= (size_t)sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	s->chunk_bytes = bytes < CHUNK_BYTES_MIN   ? CHUNK_BYTES_MIN
			 : bytes > CHUNK_BYTES_MAX ? CHUNK_BYTES_MAX
						   : bytes;
	s->n_buffers = ALL_BYTES / s->chunk_bytes;
	s->buffers = gaspdb_zeroed(run, s->n_buffers, sizeof *s->buffers);
}

/* Write a team's buffer as a chunk. */
static void end_chunk(struct gaspdb_members *s, buffer *b)
{
	if (!b->n)
		return;
	if (!s->spool)
		s->spool = gaspdb_spool_open(s->run);
	if (!s->spool)
		return;
	gaspdb_sorter_add(&s->chunks,
			  (int64_t[]){ [TEAM] = b->before.member.team,
				       [SEQUENCE] = b->sequence,
				       [THREAD] = b->before.member.thread,
				       [EVENT] = b->event,
				       [OFFSET] = gaspdb_spool_bytes(s->spool),
				       [BYTES] = (int64_t)b->n });
	gaspdb_spool_write(s->run, s->spool, b->bytes, b->n);
	b->n = 0;
}

static void end_chunks(struct gaspdb_members *s)
{
	for (size_t i = 0; i < s->teams.n; i++)
		end_chunk(s, &s->buffers[i]);
	gaspdb_groups_clear(&s->teams);
	s->last = NULL;
}

static buffer *buffer_of(struct gaspdb_members *s, int64_t team)
{
	int64_t *number = gaspdb_groups_find(&s->teams, &team);
	buffer *b;

	if (number)
		return &s->buffers[*number - 1];
	if (s->teams.n == s->n_buffers)
		end_chunks(s);
	number = gaspdb_group(s->run, &s->teams, &team);
	if (!number)
		return NULL;
	*number = (int64_t)s->teams.n;
	b = &s->buffers[*number - 1];
	if (!b->bytes)
		b->bytes = gaspdb_zeroed(s->run, s->chunk_bytes, 1);
	return b->bytes ? b : NULL;
}

/* May member b follow a in a chunk? */
static bool may_follow(const struct gaspdb_member *b,
		       const struct gaspdb_member *a)
{
	if (a->sequence == b->sequence)
		return a->event <= b->event;
	return a->sequence < b->sequence &&
	       (uint64_t)minus(b->sequence, a->sequence) <= JUMP_MAX;
}

/* A record being written. */
struct record {
	int64_t *before; /* encoded columns of the previous member */
	uint8_t *at;
	uint32_t mask;
};

static inline void put(struct record *r, size_t column, int64_t value)
{
	if (value == r->before[column])
		return;
	r->mask |= (uint32_t)1 << column;
	memcpy(r->at, &value, sizeof value);
	r->before[column] = value;
	r->at += sizeof value;
}

/* Append a record to a buffer with room, in the order of columns, related. */
static void append(buffer *b, const struct gaspdb_member *m)
{
	uint8_t *const record = b->bytes + b->n;
	int64_t *const before = b->before.values;
	const int64_t *const alike = (const int64_t *)m + ALIKE;
	struct record r = { .before = before, .at = record + sizeof r.mask };

	before[COLUMN(sequence)] = plus(before[COLUMN(sequence)], 1);
	put(&r, COLUMN(sequence), m->sequence);
	put(&r, COLUMN(event), m->event);
	put(&r, COLUMN(source), m->source);
	put(&r, COLUMN(enter_ns), m->enter_ns);
	put(&r, COLUMN(wait_event), minus(m->wait_event, m->event));
	put(&r, COLUMN(wait_enter_ns), minus(m->wait_enter_ns, m->enter_ns));
	put(&r, COLUMN(leave_ns), m->leave_ns);
	put(&r, COLUMN(notify_leave_ns), m->notify_leave_ns);
	put(&r, COLUMN(bytes), m->bytes);
	put(&r, COLUMN(bytes_received), m->bytes_received);
	put(&r, COLUMN(others), m->others);
	put(&r, COLUMN(others_done), minus(m->others_done, m->others));
	if (memcmp(alike, before + ALIKE, (COLUMNS - ALIKE) * sizeof *alike))
		for (size_t i = ALIKE; i < COLUMNS; i++)
			put(&r, i, alike[i - ALIKE]);
	memcpy(record, &r.mask, sizeof r.mask);
	b->n = (size_t)(r.at - b->bytes);
}

void gaspdb_members_add(struct gaspdb_members *s, const struct gaspdb_member *m)
{
	buffer *b = s->last;

	if (s->run->status != GASPDB_OK)
		return;
	if (m->thread != s->thread)
		end_chunks(s);
	s->thread = m->thread;
	if (!s->last || m->team != s->team)
		b = buffer_of(s, m->team);
	if (!b)
		return;
	s->last = b;
	s->team = m->team;
	/* The record's size is known only after writing it. */
	if (b->n && (b->n + RECORD_BYTES_MAX > s->chunk_bytes ||
		     !may_follow(m, &b->before.member)))
		end_chunk(s, b);
	if (!b->n) {
		b->sequence = m->sequence;
		b->event = m->event;
		memset(&b->before, 0, sizeof b->before);
	}
	append(b, m);
}

/* --- reading -------------------------------------------------------------- */

/* Read the next member of a chunk; false: no more. */
static bool read_member(chunk *c)
{
	const uint8_t *at = c->bytes + c->at;
	uint32_t mask;

	if (c->n - c->at < sizeof mask)
		return false;
	memcpy(&mask, at, sizeof mask);
	at += sizeof mask;
	to_differences(&c->now.member);
	c->now.member.sequence = plus(c->now.member.sequence, 1);
	for (; mask; mask &= mask - 1) {
		memcpy(&c->now.values[__builtin_ctz(mask)], at,
		       sizeof(int64_t));
		at += sizeof(int64_t);
	}
	from_differences(&c->now.member);
	c->at = (size_t)(at - c->bytes);
	return true;
}

static bool is_before(const struct gaspdb_member *m, int64_t sequence,
		      int64_t thread, int64_t event)
{
	if (m->sequence != sequence)
		return m->sequence < sequence;
	return m->thread != thread ? m->thread < thread : m->event < event;
}

typedef chunk *opened;

static inline bool chunk_before(const void *of, const opened *a,
				const opened *b)
{
	const struct gaspdb_member *m = &(*b)->now.member;

	(void)of;
	return is_before(&(*a)->now.member, m->sequence, m->thread, m->event);
}

GASPDB_HEAP(chunks, opened, chunk_before)

static void open_chunk(struct gaspdb_members *s, const int64_t *row)
{
	const size_t n = (size_t)row[BYTES];
	chunk *c;

	if (!gaspdb_grow(s->run, &s->open, s->n_open, &s->open_room,
			 sizeof *s->open))
		return;
	c = gaspdb_resized(s->run, NULL, 1, sizeof *c + n);
	if (!c)
		return;
	*c = (chunk){ .n = n };
	if (gaspdb_spool_read_at(s->run, s->spool, row[OFFSET], c->bytes, n) &&
	    read_member(c))
		chunks_up(NULL, s->open, s->n_open++, c);
	else
		free(c);
}

/* Must the next chunk be opened: is its first member the next to be read? */
static bool is_next(const struct gaspdb_members *s)
{
	const struct gaspdb_member *m;

	if (!s->n_open)
		return true;
	m = &s->open[0]->now.member;
	return s->next[TEAM] == m->team &&
	       !is_before(m, s->next[SEQUENCE], s->next[THREAD],
			  s->next[EVENT]);
}

/* Advance the heap beyond its first member. */
static void drop_first(struct gaspdb_members *s)
{
	chunk *c = s->open[0];

	if (!read_member(c)) {
		free(c);
		s->open[0] = s->open[--s->n_open];
	}
	if (s->n_open)
		chunks_down(NULL, s->open, s->n_open, 0);
}

static void begin(struct gaspdb_members *s)
{
	end_chunks(s);
	s->reading = true;
	if (s->spool)
		gaspdb_spool_rewind(s->run, s->spool);
	for (size_t i = 0; s->buffers && i < s->n_buffers; i++)
		free(s->buffers[i].bytes);
	free(s->buffers);
	s->buffers = NULL;
	s->next = gaspdb_sorter_next(&s->chunks);
}

const struct gaspdb_member *gaspdb_members_next(struct gaspdb_members *s)
{
	if (!s->reading)
		begin(s);
	else if (s->n_open)
		drop_first(s);
	while (s->next && is_next(s)) {
		open_chunk(s, s->next);
		s->next = gaspdb_sorter_next(&s->chunks);
	}
	if (!s->n_open || gaspdb_run_stopped(s->run))
		return NULL;
	return &s->open[0]->now.member;
}

void gaspdb_members_fini(struct gaspdb_members *s)
{
	for (size_t i = 0; i < s->n_open; i++)
		free(s->open[i]);
	free(s->open);
	for (size_t i = 0; s->buffers && i < s->n_buffers; i++)
		free(s->buffers[i].bytes);
	free(s->buffers);
	gaspdb_groups_fini(&s->teams);
	gaspdb_sorter_fini(&s->chunks);
	gaspdb_spool_close(s->spool);
}
