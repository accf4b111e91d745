/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run as one HTML page that needs no network. */
#ifndef GASPDB_CLI_HTML_HTML_H
#define GASPDB_CLI_HTML_HTML_H

#include <stdbool.h>

#include "cli/report/report.h"

struct gaspdb_html_options {
	bool no_source; /* without lines of the program's files */
};

/*
 * Writes the page of a run whose facts are read (gaspdb_report_read()). It
 * takes its name when it is complete. Fails where d3 was missing when gaspdb
 * was built, and where the file cannot be written.
 */
enum gaspdb_status gaspdb_html_write(struct gaspdb_report *r, const char *path,
				     const struct gaspdb_html_options *options);

/*
 * Writes a page of two runs side by side; text: the comparison as text, json:
 * its rows.
 */
enum gaspdb_status gaspdb_html_write_two(struct gaspdb_report *a,
					 struct gaspdb_report *b,
					 const char *text, const char *json,
					 const char *path,
					 struct gaspdb_error *err);

#endif
