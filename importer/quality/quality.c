/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Defects of logs as rows of table quality. Beyond a limit per thread and kind,
   one last row counts the rest. */
#include "importer/quality/quality.h"

#include <string.h>

#include "sql/quality_row.h"

void gaspdb_defects_init(struct gaspdb_defects *q, struct gaspdb_store *store)
{
	memset(q, 0, sizeof *q);
	q->store = store;
	q->thread = GASPDB_NULL;
	for (int i = 0; store && i < GASPDB_N_QUALITY; i++)
		gaspdb_insert(
			store, GASPDB_INSERT_quality_kind,
			GASPDB_VALUES(quality_kind){
				[GASPDB_QUALITY_KIND_KIND] =
					gaspdb_str(gaspdb_quality[i].kind),
				[GASPDB_QUALITY_KIND_SEVERITY] =
					gaspdb_str(gaspdb_quality[i].severity),
				[GASPDB_QUALITY_KIND_SUMMARY] =
					gaspdb_str(gaspdb_quality[i].summary),
				[GASPDB_QUALITY_KIND_ADVICE] =
					gaspdb_str(gaspdb_quality[i].advice) });
}

static int64_t if_any(int64_t n)
{
	return n ? n : GASPDB_NULL;
}

static void insert(struct gaspdb_defects *q, enum gaspdb_quality_kind kind,
		   const struct gaspdb_defect *d)
{
	struct gaspdb_value values[GASPDB_N_COLUMNS_quality];
	const struct gaspdb_quality_row row = {
		.kind = kind,
		.thread = q->thread,
		.event = if_any(d->event),
		.count = d->count ? gaspdb_number(d->count) : 1,
		.bytes = if_any(gaspdb_number(d->bytes)),
		.time_ns = if_any((int64_t)d->time_ns),
		.file = d->file,
		.offset = gaspdb_number(d->offset),
		.detail = d->detail,
	};

	if (q->report)
		q->report(q->user, kind, q->thread, d);
	if (!q->store)
		return;
	q->n++;
	gaspdb_quality_row_values(&row, values);
	gaspdb_insert(q->store, GASPDB_INSERT_quality, values);
}

void gaspdb_defects_thread(struct gaspdb_defects *q, int64_t thread)
{
	for (int i = 0; i < GASPDB_N_QUALITY; i++) {
		struct gaspdb_defect d = { .count = q->further[i],
					   .detail = "further ones" };

		if (d.count)
			insert(q, (enum gaspdb_quality_kind)i, &d);
		q->rows[i] = q->further[i] = 0;
	}
	q->thread = thread;
}

void gaspdb_defect_add(struct gaspdb_defects *q, enum gaspdb_quality_kind kind,
		       const struct gaspdb_defect *d)
{
	struct gaspdb_defect defect = { 0 };

	if (d)
		defect = *d;
	defect.count = (uint64_t)gaspdb_size(defect.count);
	if (q->rows[kind] < GASPDB_QUALITY_MAX) {
		q->rows[kind]++;
		insert(q, kind, &defect);
	} else {
		q->further[kind] = (uint64_t)gaspdb_size(
			q->further[kind] + (defect.count ? defect.count : 1));
	}
}
