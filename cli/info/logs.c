/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gaspdb info of a run directory: its programs, and its logs' growth. */
#include "cli/info/logs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output/human.h"
#include "cli/info/info.h"
#include "sql/sql.h"
#include "cli/output/text.h"

enum { MOST_PROGRAMS = 20 };

/* --- words ---------------------------------------------------------------- */

static void bind_number(sqlite3_stmt *stmt, int i, int64_t n)
{
	if (n == GASPDB_NULL)
		sqlite3_bind_null(stmt, i);
	else
		sqlite3_bind_int64(stmt, i, n);
}

static void add_member(sqlite3_stmt *stmt, size_t id,
		       const struct gaspdb_inspection_thread *t)
{
	sqlite3_bind_int64(stmt, 1, (int64_t)id);
	bind_number(stmt, 2, t->rank);
	bind_number(stmt, 3, t->number);
	sqlite3_bind_text(stmt, 4, t->model, -1, SQLITE_STATIC);
	sqlite3_step(stmt);
	sqlite3_reset(stmt);
}

/* Members get ids in the order of an import. Words are "" after an error. */
void gaspdb_info_words(const struct gaspdb_inspection *s,
		       struct gaspdb_run_words *words)
{
	char *views = gaspdb_views_words();
	sqlite3_stmt *stmt = NULL;
	sqlite3 *sql = NULL;

	sqlite3_open(":memory:", &sql);
	sqlite3_exec(sql, "CREATE TABLE thread(id, rank, number, model)", NULL,
		     NULL, NULL);
	sqlite3_exec(sql, views ? views : "", NULL, NULL, NULL);
	sqlite3_prepare_v2(sql, "INSERT INTO thread VALUES(?, ?, ?, ?)", -1,
			   &stmt, NULL);
	for (size_t i = 0; stmt && i < s->n_threads; i++)
		add_member(stmt, i, &s->threads[i]);
	sqlite3_finalize(stmt);
	gaspdb_run_words_read(sql, words);
	sqlite3_close(sql);
	sqlite3_free(views);
}

/* --- programs ------------------------------------------------------------- */

static bool same_program(const struct gaspdb_inspection_thread *a,
			 const struct gaspdb_inspection_thread *b)
{
	return a->program && b->program && !strcmp(a->program, b->program);
}

static bool is_first(const struct gaspdb_inspection *s, size_t i)
{
	if (!s->threads[i].program)
		return false;
	for (size_t k = 0; k < i; k++)
		if (same_program(&s->threads[k], &s->threads[i]))
			return false;
	return true;
}

static int64_t count_program(const struct gaspdb_inspection *s, size_t i)
{
	int64_t n = 0;

	for (size_t k = i; k < s->n_threads; k++)
		n += same_program(&s->threads[k], &s->threads[i]);
	return n;
}

void gaspdb_info_programs(const struct gaspdb_inspection *s,
			  const struct gaspdb_run_words *words)
{
	const char *first = NULL;
	char *list = NULL;
	int n = 0;

	for (size_t i = 0; i < s->n_threads && n <= MOST_PROGRAMS; i++) {
		if (!is_first(s, i))
			continue;
		if (!first)
			first = s->threads[i].program;
		int64_t threads = count_program(s, i);
		char *more =
			++n > MOST_PROGRAMS
				? gaspdb_text_format("%s, ...", list)
				: gaspdb_text_format(
					  "%s%s%s (%lld %s)", list ? list : "",
					  list ? ", " : "",
					  s->threads[i].program,
					  (long long)threads,
					  gaspdb_run_words_threads(words,
								   threads));
		free(list);
		list = more;
	}
	gaspdb_info_print("program", n == 1 ? first : list);
	free(list);
}

/* --- growth --------------------------------------------------------------- */

/* Converts to an integer, clamped: logs may have absurd numbers. */
static int64_t whole(double n)
{
	return n < 9e18 ? (int64_t)n : INT64_MAX;
}

void gaspdb_info_rates(const struct gaspdb_inspection *s,
		       const struct gaspdb_run_words *words)
{
	char time[GASPDB_HUMAN_BYTES], events[GASPDB_HUMAN_BYTES];
	char second[GASPDB_HUMAN_BYTES], hour[GASPDB_HUMAN_BYTES];
	char database[GASPDB_HUMAN_BYTES], count[GASPDB_HUMAN_BYTES];
	struct gaspdb_rates rates = { 0 };
	int64_t n = 0;

	for (size_t i = 0; i < s->n_threads; i++) {
		gaspdb_rates_add(&rates, &s->threads[i].rate,
				 s->threads[i].ticks_hz);
		n += s->threads[i].file != NULL;
	}
	if (rates.seconds <= 0)
		return;
	char *rate = gaspdb_text_format(
		"%s raw events/s, %s/s, in %s of recording",
		gaspdb_human_count(events, whole(rates.raw_events)),
		gaspdb_human_size(second, whole(rates.bytes)),
		gaspdb_human_time(time, whole(rates.seconds * 1e9)));
	char *forecast = gaspdb_text_format(
		"%s of logs an hour for %s %s; the database about %s",
		gaspdb_human_size(hour, whole(rates.bytes * 3600)),
		gaspdb_human_count(count, n),
		gaspdb_run_words_threads(words, n),
		gaspdb_human_size(database, whole(rates.database * 3600)));

	gaspdb_info_print("rate", rate);
	gaspdb_info_print("at this rate", forecast);
	if (*gaspdb_rates_caveat(&rates))
		gaspdb_info_print("", gaspdb_rates_caveat(&rates));
	free(forecast);
	free(rate);
}
