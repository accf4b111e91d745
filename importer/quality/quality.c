/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of table quality. Beyond a limit per thread and kind, one last row
   counts the rest. */
#include "importer/quality/quality.h"

#include <string.h>

void gaspdb_defects_init(struct gaspdb_defects *q, struct gaspdb_store *store)
{
	memset(q, 0, sizeof *q);
	q->store = store;
	q->thread = GASPDB_NULL;
	for (int i = 0; store && i < GASPDB_N_QUALITY; i++)
		gaspdb_insert(store, GASPDB_INSERT_quality_kind,
			      (struct gaspdb_value[]){
				      gaspdb_str(gaspdb_quality[i].kind),
				      gaspdb_str(gaspdb_quality[i].severity),
				      gaspdb_str(gaspdb_quality[i].summary),
				      gaspdb_str(gaspdb_quality[i].advice),
			      });
}

static struct gaspdb_value if_any(int64_t n)
{
	return gaspdb_int(n ? n : GASPDB_NULL);
}

static void insert(struct gaspdb_defects *q, enum gaspdb_quality_kind kind,
		   const struct gaspdb_defect *d)
{
	if (q->report)
		q->report(q->user, kind, q->thread, d);
	if (!q->store)
		return;
	q->n++;
	gaspdb_insert(
		q->store, GASPDB_INSERT_quality,
		(struct gaspdb_value[]){
			gaspdb_int(GASPDB_NULL),
			gaspdb_str(gaspdb_quality[kind].kind),
			gaspdb_str(gaspdb_quality[kind].severity),
			gaspdb_int(q->thread),
			if_any(d->event),
			gaspdb_str(d->file),
			gaspdb_int(d->file ? gaspdb_number(d->offset)
					   : GASPDB_NULL),
			gaspdb_int(d->count ? gaspdb_number(d->count) : 1),
			if_any(gaspdb_number(d->bytes)),
			if_any((int64_t)d->time_ns),
			gaspdb_str(d->detail),
			gaspdb_int(GASPDB_NULL),
			gaspdb_int(GASPDB_NULL),
		});
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
