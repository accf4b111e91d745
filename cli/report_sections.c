/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What stands in the report, in what order: a section an analysis.  To add
 * one, add a row.
 */
#include <stddef.h>

#include "remarks.h"
#include "report.h"

#define T  GASPDB_REPORT_TEXT
#define P  GASPDB_REPORT_PLACE
#define N  GASPDB_REPORT_NUMBER
#define C  GASPDB_REPORT_COUNT
#define NS GASPDB_REPORT_TIME
#define B  GASPDB_REPORT_SIZE
#define S  GASPDB_REPORT_SHARE
#define COLUMNS(...)                          \
	(const struct gaspdb_report_column[]) \
	{                                     \
		__VA_ARGS__,                  \
		{                             \
			NULL, NULL, T         \
		}                             \
	}

/* clang-format off */
const struct gaspdb_report_section gaspdb_report_sections[] = {
{ "Time by category", "categories", NULL, 0, COLUMNS(
	{ "category", "category", T }, { "time", "all threads", NS },
	{ "share", "share", S }, { "least", "least", NS },
	{ "least_thread", "thread", N }, { "mean", "mean", NS },
	{ "most", "most", NS }, { "most_thread", "thread", N }),
	gaspdb_report_categories, NULL },
{ "Hot operations", "operations", NULL, 10, COLUMNS(
	{ "operation", "operation", T }, { "category", "category", T },
	{ "calls", "calls", C }, { "self_ns", "time", NS },
	{ "share", "share", S }, { "waiting_ns", "waiting", NS },
	{ "bytes", "data", B }), NULL, NULL },
{ "Hot lines", "hot-lines", NULL, 10, COLUMNS(
	{ "location", "line", P }, { "function", "function", T },
	{ "operations", "calls", T }, { "self_ns", "time", NS },
	{ "share", "share", S }, { "waiting_ns", "waiting", NS },
	{ "max_thread", "thread", N }, { "max_ns", "of it", NS }), NULL, NULL },
{ "Traffic", "comm-matrix", NULL, 10, COLUMNS(
	{ "initiator", "from", N }, { "owner", "to", N },
	{ "operations", "operations", C }, { "bytes", "data", B },
	{ "mean_bytes", "mean", B }, { "time_ns", "time", NS }),
	gaspdb_report_traffic, NULL },
{ "Quality of the data", "quality", NULL, 20, COLUMNS(
	{ "kind", "kind", T }), gaspdb_report_quality, NULL },
{ NULL, NULL, NULL, 0, NULL, NULL, NULL },
};
/* clang-format on */
