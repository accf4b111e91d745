/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The file a page is written to. A regular one lies beside its target until it
 * is complete, and then takes its name; a failure, a signal or an exit removes
 * it. Pipes and devices are written to at once.
 */
#ifndef GASPDB_CLI_HTML_TARGET_H
#define GASPDB_CLI_HTML_TARGET_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/error.h"

struct gaspdb_target {
	FILE *out;
	int64_t bytes;	 /* written */
	bool is_regular; /* a file that a browser can open */
	const char *path;
	char *final, *beside; /* NULL: written to at once */
	int fd, error;	      /* error: errno of the first failed write; or 0 */
};

/* Opens a target; path must outlive it. One at a time. */
enum gaspdb_status gaspdb_target_open(struct gaspdb_target *target,
				      const char *path,
				      struct gaspdb_error *err);

/* Closes a target. It becomes the file if all was written and err is without
   an error; else err gets the error of writing, if there is one. */
enum gaspdb_status gaspdb_target_close(struct gaspdb_target *target,
				       struct gaspdb_error *err);

#endif
