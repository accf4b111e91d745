/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Defects of collectives: a row of quality per team and kind, up to a limit. */
#include "analysis/collectives/quality.h"
#include "analysis/collectives/calls/events.h"

#include <stdio.h>

#include "analysis/engine/quality.h"
#include "common/limits.h"
#include "common/sum.h"
#include "sql/passes/collectives.h"

static const char *const mismatch_texts[] = {
#define MISMATCH(ident, text) text,
	GASPDB_MISMATCHES(MISMATCH)
#undef MISMATCH
};

void gaspdb_collective_quality_open(struct gaspdb_collective_quality *q,
				    struct gaspdb_run *run)
{
	q->run = run;
	q->further_missing = q->further_mismatches = 0;
	gaspdb_groups_init(&q->missing, 2, 2);
	gaspdb_groups_init(&q->mismatches, 2, 3);
}

/* The sums of a row; NULL: beyond the limit, where instances are only counted.
 */
static int64_t *row_of(struct gaspdb_collective_quality *q,
		       struct gaspdb_groups *rows, const int64_t *keys,
		       int64_t *further, int64_t instances)
{
	if (rows->n < GASPDB_QUALITY_MAX || gaspdb_groups_find(rows, keys))
		return gaspdb_group(q->run, rows, keys);
	gaspdb_add_to(further, instances);
	return NULL;
}

void gaspdb_collective_quality_mismatch(struct gaspdb_collective_quality *q,
					const struct gaspdb_member *member,
					enum gaspdb_collective_mismatch why)
{
	int64_t *sums =
		row_of(q, &q->mismatches, (int64_t[]){ member->team, why },
		       &q->further_mismatches, 1);

	if (!sums)
		return;
	if (!sums[0]++) {
		sums[1] = member->sequence;
		sums[2] = member->event;
	}
}

void gaspdb_collective_quality_missing(struct gaspdb_collective_quality *q,
				       int64_t team, int64_t thread,
				       int64_t instances, int64_t first)
{
	int64_t *sums = row_of(q, &q->missing, (int64_t[]){ team, thread },
			       &q->further_missing, instances);

	if (!sums)
		return;
	if (!sums[0] || first < sums[1])
		sums[1] = first;
	sums[0] += instances;
}

static void report_further(struct gaspdb_collective_quality *q,
			   enum gaspdb_quality_kind kind, int64_t instances)
{
	if (instances)
		gaspdb_quality_add(
			q->run,
			&(struct gaspdb_quality_row){ .kind = kind,
						      .thread = GASPDB_NONE,
						      .event = GASPDB_NONE,
						      .count = instances,
						      .bytes = GASPDB_NONE,
						      .time_ns = GASPDB_NONE },
			"further ones");
}

/* The name of a team, or its id. */
struct team_name {
	char text[128];
};

static struct team_name name_of(struct gaspdb_run *run, sqlite3_stmt *stmt,
				int64_t team)
{
	struct team_name name;

	snprintf(name.text, sizeof name.text, "team %lld", (long long)team);
	sqlite3_bind_int64(stmt, 1, team);
	if (gaspdb_row(run, stmt))
		snprintf(name.text, sizeof name.text, "%s",
			 (const char *)sqlite3_column_text(stmt, 0));
	sqlite3_reset(stmt);
	return name;
}

static void report_missing(struct gaspdb_collective_quality *q)
{
	sqlite3_stmt *names = gaspdb_prepare(q->run, gaspdb_sql_team_name);

	gaspdb_groups_sort(&q->missing);
	for (size_t i = 0; i < q->missing.n; i++) {
		const int64_t *row = gaspdb_groups_row(&q->missing, i);
		char from[40] = "at the end of the program";

		if (row[3] < GASPDB_COLLECTIVE_ENDS)
			snprintf(from, sizeof from, "from number %lld on",
				 (long long)row[3]);
		gaspdb_quality_add(
			q->run,
			&(struct gaspdb_quality_row){
				.kind = GASPDB_QUALITY_COLLECTIVE_PARTIAL,
				.thread = row[1],
				.event = GASPDB_NONE,
				.count = row[2],
				.bytes = GASPDB_NONE,
				.time_ns = GASPDB_NONE },
			"of %s, %s", name_of(q->run, names, row[0]).text, from);
	}
	sqlite3_finalize(names);
}

static void report_mismatches(struct gaspdb_collective_quality *q)
{
	sqlite3_stmt *names = gaspdb_prepare(q->run, gaspdb_sql_team_name);

	gaspdb_groups_sort(&q->mismatches);
	for (size_t i = 0; i < q->mismatches.n; i++) {
		const int64_t *row = gaspdb_groups_row(&q->mismatches, i);

		gaspdb_quality_add(
			q->run,
			&(struct gaspdb_quality_row){
				.kind = GASPDB_QUALITY_COLLECTIVE_MISMATCH,
				.thread = GASPDB_NONE,
				.event = row[4],
				.count = row[2],
				.bytes = GASPDB_NONE,
				.time_ns = GASPDB_NONE },
			"%s, %s, first at number %lld", mismatch_texts[row[1]],
			name_of(q->run, names, row[0]).text, (long long)row[3]);
	}
	sqlite3_finalize(names);
}

void gaspdb_collective_quality_close(struct gaspdb_collective_quality *q)
{
	report_missing(q);
	report_further(q, GASPDB_QUALITY_COLLECTIVE_PARTIAL,
		       q->further_missing);
	report_mismatches(q);
	report_further(q, GASPDB_QUALITY_COLLECTIVE_MISMATCH,
		       q->further_mismatches);
	gaspdb_groups_fini(&q->missing);
	gaspdb_groups_fini(&q->mismatches);
}
