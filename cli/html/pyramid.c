/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One scan of events in the order of threads, merged with one of waits, which
 * are in the order of events. A thread's bins are complete before the next
 * thread begins, so only bytes are kept of all threads.
 */
#include "cli/html/pyramid.h"

#include <stdlib.h>
#include <string.h>

#include "cli/html/chunk.h"
#include "cli/output/text.h"
#include "common/sum.h"
#include "sql/columns.h"
#include "sql/page/page.h"
#include "sql/store/btree/page_reader.h"
#include "sql/store/table.h"

enum {
	CELLS_MAX = 700000,
	BINS_MAX = 65536,
	PLACES = 254, /* by name in cells; OTHER: not among them; NONE: no call
		       */
	OTHER = 254,
	NONE = 255,
	LOG_MAX = 65,
	SOURCES_MAX = 1 << 22,
	READ_AHEAD = 256
};

/* A bin of the thread being read. */
struct bin {
	int64_t busy_ns, wait_ns, longest_ns;
	uint32_t calls;
	uint8_t place;
};

/* Calls of a place whose duration is below a power of two. */
struct duration {
	int64_t calls, time_ns, wait_ns;
};

struct place {
	bool is_busy;
	uint8_t code;		    /* in cells */
	struct duration *durations; /* LOG_MAX of them; NULL: no calls yet */
};

/* The chunk's columns. */
enum { BUSY, WAIT, SOURCE, DURATION, CALLS, N_COLUMNS };
static const char *const names[N_COLUMNS] = { "busy", "wait", "source",
					      "duration", "calls" };

struct pyramid {
	struct gaspdb_report *r;
	struct gaspdb_windows *windows;
	int64_t *threads; /* by row */
	size_t rows, n_bins, row;
	int64_t first_ns, width_ns;
	struct place *places; /* by source.id */
	int64_t n_places;
	int64_t coded[PLACES]; /* source.id by code */
	unsigned n_coded;
	struct bin *bins; /* of the thread being read */
	int64_t busy_until;
	size_t last_bin; /* looked up last */
	struct gaspdb_bytes columns[N_COLUMNS];
	struct gaspdb_cursor waits;
};

/* --- places ----------------------------------------------------------------
 */

static bool fail_damaged(const struct pyramid *p, const char *what)
{
	gaspdb_fail(&p->r->err, GASPDB_FAILED, "%s: '%s' is damaged", what,
		    p->r->db->path);
	return false;
}

/* The last source.id, 0 if there are none, or too many. */
static int64_t last_source(struct gaspdb_report *r)
{
	const int64_t n =
		gaspdb_database_integer(r->db, "SELECT max(id) FROM source", 0);

	return n >= 0 && n < SOURCES_MAX ? n : 0;
}

static void read_places(struct pyramid *p)
{
	sqlite3_stmt *stmt = gaspdb_chunk_prepare(p->r, gaspdb_sql_page_busy);

	p->n_places = last_source(p->r) + 1;
	p->places = gaspdb_memory_new((size_t)p->n_places, sizeof *p->places);
	while (stmt && sqlite3_step(stmt) == SQLITE_ROW) {
		const int64_t id = sqlite3_column_int64(stmt, 0);
		const bool named = p->n_coded < PLACES;

		if (id < 0 || id >= p->n_places)
			continue;
		p->places[id] = (struct place){
			.is_busy = sqlite3_column_int(stmt, 1),
			.code = named ? (uint8_t)p->n_coded : OTHER,
		};
		if (named)
			p->coded[p->n_coded++] = id;
	}
	sqlite3_finalize(stmt);
}

/* --- bins ------------------------------------------------------------------
 */

/* The largest power of two that the numbers of cells and of bins allow; for few
   events, which the page has one by one, fewer bins do. */
static size_t count_bins(size_t rows, int64_t events)
{
	size_t n = 1, most = BINS_MAX;

	if (events < GASPDB_PAGE_EVENTS)
		most = 4096;
	while (2 * n <= most && 2 * n * rows <= CELLS_MAX)
		n *= 2;
	return n;
}

static void read_threads(struct pyramid *p)
{
	sqlite3_stmt *stmt = gaspdb_chunk_prepare(p->r, gaspdb_sql_page_threads);
	size_t i = 0;

	p->threads = gaspdb_memory_new(p->rows + 1, sizeof *p->threads);
	while (stmt && i < p->rows && sqlite3_step(stmt) == SQLITE_ROW)
		p->threads[i++] = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
}

static bool read_extent(struct pyramid *p)
{
	sqlite3_stmt *stmt = gaspdb_chunk_prepare(p->r, gaspdb_sql_page_extent);
	int64_t last_ns = 0;

	p->width_ns = 1;
	if (stmt && sqlite3_step(stmt) == SQLITE_ROW) {
		p->rows = (size_t)sqlite3_column_int64(stmt, 0);
		p->first_ns = sqlite3_column_int64(stmt, 1);
		last_ns = sqlite3_column_int64(stmt, 2);
		if (!gaspdb_is_time(p->first_ns) || !gaspdb_is_time(last_ns) ||
		    last_ns < p->first_ns)
			fail_damaged(p, "times of threads are out of range");
		p->n_bins =
			count_bins(p->rows, sqlite3_column_int64(stmt, 3));
		p->width_ns = (int64_t)(((uint64_t)last_ns -
					 (uint64_t)p->first_ns) /
					p->n_bins) +
			      1;
	}
	sqlite3_finalize(stmt);
	return p->r->err.status == GASPDB_OK;
}

/* Mostly the bin of the last time, without a division. */
static size_t bin_of(struct pyramid *p, int64_t ns)
{
	const int64_t since_ns = ns - p->first_ns;
	const int64_t bin_ns = (int64_t)p->last_bin * p->width_ns;
	int64_t i;

	if (since_ns >= bin_ns && since_ns - bin_ns < p->width_ns)
		return p->last_bin;
	i = since_ns / p->width_ns;
	p->last_bin = i < 0			? 0
		      : i >= (int64_t)p->n_bins ? p->n_bins - 1
						: (size_t)i;
	return p->last_bin;
}

/* Parts of [start, end) in a bin. */
static int64_t part_of(const struct pyramid *p, size_t bin, int64_t start_ns,
		       int64_t end_ns)
{
	const int64_t from = p->first_ns + (int64_t)bin * p->width_ns;
	const int64_t until = from + p->width_ns;

	return (end_ns < until ? end_ns : until) -
	       (start_ns > from ? start_ns : from);
}

static unsigned log_of(int64_t ns)
{
	return ns > 0 ? 64 - (unsigned)__builtin_clzll((uint64_t)ns) : 0;
}

static uint8_t share(int64_t ns, int64_t width_ns)
{
	const int64_t v = (int64_t)(255.0 * (double)ns / (double)width_ns + .5);

	return v > 255 ? 255 : (uint8_t)(v ? v : ns > 0);
}

static void add(struct gaspdb_bytes *b, uint8_t byte)
{
	gaspdb_bytes_add(b, &byte, 1);
}

/* Ends a row: what the thread's bins have. */
static void end_row(struct pyramid *p)
{
	for (size_t i = 0; i < p->n_bins; i++) {
		const struct bin *b = &p->bins[i];

		add(&p->columns[BUSY], share(b->busy_ns, p->width_ns));
		add(&p->columns[WAIT], share(b->wait_ns, p->width_ns));
		add(&p->columns[SOURCE], b->longest_ns ? b->place : NONE);
		add(&p->columns[DURATION], (uint8_t)log_of(b->longest_ns));
		add(&p->columns[CALLS], (uint8_t)log_of(b->calls));
	}
	memset(p->bins, 0, p->n_bins * sizeof *p->bins);
	p->busy_until = INT64_MIN;
	p->row++;
}

/* Ends rows up to that of a thread. false: its row is not among the next ones,
   because the file is damaged. */
static bool begin_thread(struct pyramid *p, int64_t thread)
{
	while (p->row < p->rows && p->threads[p->row] != thread)
		end_row(p);
	if (p->row < p->rows)
		return true;
	return fail_damaged(p, "events are not in the order of threads");
}

/* --- events ----------------------------------------------------------------
 */

/* Time in calls of the runtime counts once, in the outermost. */
static void add_busy(struct pyramid *p, int64_t start_ns, int64_t end_ns,
		     uint8_t place)
{
	const int64_t ns = end_ns - start_ns;
	const size_t first = bin_of(p, start_ns);
	const size_t last = bin_of(p, end_ns > start_ns ? end_ns - 1 : end_ns);

	for (size_t i = first; i <= last; i++) {
		struct bin *b = &p->bins[i];

		b->busy_ns += part_of(p, i, start_ns, end_ns);
		if (ns >= b->longest_ns) {
			b->longest_ns = ns ? ns : 1;
			b->place = place;
		}
	}
}

static void add_wait(struct pyramid *p, int64_t start_ns, int64_t end_ns)
{
	if (end_ns <= start_ns)
		return;
	const size_t first = bin_of(p, start_ns), last = bin_of(p, end_ns - 1);

	for (size_t i = first; i <= last; i++)
		gaspdb_add_to(&p->bins[i].wait_ns,
			      part_of(p, i, start_ns, end_ns));
}

/* Adds the waits of one event; returns their sum in ns. */
static int64_t take_waits(struct pyramid *p, int64_t event,
			  struct gaspdb_event_waits *of)
{
	int64_t sum_ns = 0;
	const int64_t *w;

	while ((w = gaspdb_cursor_peek(&p->waits)) &&
	       w[GASPDB_WAIT_EVENT] <= event) {
		if (!gaspdb_is_time(w[GASPDB_WAIT_START]) ||
		    !gaspdb_is_time(w[GASPDB_WAIT_END])) {
			fail_damaged(p, "times of a wait are out of range");
			break;
		}
		if (w[GASPDB_WAIT_EVENT] == event) {
			add_wait(p, w[GASPDB_WAIT_START], w[GASPDB_WAIT_END]);
			const int64_t ns =
				w[GASPDB_WAIT_END] - w[GASPDB_WAIT_START];

			gaspdb_add_to(&sum_ns, ns);
			of->longest_ns = gaspdb_max(of->longest_ns, ns);
			if (!of->n++)
				of->first = w[GASPDB_WAIT_ID];
		}
		gaspdb_cursor_next(&p->waits);
	}
	return sum_ns;
}

static void count_duration(struct place *place, int64_t ns, int64_t wait_ns)
{
	struct duration *d;

	if (!place->durations)
		place->durations =
			gaspdb_memory_new(LOG_MAX, sizeof *place->durations);
	d = &place->durations[log_of(ns)];
	d->calls++;
	gaspdb_add_to(&d->time_ns, ns);
	gaspdb_add_to(&d->wait_ns, wait_ns);
}

static bool add_event(void *user, const int64_t *e)
{
	struct pyramid *p = user;
	const int64_t source = e[GASPDB_EVENT_SOURCE];
	const int64_t start_ns = e[GASPDB_EVENT_START];
	const int64_t ns = e[GASPDB_EVENT_DURATION];
	struct gaspdb_event_waits waits = { 0 };
	struct place *place;
	int64_t wait_ns;

	if (ns < 0 || !gaspdb_is_time(start_ns) || !gaspdb_is_time(ns))
		return fail_damaged(p, "times of an event are out of range");
	if ((p->row >= p->rows ||
	     p->threads[p->row] != e[GASPDB_EVENT_THREAD]) &&
	    !begin_thread(p, e[GASPDB_EVENT_THREAD]))
		return false;
	wait_ns = take_waits(p, e[GASPDB_EVENT_ID], &waits);
	gaspdb_windows_take(p->windows, e, &waits);
	const int64_t end_ns = start_ns + ns;
	if (source < 0 || source >= p->n_places)
		return true;
	place = &p->places[source];
	count_duration(place, ns, wait_ns);
	if (!place->is_busy || end_ns <= p->busy_until)
		return true;
	p->bins[bin_of(p, start_ns)].calls++;
	add_busy(p, start_ns > p->busy_until ? start_ns : p->busy_until, end_ns,
		 place->code);
	p->busy_until = end_ns;
	return true;
}

/* --- chunks ----------------------------------------------------------------
 */

static enum gaspdb_status write_cells(struct pyramid *p, FILE *out)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *chunk = gaspdb_chunk_text(&text, &bytes);
	enum gaspdb_status status;

	fprintf(chunk,
		"{\"rows\":%zu,\"bins\":%zu,\"bin_ns\":%lld,\"sources\":[",
		p->rows * p->n_bins, p->n_bins, (long long)p->width_ns);
	for (unsigned i = 0; i < p->n_coded; i++)
		fprintf(chunk, "%s%lld", i ? "," : "", (long long)p->coded[i]);
	fputs("],\"columns\":[", chunk);
	for (int i = 0; i < N_COLUMNS; i++)
		fprintf(chunk,
			"%s{\"name\":\"%s\",\"kind\":\"u8\",\"null\":false,"
			"\"bytes\":%zu}",
			i ? "," : "", names[i], p->columns[i].n);
	fputs("]}\n", chunk);
	for (int i = 0; i < N_COLUMNS; i++)
		fwrite(p->columns[i].at, 1, p->columns[i].n, chunk);
	gaspdb_chunk_text_end(chunk);
	status = gaspdb_chunk_write(out, "pyramid", text, bytes, &p->r->err);
	free(text);
	return status;
}

/* Rows [source, log2, calls, ns, waiting ns] as JSON: they are few. */
static enum gaspdb_status write_durations(struct pyramid *p, FILE *out)
{
	char *text = NULL;
	size_t bytes = 0, n = 0;
	FILE *chunk = gaspdb_chunk_text(&text, &bytes);
	enum gaspdb_status status;

	fputs("{\"rows\":0,\"columns\":[],\"list\":[", chunk);
	for (int64_t i = 0; i < p->n_places; i++)
		for (int log = 0; p->places[i].durations && log < LOG_MAX;
		     log++) {
			const struct duration *d = &p->places[i].durations[log];

			if (d->calls)
				fprintf(chunk, "%s[%lld,%d,%lld,%lld,%lld]",
					n++ ? "," : "", (long long)i, log,
					(long long)d->calls,
					(long long)d->time_ns,
					(long long)d->wait_ns);
		}
	fputs("]}\n", chunk);
	gaspdb_chunk_text_end(chunk);
	status = gaspdb_chunk_write(out, "durations", text, bytes, &p->r->err);
	free(text);
	return status;
}

static void scan(struct pyramid *p)
{
	enum gaspdb_status status = GASPDB_OK;
	struct gaspdb_tables in = { .db = p->r->db->sql,
				    .err = &p->r->err,
				    .status = &status };
	struct gaspdb_table events, waits;

	gaspdb_pages_allow(in.db);
	gaspdb_table_open(&events, &in, GASPDB_TABLE(event));
	gaspdb_table_open(&waits, &in, GASPDB_TABLE(wait));
	gaspdb_cursor_open(&p->waits, &waits, READ_AHEAD);
	gaspdb_table_scan_columns(&events, GASPDB_EVENT_DURATION + 1, add_event, p);
	while (p->row < p->rows)
		end_row(p);
	gaspdb_cursor_close(&p->waits);
	gaspdb_table_close(&waits);
	gaspdb_table_close(&events);
}

static void free_pyramid(struct pyramid *p)
{
	for (int64_t i = 0; i < p->n_places; i++)
		free(p->places[i].durations);
	for (int i = 0; i < N_COLUMNS; i++)
		free(p->columns[i].at);
	free(p->places);
	free(p->bins);
	free(p->threads);
}

enum gaspdb_status gaspdb_pyramid_write(struct gaspdb_report *r,
					struct gaspdb_windows *windows,
					FILE *out)
{
	struct pyramid p = { .r = r,
			     .windows = windows,
			     .busy_until = INT64_MIN };

	if (read_extent(&p)) {
		p.bins = gaspdb_memory_new(p.n_bins, sizeof *p.bins);
		read_threads(&p);
		read_places(&p);
		scan(&p);
	}
	if (r->err.status == GASPDB_OK)
		write_cells(&p, out);
	if (r->err.status == GASPDB_OK)
		write_durations(&p, out);
	free_pyramid(&p);
	return r->err.status;
}
