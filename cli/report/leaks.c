/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Report: memory that was never freed. */
#include <inttypes.h>
#include <stdlib.h>

#include "cli/output/human.h"
#include "cli/output/text.h"
#include "cli/report/report.h"

/* Memory that is left at the end is often meant to be there; what grew to the
   end is worth a sentence. */
char *gaspdb_report_leak(struct gaspdb_report *r, sqlite3_stmt *row)
{
	const int64_t blocks = gaspdb_report_integer(row, "most_blocks");
	const char *function = gaspdb_report_text(row, "function");
	char size[GASPDB_HUMAN_BYTES], count[GASPDB_HUMAN_BYTES];
	char *thread, *text;
	int64_t rank;

	if (gaspdb_report_integer(row, "growing") <= 0)
		return NULL;
	rank = gaspdb_report_integer(row, "most_rank");
	thread = rank >= 0
			 ? gaspdb_text_format("rank %" PRId64, rank)
			 : gaspdb_report_thread(r, gaspdb_report_integer(
							   row, "most_thread"));
	text = gaspdb_text_format(
		"%s: %s never freed, allocated at %s%s%s%s (%s %s); it grew to "
		"the end of the run",
		thread,
		gaspdb_human_size(size,
				  gaspdb_report_integer(row, "most_bytes")),
		gaspdb_report_text(row, "location"), *function ? " in " : "",
		function, *function ? "()" : "",
		gaspdb_human_count(count, blocks),
		gaspdb_human_plural(blocks, "block", "blocks"));
	free(thread);
	return text;
}
