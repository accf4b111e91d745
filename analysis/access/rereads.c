/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hash table of reads, and ring buffer of writes, both of fixed size. A read
 * that does not fit counts as new, so the figures are lower bounds. A new
 * generation number empties the table.
 */
#include "analysis/access/rereads.h"

#include <stdlib.h>

#include "common/sum.h"
#include "sql/passes/access.h"

/* Values of a row of `polling` and of `repeated`. */
enum { SERIES, POLLS, POLL_BYTES, POLL_TIME, N_POLLING };
enum { READS, BYTES, TIME, N_REPEATED };

enum { SLOTS = 2 * GASPDB_REREADS_MAX };

void gaspdb_rereads_open(struct gaspdb_rereads *r, struct gaspdb_run *run,
			 struct gaspdb_rereads_out out)
{
	*r = (struct gaspdb_rereads){
		.run = run,
		.out = out,
		.generation = 1,
		.reads = gaspdb_zeroed(run, SLOTS, sizeof(*r->reads)),
		.insert_polling = gaspdb_prepare(run, gaspdb_sql_polling_add),
		.insert_repeated = gaspdb_prepare(run, gaspdb_sql_reread_add),
	};
	gaspdb_groups_init(&r->polling, 2, N_POLLING);
	gaspdb_groups_init(&r->repeated, 2, N_REPEATED);
}

/* --- reads and writes ----------------------------------------------------- */

static bool overlap(const struct gaspdb_written *w,
		    const struct gaspdb_access *a)
{
	if (w->peer != GASPDB_NONE && w->peer != a->peer)
		return false;
	return a->is_pointer || w->to.first == GASPDB_NONE ||
	       gaspdb_byte_ranges_overlap(&w->to, a->object, a->bytes);
}

/* Was an access's range written after the first `writes` writes? true also if
   these have left the ring. */
static bool written_since(const struct gaspdb_rereads *r,
			  const struct gaspdb_access *a, int64_t writes)
{
	if (r->writes - writes > GASPDB_WRITES_MAX)
		return true;
	for (; writes < r->writes; writes++)
		if (overlap(&r->written[writes % GASPDB_WRITES_MAX], a))
			return true;
	return false;
}

/* The row of a read in the table, or the free row for it. */
static struct gaspdb_read *find_read(struct gaspdb_rereads *r,
				     const struct gaspdb_access *a)
{
	uint64_t h = (uint64_t)a->object * 0x9e3779b97f4a7c15u;
	struct gaspdb_read *read;

	h = (h ^ (uint64_t)a->peer ^ (uint64_t)a->bytes << 32) *
	    0xff51afd7ed558ccdu;
	for (size_t at = h >> 32;; at++) {
		read = &r->reads[at % SLOTS];
		if (read->generation != r->generation ||
		    (read->peer == a->peer && read->object == a->object &&
		     read->bytes == a->bytes))
			return read;
	}
}

/* Record a read; returns whether it repeats an earlier one. */
static bool record_read(struct gaspdb_rereads *r, const struct gaspdb_access *a)
{
	struct gaspdb_read *read = find_read(r, a);
	bool repeated = false;

	if (read->generation == r->generation)
		repeated = !written_since(r, a, read->writes);
	else if (r->n_reads == GASPDB_REREADS_MAX)
		return false;
	else
		r->n_reads++;
	*read = (struct gaspdb_read){ .peer = a->peer,
				      .object = a->object,
				      .bytes = a->bytes,
				      .generation = r->generation,
				      .writes = r->writes };
	return repeated;
}

/* --- series ----------------------------------------------------------------
 */

static void count(struct gaspdb_rereads *r, const struct gaspdb_access *a,
		  enum gaspdb_reread what)
{
	int64_t *v;

	if (what == GASPDB_READ_NEW)
		return;
	v = gaspdb_group(
		r->run, what == GASPDB_READ_POLLED ? &r->polling : &r->repeated,
		(int64_t[]){ a->source, a->peer });
	if (!v)
		return;
	if (what == GASPDB_READ_POLLED)
		v++;
	v[READS]++;
	gaspdb_add_to(&v[BYTES], a->bytes);
	gaspdb_add_to(&v[TIME], a->duration_ns);
}

/* Pass on the first n pending accesses. */
static void release_pending(struct gaspdb_rereads *r, int n, bool polled)
{
	for (int i = 0; i < n; i++) {
		const struct gaspdb_pending_access *h = &r->pending[i];
		enum gaspdb_reread what = polled	? GASPDB_READ_POLLED
					  : h->repeated ? GASPDB_READ_REPEATED
							: GASPDB_READ_NEW;

		if (h->separated)
			r->out.separate(r->out.user);
		count(r, &h->access, what);
		r->out.access(r->out.user, &h->access, what);
	}
	for (int i = n; i < r->n_pending; i++)
		r->pending[i - n] = r->pending[i];
	r->n_pending -= n;
}

/* Count a series as polling, for the line of its first get. */
static void begin_polling(struct gaspdb_rereads *r)
{
	const struct gaspdb_access *a = &r->pending[0].access;
	int64_t *v = gaspdb_group(r->run, &r->polling,
				  (int64_t[]){ a->source, a->peer });

	if (v)
		v[SERIES]++;
	release_pending(r, r->n_pending - 1, true);
}

static void end_series(struct gaspdb_rereads *r)
{
	if (!r->gets)
		return;
	if (r->gets >= GASPDB_POLLS_MIN)
		r->pending[0].repeated = false; /* the end of polling */
	release_pending(r, r->n_pending, false);
	if (r->separated)
		r->out.separate(r->out.user);
	r->separated = false;
	r->gets = 0;
}

static bool continues(const struct gaspdb_rereads *r,
		      const struct gaspdb_access *a)
{
	const struct gaspdb_access *last;

	if (!r->gets)
		return false;
	last = &r->pending[r->n_pending - 1].access;
	return a->peer == last->peer && a->object == last->object &&
	       a->bytes == last->bytes;
}

void gaspdb_rereads_get(struct gaspdb_rereads *r, const struct gaspdb_access *a)
{
	bool repeated;

	if (!r->reads)
		return;
	if (!continues(r, a))
		end_series(r);
	/* A get of no bytes, or of an unknown word, is no reread. */
	if (a->object == GASPDB_NONE || a->bytes <= 0) {
		r->out.access(r->out.user, a, GASPDB_READ_NEW);
		return;
	}
	repeated = record_read(r, a);
	if (r->gets >= GASPDB_POLLS_MIN)
		release_pending(r, r->n_pending, true);
	r->pending[r->n_pending++] = (struct gaspdb_pending_access){
		.access = *a, .repeated = repeated, .separated = r->separated
	};
	r->separated = false;
	if (++r->gets == GASPDB_POLLS_MIN)
		begin_polling(r);
}

void gaspdb_rereads_write(struct gaspdb_rereads *r, int64_t peer,
			  const struct gaspdb_byte_ranges *to)
{
	r->written[r->writes++ % GASPDB_WRITES_MAX] =
		(struct gaspdb_written){ peer, *to };
}

void gaspdb_rereads_other(struct gaspdb_rereads *r,
			  const struct gaspdb_access *a, bool blocking,
			  const struct gaspdb_byte_ranges *to)
{
	end_series(r);
	if (to)
		gaspdb_rereads_write(r, a->peer, to);
	if (blocking)
		r->out.access(r->out.user, a, GASPDB_READ_NEW);
}

void gaspdb_rereads_forget(struct gaspdb_rereads *r)
{
	r->generation++;
	r->n_reads = 0;
}

void gaspdb_rereads_separate(struct gaspdb_rereads *r)
{
	gaspdb_rereads_forget(r);
	if (r->gets)
		r->separated = true;
	else
		r->out.separate(r->out.user);
}

void gaspdb_rereads_interrupt(struct gaspdb_rereads *r)
{
	end_series(r);
	gaspdb_rereads_separate(r);
}

/* --- rows ------------------------------------------------------------------
 */

static void write_rows(struct gaspdb_rereads *r, struct gaspdb_groups *groups,
		       int64_t thread, sqlite3_stmt *insert)
{
	int64_t values[2 + N_POLLING + 1];
	const size_t n = groups->n_keys + groups->n_values;

	gaspdb_groups_sort(groups);
	for (size_t i = 0; i < groups->n; i++) {
		const int64_t *row = gaspdb_groups_row(groups, i);

		for (size_t k = 0; k < n; k++)
			values[k] = row[k];
		values[n] = thread;
		gaspdb_write(r->run, insert, n + 1, values, NULL);
	}
	gaspdb_groups_clear(groups);
}

void gaspdb_rereads_end(struct gaspdb_rereads *r, int64_t thread)
{
	gaspdb_rereads_interrupt(r);
	write_rows(r, &r->polling, thread, r->insert_polling);
	write_rows(r, &r->repeated, thread, r->insert_repeated);
}

void gaspdb_rereads_close(struct gaspdb_rereads *r)
{
	gaspdb_groups_fini(&r->polling);
	gaspdb_groups_fini(&r->repeated);
	sqlite3_finalize(r->insert_polling);
	sqlite3_finalize(r->insert_repeated);
	free(r->reads);
}
