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

/* Place by lines.tsv; false: not there. */
static bool place_from_file(struct gaspdb_symbols *s,
			    const struct gaspdb_module *m, uint64_t address,
			    struct gaspdb_place *place)
{
	char key[8192];
	int n = snprintf(key, sizeof key, "%s\t%" PRIx64, m->key, address);
	uint32_t i = n > 0 && (size_t)n < sizeof key
			     ? gaspdb_names_find(&s->lines, key, (size_t)n)
			     : GASPDB_ABSENT;

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

const struct gaspdb_place *
gaspdb_symbols_place(struct gaspdb_symbols *s, uint32_t module, uint64_t offset)
{
	struct gaspdb_module *m = &s->module[module];
	/*
	 * A byte of the call itself: the return address may be on another line.
	 */
	const uint64_t address = offset - 1;
	uint64_t key[2] = { module, address };
	struct gaspdb_place *place;
	bool added;
	uint32_t i = gaspdb_names_add(&s->addresses, key, sizeof key, &added);

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
