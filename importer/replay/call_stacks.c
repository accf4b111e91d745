/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Call stacks: see call_stacks.h. */
#include "importer/replay/call_stacks.h"

#include <fnmatch.h>
#include <string.h>

/* The operation of functions that are known from call stacks alone. */
static uint32_t caller_operation(struct gaspdb_importer *im)
{
	struct gaspdb_registry *r = &im->registry;
	const struct gaspdb_operation_names names = {
		.name = gaspdb_text_of(r, "caller"),
		.symbol = gaspdb_text_of(r, "CALLER"),
		.type = gaspdb_text_of(r, "function"),
		.category = gaspdb_text_of(r, "none"),
		.model = gaspdb_text_of(r, "C"),
	};

	return gaspdb_operation_add(r, &names);
}

static const struct gaspdb_log_module *
module_of(const struct gaspdb_importer *im, uint64_t module, uint64_t address)
{
	return gaspdb_definitions_module_of(&im->definitions, module, address);
}

/* --- paths ---------------------------------------------------------------- */

/* Whether a function only starts the program, or a thread: it is left out above
   the program's own. */
static bool is_start(const struct gaspdb_importer *im,
		     const struct gaspdb_place *function)
{
	static const char *const starts[] = { "_start", "start_thread", "clone",
					      "clone3", "__clone" };
	const char *name = gaspdb_text_get(&im->registry, function->function);

	if (!name)
		return false;
	for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
		if (!strcmp(name, starts[i]))
			return true;
	return !strncmp(name, "__libc_start_", strlen("__libc_start_"));
}

/* The path of a frame's functions below that of its caller. */
static uint32_t add_functions(struct gaspdb_importer *im, uint32_t path,
			      const struct gaspdb_log_frame *frame)
{
	const struct gaspdb_log_module *m =
		module_of(im, frame->module, frame->address);
	struct gaspdb_place nowhere = { .offset = frame->address - 1 };
	struct gaspdb_functions f = { 1, &nowhere };
	const uint32_t operation = caller_operation(im);

	if (m)
		f = gaspdb_symbols_functions(&im->symbols, m->module,
					     frame->address - m->bias);
	for (unsigned i = f.n; i-- > 0;) {
		uint32_t source, next;

		if (!path && is_start(im, &f.place[i]))
			continue;
		source = gaspdb_source_add(&im->registry, operation,
					   &f.place[i]);
		next = gaspdb_path_frame(&im->paths, path, source);
		path = next ? next : path;
	}
	return path;
}

uint32_t gaspdb_call_stack_path(struct gaspdb_importer *im,
				const struct gaspdb_log_site *site)
{
	struct gaspdb_log_frame *chain[GASPDB_STACK_MAX];
	uint32_t id = site->frame, path = 0;
	unsigned n = 0;

	while (id && n < GASPDB_STACK_MAX) {
		struct gaspdb_log_frame *f =
			gaspdb_definitions_frame(&im->definitions, id);

		if (f && f->path)
			path = f->path;
		if (!f || f->path)
			break;
		chain[n++] = f;
		id = f->caller;
	}
	while (n-- > 0)
		chain[n]->path = path = add_functions(im, path, chain[n]);
	return path;
}

/* --- places --------------------------------------------------------------- */

static const char *file_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Whether a module is the user's code: not a shared object, or one that the
   option names. */
static bool is_user_code(const struct gaspdb_importer *im,
			 const struct gaspdb_log_module *m)
{
	const char *path = im->symbols.module[m->module].path;
	const char *file = file_of(path), *pattern = im->options->user_code;

	if (pattern &&
	    (!fnmatch(pattern, path, 0) || !fnmatch(pattern, file, 0)))
		return true;
	return !strstr(file, ".so");
}

static struct gaspdb_place place_of_address(struct gaspdb_importer *im,
					    const struct gaspdb_log_site *site)
{
	const struct gaspdb_log_module *m =
		module_of(im, site->module, site->address);
	uint64_t address = site->address;
	uint32_t id = site->frame;

	for (unsigned n = 0; id && n < GASPDB_STACK_MAX; n++) {
		const struct gaspdb_log_frame *f =
			gaspdb_definitions_frame(&im->definitions, id);
		const struct gaspdb_log_module *of =
			f ? module_of(im, f->module, f->address) : NULL;

		if (of && is_user_code(im, of)) {
			m = of;
			address = f->address;
			break;
		}
		id = f ? f->caller : 0;
	}
	if (m)
		return *gaspdb_symbols_place(&im->symbols, m->module,
					     address - m->bias);
	return (struct gaspdb_place){ .offset = address - 1 };
}

struct gaspdb_place gaspdb_site_place(struct gaspdb_importer *im,
				      const struct gaspdb_log_site *site)
{
	struct gaspdb_place place = { 0 };

	if (site->by_address)
		return place_of_address(im, site);
	place.file = site->file;
	place.function = site->function;
	if (place.file) { /* no line without a file */
		place.line = site->line;
		place.column = site->column;
	}
	return place;
}
