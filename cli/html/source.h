/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chunk "source": lines of the program's files round those with events, as
 * JSON: {"files": [{"name" (as in chunk sources), "state": "read",
 * "missing" or "changed" (newer than the recording), "lines": [[number,
 * text]]}]}.
 */
#ifndef GASPDB_CLI_HTML_SOURCE_H
#define GASPDB_CLI_HTML_SOURCE_H

#include "cli/report/report.h"

enum gaspdb_status gaspdb_source_write(struct gaspdb_report *r, FILE *out);

#endif
