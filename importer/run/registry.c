/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interning: equal items get one number, by the bytes of a key. */
#include "importer/run/registry.h"

#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "importer/log/utf8.h"

static const struct {
	const char *type, *category, *doc;
} types[] = {
#define TYPE(ident, category, doc) { #ident, #category, doc },
#include "collector/events/types.tbl.h"
};

static const char *const categories[] = {
	[GASPDB_CATEGORY_computation] = "computation",
	[GASPDB_CATEGORY_communication] = "communication",
	[GASPDB_CATEGORY_synchronization] = "synchronization",
	[GASPDB_CATEGORY_allocation] = "allocation",
	[GASPDB_CATEGORY_runtime] = "runtime",
	[GASPDB_CATEGORY_none] = "none",
};

void gaspdb_registry_init(struct gaspdb_registry *r, struct gaspdb_store *store)
{
	memset(r, 0, sizeof *r);
	r->store = store;
	gaspdb_names_add(&r->texts, "", 0, NULL);
	for (size_t i = 0; i < sizeof categories / sizeof *categories; i++)
		gaspdb_category_of(r, categories[i]);
	for (int i = 0; store && i < GASPDB_OPTYPE_unknown; i++)
		gaspdb_insert(store, GASPDB_INSERT_operation_type,
			      GASPDB_VALUES(operation_type){
				      [GASPDB_OPERATION_TYPE_TYPE] =
					      gaspdb_str(types[i].type),
				      [GASPDB_OPERATION_TYPE_CATEGORY] =
					      gaspdb_str(types[i].category),
				      [GASPDB_OPERATION_TYPE_DESCRIPTION] =
					      gaspdb_str(types[i].doc) });
}

void gaspdb_registry_free(struct gaspdb_registry *r)
{
	gaspdb_names_free(&r->texts);
	gaspdb_names_free(&r->operations);
	gaspdb_names_free(&r->arguments);
	gaspdb_names_free(&r->sources);
	gaspdb_names_free(&r->categories);
	free(r->source);
	memset(r, 0, sizeof *r);
}

/* --- texts ---------------------------------------------------------------- */

/* Number of a text; 0: too many texts. */
static uint32_t add_text(struct gaspdb_registry *r, const char *p, size_t n)
{
	uint32_t known;

	if (r->texts.n < GASPDB_TEXTS_MAX)
		return gaspdb_names_add(&r->texts, p, n, NULL);
	known = gaspdb_names_find(&r->texts, p, n);
	if (known != GASPDB_ABSENT)
		return known;
	r->texts_left_out++;
	return 0;
}

static uint32_t add_repaired(struct gaspdb_registry *r, const char *p, size_t n)
{
	char *copy = gaspdb_mem_alloc(n + 1);
	uint32_t text;

	memcpy(copy, p, n);
	gaspdb_utf8_repair(copy, n);
	text = add_text(r, copy, n);
	free(copy);
	return text;
}

uint32_t gaspdb_text_add(struct gaspdb_registry *r, struct gaspdb_text text)
{
	size_t n = strnlen(text.p, text.n);

	if (!gaspdb_utf8_valid(text.p, n))
		return add_repaired(r, text.p, n);
	return add_text(r, text.p, n);
}

uint32_t gaspdb_text_of(struct gaspdb_registry *r, const char *text)
{
	return gaspdb_text_add(r, (struct gaspdb_text){ text, strlen(text) });
}

const char *gaspdb_text_get(const struct gaspdb_registry *r, uint32_t text)
{
	return text ? r->texts.names[text].bytes : NULL;
}

/* --- operations ----------------------------------------------------------- */

enum gaspdb_optype gaspdb_optype_of(const char *type)
{
	int i = 0;

	while (i < GASPDB_OPTYPE_unknown && strcmp(types[i].type, type))
		i++;
	return (enum gaspdb_optype)i;
}

uint8_t gaspdb_category_of(struct gaspdb_registry *r, const char *category)
{
	uint32_t i =
		gaspdb_names_find(&r->categories, category, strlen(category));

	if (i != GASPDB_ABSENT)
		return (uint8_t)i;
	if (r->categories.n == GASPDB_CATEGORIES_MAX)
		return GASPDB_CATEGORY_runtime;
	return (uint8_t)gaspdb_names_add(&r->categories, category,
					 strlen(category), NULL);
}

const char *gaspdb_category_name(const struct gaspdb_registry *r,
				 uint8_t category)
{
	return r->categories.names[category].bytes;
}

static const char *text_or_empty(const struct gaspdb_registry *r, uint32_t text)
{
	return text ? gaspdb_text_get(r, text) : "";
}

uint32_t gaspdb_operation_add(struct gaspdb_registry *r,
			      const struct gaspdb_operation_names *names)
{
	bool added;
	uint32_t id = 1 + gaspdb_names_add(&r->operations, names, sizeof *names,
					   &added);

	if (added && r->store)
		gaspdb_insert(
			r->store, GASPDB_INSERT_operation,
			GASPDB_VALUES(operation){
				[GASPDB_OPERATION_ID] = gaspdb_int(id),
				[GASPDB_OPERATION_NAME] = gaspdb_str(
					text_or_empty(r, names->name)),
				[GASPDB_OPERATION_SYMBOL] = gaspdb_str(
					text_or_empty(r, names->symbol)),
				[GASPDB_OPERATION_TYPE] = gaspdb_str(
					text_or_empty(r, names->type)),
				[GASPDB_OPERATION_CATEGORY] = gaspdb_str(
					text_or_empty(r, names->category)),
				[GASPDB_OPERATION_MODEL] = gaspdb_str(
					text_or_empty(r, names->model)),
				[GASPDB_OPERATION_FORMAT] = gaspdb_str(
					gaspdb_text_get(r, names->format)) });
	return id;
}

uint32_t gaspdb_argument_add(struct gaspdb_registry *r, uint32_t operation,
			     bool end, struct gaspdb_text name, char code)
{
	uint32_t key[4] = { operation, end, gaspdb_text_add(r, name),
			    (unsigned char)code };
	char code_text[2] = { code, 0 };
	bool added;
	uint32_t id =
		1 + gaspdb_names_add(&r->arguments, key, sizeof key, &added);

	if (added && r->store)
		gaspdb_insert(r->store, GASPDB_INSERT_argument,
			      GASPDB_VALUES(argument){
				      [GASPDB_ARGUMENT_ID] = gaspdb_int(id),
				      [GASPDB_ARGUMENT_OPERATION] =
					      gaspdb_int(operation),
				      [GASPDB_ARGUMENT_PHASE] =
					      gaspdb_str(end ? "end" : "start"),
				      [GASPDB_ARGUMENT_NAME] = gaspdb_str(
					      text_or_empty(r, key[2])),
				      [GASPDB_ARGUMENT_CODE] =
					      gaspdb_str(code_text) });
	return id;
}

/* --- sources -------------------------------------------------------------- */

/* Key of a source line, of fixed size because texts are numbers. */
struct source_key {
	uint64_t line, offset;
	uint32_t operation, file, function, module;
};

static struct source_key key_of(uint32_t operation,
				const struct gaspdb_place *p)
{
	struct source_key key = { .operation = operation,
				  .file = p->file,
				  .line = p->line,
				  .function = p->function };

	if (!p->file) {
		key.module = p->module;
		key.offset = p->offset;
	}
	return key;
}

/* The index of a source whose function an event has named
   (gaspdb_source_function): other logs or sites may name it themselves. */
static uint32_t named_by_event(const struct gaspdb_registry *r,
			       uint32_t operation,
			       const struct gaspdb_place *place)
{
	struct gaspdb_place unnamed = *place;
	struct source_key key;
	uint32_t i;

	if (!place->function)
		return GASPDB_ABSENT;
	unnamed.function = 0;
	key = key_of(operation, &unnamed);
	i = gaspdb_names_find(&r->sources, &key, sizeof key);
	return i != GASPDB_ABSENT &&
			       r->source[i].place.function == place->function
		       ? i
		       : GASPDB_ABSENT;
}

uint32_t gaspdb_source_add(struct gaspdb_registry *r, uint32_t operation,
			   const struct gaspdb_place *place)
{
	static const struct gaspdb_place nowhere = { 0 };
	struct source_key key = key_of(operation, place);
	struct gaspdb_source_row *row;
	bool added;
	uint32_t i = named_by_event(r, operation, place);

	if (i != GASPDB_ABSENT)
		return i + 1;
	if (r->sources.n >= GASPDB_SOURCES_MAX &&
	    gaspdb_names_find(&r->sources, &key, sizeof key) == GASPDB_ABSENT) {
		r->sources_left_out++;
		place = &nowhere;
		key = key_of(operation, place);
	}
	i = gaspdb_names_add(&r->sources, &key, sizeof key, &added);
	r->source = gaspdb_mem_grow(r->source, &r->source_capacity, i + 1,
				    sizeof *r->source);
	row = &r->source[i];
	if (added) {
		row->operation = operation;
		row->place = *place;
		return i + 1;
	}
	row->many |= row->place.offset != place->offset;
	if (row->place.column != place->column)
		row->place.column = 0;
	if (row->place.module != place->module)
		row->place.module = 0;
	return i + 1;
}

void gaspdb_source_function(struct gaspdb_registry *r, uint32_t source,
			    uint32_t function)
{
	struct gaspdb_place *p = &r->source[source - 1].place;

	/* The last source may stand for several lines and has no function. */
	if (!p->function && source <= GASPDB_SOURCES_MAX)
		p->function = function;
}

static struct gaspdb_value if_known(uint64_t n)
{
	return gaspdb_int(n ? gaspdb_number(n) : GASPDB_NULL);
}

void gaspdb_registry_finish(struct gaspdb_registry *r)
{
	for (uint32_t i = 0; i < r->sources.n; i++) {
		const struct gaspdb_source_row *row = &r->source[i];
		const struct gaspdb_place *p = &row->place;

		gaspdb_insert(
			r->store, GASPDB_INSERT_source,
			GASPDB_VALUES(source){
				[GASPDB_SOURCE_ID] = gaspdb_int(i + 1),
				[GASPDB_SOURCE_OPERATION] =
					gaspdb_int(row->operation),
				[GASPDB_SOURCE_FILE] =
					gaspdb_str(gaspdb_text_get(r, p->file)),
				[GASPDB_SOURCE_LINE] = if_known(p->line),
				[GASPDB_SOURCE_FUNCTION] = gaspdb_str(
					gaspdb_text_get(r, p->function)),
				[GASPDB_SOURCE_COLUMN] = if_known(p->column),
				[GASPDB_SOURCE_MODULE] = gaspdb_str(
					gaspdb_text_get(r, p->module)),
				[GASPDB_SOURCE_OFFSET] =
					if_known(row->many ? 0 : p->offset),
				[GASPDB_SOURCE_FUNCTION_OFFSET] =
					if_known(p->file ? 0 : p->within) });
	}
}
