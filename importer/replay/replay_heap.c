/* SPDX-License-Identifier: GPL-3.0-or-later */
/* HEAP records: counters of the process's private memory, by line. */
#include "importer/replay/replay.h"
#include "sql/sql.h"

/* A counter; those beyond the limit cannot be true. */
static struct gaspdb_value count(const struct gaspdb_field *f)
{
	return gaspdb_int(gaspdb_size(f->u));
}

/* site ticks blocks bytes frees live peak largest failed unknown uncounted;
   site 0: the process. */
void gaspdb_replay_heap(struct gaspdb_importer *im,
			const struct gaspdb_field *f)
{
	const int64_t ns = gaspdb_replay_ns(im, f[1].u);
	struct gaspdb_log_site *site = gaspdb_replay_site(im, f[0].u);

	im->heap_records++;
	gaspdb_stack_advance(&im->stack, ns, GASPDB_STEP_NORMAL);
	if (f[0].u && !site) {
		im->reading.unknown_site.count++;
		return;
	}
	gaspdb_insert(
		im->store, GASPDB_INSERT_memory_sample,
		GASPDB_VALUES(memory_sample){
			[GASPDB_MEMORY_SAMPLE_THREAD] =
				gaspdb_int(im->reading.id),
			[GASPDB_MEMORY_SAMPLE_NS] = gaspdb_int(ns),
			[GASPDB_MEMORY_SAMPLE_SOURCE] = gaspdb_int(
				site ? (int64_t)gaspdb_replay_source(im, site)
				     : GASPDB_NULL),
			[GASPDB_MEMORY_SAMPLE_BLOCKS] = count(&f[2]),
			[GASPDB_MEMORY_SAMPLE_BYTES] = count(&f[3]),
			[GASPDB_MEMORY_SAMPLE_FREES] = count(&f[4]),
			[GASPDB_MEMORY_SAMPLE_LIVE_BYTES] = count(&f[5]),
			[GASPDB_MEMORY_SAMPLE_PEAK_BYTES] = count(&f[6]),
			[GASPDB_MEMORY_SAMPLE_LARGEST_BYTES] = count(&f[7]),
			[GASPDB_MEMORY_SAMPLE_FAILED] = count(&f[8]),
			[GASPDB_MEMORY_SAMPLE_UNKNOWN_FREES] = count(&f[9]),
			[GASPDB_MEMORY_SAMPLE_UNCOUNTED] = count(&f[10]) });
}
