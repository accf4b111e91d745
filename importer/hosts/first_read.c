/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first read: REMOTE_CLOCK records, and the time that logs reach. */
#include "importer/hosts/first_read.h"

#include <stdlib.h>

#include "common/interrupt.h"
#include "common/memory.h"

#define KIND(ident) ((uint64_t)1 << GASPDB_RECORD_##ident)

static void take_block(struct gaspdb_alignment *a,
		       const struct gaspdb_log_file *log,
		       struct gaspdb_reader *rd)
{
	struct gaspdb_field f[GASPDB_FIELDS_MAX];
	struct gaspdb_record rec;
	struct gaspdb_error ignored;

	gaspdb_first_read_reached(a, log, rd->block.ticks);
	for (;;) {
		gaspdb_reader_skip(rd, ~KIND(REMOTE_CLOCK), true);
		if (gaspdb_reader_record(rd, &rec, &ignored))
			return;
		if (rec.phase == GASPDB_PHASE_OTHER &&
		    rec.kind == GASPDB_RECORD_REMOTE_CLOCK &&
		    gaspdb_record_fields(&rec, f))
			gaspdb_first_read_reading(a, log, f);
	}
}

static void take_log(struct gaspdb_alignment *a,
		     const struct gaspdb_log_file *log,
		     struct gaspdb_reader *rd)
{
	struct gaspdb_error ignored;
	enum gaspdb_status status;

	if (gaspdb_source_read(a->source, log, rd, NULL, &ignored))
		return;
	if (log->has_first)
		gaspdb_first_read_reached(a, log, log->first_ticks);
	while ((status = gaspdb_reader_block(rd, &ignored)) == GASPDB_OK ||
	       status == GASPDB_DAMAGED) {
		if (!status)
			take_block(a, log, rd);
		if (gaspdb_interrupted)
			break;
	}
	gaspdb_reader_close(rd);
}

bool gaspdb_first_read(struct gaspdb_alignment *a)
{
	struct gaspdb_reader *rd = gaspdb_mem_alloc(sizeof *rd);

	a->reader = rd;
	for (size_t i = 0; i < a->source->n_threads && !gaspdb_interrupted; i++)
		if (a->source->threads[i].log)
			take_log(a, a->source->threads[i].log, rd);
	return !gaspdb_interrupted;
}

/* --- messages and barriers ------------------------------------------------ */

static void take_ends(struct gaspdb_alignment *a,
		      const struct gaspdb_log_file *log,
		      struct gaspdb_reader *rd)
{
	uint64_t ticks = rd->block.ticks;
	struct gaspdb_record rec;
	struct gaspdb_error ignored;

	gaspdb_ends_block(&a->ends);
	while (!gaspdb_reader_record(rd, &rec, &ignored)) {
		if (rec.phase == GASPDB_PHASE_OTHER) {
			gaspdb_ends_other(&a->ends, &rec);
			continue;
		}
		ticks += rec.ticks;
		gaspdb_ends_event(&a->ends, &rec,
				  gaspdb_first_read_ns(a, log, ticks));
	}
	gaspdb_first_read_reached(a, log, ticks);
}

static void take_ends_of(struct gaspdb_alignment *a,
			 const struct gaspdb_log_file *log,
			 struct gaspdb_reader *rd)
{
	struct gaspdb_error ignored;
	enum gaspdb_status status;

	gaspdb_ends_log(&a->ends);
	if (gaspdb_source_read(a->source, log, rd, NULL, &ignored)) {
		a->ends.spoiled = true;
		return;
	}
	while ((status = gaspdb_reader_block(rd, &ignored)) == GASPDB_OK) {
		take_ends(a, log, rd);
		if (gaspdb_interrupted)
			break;
	}
	/* After damage it cannot be counted what was lost. */
	a->ends.spoiled |= status == GASPDB_DAMAGED || log->header.damaged;
	gaspdb_reader_close(rd);
}

bool gaspdb_first_read_ends(struct gaspdb_alignment *a)
{
	const struct gaspdb_source *s = a->source;
	struct gaspdb_reader *rd = a->reader;
	size_t end;

	for (size_t i = 0; i < s->n_threads && !gaspdb_interrupted; i = end) {
		const struct gaspdb_source_thread *t = &s->threads[i];

		for (end = i + 1;
		     end < s->n_threads && !s->threads[end].new_process;)
			end++;
		if (!t->log || t->rank == GASPDB_NULL)
			continue;
		gaspdb_ends_process(&a->ends, t->rank,
				    gaspdb_first_read_host(a, t->log),
				    end == i + 1);
		for (size_t k = i; k < end && !a->ends.spoiled; k++)
			if (s->threads[k].log)
				take_ends_of(a, s->threads[k].log, rd);
		gaspdb_ends_finish(&a->ends);
		gaspdb_matches_process(&a->matches, &a->ends);
	}
	return !gaspdb_interrupted;
}
