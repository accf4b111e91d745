/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time by category over all threads: sums and extremes. */
#ifndef GASPDB_CLI_REPORT_CATEGORIES_H
#define GASPDB_CLI_REPORT_CATEGORIES_H

#include <stdint.h>

struct gaspdb_report;

struct gaspdb_report_category {
	char *name;
	int column;
	int64_t sum, least, most, least_thread, most_thread;
};

enum { GASPDB_REPORT_CATEGORIES = 16 };

struct gaspdb_report_categories {
	int n, n_threads;
	int total; /* column of the threads' total time */
	int thread;
	int64_t total_ns;
	struct gaspdb_report_category list[GASPDB_REPORT_CATEGORIES];
};

/* Reads the categories; n_threads is 0 if none is known. */
void gaspdb_report_categories_read(struct gaspdb_report *r,
				   struct gaspdb_report_categories *c);
void gaspdb_report_categories_free(struct gaspdb_report_categories *c);

#endif
