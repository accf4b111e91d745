/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places of addresses; each address of a module is resolved once. */
#include "importer/symbols/symbols.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "importer/log/reader.h"
#include "common/memory.h"

void gaspdb_symbols_init(struct gaspdb_symbols *s,
			 struct gaspdb_registry *registry)
{
	memset(s, 0, sizeof *s);
	s->registry = registry;
	gaspdb_elf_stay_local();
}

static void free_functions(struct gaspdb_functions *f, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(f[i].place);
	free(f);
}

void gaspdb_symbols_free(struct gaspdb_symbols *s)
{
	for (uint32_t i = 0; i < s->identities.n && i < s->capacity; i++) {
		gaspdb_elf_close(s->module[i].elf);
		free(s->module[i].path);
		free(s->module[i].key);
	}
	gaspdb_names_free(&s->identities);
	gaspdb_names_free(&s->addresses);
	gaspdb_names_free(&s->lines);
	free(s->module);
	free_functions(s->functions, s->functions_capacity);
	free_functions(s->line_functions, s->line_functions_capacity);
	free(s->place);
	free(s->line);
	memset(s, 0, sizeof *s);
}

/* --- modules -------------------------------------------------------------- */

/* Key of a module in lines.tsv: build-id in hex, path@checksum-size,
   path@inode-size-mtime-ctime, or only the path. */
static char *key_of(const struct gaspdb_module_identity *id, const char *path)
{
	const size_t size = 2 * id->build_id.n + strlen(path) + 80;
	char *key = gaspdb_mem_alloc(size);

	for (size_t i = 0; i < id->build_id.n; i++)
		snprintf(key + 2 * i, 3, "%02x",
			 (unsigned char)id->build_id.p[i]);
	if (id->build_id.n)
		return key;
	if (id->checksum)
		snprintf(key, size, "%s@%08" PRIx32 "-%" PRIx64, path,
			 (uint32_t)id->checksum, id->size);
	else if (id->size)
		snprintf(key, size,
			 "%s@%" PRIx64 "-%" PRIx64 "-%" PRIx64 "-%" PRIx64,
			 path, id->inode, id->size, id->modified_ns,
			 id->changed_ns);
	else
		snprintf(key, size, "%s", path);
	return key;
}

/* Interns a module's identity, as bytes. */
static uint32_t add_identity(struct gaspdb_symbols *s,
			     const struct gaspdb_field *f, bool *added)
{
	const struct gaspdb_text build_id = f[3].s, path = f[4].s;
	const uint64_t file[] = { f[6].u, f[7].u, f[8].u, f[9].u, f[10].u };
	const size_t n = sizeof file + build_id.n + 1 + path.n;
	char *identity = gaspdb_mem_alloc(n);
	uint32_t i;

	*added = false;
	memcpy(identity, build_id.p, build_id.n);
	memcpy(identity + build_id.n + 1, path.p, path.n);
	if (!build_id.n)
		memcpy(identity + n - sizeof file, file, sizeof file);
	if (s->identities.n < GASPDB_RUN_MODULES_MAX)
		i = gaspdb_names_add(&s->identities, identity, n, added);
	else
		i = gaspdb_names_find(&s->identities, identity, n);
	free(identity);
	return i;
}

uint32_t gaspdb_symbols_module(struct gaspdb_symbols *s,
			       const struct gaspdb_field *f)
{
	const struct gaspdb_text build_id = f[3].s, path = f[4].s;
	struct gaspdb_module *m;
	bool added;
	const uint32_t i = add_identity(s, f, &added);

	if (!added)
		return i;
	s->module = gaspdb_mem_grow(s->module, &s->capacity, i + 1,
				    sizeof *s->module);
	m = &s->module[i];
	m->path = gaspdb_mem_alloc(path.n + 1);
	memcpy(m->path, path.p, path.n);
	m->identity = (struct gaspdb_module_identity){
		/* the interned copy is never moved */
		.build_id = { s->identities.names[i].bytes, build_id.n },
		.size = f[6].u,
		.checksum = f[7].u,
		.inode = f[8].u,
		.modified_ns = f[9].u,
		.changed_ns = f[10].u,
	};
	m->key = key_of(&m->identity, m->path);
	return i;
}

static struct gaspdb_elf *open_module(const struct gaspdb_symbols *s,
				      struct gaspdb_module *m)
{
	if (m->tried)
		return m->elf;
	m->tried = true;
	if (s->no_files) {
		snprintf(m->why, sizeof m->why,
			 "an archive's paths are not followed "
			 "(--local-modules does)");
		return NULL;
	}
	m->elf = gaspdb_elf_open(m->path, &m->identity, m->why, sizeof m->why);
	if (m->elf && !gaspdb_elf_has_lines(m->elf))
		snprintf(m->why, sizeof m->why, "it has no debug information");
	return m->elf;
}

const char *gaspdb_symbols_why(const struct gaspdb_symbols *s, const char *path)
{
	for (uint32_t i = 0; i < s->identities.n; i++)
		if (!strcmp(s->module[i].path, path) && s->module[i].why[0])
			return s->module[i].why;
	return "";
}

/* --- places --------------------------------------------------------------- */

/* The number of an address in lines.tsv; GASPDB_ABSENT: it has none. */
static uint32_t find_line(const struct gaspdb_symbols *s,
			  const struct gaspdb_module *m, uint64_t address)
{
	char key[8192];
	int n = snprintf(key, sizeof key, "%s\t%" PRIx64, m->key, address);

	return n > 0 && (size_t)n < sizeof key
		       ? gaspdb_names_find(&s->lines, key, (size_t)n)
		       : GASPDB_ABSENT;
}

/* Place by lines.tsv; false: not there. */
static bool place_from_file(struct gaspdb_symbols *s,
			    const struct gaspdb_module *m, uint64_t address,
			    struct gaspdb_place *place)
{
	const uint32_t i = find_line(s, m, address);

	if (i == GASPDB_ABSENT)
		return false;
	*place = s->line[i];
	return true;
}

static void place_from_module(struct gaspdb_symbols *s, struct gaspdb_module *m,
			      uint64_t address, struct gaspdb_place *place)
{
	struct gaspdb_elf *elf = open_module(s, m);
	struct gaspdb_elf_place found;

	if (!elf)
		return;
	gaspdb_elf_lookup(elf, address, &found);
	place->function = gaspdb_text_of(s->registry, found.function);
	place->file = gaspdb_text_of(s->registry, found.file);
	place->line = (uint64_t)found.line;
	place->column = (uint64_t)found.column;
	place->within = found.within;
}

/* The number of the address before offset: a byte of the call itself, for what
   follows may be another line. */
static uint32_t number_of(struct gaspdb_symbols *s, uint32_t module,
			  uint64_t offset, bool *added)
{
	const uint64_t key[2] = { module, offset - 1 };

	return gaspdb_names_add(&s->addresses, key, sizeof key, added);
}

const struct gaspdb_place *
gaspdb_symbols_place(struct gaspdb_symbols *s, uint32_t module, uint64_t offset)
{
	struct gaspdb_module *m = &s->module[module];
	const uint64_t address = offset - 1;
	struct gaspdb_place *place;
	bool added;
	uint32_t i = number_of(s, module, offset, &added);

	s->place = gaspdb_mem_grow(s->place, &s->place_capacity, i + 1,
				   sizeof *s->place);
	place = &s->place[i];
	if (!added)
		return place;
	if (!place_from_file(s, m, address, place))
		place_from_module(s, m, address, place);
	place->module = gaspdb_text_of(s->registry, m->path);
	place->offset = address;
	return place;
}

/* --- functions ------------------------------------------------------------ */

/* The function of a place, of which a line in it is known, or nothing: then it
   stands for its start in the module. */
static struct gaspdb_place function_of(const struct gaspdb_place *place)
{
	return (struct gaspdb_place){ .function = place->function,
				      .file = place->file,
				      .module = place->module,
				      .offset = place->offset - place->within };
}

/* From lines.tsv. */
static unsigned functions_from_file(struct gaspdb_symbols *s,
				    const struct gaspdb_module *m,
				    const struct gaspdb_place *place,
				    struct gaspdb_place *functions)
{
	const uint32_t i = find_line(s, m, place->offset);
	const struct gaspdb_functions *known =
		i < s->line_functions_capacity ? &s->line_functions[i] : NULL;

	for (unsigned k = 0; known && k < known->n; k++) {
		functions[k] = known->place[k];
		functions[k].module = place->module;
		functions[k].offset = place->offset;
	}
	return known ? known->n : 0;
}

static unsigned functions_from_module(struct gaspdb_symbols *s,
				      struct gaspdb_module *m,
				      const struct gaspdb_place *place,
				      struct gaspdb_place *functions)
{
	struct gaspdb_elf_place *found =
		gaspdb_mem_alloc(GASPDB_INLINED_MAX * sizeof *found);
	struct gaspdb_elf *elf = open_module(s, m);
	const unsigned n = elf ? gaspdb_elf_functions(elf, place->offset, found,
						      GASPDB_INLINED_MAX)
			       : 0;

	for (unsigned i = 0; i < n; i++)
		functions[i] = (struct gaspdb_place){
			.function =
				gaspdb_text_of(s->registry, found[i].function),
			.file = gaspdb_text_of(s->registry, found[i].file),
			.line = (uint64_t)found[i].line,
			.module = place->module,
			.offset = place->offset,
		};
	free(found);
	return n;
}

struct gaspdb_functions gaspdb_symbols_functions(struct gaspdb_symbols *s,
						 uint32_t module,
						 uint64_t offset)
{
	struct gaspdb_module *m = &s->module[module];
	const struct gaspdb_place place =
		*gaspdb_symbols_place(s, module, offset);
	const uint32_t i = number_of(s, module, offset, NULL);
	struct gaspdb_functions *f;

	s->functions = gaspdb_mem_grow(s->functions, &s->functions_capacity,
				       i + 1, sizeof *s->functions);
	f = &s->functions[i];
	if (f->n)
		return *f;
	f->place = gaspdb_mem_alloc(GASPDB_INLINED_MAX * sizeof *f->place);
	f->n = functions_from_file(s, m, &place, f->place);
	if (!f->n)
		f->n = functions_from_module(s, m, &place, f->place);
	if (!f->n)
		f->place[f->n++] = function_of(&place);
	return *f;
}

bool gaspdb_symbols_object(struct gaspdb_symbols *s, uint32_t module,
			   uint64_t offset, char *name, size_t size)
{
	struct gaspdb_elf *elf = open_module(s, &s->module[module]);
	uint64_t within = 0;
	const char *symbol =
		elf ? gaspdb_elf_object(elf, offset, &within) : NULL;

	if (!symbol)
		return false;
	if (within)
		snprintf(name, size, "%s+%" PRIu64, symbol, within);
	else
		snprintf(name, size, "%s", symbol);
	return true;
}
