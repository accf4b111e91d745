/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Delays: all waiting for a thread is distributed over the thread's activity.
 *
 * If all wait for the last thread (barriers, all-to-all), the cause is the
 * activity that took it longer than the others (collective_delays.c): each
 * waiting time W is distributed over the excess D and the last thread's own
 * waiting V, up to their sum; the rest is unexplained. For all other waits the
 * cause is the thread's activity during the wait (delay_causes.c): a thread
 * that holds a lock, or has yet to send, is executing the cause.
 */
#include "analysis/path/delays.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/engine/scan.h"
#include "common/lower_bound.h"
#include "common/sum.h"
#include "sql/passes/path.h"

/* Values of delay.what by activity; unrecorded time explains nothing. */
static const char *const what_names[] = { "computation", "function", "call",
					  "inherited", "unexplained" };

typedef struct gaspdb_delays delays;

static void add_collective(delays *d, const int64_t *w,
			   enum gaspdb_wait_kind kind)
{
	gaspdb_collective_delays_wait(
		&d->collective,
		&(struct gaspdb_collective_wait){
			.cause_event = w[GASPDB_WAIT_CAUSE_EVENT],
			.kind = kind,
			.ns = w[GASPDB_WAIT_END] - w[GASPDB_WAIT_START] });
}

void gaspdb_delays_wait(delays *d, const int64_t *w, enum gaspdb_wait_kind kind,
			int64_t cause_source)
{
	if (cause_source == GASPDB_NONE || w[GASPDB_WAIT_BELOW_ERROR])
		return;
	if (kind == GASPDB_WAIT_BARRIER || kind == GASPDB_WAIT_ALL_TO_ALL)
		add_collective(d, w, kind);
	else
		gaspdb_delay_causes_wait(
			&d->causes,
			&(struct gaspdb_delay_causes_wait){
				.id = w[GASPDB_WAIT_ID],
				.start_ns = w[GASPDB_WAIT_START],
				.end_ns = w[GASPDB_WAIT_END],
				.kind = kind,
				.cause_thread = w[GASPDB_WAIT_CAUSE_THREAD],
				.cause_source = cause_source });
}

bool gaspdb_delays_need(delays *d, int64_t thread, int64_t at_ns,
			int64_t *until_ns)
{
	const bool needed =
		gaspdb_delay_causes_need(&d->causes, thread, at_ns, until_ns);

	*until_ns = gaspdb_min(
		*until_ns,
		gaspdb_collective_delays_at(&d->collective, thread, at_ns));
	return needed;
}

void gaspdb_delays_add(delays *d, const struct gaspdb_activity_piece *p)
{
	gaspdb_delay_causes_add(&d->causes, p);
	gaspdb_collective_delays_add(&d->collective, p);
}

#define ONE 4294967296.0 /* one ns, in the unit of fractions in shares */

/* Round down, within the range of integers. */
static int64_t whole(double exact)
{
	return exact < (double)INT64_MAX ? (int64_t)exact : INT64_MAX;
}

/* Add a share. Fractions are integers, so that sums do not depend on their
   order. */
static void add_excess(void *user, const struct gaspdb_delay_share *share)
{
	delays *d = user;
	int64_t whole_ns = whole(share->ns);
	int64_t *ns = gaspdb_group(d->run, &d->shares,
				   (int64_t[]){ share->kind, share->thread,
						share->source, share->activity,
						share->from, share->to });

	if (!ns)
		return;
	gaspdb_add_to(&ns[0], whole_ns);
	gaspdb_add_to(&ns[1], (int64_t)((share->ns - (double)whole_ns) * ONE));
}

struct share {
	enum gaspdb_activity_kind kind;
	int64_t from, to, ns;
	double exact; /* ns before rounding down */
};

/* All waiting of a kind for one thread to reach one line, and its shares. */
struct total {
	int64_t kind, thread, source;
	int64_t ns, error_ns; /* error_ns NONE: unknown */
	struct share *shares;
	size_t n, room;
};

static void add_share(delays *d, struct total *t,
		      enum gaspdb_activity_kind kind, int64_t from, int64_t to,
		      double exact)
{
	if (!gaspdb_grow(d->run, &t->shares, t->n, &t->room,
			 sizeof(*t->shares)))
		return;
	t->shares[t->n++] = (struct share){ .kind = kind,
					    .from = from,
					    .to = to,
					    .ns = whole(exact),
					    .exact = exact };
}

/* The order of a row of shares and a total, like memcmp(). */
static int compare(const int64_t *row, const struct total *t)
{
	if (row[0] != t->kind)
		return row[0] < t->kind ? -1 : 1;
	if (row[1] != t->thread)
		return row[1] < t->thread ? -1 : 1;
	return (row[2] > t->source) - (row[2] < t->source);
}

static void collect_shares(delays *d, struct total *t)
{
	const struct gaspdb_groups *shares = &d->shares;
	double left = (double)t->ns;
	size_t at;

	GASPDB_LOWER_BOUND(at, shares->n, i,
			   compare(gaspdb_groups_row(shares, i), t) < 0);
	for (; at < shares->n; at++) {
		const int64_t *row = gaspdb_groups_row(shares, at);
		double exact = (double)row[6] + (double)row[7] / ONE;

		if (compare(row, t))
			break;
		add_share(d, t, (enum gaspdb_activity_kind)row[3], row[4],
			  row[5], exact);
		left -= exact;
	}
	add_share(d, t, GASPDB_NOT_RECORDED, GASPDB_NONE, GASPDB_NONE,
		  left > 0 ? left : 0);
}

static int by_remainder(const void *a, const void *b)
{
	const struct share *x = a, *y = b;
	double rx = x->exact - (double)x->ns, ry = y->exact - (double)y->ns;

	if (rx != ry)
		return rx > ry ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->to > y->to) - (x->to < y->to);
}

static int by_size(const void *a, const void *b)
{
	const struct share *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns > y->ns ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->to > y->to) - (x->to < y->to);
}

/* Round the shares to whole ns by largest remainder, so that their sum is
 * exact.
 */
static void round_shares(struct total *t)
{
	int64_t rest = t->ns;

	qsort(t->shares, t->n, sizeof(*t->shares), by_remainder);
	for (size_t i = 0; i < t->n; i++) {
		if (t->shares[i].ns > rest)
			t->shares[i].ns = rest;
		rest -= t->shares[i].ns;
	}
	for (size_t i = 0; i < t->n && rest > 0; i++, rest--)
		t->shares[i].ns++;
}

/* The same part of the waiting's error as of its time, rounded up. */
static int64_t error_of(const struct total *t, const struct share *s)
{
	if (t->error_ns == GASPDB_NONE || t->error_ns == 0)
		return t->error_ns;
	return whole(ceil((double)t->error_ns * (double)s->ns / (double)t->ns));
}

static void write_total(delays *d, sqlite3_stmt *insert, struct total *t)
{
	t->n = 0;
	collect_shares(d, t);
	if (!t->n)
		return;
	round_shares(t);
	qsort(t->shares, t->n, sizeof(*t->shares), by_size);
	for (size_t i = 0; i < t->n; i++) {
		const struct share *s = &t->shares[i];
		int64_t function = GASPDB_NONE, from = s->from;

		if (s->ns <= 0)
			break;
		if (s->kind == GASPDB_IN_FUNCTION)
			gaspdb_path_lines_resolve(d->lines, s->from, &function,
						  &from);
		gaspdb_write_texts(
			d->run, insert, 7,
			(int64_t[]){ t->thread, t->source, function, from,
				     s->to, s->ns, error_of(t, s) },
			2,
			(const char *[]){
				what_names[s->kind],
				gaspdb_wait_kind_name(
					(enum gaspdb_wait_kind)t->kind) });
	}
}

/* Read the causes of waiting, in the order of kinds. */
static void read_waited(delays *d, struct gaspdb_groups *waited)
{
	sqlite3_stmt *stmt = gaspdb_prepare(d->run, gaspdb_sql_waited_for);

	gaspdb_groups_init(waited, 3, 2);
	while (gaspdb_row(d->run, stmt)) {
		const char *kind = (const char *)sqlite3_column_text(stmt, 0);
		int64_t *ns = gaspdb_group(
			d->run, waited,
			(int64_t[]){ gaspdb_wait_kind_of(gaspdb_word(kind)),
				     sqlite3_column_int64(stmt, 1),
				     sqlite3_column_int64(stmt, 2) });

		if (!ns)
			continue;
		ns[0] = sqlite3_column_int64(stmt, 3);
		ns[1] = gaspdb_column(stmt, 4);
	}
	sqlite3_finalize(stmt);
	gaspdb_groups_sort(waited);
}

static void write_all(delays *d)
{
	sqlite3_stmt *insert = gaspdb_prepare(d->run, gaspdb_sql_delay_add);
	struct total t = { .n = 0 };
	struct gaspdb_groups waited;

	read_waited(d, &waited);
	gaspdb_delay_causes_finish(&d->causes);
	gaspdb_collective_delays_finish(&d->collective, add_excess, d);
	gaspdb_groups_sort(&d->shares);
	for (size_t i = 0; i < waited.n; i++) {
		const int64_t *row = gaspdb_groups_row(&waited, i);

		t.kind = row[0];
		t.thread = row[1];
		t.source = row[2];
		t.ns = row[3];
		t.error_ns = row[4];
		write_total(d, insert, &t);
	}
	sqlite3_finalize(insert);
	gaspdb_groups_fini(&waited);
	free(t.shares);
}

void gaspdb_delays_open(delays *d, struct gaspdb_run *run,
			const struct gaspdb_path_lines *lines)
{
	*d = (delays){ .run = run, .lines = lines };
	gaspdb_groups_init(&d->shares, 6, 2);
	gaspdb_delay_causes_open(&d->causes, run, &d->shares);
	gaspdb_collective_delays_open(&d->collective, run);
}

void gaspdb_delays_begin(delays *d, struct gaspdb_recent_time *recent)
{
	gaspdb_collective_delays_begin(&d->collective, recent);
	gaspdb_delay_causes_begin(&d->causes);
}

void gaspdb_delays_close(delays *d)
{
	write_all(d);
	gaspdb_collective_delays_close(&d->collective);
	gaspdb_delay_causes_close(&d->causes);
	gaspdb_groups_fini(&d->shares);
}
