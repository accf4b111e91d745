/* SPDX-License-Identifier: GPL-3.0-or-later */
/* List of runs: each folder with logs is one, scanned as by an import. */
#include "importer/run/runs.h"

#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "importer/run/source.h"

static void look_at(struct gaspdb_listed_run *run,
		    const struct gaspdb_input *input)
{
	struct gaspdb_registry registry;
	struct gaspdb_defects unreported;
	struct gaspdb_source source;
	struct gaspdb_error ignored;

	gaspdb_registry_init(&registry, NULL);
	gaspdb_defects_init(&unreported, NULL);
	if (!gaspdb_source_open(&source, input, &registry, &unreported,
				&ignored)) {
		run->threads = source.n_threads;
		run->start_real_ns = source.zero_ns;
	}
	gaspdb_source_close(&source);
	gaspdb_registry_free(&registry);
}

static int by_name(const void *a, const void *b)
{
	const struct gaspdb_listed_run *x = a, *y = b;

	return strcmp(x->name, y->name);
}

void gaspdb_run_list_make(struct gaspdb_run_list *list,
			  struct gaspdb_input *input)
{
	const struct gaspdb_input_file *files = input->logs.file;
	size_t capacity = 0;

	memset(list, 0, sizeof *list);
	for (size_t i = 0; i < input->logs.n; i += input->n) {
		const char *name = gaspdb_input_folder(input, files[i].folder);
		struct gaspdb_listed_run *run;

		gaspdb_input_choose(input, files[i].folder);
		list->run = gaspdb_mem_grow(list->run, &capacity, list->n + 1,
					    sizeof *list->run);
		run = &list->run[list->n++];
		run->name = gaspdb_mem_alloc(strlen(name) + 1);
		strcpy(run->name, name);
		run->logs = input->n;
		look_at(run, input);
	}
	qsort(list->run, list->n, sizeof *list->run, by_name);
}

void gaspdb_run_list_free(struct gaspdb_run_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->run[i].name);
	free(list->run);
	memset(list, 0, sizeof *list);
}
