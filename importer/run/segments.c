/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Segments, unified over processes by kind and name, and objects in them. */
#include "importer/run/segments.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "importer/symbols/symbols.h"

#define OFFSET_BITS 40

void gaspdb_segments_init(struct gaspdb_segments *s,
			  struct gaspdb_registry *registry)
{
	memset(s, 0, sizeof *s);
	s->registry = registry;
}

void gaspdb_segments_free(struct gaspdb_segments *s)
{
	gaspdb_names_free(&s->identities);
	gaspdb_map_free(&s->objects);
	gaspdb_names_free(&s->pointers);
	free(s->segment);
	free(s->local);
	free(s->object);
	memset(s, 0, sizeof *s);
}

void gaspdb_segments_log(struct gaspdb_segments *s)
{
	s->n_local = 0;
	s->left_out = 0;
}

/* segment.id of a kind and name; 0: too many segments. */
static uint32_t unify(struct gaspdb_segments *s, uint32_t kind, uint32_t name,
		      uint64_t bytes)
{
	uint32_t key[2] = { kind, name };
	bool added;
	uint32_t i;

	if (s->identities.n == GASPDB_SEGMENTS_MAX &&
	    gaspdb_names_find(&s->identities, key, sizeof key) == GASPDB_ABSENT)
		return 0;
	i = gaspdb_names_add(&s->identities, key, sizeof key, &added);
	s->segment = gaspdb_mem_grow(s->segment, &s->capacity, i + 1,
				     sizeof *s->segment);
	if (added)
		s->segment[i] = (struct gaspdb_segment){ kind, name, bytes };
	if (bytes > s->segment[i].bytes)
		s->segment[i].bytes = bytes;
	return i + 1;
}

/* id base bytes kind name */
void gaspdb_segment_define(struct gaspdb_segments *s,
			   const struct gaspdb_field *f)
{
	struct gaspdb_local_segment local = {
		.base = f[1].u,
		.bytes = f[2].u,
		.segment = unify(s, gaspdb_text_add(s->registry, f[3].s),
				 gaspdb_text_add(s->registry, f[4].s), f[2].u),
	};

	if (!local.segment || s->n_local == GASPDB_LOG_SEGMENTS_MAX) {
		s->left_out++;
		return;
	}
	s->local = gaspdb_mem_grow(s->local, &s->local_capacity, s->n_local + 1,
				   sizeof *s->local);
	s->local[s->n_local++] = local;
}

/* Notes an object for table object. */
static void note(struct gaspdb_segments *s, int64_t id, uint32_t module,
		 uint64_t address)
{
	uint32_t n = s->objects.n;

	if (n == GASPDB_OBJECTS_MAX ||
	    gaspdb_map_get(&s->objects, (uint64_t)id) != GASPDB_ABSENT)
		return;
	s->object = gaspdb_mem_grow(s->object, &s->object_capacity, n + 1,
				    sizeof *s->object);
	s->object[n] = (struct gaspdb_object){ id, module, address };
	gaspdb_map_put(&s->objects, (uint64_t)id, n);
}

int64_t gaspdb_object_at(struct gaspdb_segments *s,
			 const struct gaspdb_definitions *d, uint64_t address)
{
	const struct gaspdb_log_module *m;
	int64_t id;

	for (size_t i = 0; i < s->n_local; i++) {
		const struct gaspdb_local_segment *l = &s->local[i];
		uint64_t offset = address - l->base;

		if (address < l->base || offset >= l->bytes ||
		    offset >> OFFSET_BITS)
			continue;
		id = (int64_t)l->segment << OFFSET_BITS | (int64_t)offset;
		if (gaspdb_map_get(&s->objects, (uint64_t)id) != GASPDB_ABSENT)
			return id;
		m = gaspdb_definitions_module(d, address);
		note(s, id, m ? m->module : GASPDB_ABSENT,
		     m ? address - m->bias : 0);
		return id;
	}
	return GASPDB_NULL;
}

int64_t gaspdb_object_of_pointer(struct gaspdb_segments *s,
				 const struct gaspdb_pointer *p)
{
	uint32_t segment, number;
	int64_t id;

	if (!p->low && !p->high)
		return GASPDB_NULL;
	segment = unify(s, gaspdb_text_of(s->registry, "pointer"),
			gaspdb_text_of(s->registry, "UPC"), 0);
	if (!segment)
		return GASPDB_NULL;
	if (s->pointers.n == GASPDB_IDS_MAX &&
	    gaspdb_names_find(&s->pointers, p, sizeof *p) == GASPDB_ABSENT)
		return GASPDB_NULL;
	number = gaspdb_names_add(&s->pointers, p, sizeof *p, NULL);
	id = (int64_t)segment << OFFSET_BITS | number;
	note(s, id, GASPDB_ABSENT, number);
	return id;
}

/* --- tables --------------------------------------------------------------- */

static void name_pointer(const struct gaspdb_segments *s, uint32_t number,
			 char *name, size_t size)
{
	struct gaspdb_pointer p;
	int n;

	memcpy(&p, s->pointers.names[number].bytes, sizeof p);
	n = p.high ? snprintf(name, size, "0x%" PRIx64 "%016" PRIx64, p.high,
			      p.low)
		   : snprintf(name, size, "0x%" PRIx64, p.low);
	if (p.thread != GASPDB_NULL)
		snprintf(name + n, size - (size_t)n, " of thread %" PRId64,
			 p.thread);
}

static void name_object(const struct gaspdb_segments *s,
			const struct gaspdb_object *o,
			struct gaspdb_symbols *symbols, char *name, size_t size)
{
	const struct gaspdb_segment *segment =
		&s->segment[(o->id >> OFFSET_BITS) - 1];
	const int64_t offset = o->id & (((int64_t)1 << OFFSET_BITS) - 1);
	const char *kind = gaspdb_text_get(s->registry, segment->kind);
	const char *file = gaspdb_text_get(s->registry, segment->name);

	if (o->module != GASPDB_ABSENT &&
	    gaspdb_symbols_object(symbols, o->module, o->address, name, size))
		return;
	if (kind && !strcmp(kind, "pointer") && o->address < s->pointers.n) {
		name_pointer(s, (uint32_t)o->address, name, size);
		return;
	}
	if (!file)
		file = kind ? kind : "";
	snprintf(name, size, "%s+0x%" PRIx64,
		 strrchr(file, '/') ? strrchr(file, '/') + 1 : file, offset);
}

void gaspdb_segments_finish(struct gaspdb_segments *s,
			    struct gaspdb_symbols *symbols)
{
	const struct gaspdb_registry *r = s->registry;
	char name[1024];

	for (uint32_t i = 0; i < s->identities.n; i++) {
		const struct gaspdb_segment *segment = &s->segment[i];
		const char *kind = gaspdb_text_get(r, segment->kind);
		const char *text = gaspdb_text_get(r, segment->name);

		gaspdb_insert(r->store, GASPDB_INSERT_segment,
			      GASPDB_VALUES(segment){
				      [GASPDB_SEGMENT_ID] = gaspdb_int(i + 1),
				      [GASPDB_SEGMENT_KIND] =
					      gaspdb_str(kind ? kind : ""),
				      [GASPDB_SEGMENT_NAME] =
					      gaspdb_str(text ? text : ""),
				      [GASPDB_SEGMENT_BYTES] = gaspdb_int(
					      gaspdb_number(segment->bytes)) });
	}
	for (uint32_t i = 0; i < s->objects.n; i++) {
		const struct gaspdb_object *o = &s->object[i];

		name_object(s, o, symbols, name, sizeof name);
		gaspdb_insert(
			r->store, GASPDB_INSERT_object,
			GASPDB_VALUES(object){
				[GASPDB_OBJECT_ID] = gaspdb_int(o->id),
				[GASPDB_OBJECT_SEGMENT] =
					gaspdb_int(o->id >> OFFSET_BITS),
				[GASPDB_OBJECT_OFFSET] = gaspdb_int(
					o->id &
					(((int64_t)1 << OFFSET_BITS) - 1)),
				[GASPDB_OBJECT_NAME] = gaspdb_str(name) });
	}
}
