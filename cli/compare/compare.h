/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of gaspdb compare. */
#ifndef GASPDB_CLI_COMPARE_COMPARE_H
#define GASPDB_CLI_COMPARE_COMPARE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/database/database.h"
#include "cli/output/output.h"

/* Choices of --by: what identifies a call. */
#define GASPDB_COMPARE_BY "line|function|operation"

/* Comparison of runs, in a database in memory: sql/compare/. */
struct gaspdb_compare {
	struct gaspdb_database db; /* only its sql is used */
};

enum gaspdb_status gaspdb_compare_open(struct gaspdb_compare *c, const char *by,
				       struct gaspdb_error *err);
/* Adds the run of the database at path; side: "a" or "b". Reports incomplete
   data on stderr. */
enum gaspdb_status gaspdb_compare_add(struct gaspdb_compare *c,
				      const char *side, const char *path,
				      struct gaspdb_error *err);
/* Computes the rows of table compared, after all runs were added. */
enum gaspdb_status gaspdb_compare_match(struct gaspdb_compare *c,
					struct gaspdb_error *err);
void gaspdb_compare_close(struct gaspdb_compare *c);

/* Sentences about the figures: whether they are per thread, and the known
   noise. The caller frees them. */
char *gaspdb_compare_scale(struct gaspdb_compare *c);
char *gaspdb_compare_noise(struct gaspdb_compare *c);

/* Prints a page; limit: rows per section, negative: all. */
enum gaspdb_status gaspdb_compare_print(struct gaspdb_compare *c, FILE *out,
					int64_t limit,
					struct gaspdb_error *err);
/* Writes all sections as one list of rows, CSV or JSON. */
enum gaspdb_status gaspdb_compare_write(struct gaspdb_compare *c, FILE *out,
					const struct gaspdb_output_style *style,
					int64_t limit,
					struct gaspdb_error *err);

/* A condition of --fail-if: a figure and its allowed growth. */
struct gaspdb_compare_condition {
	const char *text;    /* as typed; borrowed */
	const char *section; /* of table compared */
	char *name;	     /* in it; NULL: any */
	char *file;	     /* at its line; NULL: anywhere */
	int64_t line;
	double amount;	/* ns; per cent of a's value, or points of a per cent */
	bool is_change; /* per cent */
};

/* Parses a condition; err says what is wrong. Free it in any case. */
enum gaspdb_status
gaspdb_compare_condition_parse(struct gaspdb_compare_condition *condition,
			       const char *text, struct gaspdb_error *err);
void gaspdb_compare_condition_free(struct gaspdb_compare_condition *condition);

/*
 * Checks a condition: reports on stderr each figure that grew by more than it
 * allows, and whether that is within the noise. *holds: some figure grew beyond
 * the noise. FAILED: neither run has the figure, or it cannot be read.
 */
enum gaspdb_status
gaspdb_compare_check(struct gaspdb_compare *c,
		     const struct gaspdb_compare_condition *condition,
		     bool *holds, struct gaspdb_error *err);

#endif
