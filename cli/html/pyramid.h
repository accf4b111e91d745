/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The time line in bins, for windows in which calls are too many to be drawn
 * one by one. Chunk "pyramid", columns of kind "u8", rows x bins cells, row by
 * row (those of chunk "threads"):
 *   busy      share of the bin in calls of the runtime, 0 to 255
 *   wait      share of the bin in waits
 *   source    place of the longest call that touches the bin: index in the
 *             member "sources" of the head; 255: none
 *   duration  1 + log2 of that call's ns; 0: none
 *   calls     1 + log2 of the number of calls that begin in the bin; 0: none
 * Head: "bins", "bin_ns" (width), "sources". Chunk "durations": calls by place
 * and log2 of their ns, with their time and their waiting.
 */
#ifndef GASPDB_CLI_HTML_PYRAMID_H
#define GASPDB_CLI_HTML_PYRAMID_H

#include "cli/html/windows.h"
#include "cli/report/report.h"

/* Writes both chunks, from one scan of tables event and wait; windows takes
   the events of it. */
enum gaspdb_status gaspdb_pyramid_write(struct gaspdb_report *r,
					struct gaspdb_windows *windows,
					FILE *out);

#endif
