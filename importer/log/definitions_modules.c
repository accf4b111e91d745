/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Modules of a log's process. Where modules overlap, the one defined last
   holds. */
#include <string.h>

#include "importer/log/definitions.h"
#include "common/memory.h"

static bool is_within(uint64_t address, const struct gaspdb_log_module *m)
{
	return address >= m->base && address < m->end;
}

static bool same_module(const struct gaspdb_log_module *a,
			const struct gaspdb_log_module *b)
{
	return a->base == b->base && a->end == b->end && a->bias == b->bias &&
	       a->module == b->module && a->id == b->id;
}

static void remove_module(struct gaspdb_definitions *d, size_t i)
{
	memmove(&d->modules[i], &d->modules[i + 1],
		(--d->n_modules - i) * sizeof *d->modules);
}

/* Is m a repeated definition? One that another has covered since is removed, so
   that it becomes the latest. */
static bool module_again(struct gaspdb_definitions *d,
			 const struct gaspdb_log_module *m)
{
	enum { RECENT = 256 }; /* more loaded modules are unrealistic */
	const size_t n = d->n_modules, first = n > RECENT ? n - RECENT : 0;
	bool covered = false;

	for (size_t i = n; i > first; i--) {
		const struct gaspdb_log_module *known = &d->modules[i - 1];

		if (same_module(known, m)) {
			if (covered)
				remove_module(d, i - 1);
			return !covered;
		}
		covered |= is_within(m->base, known);
	}
	return false;
}

/* Forgets the older half at once, so that moves are rare. */
static void forget_first(struct gaspdb_definitions *d)
{
	d->n_modules /= 2;
	memcpy(d->modules, d->modules + d->n_modules,
	       d->n_modules * sizeof *d->modules);
}

void gaspdb_define_module(struct gaspdb_definitions *d,
			  const struct gaspdb_field *f, uint32_t module)
{
	const struct gaspdb_log_module m = {
		.base = f[0].u,
		.end = f[1].u,
		.bias = f[2].u,
		.id = f[5].u,
		.module = module,
	};

	if (module_again(d, &m))
		return;
	if (d->n_modules == GASPDB_MODULES_MAX)
		forget_first(d);
	d->modules = gaspdb_mem_grow(d->modules, &d->module_capacity,
				     d->n_modules + 1, sizeof *d->modules);
	d->modules[d->n_modules++] = m;
}

/* The latest module at an address: a library may have been unloaded and
   replaced. */
const struct gaspdb_log_module *
gaspdb_definitions_module(const struct gaspdb_definitions *d, uint64_t address)
{
	for (size_t i = d->n_modules; i > 0; i--)
		if (is_within(address, &d->modules[i - 1]))
			return &d->modules[i - 1];
	return NULL;
}

const struct gaspdb_log_module *
gaspdb_definitions_module_of(const struct gaspdb_definitions *d, uint64_t id,
			     uint64_t address)
{
	if (!id)
		return gaspdb_definitions_module(d, address);
	for (size_t i = d->n_modules; i > 0; i--)
		if (d->modules[i - 1].id == id)
			return &d->modules[i - 1];
	return NULL;
}
