/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inspection of a run: every log is read and checked as by an import, but no
   rows are made. */
#include "importer/inspect/inspect.h"

#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "importer/log/damage.h"
#include "importer/log/definitions.h"
#include "importer/log/forward_definitions.h"
#include "importer/log/identity.h"
#include "importer/profile/cells.h"
#include "importer/run/bounds.h"
#include "importer/run/source.h"

struct reading {
	const struct gaspdb_input_options *options;
	bool members_only; /* do not read the logs */
	struct gaspdb_inspection *inspection;
	struct gaspdb_registry registry;
	struct gaspdb_source source;
	struct gaspdb_defects quality;
	struct gaspdb_reader *rd;
	/* The thread being read */
	struct gaspdb_inspection_thread *thread;
	const struct gaspdb_log_file *log;
	struct gaspdb_definitions definitions;
	struct gaspdb_cells cells;
	uint64_t ticks;
	uint64_t event_ticks; /* of the last event; 0: none */
	int64_t now_ns;	     /* time of replay */
	bool damaged, ahead; /* later blocks were searched for definitions */
	uint64_t lost_reported, lost_total;
	uint64_t rows, masked; /* rows an import would make; masked events */
	uint64_t heap_records;
	struct gaspdb_identity identity;
	struct gaspdb_defect unknown_site, backwards, contradiction;
};

static char *copy(const char *s, size_t n)
{
	char *c = gaspdb_mem_alloc(n + 1);

	memcpy(c, s, n);
	return c;
}

/* Stores losses; warnings only become messages, about the run as a whole. */
static void take_defect(void *user, enum gaspdb_quality_kind kind,
			int64_t thread, const struct gaspdb_defect *d)
{
	struct gaspdb_inspection *s = user;
	struct gaspdb_inspection_defect *to;

	if (!gaspdb_quality_is_loss(kind)) {
		gaspdb_diagnostics_add(&s->diagnostics, kind, GASPDB_NULL, NULL,
				       d);
		return;
	}
	s->defects = gaspdb_mem_grow(s->defects, &s->defect_capacity,
				     s->n_defects + 1, sizeof *s->defects);
	to = &s->defects[s->n_defects++];
	to->kind = kind;
	to->thread = thread;
	to->file = d->file ? copy(d->file, strlen(d->file)) : NULL;
	to->detail = d->detail ? copy(d->detail, strlen(d->detail)) : NULL;
	to->offset = d->offset;
	to->count = d->count ? d->count : 1;
	gaspdb_diagnostics_add(
		&s->diagnostics, kind,
		thread == GASPDB_NULL ? GASPDB_NULL : s->threads[thread].rank,
		thread == GASPDB_NULL ? NULL : s->threads[thread].model, d);
	if (thread != GASPDB_NULL)
		s->threads[thread].whole = false;
}

/* --- records -------------------------------------------------------------- */

static void take_meta(struct reading *r, const struct gaspdb_field *f)
{
	struct gaspdb_inspection_thread *t = r->thread;
	const struct {
		const char *key;
		char **place;
	} places[] = {
		{ "model", &t->model },
		{ "program", &t->program },
		{ "runtime", &t->runtime },
		{ "not_seen", &t->not_seen },
		{ "mode", &t->mode },
	};

	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		if (f[0].s.n == strlen(places[i].key) && !*places[i].place &&
		    !memcmp(f[0].s.p, places[i].key, f[0].s.n))
			*places[i].place = copy(f[1].s.p, f[1].s.n);
}

static void check_identity(struct reading *r, const struct gaspdb_record *rec,
			   const struct gaspdb_field *f)
{
	char detail[200];

	if (gaspdb_identity_contradicts(&r->identity, &r->registry, r->log, f,
					detail))
		gaspdb_damage_identity(&r->quality, r->log, rec, detail);
}

static int64_t ns_of(const struct reading *r, uint64_t ticks)
{
	return gaspdb_timeline_ns(&r->log->time, ticks, r->source.zero_ns);
}

static void advance(struct reading *r, uint64_t ticks)
{
	int64_t ns = ns_of(r, ticks);

	if (ns > r->now_ns)
		r->now_ns = ns;
}

static void tally(struct gaspdb_defect *d, const struct gaspdb_record *rec)
{
	if (!d->count++)
		d->offset = rec->offset;
}

static void take_event(struct reading *r, const struct gaspdb_record *rec)
{
	r->thread->events++;
	r->event_ticks = r->ticks += rec->ticks;
	if (ns_of(r, r->ticks) < r->now_ns)
		tally(&r->backwards, rec);
	advance(r, r->ticks);
	if (!gaspdb_definitions_site(&r->definitions, rec->site))
		tally(&r->unknown_site, rec);
	else
		r->rows += rec->phase != GASPDB_PHASE_END;
}

static void define(struct reading *r, const struct gaspdb_record *rec,
		   const struct gaspdb_field *f)
{
	struct gaspdb_definitions *d = &r->definitions;

	switch (rec->kind == GASPDB_RECORD_FRAME ? gaspdb_define_frame(d, f)
		: rec->kind > GASPDB_RECORD_SITE_PC
			? gaspdb_define_noted(d, rec->kind, f)
			: gaspdb_define(d, rec->kind, f)) {
	case GASPDB_CONTRADICTED:
		if (!r->ahead)
			tally(&r->contradiction, rec);
		break;
	case GASPDB_NOT_DEFINED:
		gaspdb_damage_record(&r->quality, r->log, rec);
		break;
	default:
		break;
	}
}

static void take_fields(struct reading *r, const struct gaspdb_record *rec,
			const struct gaspdb_field *f)
{
	struct gaspdb_registry *texts = &r->registry;

	switch (rec->kind) {
	case GASPDB_RECORD_STRING:
	case GASPDB_RECORD_OPERATION:
	case GASPDB_RECORD_SITE:
	case GASPDB_RECORD_SITE_PC:
	case GASPDB_RECORD_SEGMENT:
	case GASPDB_RECORD_TEAM:
	case GASPDB_RECORD_FRAME:
	case GASPDB_RECORD_ENTITY:
	case GASPDB_RECORD_ENTITY_MIX:
		define(r, rec, f);
		break;
	case GASPDB_RECORD_META:
		take_meta(r, f);
		check_identity(r, rec, f);
		break;
	case GASPDB_RECORD_TOOL:
		advance(r, f[0].u);
		/* fall through */
	case GASPDB_RECORD_RECORDING:
		advance(r, f[1].u);
		break;
	case GASPDB_RECORD_HEAP:
		r->heap_records++;
		advance(r, f[1].u);
		break;
	case GASPDB_RECORD_MASKED:
		r->masked += (uint64_t)gaspdb_size(f[1].u);
		break;
	case GASPDB_RECORD_PROCESSOR:
	case GASPDB_RECORD_LEFT:
		advance(r, f[0].u);
		break;
	case GASPDB_RECORD_LOST:
		r->lost_reported += (uint64_t)gaspdb_size(f[0].u);
		gaspdb_damage_lost(
			&r->quality, r->log, r->rd, f[0].u,
			gaspdb_text_get(texts, gaspdb_text_add(texts, f[1].s)));
	}
}

static void take_other(struct reading *r, const struct gaspdb_record *rec)
{
	struct gaspdb_field fields[GASPDB_FIELDS_MAX];
	char detail[GASPDB_BOUNDS_DETAIL];

	if (!gaspdb_record_known(rec->kind))
		return;
	if (!gaspdb_record_fields(rec, fields)) {
		gaspdb_damage_record(&r->quality, r->log, rec);
		return;
	}
	if (!gaspdb_record_bounded(rec->kind, fields, detail))
		gaspdb_damage_number(&r->quality, r->log, rec, detail);
	take_fields(r, rec, fields);
}

/* --- logs ----------------------------------------------------------------- */

static void take_forward(void *user, unsigned kind,
			 const struct gaspdb_field *f)
{
	struct reading *r = user;

	if (kind <= GASPDB_RECORD_SITE_PC &&
	    gaspdb_definable(&r->definitions, kind, f))
		gaspdb_define(&r->definitions, kind, f);
}

static void take_damage(struct reading *r, const struct gaspdb_error *err)
{
	gaspdb_damage_block(&r->quality, r->log, err);
	r->damaged = true;
	if (!r->ahead)
		gaspdb_forward_definitions(&r->source, r->log, r->rd,
					   take_forward, r);
	r->ahead = true;
}

/* The profile's nodes, when all sites are defined. */
static void take_profile(struct reading *r)
{
	struct gaspdb_cells *c = &r->cells;

	gaspdb_cells_begin(c, r->thread->mode != NULL, r->event_ticks,
			   &r->quality, r->log);
	gaspdb_cells_link(c, &r->quality, r->log);
	for (size_t i = 0; i < c->n_nodes; i++) {
		const struct gaspdb_node *n = &c->node[i];

		if (!n->site)
			continue;
		if (gaspdb_definitions_site(&r->definitions, n->site)) {
			r->rows += n->count + (n->open != 0);
			continue;
		}
		if (!r->unknown_site.count)
			r->unknown_site.offset = n->offset;
		r->unknown_site.count += n->count;
	}
	if (c->from)
		r->thread->events += c->events;
	else if (c->events > r->thread->events)
		r->thread->events = c->events;
	if (c->last)
		advance(r, c->last);
}

static void read_block(struct reading *r)
{
	struct gaspdb_reader *rd = r->rd;
	struct gaspdb_record rec;
	struct gaspdb_error err;
	enum gaspdb_status status;

	if (rd->block.type == GASPDB_BLOCK_PROFILE) {
		gaspdb_cells_block(&r->cells, rd, &r->quality, r->log);
		return;
	}
	if (r->damaged)
		advance(r, rd->block.ticks);
	r->damaged = false;
	r->ticks = rd->block.ticks;
	if (rd->block.lost > r->lost_total)
		r->lost_total = rd->block.lost;
	gaspdb_definitions_block(&r->definitions);
	gaspdb_rate_block(&r->thread->rate, rd);
	while (!(status = gaspdb_reader_record(rd, &rec, &err))) {
		gaspdb_rate_record(&r->thread->rate, rd, &rec);
		if (rec.phase == GASPDB_PHASE_OTHER)
			take_other(r, &rec);
		else
			take_event(r, &rec);
	}
	if (status == GASPDB_DAMAGED)
		take_damage(r, &err);
}

static void add_tally(struct reading *r, enum gaspdb_quality_kind kind,
		      struct gaspdb_defect *d)
{
	d->file = d->offset ? r->log->name : NULL;
	if (d->count)
		gaspdb_defect_add(&r->quality, kind, d);
}

static void read_blocks(struct reading *r)
{
	struct gaspdb_error err;
	enum gaspdb_status status;

	while ((status = gaspdb_reader_block(r->rd, &err)) == GASPDB_OK ||
	       status == GASPDB_DAMAGED)
		if (status == GASPDB_OK)
			read_block(r);
		else
			take_damage(r, &err);
	r->ahead |= status != GASPDB_EOF; /* unreadable */
	if (status != GASPDB_EOF)
		take_damage(r, &err);
	if (r->cells.any)
		take_profile(r);
	add_tally(r, GASPDB_QUALITY_CLOCK_BACKWARDS, &r->backwards);
	add_tally(r, GASPDB_QUALITY_CONTRADICTION, &r->contradiction);
	r->unknown_site.detail = gaspdb_damage_no_site(r->ahead);
	add_tally(r, GASPDB_QUALITY_UNKNOWN_SITE, &r->unknown_site);
	if (r->lost_total > r->lost_reported)
		gaspdb_damage_lost(&r->quality, r->log, r->rd,
				   r->lost_total - r->lost_reported, NULL);
	if (!r->rd->whole)
		gaspdb_damage_unfinished(&r->quality, r->log, r->rd);
}

static void read_log(struct reading *r)
{
	const struct gaspdb_log_file *log = r->log;
	struct gaspdb_error err;

	r->now_ns = log->has_first ? ns_of(r, log->first_ticks) : 0;
	r->damaged = r->ahead = false;
	r->lost_reported = r->lost_total = r->event_ticks = 0;
	memset(&r->unknown_site, 0, sizeof r->unknown_site);
	memset(&r->backwards, 0, sizeof r->backwards);
	memset(&r->contradiction, 0, sizeof r->contradiction);
	memset(&r->identity, 0, sizeof r->identity);
	gaspdb_definitions_init(&r->definitions, &r->registry);
	gaspdb_cells_clear(&r->cells);
	if (gaspdb_source_read(&r->source, log, r->rd, NULL, &err)) {
		r->ahead = true;
		take_damage(r, &err);
	} else {
		r->rd->profiles = true;
		read_blocks(r);
		gaspdb_reader_close(r->rd);
	}
	gaspdb_definitions_free(&r->definitions);
	gaspdb_cells_free(&r->cells);
	gaspdb_rate_free(&r->thread->rate);
}

/* Copy of a text of the registry; NULL: none. */
static char *copy_text(const struct reading *r, uint32_t text)
{
	const char *s = gaspdb_text_get(&r->registry, text);

	return s ? copy(s, strlen(s)) : NULL;
}

static void take_thread(struct reading *r, size_t i)
{
	const struct gaspdb_source_thread *from = &r->source.threads[i];
	struct gaspdb_inspection_thread *t = &r->inspection->threads[i];

	r->thread = t;
	r->log = from->log;
	t->rank = from->rank;
	t->number = from->number;
	gaspdb_defects_thread(&r->quality, (int64_t)i);
	if (!r->log) {
		gaspdb_source_note_missing(&r->source, (int64_t)i, &r->quality);
		return;
	}
	t->host = copy_text(r, r->log->host);
	t->model = copy_text(r, r->log->model);
	t->file = r->log->name;
	t->bytes = r->log->size;
	t->ticks_hz = r->log->header.ticks_hz;
	t->whole = true;
	if (r->members_only)
		return;
	gaspdb_damage_header(&r->quality, &r->registry, r->log);
	read_log(r);
}

/* --- inspection ----------------------------------------------------------- */

static const char *first_not_seen(const struct gaspdb_inspection *s)
{
	for (size_t i = 0; i < s->n_threads; i++)
		if (s->threads[i].not_seen)
			return s->threads[i].not_seen;
	return NULL;
}

static enum gaspdb_status inspect(void *user, struct gaspdb_error *err)
{
	struct reading *r = user;
	const struct gaspdb_input_options *options = r->options;
	struct gaspdb_inspection *s = r->inspection;

	gaspdb_registry_init(&r->registry, NULL);
	gaspdb_defects_init(&r->quality, NULL);
	r->quality.report = take_defect;
	r->quality.user = s;

	if (gaspdb_input_open(&s->input, options, &r->quality, err)) {
		if (s->input.several)
			gaspdb_run_list_make(&s->runs, &s->input);
		return GASPDB_FAILED;
	}
	if (gaspdb_source_open(&r->source, &s->input, &r->registry, &r->quality,
			       err))
		return GASPDB_FAILED;
	s->n_missing = r->source.n_missing;
	s->threads = gaspdb_mem_alloc(r->source.n_threads * sizeof *s->threads);
	s->n_threads = r->source.n_threads;
	r->rd = gaspdb_mem_alloc(sizeof *r->rd);
	for (size_t i = 0; i < s->n_threads; i++)
		take_thread(r, i);
	gaspdb_defects_thread(&r->quality, GASPDB_NULL);
	return r->rows || r->heap_records || r->members_only
		       ? GASPDB_OK
		       : gaspdb_diagnostics_empty(
				 &s->diagnostics, options->path,
				 first_not_seen(s), r->masked, err);
}

static enum gaspdb_status run(struct gaspdb_inspection *inspection,
			      const struct gaspdb_input_options *options,
			      bool members_only, struct gaspdb_error *err)
{
	struct reading *r = calloc(1, sizeof *r);
	enum gaspdb_status status;

	memset(inspection, 0, sizeof *inspection);
	inspection->input.spool = -1;
	if (!r)
		return gaspdb_fail(err, GASPDB_FAILED, "out of memory");
	r->inspection = inspection;
	r->options = options;
	r->members_only = members_only;
	status = gaspdb_mem_try(inspect, r, err);
	gaspdb_source_close(&r->source);
	gaspdb_registry_free(&r->registry);
	free(r->rd);
	free(r);
	return status;
}

enum gaspdb_status gaspdb_inspect(struct gaspdb_inspection *inspection,
				  const struct gaspdb_input_options *options,
				  struct gaspdb_error *err)
{
	return run(inspection, options, false, err);
}

enum gaspdb_status
gaspdb_inspect_members(struct gaspdb_inspection *inspection,
		       const struct gaspdb_input_options *options,
		       struct gaspdb_error *err)
{
	return run(inspection, options, true, err);
}

void gaspdb_inspection_free(struct gaspdb_inspection *s)
{
	for (size_t i = 0; i < s->n_threads; i++) {
		struct gaspdb_inspection_thread *t = &s->threads[i];

		free(t->host);
		free(t->model);
		free(t->program);
		free(t->runtime);
		free(t->not_seen);
		free(t->mode);
		gaspdb_rate_free(&t->rate);
	}
	for (size_t i = 0; i < s->n_defects; i++) {
		free(s->defects[i].file);
		free(s->defects[i].detail);
	}
	free(s->threads);
	free(s->defects);
	gaspdb_diagnostics_free(&s->diagnostics);
	gaspdb_run_list_free(&s->runs);
	gaspdb_input_close(&s->input);
	memset(s, 0, sizeof *s);
}
