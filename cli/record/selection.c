/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The run's selection file: which functions --only, --except and --filter
 * choose.  The collector knows functions by their addresses only, so their
 * names and files are looked up here, before the command starts.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/output/text.h"
#include "cli/record/loaded.h"
#include "cli/record/record.h"
#include "collector/core/events.h"
#include "collector/core/selection/selection_file.h"
#include "collector/core/selection/selectors.h"
#include "importer/symbols/function_list.h"

/* An address, and whether its function is left out. */
struct choice {
	uint64_t address;
	bool by_symbol; /* of several choices others go first */
	bool excluded;
};

struct selecting {
	const struct gaspdb_recording *recording;
	struct gaspdb_lists lists;
	struct gaspdb_names operation; /* of all functions */
	struct choice *choice;	       /* of the module at hand */
	size_t n, capacity;
	size_t n_modules;
	FILE *out;
};

static struct gaspdb_names function_operation(void)
{
	const struct gaspdb_event_info *e = &gaspdb_events[GASPDB_EVENT_C_FUNC];
	const struct gaspdb_type_info *type = &gaspdb_types[e->type];

	return (struct gaspdb_names){ e->symbol, e->name, type->name,
				      type->category, e->model };
}

/* --- functions ------------------------------------------------------------ */

static bool is_excluded_by_lists(const struct selecting *s,
				 const struct gaspdb_listed_function *f)
{
	const char *names[] = { f->name, f->qualified, f->signature, f->symbol,
				NULL };
	const char *files[] = { f->file, f->path, NULL };

	return gaspdb_lists_exclude_function(
		&s->lists, &s->operation,
		&(struct gaspdb_function_names){ names, files });
}

/* C++ functions have no plain name there, as Score-P has them. */
static bool is_excluded_by_filter(const struct selecting *s,
				  const struct gaspdb_listed_function *f)
{
	const bool is_cxx = !strncmp(f->symbol, "_Z", 2);
	const char *names[] = { f->qualified, f->signature,
				is_cxx ? NULL : f->name, NULL };
	const char *files[] = { f->file, f->path, NULL };

	return gaspdb_filter_excludes(
		&s->recording->filter,
		&(struct gaspdb_filter_names){ names, f->symbol, files });
}

static void take_function(void *user, const struct gaspdb_listed_function *f)
{
	struct selecting *s = user;

	if (s->n == s->capacity) {
		s->capacity = s->capacity ? 2 * s->capacity : 256;
		s->choice = gaspdb_memory_grow(s->choice, s->capacity,
					       sizeof *s->choice);
	}
	s->choice[s->n++] = (struct choice){
		.address = f->address,
		.by_symbol = !f->has_debug,
		.excluded = is_excluded_by_lists(s, f) ||
			    is_excluded_by_filter(s, f),
	};
}

static int compare(const void *a, const void *b)
{
	const struct choice *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->by_symbol - y->by_symbol;
}

/* Writes the functions whose choice is not that of unknown ones. */
static void write_choices(struct selecting *s)
{
	const bool otherwise = gaspdb_lists_exclude(&s->lists, &s->operation);

	if (s->n)
		qsort(s->choice, s->n, sizeof *s->choice, compare);
	for (size_t i = 0; i < s->n; i++)
		if ((!i || s->choice[i].address != s->choice[i - 1].address) &&
		    s->choice[i].excluded != otherwise)
			fprintf(s->out, "%" PRIx64 "\n", s->choice[i].address);
	s->n = 0;
}

static void take_module(struct selecting *s, const char *path)
{
	char id[2 * 64 + 1], why[200];
	char *whole;

	if (!gaspdb_is_instrumented(path, id, sizeof id))
		return;
	if (!gaspdb_list_functions(path, take_function, s, why, sizeof why)) {
		gaspdb_print_error("functions of '%s' are not selected: %s",
				   path, why);
		return;
	}
	whole = realpath(path, NULL);
	s->n_modules++;
	if (whole && !strchr(whole, '\n')) {
		fprintf(s->out, "module %s %s\n", id, whole);
		write_choices(s);
	}
	free(whole);
}

/* --- the command's programs ----------------------------------------------- */

static char *path_of(const struct gaspdb_programs *p, const char *name)
{
	char *path = gaspdb_record_find_file(name);

	if (path || !p->folder)
		return path;
	path = gaspdb_text_format("%s/%s", p->folder, name);
	if (!access(path, R_OK))
		return path;
	free(path);
	return NULL;
}

static void take_modules(struct selecting *s)
{
	struct gaspdb_loaded_files files = { 0 };
	struct gaspdb_programs programs;

	gaspdb_programs_find(&programs, s->recording->command);
	for (int i = 0; i < programs.n; i++) {
		char *path = path_of(&programs, programs.names[i]);

		if (path)
			gaspdb_loaded_files_add(&files, path);
		free(path);
	}
	gaspdb_programs_free(&programs);
	for (size_t i = 0; i < files.n; i++)
		take_module(s, files.path[i]);
	gaspdb_loaded_files_free(&files);
}

/* --- the file ------------------------------------------------------------- */

/* The rules for user events, which have one name. */
static void write_rules(struct selecting *s)
{
	const struct gaspdb_filter_rules *r = &s->recording->filter.regions;

	for (size_t i = 0; i < r->n; i++)
		fprintf(s->out, "%s %s\n",
			r->rule[i].excludes ? "exclude" : "include",
			r->rule[i].glob);
}

/* Opens the file; NULL: reported. */
static FILE *make_file(const struct gaspdb_recording *r)
{
	const int fd = gaspdb_record_make_file(r, GASPDB_SELECTION_FILE);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w");

	if (!f)
		gaspdb_print_error("functions are not selected: '%s/%s': %s",
				   r->directory, GASPDB_SELECTION_FILE,
				   strerror(errno));
	if (fd >= 0 && !f)
		close(fd);
	return f;
}

void gaspdb_record_select(struct gaspdb_recording *r)
{
	struct selecting s = {
		.recording = r,
		.lists = { r->only ? r->only : "", r->except ? r->except : "" },
		.operation = function_operation(),
	};
	const bool names_functions =
		r->filter_path || gaspdb_lists_name_functions(&s.lists);

	if (!names_functions && !gaspdb_lists_have_functions(&s.lists))
		return;
	s.out = make_file(r);
	if (!s.out)
		return;
	fprintf(s.out, "%s\n", GASPDB_SELECTION_FIRST);
	write_rules(&s);
	take_modules(&s);
	free(s.choice);
	if (names_functions && !s.n_modules)
		gaspdb_print_error(
			"what the command line names has no function "
			"that is recorded (gaspcc --inst-functions): "
			"none is selected by name or file");
	if (fclose(s.out))
		gaspdb_print_error("functions are not selected: '%s/%s': %s",
				   r->directory, GASPDB_SELECTION_FILE,
				   strerror(errno));
	else if (names_functions || s.n_modules)
		r->has_selection = true;
	if (!r->has_selection)
		unlinkat(r->folder, GASPDB_SELECTION_FILE, 0);
}
