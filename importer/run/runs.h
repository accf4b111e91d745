/* SPDX-License-Identifier: GPL-3.0-or-later */
/* List of the runs in an input, to choose from. */
#ifndef GASPDB_IMPORTER_RUN_RUNS_H
#define GASPDB_IMPORTER_RUN_RUNS_H

#include <stddef.h>
#include <stdint.h>

struct gaspdb_input;

struct gaspdb_run_list {
	struct gaspdb_listed_run {
		char *name;	      /* value for --run= */
		size_t logs, threads; /* threads 0: no log can be read */
		int64_t start_real_ns;
	} * run;
	size_t n;
};

/* Scans all runs of the input. */
void gaspdb_run_list_make(struct gaspdb_run_list *list,
			  struct gaspdb_input *input);
void gaspdb_run_list_free(struct gaspdb_run_list *list);

#endif
