/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Modules of the process as defined in one log, and the detection of unloads.
 * A module is what the loader mapped at one place: base, end, path, and
 * build-id or file.  After a possible unload, all defined modules are compared
 * with the loaded ones.
 */
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#include "collector/base/loaded_module.h"
#include "collector/base/pages.h"
#include "collector/base/undisturbed.h"
#include "collector/core/context.h"
#include "collector/core/emit.h"
#include "collector/core/heap/heap.h"
#include "collector/process/elf_notes.h"
#include "collector/process/module_file.h"
#include "collector/process/process.h"

#define FIRST_MODULES 16
#define BUILD_ID_MAX  64

struct gaspdb_module {
	uintptr_t base, end;
	uint64_t loader_hash; /* hash of the loader's facts */
	uint64_t identity;    /* and of the file, without a build-id */
	uint32_t id;	      /* in the log; 0: not defined */
	bool has_build_id;
	bool loaded, seen, gone;
};

/* --- what is loaded ------------------------------------------------------- */

struct loaded {
	uintptr_t base, end, bias;
	char path[GASPDB_TEXT_MAX];
	unsigned char build_id[BUILD_ID_MAX];
	struct gaspdb_bytes id; /* in build_id */
	uint64_t loader_hash, identity;
	struct gaspdb_module_file file; /* without a build-id */
};

static struct gaspdb_bytes find_build_id(struct gaspdb_elf_notes notes)
{
	while (gaspdb_elf_notes_next(&notes))
		if (notes.note->n_type == NT_GNU_BUILD_ID &&
		    notes.note->n_namesz == sizeof "GNU" &&
		    !memcmp(notes.name, "GNU", sizeof "GNU"))
			return (struct gaspdb_bytes){ notes.value,
						      notes.note->n_descsz };
	return (struct gaspdb_bytes){ NULL, 0 };
}

static struct gaspdb_bytes build_id_of(const struct dl_phdr_info *info)
{
	struct gaspdb_bytes id = { NULL, 0 };

	for (int i = 0; i < info->dlpi_phnum && !id.n; i++) {
		const ElfW(Phdr) *h = &info->dlpi_phdr[i];

		if (h->p_type == PT_NOTE)
			id = find_build_id(gaspdb_elf_notes(info, h));
	}
	if (id.n > BUILD_ID_MAX)
		id.n = BUILD_ID_MAX;
	return id;
}

static uint64_t hash_bytes(uint64_t h, const void *bytes, size_t n)
{
	const unsigned char *p = bytes;

	for (size_t i = 0; i < n; i++)
		h = gaspdb_mix(h + p[i], i);
	return gaspdb_mix(h, n);
}

static uint64_t loader_hash_of(const struct dl_phdr_info *info,
			       struct gaspdb_range r, struct gaspdb_bytes id)
{
	const uint64_t place[] = { r.base, r.end, info->dlpi_addr };
	uint64_t h = hash_bytes(1, place, sizeof place);

	h = hash_bytes(h, info->dlpi_name, strlen(info->dlpi_name));
	return hash_bytes(h, id.p, id.n);
}

struct search {
	const void *pointer;
	struct loaded *found;
};

static int search(struct dl_phdr_info *info, size_t size, void *user)
{
	const struct search *s = user;
	const struct gaspdb_range r = gaspdb_segments_range(info, 0);
	struct loaded *m = s->found;

	(void)size;
	if (!gaspdb_is_in(&r, s->pointer))
		return 0;
	m->base = r.base;
	m->end = r.end;
	m->bias = info->dlpi_addr;
	m->id = build_id_of(info);
	m->loader_hash = loader_hash_of(info, r, m->id);
	if (m->id.n)
		memcpy(m->build_id, m->id.p, m->id.n);
	m->id.p = m->build_id;
	snprintf(m->path, sizeof m->path, "%s", info->dlpi_name);
	return 1;
}

/* Hash of loader_hash and the file; path becomes absolute. */
static uint64_t identify(uint64_t loader_hash, uintptr_t base, char *path,
			 size_t size, bool has_build_id,
			 struct gaspdb_module_file *file)
{
	memset(file, 0, sizeof *file);
	gaspdb_module_file(base, path, size, has_build_id ? NULL : file);
	return hash_bytes(loader_hash, file, sizeof *file);
}

/* Describes the module at pointer; false: none. */
static bool describe(const void *pointer, struct loaded *m)
{
	struct search s = { pointer, m };
	const struct gaspdb_disturbance before = gaspdb_undisturbed_begin();
	const int saved = errno;
	const bool found = dl_iterate_phdr(search, &s) != 0;

	if (found)
		m->identity = identify(m->loader_hash, m->base, m->path,
				       sizeof m->path, m->id.n, &m->file);
	errno = saved;
	gaspdb_undisturbed_end(before);
	return found;
}

/* --- what was unloaded ---------------------------------------------------- */

atomic_uint gaspdb_unloads;
static atomic_uint unloading;

GASPDB_EXPORT void gaspdb_unload_begin(void)
{
	gaspdb_heap_log();
	atomic_fetch_add(&unloading, 1);
	atomic_fetch_add(&gaspdb_unloads, 1);
	atomic_fetch_add(&gaspdb_process.generation, 1);
}

GASPDB_EXPORT void gaspdb_unload_end(void)
{
	atomic_fetch_sub(&unloading, 1);
	atomic_fetch_add(&gaspdb_unloads, 1);
	atomic_fetch_add(&gaspdb_process.generation, 1);
}

bool gaspdb_is_unloading(void)
{
	return atomic_load(&unloading) != 0;
}

static int read_count(struct dl_phdr_info *info, size_t size, void *count)
{
	(void)size;
	*(uint64_t *)count = info->dlpi_subs;
	return 1;
}

static int mark_loaded(struct dl_phdr_info *info, size_t size, void *user)
{
	struct gaspdb_context *c = user;
	const struct gaspdb_range r = gaspdb_segments_range(info, 0);

	(void)size;
	c->unloads_seen = info->dlpi_subs;
	for (uint32_t i = 0; i < c->n_modules; i++) {
		struct gaspdb_module *m = &c->modules[i];

		if (m->loaded && m->base == r.base)
			m->seen = m->loader_hash ==
				  loader_hash_of(info, r, build_id_of(info));
	}
	return 0;
}

/* The path may name another file by now. */
static bool has_same_file(const struct gaspdb_module *m)
{
	struct loaded now;

	return m->has_build_id || (describe((const void *)m->base, &now) &&
				   now.identity == m->identity);
}

static void compare_all(struct gaspdb_context *c)
{
	bool any = false;

	for (uint32_t i = 0; i < c->n_modules; i++)
		c->modules[i].seen = false;
	dl_iterate_phdr(mark_loaded, c);
	for (uint32_t i = 0; i < c->n_modules; i++) {
		struct gaspdb_module *m = &c->modules[i];

		m->gone = m->loaded && !(m->seen && has_same_file(m));
		m->loaded = m->loaded && !m->gone;
		any |= m->gone;
	}
	if (any) {
		gaspdb_call_stacks_unload(c);
		gaspdb_sites_park(c);
	}
}

uint64_t gaspdb_modules_unloaded(void)
{
	uint64_t unloaded = 0;

	dl_iterate_phdr(read_count, &unloaded);
	return unloaded;
}

static bool was_unloaded(const struct gaspdb_context *c)
{
	return gaspdb_modules_unloaded() != c->unloads_seen;
}

/* c is busy. */
static void check_loaded(struct gaspdb_context *c)
{
	struct gaspdb_disturbance before;

	if (c->no_modules)
		return;
	before = gaspdb_undisturbed_begin();
	if (was_unloaded(c))
		compare_all(c);
	gaspdb_undisturbed_end(before);
}

bool gaspdb_module_is_gone(const struct gaspdb_context *c, const void *pointer)
{
	const uintptr_t p = (uintptr_t)pointer;

	for (uint32_t i = 0; i < c->n_modules; i++) {
		const struct gaspdb_module *m = &c->modules[i];

		if (m->gone && p >= m->base && p < m->end)
			return true;
	}
	return false;
}

/* Counted before the check: a later unload is seen the next time. */
void gaspdb_modules_catch_up(struct gaspdb_context *c)
{
	const unsigned unloads = atomic_load(&gaspdb_unloads);
	const bool again = gaspdb_is_unloading();

	if (!gaspdb_begin(c))
		return;
	check_loaded(c);
	c->n_unloads = unloads - again;
	gaspdb_done(c);
}

void gaspdb_modules_check_unloads(struct gaspdb_context *c)
{
	if (!was_unloaded(c))
		return;
	c->n_unloads = atomic_load(&gaspdb_unloads) - 1;
	c->generation = atomic_load(&gaspdb_process.generation) - 1;
}

/* --- modules of a log ----------------------------------------------------- */

static bool make_room(struct gaspdb_context *c)
{
	const uint32_t room =
		c->module_room ? 2 * c->module_room : FIRST_MODULES;
	struct gaspdb_module *modules;

	if (c->n_modules < c->module_room)
		return true;
	modules = gaspdb_pages(room * sizeof *modules);
	if (!modules)
		return false;
	if (c->modules) {
		memcpy(modules, c->modules, c->n_modules * sizeof *modules);
		munmap(c->modules, c->module_room * sizeof *modules);
	}
	c->modules = modules;
	c->module_room = room;
	return true;
}

static struct gaspdb_module *add(struct gaspdb_context *c,
				 const struct loaded *now)
{
	struct gaspdb_module *m;

	for (uint32_t i = 0; i < c->n_modules; i++) {
		m = &c->modules[i];
		if (!m->loaded && m->identity == now->identity) {
			m->loaded = true;
			m->gone = false;
			return m;
		}
	}
	if (!make_room(c))
		return NULL;
	m = &c->modules[c->n_modules++];
	*m = (struct gaspdb_module){ .base = now->base,
				     .end = now->end,
				     .loader_hash = now->loader_hash,
				     .identity = now->identity,
				     .has_build_id = now->id.n,
				     .loaded = true };
	return m;
}

struct gaspdb_module *gaspdb_module_find(struct gaspdb_context *c,
					 const void *pointer)
{
	if (pointer)
		check_loaded(c);
	return gaspdb_module_find_checked(c, pointer);
}

struct gaspdb_module *gaspdb_module_find_checked(struct gaspdb_context *c,
						 const void *pointer)
{
	const uintptr_t p = (uintptr_t)pointer;
	struct loaded now;

	if (!pointer || c->no_modules)
		return NULL;
	for (uint32_t i = 0; i < c->n_modules; i++) {
		struct gaspdb_module *m = &c->modules[i];

		if (m->loaded && p >= m->base && p < m->end)
			return m;
	}
	return describe(pointer, &now) ? add(c, &now) : NULL;
}

uint32_t gaspdb_module_id(struct gaspdb_context *c, struct gaspdb_module *m)
{
	struct loaded now;

	if (!m || m->id || !describe((const void *)m->base, &now))
		return m ? m->id : 0;
	m->id = ++c->n_module_ids;
	gaspdb_emit_definition(
		c, GASPDB_RECORD_MODULE, "uuubsuuuuuu", (uint64_t)now.base,
		(uint64_t)now.end, (uint64_t)now.bias, &now.id, now.path,
		(uint64_t)m->id, now.file.size, now.file.checksum,
		now.file.inode, now.file.modified_ns, now.file.changed_ns);
	return m->id;
}

void gaspdb_modules_free(struct gaspdb_context *c)
{
	if (c->modules)
		munmap(c->modules, c->module_room * sizeof *c->modules);
	c->modules = NULL;
	c->n_modules = c->module_room = 0;
}
