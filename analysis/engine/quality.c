/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of table quality from analysis passes. */
#include "analysis/engine/quality.h"

#include <stdarg.h>
#include <stdio.h>

#include "common/sum.h"
#include "sql/passes/engine.h"
#include "sql/sql.h"

/* {thread} in a detail is replaced by the run's word. */
static sqlite3_stmt *prepare_insert(struct gaspdb_run *run)
{
	enum { WORD = GASPDB_N_COLUMNS_quality + 1 };
	char *views = gaspdb_views_words();
	sqlite3_stmt *words, *stmt;

	gaspdb_exec(run, views ? views : "");
	sqlite3_free(views);
	words = gaspdb_prepare(run, gaspdb_sql_thread_word);
	stmt = gaspdb_prepare(run, gaspdb_sql_quality_add);
	if (gaspdb_row(run, words))
		sqlite3_bind_value(stmt, WORD, sqlite3_column_value(words, 0));
	sqlite3_finalize(words);
	return stmt;
}

void gaspdb_quality_count(struct gaspdb_quality_row *row, int64_t thread,
			  int64_t event, int64_t ns)
{
	if (!row->count++) {
		row->thread = thread;
		row->event = event;
	}
	if (row->time_ns != GASPDB_NONE)
		gaspdb_add_to(&row->time_ns, ns);
}

void gaspdb_quality_add(struct gaspdb_run *run,
			const struct gaspdb_quality_row *row, const char *fmt,
			...)
{
	struct gaspdb_quality_row detailed = *row;
	char detail[256];
	va_list args;

	if (fmt) {
		va_start(args, fmt);
		vsnprintf(detail, sizeof detail, fmt, args);
		va_end(args);
		detailed.detail = detail;
	}
	if (!run->quality)
		run->quality = prepare_insert(run);
	gaspdb_bind(run, run->quality, 0, NULL);
	gaspdb_quality_row_bind(&detailed, run->quality);
	gaspdb_row(run, run->quality);
	sqlite3_reset(run->quality);
}

void gaspdb_contradictions_open(struct gaspdb_contradictions *c,
				struct gaspdb_run *run)
{
	c->run = run;
	c->kind = GASPDB_QUALITY_CLOCK;
	gaspdb_groups_init(&c->sums, 2, 2);
}

void gaspdb_contradictions_add(struct gaspdb_contradictions *c, int64_t thread,
			       int64_t cause, int64_t ns)
{
	int64_t *sums =
		gaspdb_group(c->run, &c->sums, (int64_t[]){ thread, cause });

	if (!sums)
		return;
	sums[0]++;
	gaspdb_add_to(&sums[1], ns);
}

void gaspdb_contradictions_close(struct gaspdb_contradictions *c,
				 const char *before, const char *after)
{
	gaspdb_groups_sort(&c->sums);
	for (size_t i = 0; i < c->sums.n; i++) {
		const int64_t *row = gaspdb_groups_row(&c->sums, i);

		gaspdb_quality_add(
			c->run,
			&(struct gaspdb_quality_row){ .kind = c->kind,
						      .thread = row[0],
						      .event = GASPDB_NONE,
						      .count = row[2],
						      .bytes = GASPDB_NONE,
						      .time_ns = row[3] },
			"%s {thread} %lld %s", before, (long long)row[1],
			after);
	}
	gaspdb_groups_fini(&c->sums);
}
