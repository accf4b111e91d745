/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Definitions of a log: dense arrays by id, and a hash table for sparse ids.
   The first definition of an id holds. */
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "importer/log/definitions_parts.h"

/* Largest id stored in an array, for n_defined definitions. */
#define DENSE_MAX(n_defined) (4 * (n_defined) + 1024)

void gaspdb_definitions_init(struct gaspdb_definitions *d,
			     struct gaspdb_registry *registry)
{
	memset(d, 0, sizeof *d);
	d->registry = registry;
	gaspdb_definitions_log(d);
}

void gaspdb_definitions_free(struct gaspdb_definitions *d)
{
	for (size_t i = 0; i < d->operation_capacity; i++)
		gaspdb_log_operation_free(d->operations[i]);
	for (uint32_t i = 0; i < d->sparse_index.n_slots; i++) {
		const struct gaspdb_map_slot *slot = &d->sparse_index.slots[i];

		if (slot->value != GASPDB_ABSENT &&
		    slot->key >> 32 == GASPDB_RECORD_OPERATION)
			gaspdb_log_operation_free(
				d->sparse[slot->value].operation);
	}
	gaspdb_map_free(&d->sparse_index);
	gaspdb_map_free(&d->noted);
	free(d->sparse);
	free(d->operations);
	free(d->strings);
	free(d->sites);
	free(d->modules);
	free(d->last);
	gaspdb_map_free(&d->frame_index);
	free(d->frames);
	memset(d, 0, sizeof *d);
}

void gaspdb_definitions_log(struct gaspdb_definitions *d)
{
	d->log++;
	d->n_models = 0;
	d->n_modules = 0;
	memset(d->n_noted, 0, sizeof d->n_noted);
	gaspdb_map_clear(&d->noted);
	gaspdb_map_clear(&d->frame_index);
}

void gaspdb_definitions_block(struct gaspdb_definitions *d)
{
	d->block++;
	d->n_last = 0;
}

/* --- by id ---------------------------------------------------------------- */

static uint64_t sparse_key(unsigned kind, uint64_t id)
{
	return (uint64_t)kind << 32 | id;
}

/* A definition with a sparse id; NULL: dense, or unknown. kind: SITE for
   SITE_PC too. */
static union gaspdb_sparse_definition *
sparse_of(const struct gaspdb_definitions *d, unsigned kind, uint64_t id)
{
	const uint32_t i = id > GASPDB_IDS_MAX
				   ? GASPDB_ABSENT
				   : gaspdb_map_get(&d->sparse_index,
						    sparse_key(kind, id));

	return i == GASPDB_ABSENT ? NULL : &d->sparse[i];
}

/* The same, added if the id is sparse; NULL: dense. */
static union gaspdb_sparse_definition *
sparse_to_define(struct gaspdb_definitions *d, unsigned kind, uint32_t id,
		 size_t capacity)
{
	union gaspdb_sparse_definition *known = sparse_of(d, kind, id);
	const uint32_t n = d->sparse_index.n;

	if (known || id < capacity || id <= DENSE_MAX(d->n_defined[kind]))
		return known;
	d->sparse = gaspdb_mem_grow(d->sparse, &d->sparse_capacity, n + 1,
				    sizeof *d->sparse);
	gaspdb_map_put(&d->sparse_index, sparse_key(kind, id), n);
	return &d->sparse[n];
}

static struct gaspdb_log_string *string_at(struct gaspdb_definitions *d,
					   uint32_t id)
{
	union gaspdb_sparse_definition *sparse = sparse_to_define(
		d, GASPDB_RECORD_STRING, id, d->string_capacity);

	if (sparse)
		return &sparse->string;
	d->strings = gaspdb_mem_grow(d->strings, &d->string_capacity,
				     (size_t)id + 1, sizeof *d->strings);
	return &d->strings[id];
}

static struct gaspdb_log_operation **operation_at(struct gaspdb_definitions *d,
						  uint32_t id)
{
	union gaspdb_sparse_definition *sparse = sparse_to_define(
		d, GASPDB_RECORD_OPERATION, id, d->operation_capacity);

	if (sparse)
		return &sparse->operation;
	d->operations = gaspdb_mem_grow(d->operations, &d->operation_capacity,
					(size_t)id + 1, sizeof *d->operations);
	return &d->operations[id];
}

static struct gaspdb_log_site *site_at(struct gaspdb_definitions *d,
				       uint32_t id)
{
	union gaspdb_sparse_definition *sparse =
		sparse_to_define(d, GASPDB_RECORD_SITE, id, d->site_capacity);

	if (sparse)
		return &sparse->site;
	d->sites = gaspdb_mem_grow(d->sites, &d->site_capacity, (size_t)id + 1,
				   sizeof *d->sites);
	return &d->sites[id];
}

/* --- definitions ---------------------------------------------------------- */

static enum gaspdb_defined define_string(struct gaspdb_definitions *d,
					 uint32_t id, struct gaspdb_text text)
{
	struct gaspdb_log_string *string = string_at(d, id);
	const bool again = string->log == d->log;
	uint32_t number = string->text;

	if (!gaspdb_text_is(d->registry, number, text))
		number = gaspdb_text_add(d->registry, text);
	if (again)
		return number == string->text ? GASPDB_DEFINED
					      : GASPDB_CONTRADICTED;
	d->n_defined[GASPDB_RECORD_STRING] += !string->log;
	*string = (struct gaspdb_log_string){ number, d->log };
	return GASPDB_DEFINED;
}

/* Is this a new operation beyond the limit of the run or of the log? Operations
   shared with other logs count in each log. */
static bool is_too_many(const struct gaspdb_definitions *d, uint32_t id)
{
	return (d->registry->operations.n >= GASPDB_OPERATIONS_MAX ||
		d->n_defined[GASPDB_RECORD_OPERATION] >=
			GASPDB_LOG_OPERATIONS_MAX) &&
	       !gaspdb_definitions_operation(d, id);
}

static enum gaspdb_defined define_operation(struct gaspdb_definitions *d,
					    uint32_t id,
					    const struct gaspdb_field *f)
{
	struct gaspdb_log_operation **at, *o;
	bool same;

	if (is_too_many(d, id))
		return GASPDB_LEFT_OUT;
	at = operation_at(d, id);
	o = *at;
	same = o && gaspdb_log_operation_has(d, o, f);

	if (o && o->log == d->log)
		return same || gaspdb_log_operation_means(d, o, f)
			       ? GASPDB_DEFINED
			       : GASPDB_CONTRADICTED;
	d->n_defined[GASPDB_RECORD_OPERATION] += !o;
	if (!same) {
		*at = NULL;
		gaspdb_log_operation_free(o);
		o = *at = gaspdb_log_operation_make(d, f);
	}
	o->log = d->log;
	o->innermost = NULL;
	o->n_open[false] = o->n_open[true] = 0;
	o->dropped = 0;
	return GASPDB_DEFINED;
}

/* Do both mean the same source? Never for sites by address, which differs in
   each process. */
static bool same_site(const struct gaspdb_log_site *a,
		      const struct gaspdb_log_site *b)
{
	return a->of && a->of == b->of && a->operation_id == b->operation_id &&
	       !a->by_address && !b->by_address && a->file == b->file &&
	       a->function == b->function && a->line == b->line &&
	       a->column == b->column;
}

/* Do two definitions of a site differ? An unknown file contradicts none. */
static bool contradicts(const struct gaspdb_log_site *a,
			const struct gaspdb_log_site *b)
{
	return a->operation_id != b->operation_id ||
	       a->by_address != b->by_address || a->address != b->address ||
	       a->module != b->module || a->frame != b->frame ||
	       (a->file && b->file && a->file != b->file) ||
	       (a->function && b->function && a->function != b->function) ||
	       a->line != b->line || a->column != b->column;
}

static enum gaspdb_defined define_site(struct gaspdb_definitions *d,
				       uint32_t id,
				       const struct gaspdb_log_site *site)
{
	struct gaspdb_log_site *known = site_at(d, id);

	if (known->log == d->log)
		return contradicts(known, site) ? GASPDB_CONTRADICTED
						: GASPDB_DEFINED;
	d->n_defined[GASPDB_RECORD_SITE] += !known->log;
	if (!same_site(known, site))
		*known = *site;
	known->log = d->log;
	return GASPDB_DEFINED;
}

enum gaspdb_defined gaspdb_define(struct gaspdb_definitions *d, unsigned kind,
				  const struct gaspdb_field *f)
{
	struct gaspdb_log_site site = { 0 };
	const struct gaspdb_log_operation *o;
	const uint32_t id = (uint32_t)f[0].u;

	if (f[0].u == 0 || f[0].u > GASPDB_IDS_MAX)
		return GASPDB_NOT_DEFINED;
	switch (kind) {
	case GASPDB_RECORD_STRING: /* id text */
		return define_string(d, id, f[1].s);
	case GASPDB_RECORD_OPERATION:
		return define_operation(d, id, f);
	case GASPDB_RECORD_SITE: /* id operation file line column function */
		site.file = gaspdb_definitions_string(d, f[2].u);
		site.line = f[3].u;
		site.column = f[4].u;
		site.function = gaspdb_definitions_string(d, f[5].u);
		break;
	default: /* SITE_PC: id operation address module frame */
		site.by_address = true;
		site.address = f[2].u;
		site.module = f[3].u;
		if (f[4].u <= GASPDB_IDS_MAX)
			site.frame = (uint32_t)f[4].u;
	}
	if (f[1].u > GASPDB_IDS_MAX)
		return GASPDB_NOT_DEFINED;
	site.operation_id = (uint32_t)f[1].u;
	o = gaspdb_definitions_operation(d, site.operation_id);
	site.of = o ? o->id : 0;
	return define_site(d, id, &site);
}

bool gaspdb_definable(const struct gaspdb_definitions *d, unsigned kind,
		      const struct gaspdb_field *f)
{
	return kind != GASPDB_RECORD_SITE ||
	       ((!f[2].u || gaspdb_definitions_string(d, f[2].u)) &&
		(!f[5].u || gaspdb_definitions_string(d, f[5].u)));
}

static inline struct gaspdb_bytes payload_of(const struct gaspdb_record *rec)
{
	return (struct gaspdb_bytes){ .at = rec->payload,
				      .end = rec->payload + rec->bytes };
}

bool gaspdb_define_string_again(struct gaspdb_definitions *d,
				const struct gaspdb_record *rec)
{
	struct gaspdb_bytes b = payload_of(rec);
	struct gaspdb_log_string *known;
	uint64_t id;

	if (!gaspdb_get_varint(&b, &id) || id >= d->string_capacity)
		return false;
	known = &d->strings[id];
	if (!known->log ||
	    !gaspdb_text_is(d->registry, known->text,
			    (struct gaspdb_text){ (const char *)b.at,
						  gaspdb_bytes_left(&b) }))
		return false;
	known->log = d->log;
	return true;
}

bool gaspdb_define_site_again(struct gaspdb_definitions *d,
			      const struct gaspdb_record *rec)
{
	struct gaspdb_bytes b = payload_of(rec);
	uint64_t id, operation, file, line, column, function = 0;
	const struct gaspdb_log_operation *o;
	struct gaspdb_log_site *known;

	if (!gaspdb_get_varint(&b, &id) || !gaspdb_get_varint(&b, &operation) ||
	    !gaspdb_get_varint(&b, &file) || !gaspdb_get_varint(&b, &line) ||
	    !gaspdb_get_varint(&b, &column) || id >= d->site_capacity ||
	    (gaspdb_bytes_left(&b) && !gaspdb_get_varint(&b, &function)))
		return false;
	known = &d->sites[id];
	o = gaspdb_definitions_operation(d, operation);
	if (!o || known->of != o->id || known->operation_id != operation ||
	    known->by_address || known->line != line ||
	    known->column != column ||
	    known->file != gaspdb_definitions_string(d, file) ||
	    known->function != gaspdb_definitions_string(d, function))
		return false;
	known->log = d->log;
	return true;
}

/* --- looking up ----------------------------------------------------------- */

struct gaspdb_log_operation *
gaspdb_definitions_operation(const struct gaspdb_definitions *d, uint64_t id)
{
	struct gaspdb_log_operation *o =
		id < d->operation_capacity ? d->operations[id] : NULL;
	const union gaspdb_sparse_definition *sparse;

	if (o && o->log == d->log)
		return o;
	sparse = sparse_of(d, GASPDB_RECORD_OPERATION, id);
	return sparse && sparse->operation->log == d->log ? sparse->operation
							  : NULL;
}

static void add_model(struct gaspdb_definitions *d, uint32_t text)
{
	for (unsigned i = 0; i < d->n_models; i++)
		if (d->models[i] == text)
			return;
	if (text && d->n_models < GASPDB_MODELS_MAX)
		d->models[d->n_models++] = text;
}

struct gaspdb_log_site *gaspdb_definitions_know(struct gaspdb_definitions *d,
						uint64_t id)
{
	union gaspdb_sparse_definition *sparse =
		sparse_of(d, GASPDB_RECORD_SITE, id);
	struct gaspdb_log_site *site = sparse		       ? &sparse->site
				       : id < d->site_capacity ? &d->sites[id]
							       : NULL;
	struct gaspdb_log_operation *o;

	if (!site || site->log != d->log)
		return NULL;
	if (site->known == d->log)
		return site;
	o = gaspdb_definitions_operation(d, site->operation_id);
	if (!o)
		return NULL;
	site->known = d->log;
	site->operation = o;
	add_model(d, o->texts[2]);
	site->profile[0] = site->profile[1] = 0;
	return site;
}

uint32_t gaspdb_definitions_string(const struct gaspdb_definitions *d,
				   uint64_t id)
{
	const union gaspdb_sparse_definition *sparse;

	if (id < d->string_capacity && d->strings[id].log == d->log)
		return d->strings[id].text;
	sparse = sparse_of(d, GASPDB_RECORD_STRING, id);
	return sparse && sparse->string.log == d->log ? sparse->string.text : 0;
}
